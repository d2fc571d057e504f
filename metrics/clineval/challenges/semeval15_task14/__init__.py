"""SemEval-2015 Task 14, Analysis of Clinical Text: disorders, their codes and attributes.

Task 1 asks for disorder mentions and their codes (CUIs). Task 2 asks for nine slots of each
mention: the code, seven attributes with closed sets of values, and the body location. Task 2a gives
the spans; in Task 2b the system finds them.

Task 1, computed over the mentions of all documents together (equations 1 to 3 of the task paper):

    P = tp / (tp + fp)        R = tp / (tp + fn)        F = 2 P R / (P + R)

Strict: a prediction is a true positive if a gold mention has the same fragments and the same code.
Relaxed: the same code and at least one shared word. ``overlap="character"`` requires a shared
character, which gives the same result if annotations end at word boundaries. ``overlap="word"``
reads the texts and counts the words that lie entirely inside both mentions.

Task 2 pairs mentions that overlap, ignoring their codes, and gives span P, R and F. With the gold
values gs_k and the predicted values ps_k of the K = 9 slots of a pair (eq. 4, 6, 11):

    accuracy          = mean over pairs of  sum_k [gs_k = ps_k] / K
    weighted_accuracy = mean over pairs of  sum_k w(gs_k) [gs_k = ps_k] / sum_k w(gs_k)

``f1_x_accuracy`` and ``f1_x_weighted_accuracy`` are their products with the span F (eq. 13).
``<slot>_weighted_accuracy`` is sum_i w(gs_i) [gs_i = ps_i] / sum_i w(gs_i) over the pairs i
(eq. 12); ``<slot>_accuracy`` is the unweighted share. All scores lie between 0 and 1; a score whose
denominator is 0 is 0. There is one exception: if the weights of a slot in all pairs, or of all
slots of a pair, are 0, the weighted accuracy equals the unweighted one.

Pairing is one to one. Mentions with the same fragments are paired first, and among these the
mentions that agree in code and in most slots. The remaining overlapping pairs are ordered by the
longest prediction (total characters), then by most shared characters, then by gold start, by
prediction start, and by agreement as before. Unpaired predictions are false positives, and unpaired
gold mentions are false negatives. Mentions of one document that agree in fragments, code and all
slots except the body location are one mention with all their locations.

Weights: ``"share"`` is the table of the final official script: one minus the prevalence in the
whole ShARe corpus, clamped to [.05, .95]. ``"references"`` computes one minus the prevalence in the
given references. A mapping or a JSON file is used as it is.

Task 2a gives the spans, so its F is 1. Warnings report how many disorders have no prediction with
their span, because the accuracies leave out unpaired disorders, and how many predictions have other
spans.

Departures from the challenge's specification:

- Exact before longest: if several predictions overlap a gold mention, the specification counts the
  longest as the true positive. Here a prediction with exactly the same fragments comes first, as in
  the released script, so relaxed true positives are never fewer than strict ones.
- One to one: read literally, the specification counts every prediction that overlaps a gold mention
  and has its code as a true positive of Task 1 relaxed. Here each gold mention has one such
  prediction, as in the released script, and any other prediction is a false positive.
- Characters before words: the specification requires a shared word; ``overlap="word"``, which needs
  the texts, does so too. The default requires a shared character.
- Clamped weights: in the specification, a weight is one minus the prevalence, as with
  ``"references"``. The weights of the default table lie between .05 and .95, except that the code
  weighs 1, as in the script.
- Zero weights, of a slot in all pairs or of all slots of a pair: the specified quotient is 0 / 0.

``protocol="official"`` gives the numbers of the released script, with all its own rules. If they
depend on Perl's hash order, it gives the numbers of a run that visits mentions in byte order.

Source: Elhadad et al., Evaluation Metrics for the SemEval-2015 Task 14, November 4, 2014.
"""

from __future__ import annotations

from clineval.challenges.semeval15_task14.measures import MEASURES
from clineval.challenges.semeval15_task14.official import Official
from clineval.challenges.semeval15_task14.spec import Spec, prevalence
from clineval.formats.delimited.pipe import SLOTS
from clineval.formats.given.texts import option_of_texts
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.faces import Faces
from clineval.results.options import Option
from clineval.results.task import Demo, Task
from clineval.results.views import DocView, MentionView

CHALLENGE = Challenge(
    Task(
        name="semeval15_task14",
        title="SemEval-2015 Task 14: Analysis of Clinical Text",
        homepage="https://alt.qcri.org/semeval2015/task14/",
        citation="""\
@inproceedings{elhadad-etal-2015-semeval,
    title = "{S}em{E}val-2015 Task 14: Analysis of Clinical Text",
    author = "Elhadad, No{\\'e}mie and Pradhan, Sameer and Gorman, Sharon and Manandhar, Suresh
        and Chapman, Wendy and Savova, Guergana",
    booktitle = "Proceedings of the 9th International Workshop on Semantic Evaluation",
    year = "2015",
    pages = "303--310",
    doi = "10.18653/v1/S15-2051",
}""",
        configs={
            "default": "Task 1 and Task 2",
            "task1": "disorder mentions and their codes",
            "task2a": "slots of disorders whose spans are given",
            "task2b": "disorders and their slots, end to end",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Spec(), "official": Official()},
    measures=MEASURES,
    options=(
        Option(
            "overlap",
            "The unit that overlapping mentions must share: character or word.",
            "character",
            "choice",
            choices=("character", "word"),
            python="the unit that overlapping mentions must share: a character or a word.",
        ),
        option_of_texts(
            "reports and --overlap word",
            'for overlap="word": the text of each document.',
            when=("overlap", "word"),
        ),
        Option(
            "weights",
            "share, references, or a file made by 'clineval prevalence'.",
            "share",
            python='"share", the table of the official script; "references", one minus the '
            "prevalence in the references; a mapping, or a file made by `clineval prevalence`.",
        ),
    ),
    differences=list_differences("""
        documents without a gold mention (q2_extradoc)
            spec: predictions in them are false positives
            official: are skipped; predictions in them do not count
        touching spans (q3_touch)
            spec: do not overlap: ends are exclusive
            official: overlap: 10-20 and 20-25
        the overlap of two discontiguous mentions (q11_frag)
            spec: is the number of characters that all their fragments share
            official: is the largest overlap between one fragment of each
        several overlapping predictions (q11_longspan)
            spec: are paired longest first
            official: are paired in order of overlap; on a tie, the last in byte order comes first
        a prediction that another one displaces (q1_displaced)
            spec: is free for another gold mention, or a false positive
            official: cannot be paired again; in Task 2 an exact match can be displaced, and then
                does not count at all
        a gold mention whose span was predicted for another one (q13_headskip)
            spec: is paired like any other
            official: is skipped in Task 1 relaxed
        repeated spans (q4_golddup)
            spec: count once if the mentions are equal, and separately otherwise
            official: collapse; the last line wins, and body locations accumulate
        order and spelling of fragments (q6_order)
            spec: do not matter
            official: must be the same for an exact match
        several body locations (q9_multibl)
            spec: must be equal as sets
            official: must have one in common
        subject donor_other, donor_family_member and null (q8_donor_wrong)
            spec: weigh .95, as rare values do
            official: weigh 0, because the table misspells or omits them
        a slot that weighs 0 in all pairs (q7_alldonor)
            spec: has its unweighted accuracy as the weighted one
            official: has the weighted accuracy 0; the script divides by zero and stops
        absent slots (3 columns) (q16_3col)
            spec: have their default values
            official: are empty values, which equal no default
        malformed input (q18_reverse)
            spec: is rejected
            official: is used as it is; reversed spans never overlap, and unknown values compare as
                strings
    """),
    demo=Demo(
        "SemEval-2015 Task 14: a dictionary and a tagger on 24 notes",
        "gold",
        {"dictionary": "dictionary", "tagger": "tagger"},
    ),
    faces=Faces(
        page=MentionView(
            matches={
                "exact/span": "exact",
                "overlap/span": "span",
                "exact/both": "strict",
                "overlap/both": "relaxed",
            },
            weights="weights",
        ),
        docs=DocView(
            prefix="s15",
            columns={
                "default": ("strict_f1", "relaxed_f1", "f1_x_weighted_accuracy"),
                "task1": ("strict_f1", "relaxed_f1"),
                "task2a": ("span_f1", "f1_x_weighted_accuracy"),
                "task2b": ("span_f1", "f1_x_weighted_accuracy"),
            },
            # for Task 1 too: repeats differ in their slots, as in files
            slots=lambda _: SLOTS,
            format="pipe",
        ),
        scripts=("semeval15-task1", "semeval15-task2"),
        printed="clineval.challenges.semeval15_task14.printed",
        notes_apart=True,
        prevalence=prevalence,
    ),
)
