"""Where mentions, codes and slots come from."""

import laws
import pytest
from docs import blank_doc
from spacy.tokens import Doc, Span, SpanGroup

from clineval import InputWarning, Mention
from clineval.formats.delimited.pipe import SLOTS
from spacy_clin import register_extensions, score_docs, set_mentions, to_inputs
from spacy_clin.presets import PRESETS, find_reader
from spacy_clin.reader import Reader, Reading

EXPECTED = [
    {"spans": [[4, 15], [26, 33]], "cui": "C1", "negation": "yes"},
    {"spans": [[49, 57]], "cui": "C2"},
]


pytestmark = pytest.mark.usefixtures("extensions")


def one_group(doc):
    set_mentions(doc, EXPECTED)
    return "clin"


def list_of_dicts(doc):
    Doc.set_extension("test_mentions", default=None)
    doc._.test_mentions = EXPECTED
    return {"mentions": "_.test_mentions"}


def list_of_objects(doc):
    Doc.set_extension("test_mentions", default=None)
    doc._.test_mentions = list(map(Mention.from_dict, EXPECTED))
    return {"mentions": "_.test_mentions"}


def group_for_each(doc):
    for number, mention in enumerate(EXPECTED):
        spans = [doc.char_span(*span) for span in mention["spans"]]
        attrs = {name: value for name, value in mention.items() if name != "spans"}
        name = f"mention:{number}"
        doc.spans[name] = SpanGroup(doc, name=name, attrs=attrs, spans=spans)
    return {
        "mentions": "mention:*",
        "fragments": "group",
        "code": "attrs.cui",
        "slots": {"negation": "attrs.negation"},
    }


def envelopes(doc):
    register_extensions()
    envelope = doc.char_span(4, 33, label="X", kb_id="C1")
    envelope._.clin_fragments = [[4, 15], [26, 33]]
    envelope._.clin_negation = "yes"
    doc.ents = [envelope, doc.char_span(49, 57, label="X", kb_id="C2")]
    return "spacy"


def function_of_the_doc(doc):
    set_mentions(doc, EXPECTED, key="elsewhere")
    return {
        "mentions": lambda doc: to_inputs(
            [doc], getter={"preset": "clin", "mentions": "elsewhere"}
        )[0]
    }


@pytest.mark.parametrize(
    "represent",
    [one_group, list_of_dicts, list_of_objects, group_for_each, envelopes, function_of_the_doc],
)
def test_all_representations_say_the_same(represent):
    doc = blank_doc()
    getter = represent(doc)
    assert to_inputs([doc], getter=getter) == [EXPECTED]


@pytest.mark.parametrize("represent", [list_of_dicts, list_of_objects, function_of_the_doc])
@pytest.mark.parametrize("config", ["default", "task1", "task2a", "task2b"])
def test_mentions_that_bring_their_slots_are_scored_without_a_warning(represent, config, recwarn):
    gold, pred = blank_doc(), blank_doc()
    set_mentions(gold, EXPECTED)
    getter = represent(pred)
    scores = score_docs([gold], [pred], pred=getter, config=config)
    assert not recwarn.list
    assert scores["strict_f1" if config == "task1" else "negation_accuracy"] == 1.0
    # it is what they say that counts
    set_mentions(gold, [{**mention, "negation": "no"} for mention in EXPECTED])
    if config != "task1":
        assert score_docs([gold], [pred], pred=getter, config=config)["negation_accuracy"] == 0.5


@pytest.mark.parametrize("pick", [list, iter, lambda spans: [{**EXPECTED[0]}, *spans]])
def test_a_function_that_finds_spans_is_told_what_it_lacks(pick):
    gold, pred = blank_doc(), blank_doc()
    set_mentions(gold, EXPECTED)
    pred.ents = [pred.char_span(49, 57, label="X", kb_id="C2")]
    getter = {"mentions": lambda doc: pick(doc.ents)}
    with pytest.warns(InputWarning, match="the getter does not read negation, subject,"):
        score_docs([gold], [pred], pred=getter, config="task2b")


def test_nothing_found_lacks_nothing(recwarn):
    gold = blank_doc()
    set_mentions(gold, EXPECTED)
    scores = score_docs([gold], [blank_doc()], pred={"mentions": "ents"}, config="task2b")
    assert scores["span_fn"] == 2
    assert not recwarn.list


def spans_of(doc, source):
    [found] = Reading(Reader(source), [doc], SLOTS)
    return [list(mention["spans"][0]) for mention in found]


def test_sources_are_named_as_in_edsnlp():
    doc = blank_doc()
    doc.ents = [doc.char_span(4, 8, label="A"), doc.char_span(9, 15, label="B")]
    doc.spans["ents"] = [doc.char_span(26, 33, label="A")]
    doc.spans["sc"] = [doc.char_span(49, 57, label="B")]
    assert spans_of(doc, "ents") == [[4, 8], [9, 15]]
    assert spans_of(doc, "spans.ents") == [[26, 33]]
    assert spans_of(doc, ["sc", "ents"]) == [[49, 57], [4, 8], [9, 15]]
    assert spans_of(doc, {"ents": ["B"], "sc": True}) == [[9, 15], [49, 57]]
    assert spans_of(doc, {"ents": "A"}) == [[4, 8]]


def test_extensions_with_getters_are_asked():
    Span.set_extension("test_negated", getter=lambda span: span.text == "dilated")
    doc = blank_doc()
    doc.ents = [doc.char_span(26, 33, label="X"), doc.char_span(49, 57, label="X")]
    getter = {"mentions": "ents", "slots": {"negation": "_.test_negated"}}
    assert [m.get("negation") for m in to_inputs([doc], getter=getter)[0]] == ["yes", "no"]


def test_defaults_of_extensions_are_read_and_never_written():
    Span.set_extension("test_codes", default=[])
    doc = blank_doc()
    doc.ents = [doc.char_span(26, 33, label="X")]
    getter = {"mentions": "ents", "code": "_.test_codes.0.0"}
    with pytest.warns(InputWarning, match="no document holds a value of any extension"):
        [[mention]] = to_inputs([doc], getter=getter)
    assert mention["cui"] is None
    assert doc.user_data == {}


def test_tuples_and_lists_are_the_same():
    """A DocBin makes tuples of lists, n_process lists of tuples."""
    register_extensions()
    for codes in (["C7", "C8"], ("C7", "C8")):
        doc = blank_doc()
        doc.ents = [doc.char_span(26, 33, label="X")]
        doc.ents[0]._.clin_body_location = codes
        doc.ents[0]._.clin_fragments = ((26, 33),) if isinstance(codes, tuple) else [[26, 33]]
        [[mention]] = to_inputs([doc], getter="spacy")
        assert list(mention["body_location"]) == ["C7", "C8"]
        assert mention["spans"] == [[26, 33]]


@pytest.mark.parametrize(
    ("value", "expected"),
    [({"b", "other"}, "yes"), (["none"], None), ("b", "yes"), (None, None), (3, "no")],
)
def test_values_are_translated(value, expected):
    Span.set_extension("test_value", default=None)
    doc = blank_doc()
    doc.ents = [doc.char_span(26, 33, label="X")]
    doc.ents[0]._.test_value = value
    slot = {"path": "_.test_value", "values": {"b": "yes", "3": "no"}}
    [[mention]] = to_inputs([doc], getter={"mentions": "ents", "slots": {"negation": slot}})
    assert mention.get("negation") == expected


def test_values_without_a_meaning_are_refused():
    Span.set_extension("test_value", default=None)
    doc = blank_doc()
    doc.ents = [doc.char_span(26, 33, label="X")]
    doc.ents[0]._.test_value = "possibly"
    slot = {"path": "_.test_value", "values": {"b": "yes"}}
    call = lambda: to_inputs([doc], getter={"mentions": "ents", "slots": {"negation": slot}})  # noqa: E731
    laws.refuses(call, "negation", "'possibly'", "'b'", "values")


def test_unregistered_extensions_are_refused():
    doc = blank_doc()
    doc.ents = [doc.char_span(26, 33, label="X")]
    getter = {"mentions": "ents", "code": "_.nobody_registered_this"}
    laws.refuses(
        lambda: to_inputs([doc], getter=getter),
        "nobody_registered_this",
        "not registered",
        "available:",
        "Import the package",
    )
    laws.refuses(lambda: to_inputs([doc], getter={"mentions": "_.nor_this"}), "nor_this", "Doc")


@pytest.mark.parametrize(
    ("getter", "part"),
    [
        ("nobody", "unknown preset 'nobody'"),
        ({"slot": {}}, "unknown setting 'slot'"),
        ({"code": "no_such_attribute"}, "no attribute 'no_such_attribute'"),
        ({"slots": {"negation": 3}}, "slot 'negation'"),
        (3, "expected the name of a preset"),
        ({"mentions": 3}, "expected the place of the spans"),
    ],
)
def test_settings_that_make_no_sense_are_refused(getter, part):
    laws.refuses(lambda: to_inputs([blank_doc()], getter=getter), part)


def test_settings_change_a_preset():
    getter = find_reader(
        {"preset": "medspacy", "code": "label_", "slots": {"subject": None, "generic": "_.is_x"}}
    )
    assert getter.sources["cui"].path == "label_"
    assert {name for name, source in getter.sources.items() if source} == {
        "cui", "negation", "uncertainty", "conditional", "generic",
    }  # fmt: skip
    assert getter.span_getter == PRESETS["medspacy"].span_getter


def dicts_of(spans):
    Doc.set_extension("test_mentions", default=None)
    doc = blank_doc()
    doc._.test_mentions = [{"spans": spans, "cui": "C1"}]
    return doc, {"mentions": "_.test_mentions"}


def objects_of(spans):
    doc = blank_doc()
    return doc, {"mentions": lambda _: [Mention(spans, "C1")]}


def extension_of(spans):
    register_extensions()
    doc = blank_doc()
    doc.ents = [doc.char_span(4, 15, label="X", kb_id="C1")]
    doc.ents[0]._.clin_fragments = spans
    return doc, "spacy"


@pytest.mark.parametrize("represent", [dicts_of, objects_of, extension_of])
@pytest.mark.parametrize("end", [59, 60, 4000])
def test_fragments_outside_the_text_are_refused(represent, end):
    doc, getter = represent([[4, 15], [49, end]])
    gold = blank_doc()
    set_mentions(gold, EXPECTED)
    for call in (
        lambda: score_docs([gold], [doc], pred=getter, config="task1"),
        lambda: score_docs([doc], [gold], gold=getter, config="task1"),
        lambda: to_inputs([doc], getter=getter),
    ):
        parts = (
            "document 0",
            f"49-{end} is outside the text",
            "58 characters",
            "Check that the offsets",
        )
        laws.refuses(call, *parts, text=["dilated"])


@pytest.mark.parametrize("represent", [dicts_of, objects_of, extension_of])
def test_fragments_up_to_the_end_of_the_text_are_read(represent):
    doc, getter = represent([[4, 15], [49, 58]])
    assert to_inputs([doc], getter=getter)[0][0]["spans"] == [[4, 15], [49, 58]]


@pytest.mark.parametrize("fragments", [[[15, 4]], [[-3, 8]], ["4-15"], 7, [[4, 15], [9, 20]]])
def test_extensions_that_hold_no_fragments_are_refused(fragments):
    doc, getter = extension_of(fragments)
    laws.refuses(lambda: to_inputs([doc], getter=getter), "document 0, span 4-15: ")


def test_mentions_that_share_extensions_are_told():
    register_extensions()
    doc = blank_doc()
    spans = [doc.char_span(26, 33, label="X", kb_id=code) for code in ("C1", "C2")]
    spans[0]._.clin_negation = "yes"
    doc.spans["sc"] = spans
    with pytest.warns(InputWarning, match="same offsets.*set_mentions"):
        [found] = to_inputs([doc], getter={"preset": "spacy", "mentions": "sc"})
    assert [mention["negation"] for mention in found] == ["yes", "yes"]


def test_extensions_of_others_are_left_alone():
    Span.remove_extension("clin_negation") if Span.has_extension("clin_negation") else None
    Span.set_extension("clin_negation", default="theirs")
    register_extensions()
    assert Span.get_extension("clin_negation")[0] == "theirs"
    Span.remove_extension("clin_negation")
