"""i2b2/VA 2010: concepts in clinical records, assertions about problems, relations.

A concept is a run of tokens with the label problem, test or treatment. An assertion classifies a
problem at a run of tokens: present, absent, possible, hypothetical, conditional,
associated_with_someone_else. A relation connects two runs of tokens with one of eight labels and
has no direction. Items of one document that agree in everything count once.

Precision, recall and F1 are computed over all documents together: for each label, for all items of
a task (micro), and as averages over the labels that occur on either side (macro). In the macro
average, a label without gold items has F1 0.

    strict     concepts, assertions, relations: the same tokens and the same label
    exact      concepts, assertions, relations: the same tokens, whatever the label
    lenient    concepts: a token in common and the same label
    overlap    concepts: a token in common, whatever the label

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

All scores lie between 0 and 1; a score whose denominator is 0 is 0. The challenge ranked systems by
concepts_strict_f1, assertions_strict_f1 and relations_strict_f1. The type of the concept that an
assertion is about is ignored. True positives and false negatives count for the gold label, false
positives for the predicted label.

Pairs are one to one, for each kind of match separately: "you can only count each annotation once".
Equal items come first. For ``exact``, items with the same tokens follow in the order of their
labels. For ``lenient`` and ``overlap``, overlapping items follow: most common tokens first, then
fewest tokens in both together, then gold and prediction in the order of the text. We chose this
order, because the document does not define one. Items may cross lines. All lines of a document
count as equally long: up to the highest token number at which an item of the document ends.

Files are ``NAME.con``, ``NAME.ast`` and ``NAME.rel``. A task without files on either side is not
scored. In Python a document is a dict with ``mentions``, which are concepts or assertions depending
on their label, and ``relations``, which refer to concepts by their ids. Offsets may count anything,
such as characters, if both sides count the same.

``protocol="official"`` gives the numbers of the released program and follows all its rules. It
takes ``concepts_lenient_fn``, and therefore recall and F1, from another row.

Sources: Uzuner et al., 2010 i2b2/VA challenge on concepts, assertions, and relations in clinical
text, JAMIA 18(5), 2011; the organisers' requirements for the evaluation program; for the
differences, the behaviour of the program.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.i2b2_2010.lines import (
    LABELS,
)
from clineval.challenges.i2b2_2010.official import Official
from clineval.challenges.i2b2_2010.spec import MEASURES, SLOTS, Spec
from clineval.kinds.relations.outcomes import MATCHES
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.faces import Faces
from clineval.results.task import Demo, Task
from clineval.results.views import DocView, MentionView

_MOVED = {f"concepts_lenient_{name}" for name in ("recall", "f1", "fn")}
"""The scores that the released program takes from another row."""
CHALLENGE = Challenge(
    Task(
        name="i2b2_2010",
        title="i2b2/VA 2010: Concepts, assertions and relations",
        homepage="https://www.i2b2.org/NLP/Relations/",
        citation="""\
@article{uzuner-etal-2011-i2b2va,
    title = "2010 {i2b2/VA} challenge on concepts, assertions, and relations in clinical text",
    author = "Uzuner, {\\"O}zlem and South, Brett R. and Shen, Shuying and DuVall, Scott L.",
    journal = "Journal of the American Medical Informatics Association",
    volume = "18",
    number = "5",
    year = "2011",
    pages = "552--556",
    doi = "10.1136/amiajnl-2011-000203",
}""",
        configs={
            "default": "concepts, assertions and relations, if the data have them",
            "concepts": "problems, tests and treatments",
            "assertions": "assertions about problems",
            "relations": "relations between concepts that the system finds too",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Spec(), "official": Official()},
    measures=MEASURES,
    differences=list_differences("""
        a prediction that begins before a concept and ends inside it (q01)
            spec: overlaps it
            official: does not overlap it; one that begins inside and ends after it does
        pairing (q02, q05)
            spec: one to one: equal items first, then those with the largest overlap
            official: one to one, in the order of the files: the first that fits; inexact counts can
                be below exact counts
        missed concepts of the row 'Class Inexact Span' (q03)
            spec: are the missed concepts of that row
            official: come from the row above, and so do the three printed counts
        copies of an item in a file (q06)
            spec: count once
            official: count separately
        several predictions with the same tokens (q07)
            spec: the one with the same label is paired, then the first by the order of labels
            official: the first one in the file is paired
        case of a label (q08, q22d)
            spec: does not matter
            official: matters when labels are compared, but not when files are read
        line and token numbers (q15)
            spec: are compared line first, then token
            official: are combined: line times 1000 plus token
        lines that cannot be read (q09)
            spec: are rejected
            official: are skipped with a message
        ends of lines (q18b)
            spec: are LF and CRLF
            official: are also a lone CR, U+0085, U+2028 and U+2029
        offsets that are negative, or an end before its start (q09b, q17)
            spec: are rejected
            official: are accepted
        a relation of a concept with itself (q22)
            spec: is rejected
            official: is accepted
        file names (q11, q12)
            spec: end in .con, .ast or .rel
            official: end in con, ast or rel; a name of less than three letters stops the program
    """),
    demo=Demo(
        "i2b2/VA 2010: concepts, assertions and relations of four notes",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
        headline=5,
    ),
    faces=Faces(
        page=MentionView(
            checks=tuple(
                replace(check, protocols=("spec",) if check.key in _MOVED else ())
                for check in MEASURES.checks
            ),
            matches={place: place for place in MATCHES},
            parts=LABELS,
        ),
        docs=DocView(
            prefix="i10",
            columns={
                **MEASURES.ranking,
                "concepts": ("concepts_strict_f1", "concepts_lenient_f1"),
            },
            slots=lambda _: SLOTS,
            format="jsonl",
            take=list,
            relations="id",
        ),
        scripts=("i2b2-2010",),
        printed="clineval.challenges.i2b2_2010.printed",
        formats="clineval.challenges.i2b2_2010.documents",
        single_files=False,
        notes_apart=True,
    ),
)
