"""Mentions on Docs, and what Docs go through."""

import pickle

import laws
import pytest
import spacy
from docs import HARD, TEXT, annotated_texts, blank_doc
from hypothesis import given
from spacy.language import Language
from spacy.tokens import Doc, DocBin, SpanGroup
from spacy.training import Example

from clineval import Mention
from spacy_clin import get_mentions, set_mentions, to_inputs


def as_dicts(doc):
    return {id_: mention.as_dict() for id_, mention in get_mentions(doc).items()}


@Language.component("test_write_hard_mentions")
def write_hard_mentions(doc):
    set_mentions(doc, HARD, document="note-1")
    return doc


@given(annotated_texts())
def test_what_is_written_is_read_whatever_the_tokens_are(annotated):
    text, mentions = annotated
    doc = blank_doc(text)
    set_mentions(doc, mentions)
    assert [m.as_dict() for m in get_mentions(doc).values()] == mentions
    assert to_inputs([doc]) == [mentions]


@given(annotated_texts())
def test_spans_cover_their_fragments(annotated):
    text, mentions = annotated
    doc = blank_doc(text)
    group = set_mentions(doc, mentions)
    fragments = [fragment for mention in mentions for fragment in mention["spans"]]
    assert len(group) == len(fragments)
    for span, (start, end) in zip(group, fragments, strict=True):
        assert span.start_char <= start
        assert end <= span.end_char + len(span[-1].whitespace_)


def through_docbin(doc, *, user_data):
    stored = DocBin(store_user_data=user_data)
    stored.add(doc)
    return next(DocBin().from_bytes(stored.to_bytes()).get_docs(spacy.blank("en").vocab))


JOURNEYS = {
    "copy": lambda doc: doc.copy(),
    "pickle": lambda doc: pickle.loads(pickle.dumps(doc)),
    "bytes": lambda doc: Doc(spacy.blank("en").vocab).from_bytes(doc.to_bytes()),
    "docbin": lambda doc: through_docbin(doc, user_data=False),
    "docbin with user data": lambda doc: through_docbin(doc, user_data=True),
    "example": lambda doc: Example(blank_doc(), doc).copy().reference,
}


@pytest.mark.parametrize("journey", JOURNEYS.values(), ids=JOURNEYS)
def test_hard_mentions_survive(journey):
    doc = journey(write_hard_mentions(blank_doc()))
    assert as_dicts(doc) == HARD
    assert to_inputs([doc]) == [list(HARD.values())]
    assert doc.spans["clin"].attrs["document"] == "note-1"


def test_hard_mentions_survive_two_processes():
    nlp = spacy.blank("en")
    nlp.add_pipe("test_write_hard_mentions")
    for doc in nlp.pipe([TEXT] * 4, n_process=2):
        assert as_dicts(doc) == HARD


def test_a_document_without_mentions_is_not_one_without_annotation():
    doc = blank_doc()
    assert get_mentions(doc) == {}
    set_mentions(doc, [])
    assert "clin" in through_docbin(doc, user_data=False).spans


def test_ids_are_made_beside_those_that_are_given():
    doc = blank_doc()
    set_mentions(doc, [{"id": "T1", "spans": [[0, 3]], "cui": None}, Mention([(4, 8)])])
    assert list(get_mentions(doc)) == ["T1", "T2"]


def test_types_become_labels_and_cues_are_kept():
    doc = blank_doc()
    mention = Mention([(4, 15)], "C1", {"type": "Finding"}, {"severity": [(19, 25)]})
    set_mentions(doc, [mention])
    assert doc.spans["clin"][0].label_ == "Finding"
    assert get_mentions(doc)["T1"] == mention
    assert to_inputs([doc])[0][0]["cues"] == {"severity": [[19, 25]]}


def test_groups_put_together_by_hand_are_read():
    doc = blank_doc()
    spans = [
        doc.char_span(4, 15, label="X", kb_id="C1", span_id="a"),
        doc.char_span(26, 33, label="X", kb_id="C1", span_id="a"),
        doc.char_span(49, 57, label="X", span_id="b"),
    ]
    attrs = {"mentions": {"a": {"negation": "yes"}}}
    doc.spans["clin"] = SpanGroup(doc, name="clin", attrs=attrs, spans=spans)
    assert to_inputs([doc]) == [
        [
            {"spans": [[4, 15], [26, 33]], "cui": "C1", "negation": "yes"},
            {"spans": [[49, 57]], "cui": None},
        ]
    ]


def test_what_attrs_say_of_slots_counts():
    """So that a component can predict slots."""
    doc = write_hard_mentions(blank_doc())
    doc.spans["clin"].attrs["mentions"]["T3"] |= {"severity": "severe"}
    assert to_inputs([doc])[0][2] == {"spans": [[26, 33]], "cui": "C3", "severity": "severe"}


def test_inputs_are_not_the_documents_own():
    doc = write_hard_mentions(blank_doc())
    to_inputs([doc])[0][0]["spans"].clear()
    assert as_dicts(doc) == HARD


def test_spans_without_ids_are_refused():
    doc = blank_doc()
    doc.spans["clin"] = [doc.char_span(4, 15, label="X")]
    laws.refuses(lambda: get_mentions(doc), "4-15", "no id", "set_mentions", text=["atrium"])


def test_ids_that_clash_are_refused():
    nlp = spacy.blank("en")
    docs = [nlp.make_doc(TEXT) for _ in range(2)]
    set_mentions(docs[0], [{"spans": [[4, 15]], "cui": "C1"}])
    set_mentions(docs[1], [{"spans": [[4, 15]], "cui": "C2"}])
    joined = Doc.from_docs(docs)
    laws.refuses(lambda: get_mentions(joined), "not one mention", "Doc.from_docs")


def test_fragments_outside_the_text_are_refused():
    doc = blank_doc()
    call = lambda: set_mentions(doc, [{"spans": [[50, 90]], "cui": None}])  # noqa: E731
    laws.refuses(call, "50-90", "outside the text", f"{len(TEXT)} characters", text=["enlarged"])


@pytest.mark.parametrize(
    ("mentions", "part"),
    [
        ([{"id": "a", "spans": [[0, 3]], "cui": None}] * 2, "repeated mention ids"),
        ({"": {"spans": [[0, 3]], "cui": None}}, "expected an id"),
        ([{"cui": None}], "'spans'"),
        (["fever"], "expected a mention"),
    ],
)
def test_malformed_mentions_are_refused(mentions, part):
    laws.refuses(lambda: set_mentions(blank_doc(), mentions), part)
