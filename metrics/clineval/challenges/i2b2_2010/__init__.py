"""i2b2/VA 2010: concepts in clinical records, assertions about problems, and relations.

A concept is a run of tokens that is a problem, a test or a treatment. An assertion is a run of
tokens with what is said of the problem there: present, absent, possible, hypothetical, conditional,
associated_with_someone_else. A relation is two runs of tokens with one of eight labels, and has no
direction. Items of one document that agree in all are one item.

Precision, recall and F1 of the items of all documents together, of each label, of all (micro), and
averaged over the labels that either side has (macro), of which one without gold items has F1 0:

    strict     concepts, assertions, relations: the same tokens and the same label
    exact      concepts, assertions, relations: the same tokens, whatever the label
    lenient    concepts: a token in common and the same label
    overlap    concepts: a token in common, whatever the label

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

All scores lie between 0 and 1; a score whose denominator is 0 is 0. The challenge ranked systems
by concepts_strict_f1, assertions_strict_f1 and relations_strict_f1. The type of the concept that an
assertion is about is not looked at. True positives and misses count for the label of the reference,
false positives for that of the prediction.

Pairs are one to one, of each match by itself: "you can only count each annotation once". Equal
items come first; then, for ``exact``, items of the same tokens in the order of their labels; then,
for ``lenient`` and ``overlap``, overlapping ones: most common tokens, then fewest tokens in both
together, then reference and prediction in the order of the text. That order is our decision, the
document does not say. Between two lines there are as many tokens as the longest line that an item
of the document ends in has.

Files are ``NAME.con``, ``NAME.ast`` and ``NAME.rel``; what there are no files of on either side is
not scored. In Python a document is a dict of ``mentions``, which are concepts or assertions by
their label, and ``relations`` between concepts by their ids; offsets may count anything, such as
characters, if both sides count the same.

``protocol="official"`` gives the numbers of the released program, with its own rules throughout.
Its ``concepts_lenient_fn``, and so recall and F1, are those of another row.

Sources: Uzuner et al., 2010 i2b2/VA challenge on concepts, assertions, and relations in clinical
text, JAMIA 18(5), 2011; the organisers' requirements for the evaluation program; for the
differences, what the program does.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clineval.base.arrays import IntArray
from clineval.challenges.i2b2_2010.lines import (
    LABELS,
)
from clineval.challenges.i2b2_2010.official import Official
from clineval.challenges.i2b2_2010.spec import MEASURES, SLOTS, Spec
from clineval.kinds.mentions.corpus import Mentions
from clineval.kinds.relations.outcomes import MATCHES
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.faces import Faces
from clineval.results.task import Demo, Task
from clineval.results.views import DocView, MentionView


def _find_sources(side: Mentions) -> IntArray:
    """Count the fragments of a relation's source: one, as concepts are contiguous; else 0."""
    return (side.columns.fragment_counts > 1).astype(np.int64)


_MOVED = {f"concepts_lenient_{name}" for name in ("recall", "f1", "fn")}
"""What the released program takes from another row."""
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
            "default": "concepts, assertions and relations, as far as there are any",
            "concepts": "problems, tests and treatments",
            "assertions": "what is asserted of problems",
            "relations": "relations between concepts, which are found by the system too",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Spec(), "official": Official()},
    measures=MEASURES,
    differences=list_differences("""
        a prediction that begins before a concept and ends inside it (q01)
            spec: overlaps it
            official: does not; one that begins inside and ends after it does
        pairing (q02, q05)
            spec: one to one: equal items first, then those that overlap most
            official: one to one: in the order of the files, the first that fits; inexact counts can
                be below exact ones
        missed concepts of the row 'Class Inexact Span' (q03)
            spec: are those of that row
            official: are those of the row above, and so are the three counts that are printed
        copies of an item in a file (q06)
            spec: are one item
            official: are items of their own
        of several predictions with the same tokens, which is paired (q07)
            spec: the one of equal label, then by the order of the labels
            official: the first one in the file
        case of a label (q08, q22d)
            spec: does not matter
            official: does not matter for reading, but labels compare with it
        lines and tokens (q15)
            spec: compare line first, then token
            official: are line times 1000 plus token
        lines that cannot be read (q09)
            spec: are refused
            official: are skipped with a message
        ends of lines (q18b)
            spec: are LF and CRLF
            official: are also a lone CR, U+0085, U+2028 and U+2029
        offsets that are negative, or an end before its start (q09b, q17)
            spec: are refused
            official: are read
        a relation of a concept with itself (q22)
            spec: is refused
            official: is read
        names of files (q11, q12)
            spec: end in .con, .ast or .rel
            official: end in con, ast or rel; one of less than three letters stops everything
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
            sources=lambda corpus, _: (
                _find_sources(corpus.gold),
                _find_sources(corpus.prediction),
            ),
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
