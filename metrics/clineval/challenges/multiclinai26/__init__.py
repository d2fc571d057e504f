"""MultiClinAI 2026 (SMM4H-HeaRD at ACL): clinical entities in seven languages.

Mentions have a span and a label: DISEASE, SYMPTOM or PROCEDURE. ``strict`` requires the same
document, start, end and label. It is also computed for each label, such as ``disease_strict_f1``,
and as ``macro_``, the mean over the labels that either side has (a label without a gold mention has
F1 0).

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

``char_`` scores partial overlaps. sim(g, p) = 2 shared characters / (length of g + length of p), or
0 if document or label differ. P is the mean over predictions of the best sim with a gold mention. R
is the mean over gold mentions of the best sim with a prediction. F1 = 2 P R / (P + R).

A score whose denominator is 0 is 0. Rows that agree in everything compared count once. Texts are
not compared. If only one side has a document, everything in it counts as missed or spurious.
Systems are ranked for each label and language. ``entity`` keeps only the mentions of one label. A
column ``language``, or names such as ``caso-1_es``, identify the language.

``protocol="official"`` gives the numbers of the released program, which keeps repeated gold rows
and reads files as pandas does. The website also promises a macro F1 over documents, which the
program does not compute.

Sources: https://temu.bsc.es/multiclinai/, Evaluation and Submission;
https://github.com/nlp4bia-bsc/MultiClinAIEval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from clineval.challenges.multiclinai26.char_f1 import CharF1
from clineval.challenges.multiclinai26.row_pairs import RowPairs
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.derived import keep
from clineval.kinds.mentions.measures import Spans
from clineval.programs.span_rows import RowTables
from clineval.protocols.linked_spans import LinkedSpans, SpansT, list_faces
from clineval.results.challenge import Challenge, Configurations, Setup
from clineval.results.differences import list_differences
from clineval.results.measures import Measures
from clineval.results.options import Option
from clineval.results.settings import Setting, declare_settings
from clineval.results.task import Demo, Task

LABELS = ("DISEASE", "SYMPTOM", "PROCEDURE")
STRICT, CHARACTERS = Spans("strict", labels=LABELS, title="Mentions", short="ner"), CharF1()
ENTITY = Option("entity", "The only label to score.", kind="choice", choices=LABELS)


class Spec(LinkedSpans):
    """Score the mentions of all labels, or of one."""

    def read_given(self, given: object, side: str, setup: Setup) -> Side:
        """Read one side, and keep the mentions of the chosen label."""
        found, entity = super().read_given(given, side, setup), setup["entity"]
        if entity is None:
            return found
        return replace(found, mentions=keep(self.slot, entity.__eq__)(found.mentions, {}))

    own_settings = declare_settings(
        Setting("entity", "the entity type, or `all`", option="--entity")
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the settings that the scores depend on, besides the protocol."""
        return {"entity": setup["entity"] or "all"}


class Official(RowPairs, Spec):
    """Score rows as the released program does."""


def declare(of: Callable[..., SpansT]) -> Configurations[SpansT]:
    """Declare the configurations of a protocol, given its class of spans."""
    scores = STRICT, CHARACTERS
    return Configurations(of(LABELS, scores=scores, short="mca26", format="tsv"), {})


SPEC: Configurations[LinkedSpans] = declare(Spec)
RANKING = {"default": ("strict_f1",)}
CHALLENGE = Challenge(
    Task(
        name="multiclinai26",
        title="MultiClinAI 2026: Clinical Entities in Seven Languages",
        homepage="https://temu.bsc.es/multiclinai/",
        citation="""\
@misc{multiclinai-2026,
    title = "{MultiClinAI}: multilingual clinical entities, {SMM4H-HeaRD} at {ACL} 2026",
    year = "2026",
    howpublished = "https://temu.bsc.es/multiclinai/",
}""",
        configs={"default": "mentions of all labels, or of one entity"},
        definition=__doc__,
        file=__file__,
        languages=("es", "en", "nl", "it", "ro", "sv", "cz", "cs"),
    ),
    protocols={
        "spec": SPEC,
        "official": declare(partial(Official, files=RowTables(empty=True), visited="all")),
    },
    measures=Measures.of(STRICT, CHARACTERS, ranking=RANKING),
    options=(ENTITY,),
    differences=list_differences("""
        repeated gold rows (ner_repeated_gold_unreachable)
            spec: count once
            official: count separately, and only one of them can be found; char_ is not affected
        a label NA (ner_label_NA_is_lost)
            spec: is a label
            official: equals nothing
        document names that consist of digits (ner_filename_number_column_against_text_column)
            spec: are compared as text
            official: become numbers if all names in the file are digits; then 012 equals 12, but 12
                does not equal 12 in a file that also has other names
        a quotation mark at the beginning of a text (ner_quote_opens_and_swallows_rows)
            spec: is a character
            official: joins all rows up to the next one
        fractions as offsets (ner_fraction_cut_off)
            spec: are rejected
            official: are truncated
        names with and without .txt (ner_filename_with_and_without_txt)
            spec: name the same document
            official: name two documents
    """),
    demo=Demo(
        "MultiClinAI 2026: a dictionary and a tagger on 6 cases in Spanish, English and Catalan",
        "gold.tsv",
        {"dictionary": "dictionary.tsv", "tagger": "tagger.tsv"},
        headline=2,
    ),
    faces=list_faces(
        SPEC,
        {"default": ("strict_f1", "char_f1")},
        scripts=("multiclinai-2026",),
        printed="clineval.challenges.multiclinai26.printed",
    ),
)
