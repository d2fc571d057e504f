"""Classes of documents of any scheme: one label for each note, or answers to several questions.

A document answers one question or several, such as the smoking status of a patient. The gold
standard shows the questions and the classes that answer them; each question has its own classes.
The option ``classes`` lists them instead. With one question, no name of it is needed.

A question has one answer in each document, or none. It can have several answers if the gold
standard has lists of answers, or with the option ``several``. Classes and questions are compared
without case and surrounding blanks.

An answer that is not one of the classes is an error in the gold standard. In predictions, it counts
as no answer, and so does a missing answer: a false negative of the gold class. A different answer
is wrong on both sides: a false positive of its class, and a false negative of the gold class.
Documents on one side only count as all missed, or all spurious. Questions that the gold standard
lacks are ignored, with a warning.

Units are answers. Let tp, fp and fn count the answers of a class. Let g and p be the numbers of its
gold and predicted answers. Let n be the number of questions in all documents, where a question with
one answer counts if either side answers it. Then tn = n - tp - fp - fn.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

    micro_*             all answers together
    <class>_*           the answers of a class, with specificity = tn / (tn + fp)
    macro_*             the mean over the classes that either side has; macro F1 is the mean of the
                        classes' F1
    weighted_*          the mean over the classes, weighted by g
    accuracy            the share of questions with the same answers on both sides
    balanced_accuracy   the mean recall of the classes with gold answers
    kappa               (accuracy - c) / (1 - c), c = sum of g p / n^2; no answer counts as a class
    mcc                 (n right - sum of g p) / sqrt((n^2 - sum of g^2) (n^2 - sum of p^2)), the
                        Matthews correlation of several classes; no answer counts as a class
    hamming_loss        (fp + fn) / (questions x classes that answer them), if a question can have
                        several answers; there are no kappa and mcc then

    majority_*          accuracy, macro F1 and micro F1 of always answering the most frequent gold
                        class of each question that has a gold answer; of several answers, it alone
                        in each document, without accuracy

The option ``positive`` names a class. Its F1, precision, recall and specificity are then the main
scores.

Predictions can have a probability for each class of a question. The likeliest class is then the
answer. If a question can have several answers, these are all classes from the option ``threshold``
on. A ``positive`` class of two is the answer from the threshold on. An answer that is given besides
counts instead. Without probabilities, the further scores are left out. Let p(c) be the probability
of a class, and y(c) = 1 for gold classes, otherwise 0:

    <class>_roc_auc     the probability that an answer with the class has a higher p(c) than one
                        without it; equal ones count half
    <class>_pr_auc      average precision: the sum over the values of p(c) of the precision of all
                        answers with at least this value, times the increase of recall
    macro_roc_auc       the mean over classes with gold answers; macro_pr_auc likewise
    roc_auc, pr_auc     those of the positive class
    brier               the mean over questions of the sum over classes of (p(c) - y(c))^2, halved
                        for two classes; with several answers, the mean over classes

Answers can have evidence: the spans of the note that led to them. If both sides have evidence, it
is scored too, for all questions together. The unit is a span of an answer: a document, a question,
a class, a start and an end. Spans are paired one to one with spans of the same answer, equal ones
first, then the longest predictions. All answers count: the evidence of an answer that the other
side does not give is all missed, or all spurious.

    evidence_exact_*    P, R and F1 of spans with the same start and end
    evidence_overlap_*  P, R and F1 of spans with a character in common

With several questions, all other scores are also computed for each question; the keys begin with
its name. The scores of all questions count a class together, whichever question it answers.

All scores lie between 0 and 1, except kappa and mcc, which lie between -1 and 1, and the Brier
score of more than two classes, which is at most 2. A score whose denominator is 0 is 0, except
that kappa is undefined if all answers have the same class. There is one protocol, ``spec``,
because no challenge and no script stands behind this module. Where scikit-learn defines a score, it
computes the same value if both sides have one of the classes for each question.

Sources: Sokolova and Lapalme (2009), https://doi.org/10.1016/j.ipm.2009.03.002; Cohen (1960), on
kappa; Gorodkin (2004), https://doi.org/10.1016/j.compbiolchem.2004.09.006, on the correlation;
DeYoung et al. (2020), https://doi.org/10.18653/v1/2020.acl-main.408, on evidence, whatever the
answer; Wadden et al. (2020), https://doi.org/10.18653/v1/2020.emnlp-main.609, on that of right
answers.
"""

from __future__ import annotations

from clineval.protocols.found_classes import FoundClasses
from clineval.results.challenge import Challenge
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="clinical_classes",
        title="Classes of documents",
        homepage="https://doi.org/10.1016/j.ipm.2009.03.002",
        citation="""\
@article{sokolova-lapalme-2009-systematic,
    title = "A systematic analysis of performance measures for classification tasks",
    author = "Sokolova, Marina and Lapalme, Guy",
    journal = "Information Processing \\& Management",
    volume = "45",
    number = "4",
    pages = "427--437",
    year = "2009",
    doi = "10.1016/j.ipm.2009.03.002",
}""",
        configs={"default": "classes of documents: one question or several"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": FoundClasses()},
    demo=Demo(
        "Classes of documents: smoking and chest pain, in eight letters",
        "gold.csv",
        {"rules": "rules.csv", "model": "model.jsonl"},
    ),
)
