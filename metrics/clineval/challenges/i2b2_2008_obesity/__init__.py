"""i2b2 2008: obesity and fifteen of its comorbidities in discharge summaries.

A document has a judgment for each disease: ``Y`` (present), ``N`` (absent), ``Q`` (questionable)
or ``U`` (not mentioned). ``textual`` judgments are what the text says. ``intuitive`` judgments are
what a physician infers; they are never ``U``. Not every document has a judgment for each disease.

For each judgment, with the counts of all diseases added up (pooled), and for each disease,

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

A wrong judgment is a false positive of its class and a false negative of the gold class. A missing
judgment is a false negative, and so is one that is none of the classes. A judgment that the gold
standard lacks is a false positive.

    micro_*, macro_*                 pooled; macro is the mean over the classes that either side has
    diseases_micro_*, diseases_macro_*    the mean of the diseases' micro and macro scores
    <disease>_*                      of the disease
    macro_all_*                      pooled, the mean over all classes; an absent class counts as 0
    diseases_macro_all_*             the mean of the diseases' means over all classes
    macro_f1_of_means                2 P R / (P + R) of macro_precision and macro_recall

``default`` scores the sources that either side has. The keys then begin with ``textual_`` or
``intuitive_``; ``macro_f1`` is the mean of the sources' macro F1, and ``micro_*`` counts the
judgments of both. In tables, JSON and Python, a disease such as ``intuitive CAD`` has its source;
without one, ``CAD`` is textual. If the gold standard lacks a source, its predicted judgments are
false positives, with a warning.

The overview ranks systems by macro F1, but its abstract does not define the average. ``macro_f1``
is the main score.

All scores lie between 0 and 1; a score whose denominator is 0 is 0. Documents on one side only
count as all missed, or all spurious. Case does not matter. A folder may hold several files: in the
order of their names, a later judgment replaces the one of an earlier file. No program was released,
so there is one protocol, ``spec``.

Source: Uzuner, Recognizing Obesity and Comorbidities in Sparse Data, JAMIA 16 (2009).
"""

from __future__ import annotations

from clineval.challenges.i2b2_2008_obesity.measures import ObesityScores
from clineval.challenges.i2b2_2008_obesity.spec import SPEC
from clineval.results.challenge import Challenge
from clineval.results.measures import Measures
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="i2b2_2008_obesity",
        title="i2b2 2008 obesity: Obesity and its comorbidities",
        homepage="https://portal.dbmi.hms.harvard.edu/projects/n2c2-nlp/",
        citation="""\
@article{uzuner-2009-obesity,
    title = "Recognizing Obesity and Comorbidities in Sparse Data",
    author = {Uzuner, {\\"O}zlem},
    journal = "Journal of the American Medical Informatics Association",
    volume = "16",
    number = "4",
    year = "2009",
    pages = "561--570",
    doi = "10.1197/jamia.M3115",
}""",
        configs={
            "default": "the sources that the files have",
            "textual": "what the text says",
            "intuitive": "what a physician infers",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC},
    measures=Measures.of(ObesityScores()),
    demo=Demo(
        "i2b2 2008: sixteen diseases in five invented summaries",
        "gold.xml",
        {"rules": "rules.xml", "model": "model.xml"},
    ),
)
