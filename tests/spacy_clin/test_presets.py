"""Presets on Docs of the shapes that packages make; the packages themselves run in pipelines/."""

from dataclasses import dataclass

import pytest
import spacy
from docs import blank_doc
from spacy.kb import InMemoryLookupKB
from spacy.tokens import Doc, Span
from spacy.training import Example

from clineval import InputWarning
from clineval.formats.delimited.pipe import SLOTS
from spacy_clin import score_docs, set_mentions, to_inputs
from spacy_clin.presets import PRESETS, tabulate

UNMAPPED = {
    "clin": set(),
    "spacy": set(),
    "spancat": {slot.name for slot in SLOTS} - {"cui"},
    "span_ruler": {slot.name for slot in SLOTS} - {"cui"},
    "medspacy": {"course", "severity", "generic", "body_location"},
    "scispacy": {slot.name for slot in SLOTS} - {"cui"},
    "negspacy": {slot.name for slot in SLOTS} - {"cui", "negation"},
    "edsnlp": {"course", "severity", "conditional", "generic", "body_location"},
    "clinlp": {"course", "severity", "conditional", "generic", "body_location"},
    "medcat": {slot.name for slot in SLOTS} - {"cui", "negation", "subject"},
}


def register(owner, name, **options):
    if owner.has_extension(name):
        owner.remove_extension(name)
    owner.set_extension(name, **options)


def test_every_preset_says_what_it_leaves_at_default():
    assert {name: set(getter.unmapped(SLOTS)) for name, getter in PRESETS.items()} == UNMAPPED


OTHERS = {
    *("action", "temporality", "certainty", "actor", "code", "value", "class", "doctimerel"),
    *("degree", "polarity", "contextualmodality", "contextualaspect", "permanence"),
    *("modality", "modifier"),
}
"""Slots that only some challenges have."""


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_a_table(name):
    table = tabulate(name)
    [first, source, _] = [list(column.cells) for column in table.columns]
    shown = dict(zip(first, source, strict=True))
    others = OTHERS if UNMAPPED[name] else set()
    assert {at for at, where in shown.items() if where == "nowhere"} == UNMAPPED[name] | others
    assert all(getter.note for preset, getter in PRESETS.items() if preset != "clin")


def test_scoring_warns_of_slots_that_are_never_predicted():
    register(Span, "negex", default=False)
    gold, pred = blank_doc(), blank_doc()
    set_mentions(gold, [{"spans": [[4, 15]], "cui": "C1", "negation": "yes"}])
    pred.ents = [pred.char_span(4, 15, label="X", kb_id="C1")]
    pred.ents[0]._.negex = True
    with pytest.warns(InputWarning, match="not read subject, .*body_location") as caught:
        score = score_docs([gold], [pred], pred="negspacy", config="task2b")
    assert score["negation_accuracy"] == 1.0
    assert "negation," not in str(caught[0].message)


def test_scispacy_takes_the_best_candidate():
    register(Span, "kb_ents", default=[])
    doc = blank_doc()
    doc.ents = [doc.char_span(4, 15, label="ENTITY"), doc.char_span(26, 33, label="ENTITY")]
    doc.ents[0]._.kb_ents = [("C0225860", 0.99), ("C0000001", 0.7)]
    assert [m["cui"] for m in to_inputs([doc], getter="scispacy")[0]] == ["C0225860", None]


@pytest.mark.parametrize("serializable", [False, True])
def test_scispacy_abbreviations_are_acronyms(serializable):
    register(Span, "kb_ents", default=[])
    register(Doc, "abbreviations", default=[])
    doc = blank_doc("Huntington disease (HD). HD is rare.")
    short = doc.char_span(25, 27)
    short._.kb_ents = [("C0020179", 0.9)]
    token = {"short_text": "HD", "short_start": short.start, "short_end": short.end}
    doc._.abbreviations = [token if serializable else short]
    lines = to_inputs([doc], "clefehealth13_task2", getter="scispacy")
    assert lines == "0||Disease_Disorder||C0020179||25||27\n"


@dataclass(frozen=True)
class Qualifier:
    """As clinlp's."""

    name: str
    value: str

    def __str__(self):
        return f"{self.name}.{self.value}"


def test_clinlp_qualifiers_become_slots():
    register(Span, "qualifiers", default=None)
    getter = lambda span: span._.qualifiers and {str(q) for q in span._.qualifiers}  # noqa: E731
    register(Span, "qualifiers_str", getter=getter)
    doc = blank_doc()
    doc.spans["ents"] = [
        doc.char_span(4, 15, label="C0225860"),
        doc.char_span(26, 33, label="C0012359"),
        doc.char_span(49, 57, label="C0442800"),
    ]
    absent, family = Qualifier("Presence", "Absent"), Qualifier("Experiencer", "Family")
    present, historical = Qualifier("Presence", "Present"), Qualifier("Temporality", "Historical")
    doc.spans["ents"][0]._.qualifiers = {absent, family}
    doc.spans["ents"][1]._.qualifiers = {present, historical}
    [found] = to_inputs([doc], getter="clinlp")
    slots = [{k: v for k, v in mention.items() if k != "spans"} for mention in found]
    assert slots == [
        {"cui": "C0225860", "negation": "yes", "subject": "family_member"},
        {"cui": "C0012359"},
        {"cui": "C0442800"},
    ]


def test_medcat_entities_may_overlap():
    register(Doc, "ents", default=[])
    register(Span, "cui", default=-1)
    register(Span, "meta_anns", default=None)
    doc = blank_doc()
    doc._.ents = [doc.char_span(4, 15), doc.char_span(9, 15), doc.char_span(26, 33)]
    doc._.ents[0]._.cui = "C0225860"
    doc._.ents[1]._.cui = "C0018792"
    doc._.ents[0]._.meta_anns = {
        "Negation": {"value": "Yes", "confidence": 0.9, "name": "Negation"},
        "Subject": {"value": "Family", "confidence": 0.8, "name": "Subject"},
    }
    doc._.ents[1]._.meta_anns = {"Temporality": {"value": "Past"}}
    [found] = to_inputs([doc], getter="medcat")
    slots = [{k: v for k, v in mention.items() if k != "spans"} for mention in found]
    assert slots == [
        {"cui": "C0225860", "negation": "yes", "subject": "family_member"},
        {"cui": "C0018792"},
        {"cui": None},
    ]


def test_spans_in_extensions_do_not_matter():
    """Such Docs cannot be copied; scoring does not copy them."""
    register(Span, "target_rule", default=None)
    gold, pred = blank_doc(), blank_doc()
    set_mentions(gold, [{"spans": [[4, 15]], "cui": None}])
    pred.ents = [pred.char_span(4, 15, label="X")]
    pred.ents[0]._.target_rule = pred[0:1]
    with pytest.raises(NotImplementedError):
        pred.copy()
    score = score_docs([gold], [pred], pred={"mentions": "ents"}, config="task1")
    assert score["strict_f1"] == 1.0


def test_sections_of_the_span_categorizer_are_read():
    doc = blank_doc()
    doc.spans["sc"] = [doc.char_span(0, 15, label="heart")]
    getter = {"preset": "spacy", "labels": {"heart": "EXPLORATION"}}
    [note] = to_inputs([doc], "clinais23_b2", getter=getter)
    assert note["sections"] == [{"start": 0, "end": 15, "label": "EXPLORATION"}]


PATTERNS = [
    {"label": "X", "pattern": "fever", "id": "C0015967"},
    {"label": "X", "pattern": "cough", "id": "C0010200"},
]
EXPECTED = [{"spans": [[3, 8]], "cui": "C0015967"}, {"spans": [[13, 18]], "cui": "C0010200"}]


def test_the_span_ruler_s_ids_are_codes():
    nlp = spacy.blank("en")
    nlp.add_pipe("span_ruler").add_patterns(PATTERNS)
    doc = nlp("No fever, no cough.")
    assert to_inputs([doc], getter="span_ruler") == [EXPECTED]


def test_what_the_entity_linker_does_not_find_has_no_code():
    """It writes NIL, which would be a code like any other."""

    def make_knowledge_base(vocab):
        known = InMemoryLookupKB(vocab, entity_vector_length=2)
        known.add_entity("C0015967", freq=1, entity_vector=[1, 2])
        known.add_alias("fever", ["C0015967"], [1.0])
        return known

    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    nlp.add_pipe("sentencizer")
    linker = nlp.add_pipe("entity_linker")
    linker.set_kb(make_knowledge_base)
    gold = nlp.make_doc("No fever, no cough.")
    gold.ents = [Span(gold, 1, 2, "X", kb_id="C0015967")]
    nlp.initialize(lambda: [Example(nlp.make_doc(gold.text), gold)])
    ruler.add_patterns(PATTERNS)
    doc = nlp("No fever, no cough.")
    assert [entity.kb_id_ for entity in doc.ents] == ["C0015967", "NIL"]
    expected = [EXPECTED[0], {**EXPECTED[1], "cui": None}]
    assert to_inputs([doc], getter={"span_getter": "ents"}) == [expected]
    set_mentions(doc, doc.ents)
    assert [{k: m[k] for k in ("spans", "cui")} for m in to_inputs([doc])[0]] == expected
