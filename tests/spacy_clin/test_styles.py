"""Discontiguous mentions and attributes in the styles that people keep them in: one reader for all.

Each style is read with the settings that it returns, and must equal the same mentions as dicts.
"""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import laws
import pytest
from docs import TEXT, blank_doc
from spacy.tokens import Doc, Span, SpanGroup

from clineval import InputError, InputWarning
from clineval.results.slots import Slot
from spacy_clin import PRESETS, Reader, score_docs, set_mentions, to_inputs
from spacy_clin.reader import Reading

# "The left atrium is mildly dilated and moderately enlarged."
EXPECTED = [
    {"spans": [[4, 15], [26, 33]], "cui": "C1", "negation": "yes"},
    {"spans": [[49, 57]], "cui": "C2"},
]
TOKENS = [[[1, 3], [5, 6]], [[8, 9]]]


pytestmark = pytest.mark.usefixtures("extensions")


def extend(owner, *names):
    for name in names:
        owner.set_extension(name, default=None, force=True)


def in_doc(doc, mentions, **settings):
    extend(Doc, "found")
    doc._.found = mentions
    return {"span_getter": "_.found", **settings}


class Polarity(Enum):
    NEGATED = 1
    AFFIRMED = 2


class Negation(Enum):
    YES = "yes"
    NO = "no"


@dataclass
class Finding:
    spans: list
    cui: str
    negation: str = "no"


@dataclass
class Other:
    where: list
    concept: str
    negated: bool


def own_keys(doc):
    return in_doc(doc, EXPECTED)


def other_keys(doc):
    given = [{"where": m["spans"], "concept": m["cui"], "neg": m.get("negation")} for m in EXPECTED]
    return in_doc(doc, given, fragments="where", attributes={"cui": "concept", "negation": "neg"})


def nested_keys(doc):
    given = [
        {"at": m["spans"], "codes": [{"id": m["cui"]}], "context": {"negated": "negation" in m}}
        for m in EXPECTED
    ]
    attributes = {"cui": "codes.0.id", "negation": "context.negated"}
    return in_doc(doc, given, fragments="at", attributes=attributes)


def booleans(doc):
    return in_doc(doc, [{**m, "negation": "negation" in m} for m in EXPECTED])


def enums(doc):
    kinds = [Negation.YES, Negation.NO]
    return in_doc(doc, [{**m, "negation": k} for m, k in zip(EXPECTED, kinds, strict=True)])


def enums_with_meanings(doc):
    kinds = [Polarity.NEGATED, Polarity.AFFIRMED]
    given = [{**m, "negation": k} for m, k in zip(EXPECTED, kinds, strict=True)]
    source = {"path": "negation", "values": {"NEGATED": "yes", "AFFIRMED": "no"}}
    return in_doc(doc, given, attributes={"negation": source})


def dicts_of_tokens(doc):
    given = [{**m, "spans": pairs} for m, pairs in zip(EXPECTED, TOKENS, strict=True)]
    return in_doc(doc, given, offsets="token")


def dicts_of_spans(doc):
    given = [
        {**m, "spans": [doc[a:b] for a, b in p]} for m, p in zip(EXPECTED, TOKENS, strict=True)
    ]
    return in_doc(doc, given)


def dataclasses(doc):
    return in_doc(doc, [Finding(**m) for m in EXPECTED])


def dataclasses_with_other_names(doc):
    given = [Other(m["spans"], m["cui"], "negation" in m) for m in EXPECTED]
    attributes = {"cui": "concept", "negation": "negated"}
    return in_doc(doc, given, fragments="where", attributes=attributes)


class Named(NamedTuple):
    spans: list
    cui: str
    negation: bool = False


def named_tuples(doc):
    return in_doc(doc, [Named(m["spans"], m["cui"], "negation" in m) for m in EXPECTED])


class Entity:
    def __init__(self, mention):
        self.start_char, self.end_char = mention["spans"][0]
        self.parts, self.code = mention["spans"], mention["cui"]


def objects(doc):
    given = [Entity(m) for m in EXPECTED]
    attributes = {"cui": "code", "negation": lambda item: "yes" if item.code == "C1" else None}
    return in_doc(doc, given, fragments="parts", attributes=attributes)


def first_fragments(doc, whole=(1, 3), pairs=None, **settings):
    """Entities with their fragments in an extension."""
    extend(Span, "fragments", "negated")
    doc.ents = [
        Span(doc, *whole, "X", kb_id="C1"),
        Span(doc, 8, 9, "X", kb_id="C2"),
    ]
    doc.ents[0]._.fragments = pairs or EXPECTED[0]["spans"]
    doc.ents[0]._.negated = True
    return {
        "span_getter": "ents",
        "fragments": "_.fragments",
        "attributes": {"negation": "_.negated"},
        **settings,
    }


def envelopes(doc):
    return first_fragments(doc, (1, 6))


def fragments_of_tokens(doc):
    return first_fragments(doc, (1, 6), TOKENS[0], offsets="token")


def fragments_of_spans(doc):
    return first_fragments(doc, (1, 6), [doc[1:3], doc[5:6]])


def a_function_for_each(doc):
    """Functions in place of all paths."""
    first_fragments(doc, (1, 6))
    return {
        "span_getter": lambda doc: doc.ents,
        "fragments": lambda span: span._.fragments,
        "attributes": {
            "cui": lambda span: span.kb_id_,
            "negation": lambda span: span._.negated,
        },
    }


def lists_of_spans(doc):
    extend(Doc, "groups")
    extend(Span, "negated")
    doc._.groups = [[Span(doc, a, b, "X", kb_id=m["cui"]) for a, b in p]
                    for m, p in zip(EXPECTED, TOKENS, strict=True)]  # fmt: skip
    doc._.groups[0][0]._.negated = True
    return {"span_getter": "_.groups", "attributes": {"negation": "_.negated"}}


def a_group_for_each(doc):
    for number, (mention, pairs) in enumerate(zip(EXPECTED, TOKENS, strict=True)):
        spans = [Span(doc, a, b, "X", kb_id=mention["cui"]) for a, b in pairs]
        attrs = {"negation": mention.get("negation")}
        name = f"mention:{number}"
        doc.spans[name] = SpanGroup(doc, name=name, attrs=attrs, spans=spans)
    return {
        "span_getter": "mention:*",
        "fragments": "group",
        "attributes": {"negation": "attrs.negation"},
    }


def groups_of_a_function(doc):
    a_group_for_each(doc)
    return {
        "span_getter": lambda doc: [doc.spans["mention:0"], doc.spans["mention:1"]],
        "attributes": {"negation": lambda group: group.attrs["negation"]},
    }


def parents(doc):
    """Spans that are joined by what they belong to."""
    extend(Span, "parent", "negated")
    doc.spans["sc"] = [Span(doc, a, b, "X", kb_id=m["cui"])
                       for m, p in zip(EXPECTED, TOKENS, strict=True) for a, b in p]  # fmt: skip
    first, second, _ = doc.spans["sc"]
    for span in (first, second):
        span._.parent = doc[1:6]
        span._.negated = True
    return {"span_getter": "sc", "tie": "_.parent", "attributes": {"negation": "_.negated"}}


def ids(doc):
    doc.spans["sc"] = [Span(doc, a, b, "X", kb_id=m["cui"], span_id=m["cui"])
                       for m, p in zip(EXPECTED, TOKENS, strict=True) for a, b in p]  # fmt: skip
    negated = {"negation": lambda span: "yes" if span.id_ == "C1" else None}
    return {"span_getter": lambda doc: doc.spans["sc"], "tie": "id_", "attributes": negated}


STYLES = [
    own_keys, other_keys, nested_keys, booleans, enums, enums_with_meanings, dicts_of_tokens,
    dicts_of_spans, dataclasses, dataclasses_with_other_names, named_tuples, objects,
    first_fragments, envelopes, fragments_of_tokens, fragments_of_spans, a_function_for_each,
    lists_of_spans, a_group_for_each,
    groups_of_a_function, parents, ids,
]  # fmt: skip


def folded(mentions):
    return sorted(
        ({k: v for k, v in m.items() if (k, v) != ("negation", "no")} for m in mentions),
        key=lambda mention: mention["cui"],
    )


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.filterwarnings("ignore:.*the getter does not read")
def test_every_style_says_the_same(style):
    doc = blank_doc()
    settings = style(doc)
    assert folded(to_inputs([doc], getter=settings)[0]) == EXPECTED
    gold = blank_doc()
    set_mentions(gold, EXPECTED)
    score = score_docs([gold], [doc], pred=settings)
    assert dict(score.values) == dict(score_docs([gold], [gold]).values)
    assert (score["strict_f1"], score["accuracy"]) == (1.0, 1.0)
    for span in [*doc.ents, *(span for group in doc.spans.values() for span in group)]:
        assert span.doc is doc  # nothing was changed


@pytest.mark.parametrize(
    ("style", "parts"),
    [
        # silently a word's letters, before
        (lambda d: first_fragments(d, (1, 6), TOKENS[0]), ("do not fit the span", "offsets=")),
        (lambda d: first_fragments(d, (1, 6), [[49, 57]]), ("do not fit the span",)),
        (lambda d: first_fragments(d, (1, 6), [[4, 15], [26, 99]]), ("outside the text",)),
        (lambda d: in_doc(d, [{"spans": [[4, 99]], "cui": "C1"}]), ("outside the text",)),
        (
            lambda d: in_doc(d, [{"spans": [[1, 30]], "cui": "C1"}], offsets="token"),
            ("token 29 is outside the text", "10 tokens", "offsets='char'"),
        ),
        (
            lambda d: in_doc(d, [[blank_doc(f"No. {TEXT}")[1:3]]]),
            ("span belongs to another text",),
        ),
        (lambda d: in_doc(d, [{"spans": [[4, 15]], "cui": None, "negatoin": "yes"}]),
         ("unknown slot 'negatoin'", "negation")),
        (lambda d: in_doc(d, [{"spans": [[4, 15]]}]), ("no 'cui'",)),
        (lambda d: in_doc(d, [{"cui": "C1"}]), ("no 'spans'", "fragments=")),
        (lambda d: {**parents(d), "tie": lambda span: [span]}, ("tie: expected a single value",)),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(style, parts):
    doc = blank_doc()
    settings = style(doc)
    laws.refuses(lambda: to_inputs([doc], getter=settings), *parts, text=["atrium", "dilated"])


@pytest.mark.parametrize("name", ["label", "type"])
def test_a_class_that_is_a_label_is_read_of_spans_dicts_and_the_group(name):
    """As challenges have it whose mentions have no code."""
    slots = [Slot(name, "closed", ("problem", "test"))]
    doc = blank_doc()
    doc.ents = [Span(doc, 1, 3, "test")]
    expected = [{"spans": [(4, 15)], name: "test"}]
    assert list(Reading(Reader("ents"), [doc], slots)) == [expected]
    settings = in_doc(doc, [{"spans": [[4, 15]], name: "test"}])
    [[found]] = Reading(Reader(**settings), [doc], slots)
    assert found == {"spans": [[4, 15]], name: "test"}
    set_mentions(doc, [{"spans": [[4, 15]], "cui": None, name: "test"}])
    [[found]] = Reading(PRESETS["clin"], [doc], slots)
    assert found == {"spans": [[4, 15]], "cui": None, name: "test"}


def test_spans_of_one_mention_that_disagree_are_refused():
    """Which of them counts is for a function to say."""
    doc = blank_doc()
    settings = lists_of_spans(doc)
    first, second = doc._.groups[0]
    first._.negated, second._.negated = True, False
    laws.refuses(lambda: to_inputs([doc], getter=settings), "different values", "a function")
    some = lambda spans: any(span._.negated for span in spans)  # noqa: E731
    [found] = to_inputs([doc], getter={**settings, "attributes": {"negation": some}})
    assert found[0]["negation"] == "yes"


def test_keys_that_nothing_reads_are_told():
    doc = blank_doc()
    given = [{"spans": [[4, 15]], "cui": "C1", "neg": True, "uncertain": True}]
    settings = in_doc(doc, given, attributes={"negation": "neg"})
    with pytest.warns(InputWarning, match="these keys of mentions are ignored: 'uncertain'"):
        [[found]] = to_inputs([doc], getter=settings)
    assert found["negation"] == "yes"


def test_keys_that_no_mention_has_are_told():
    doc = blank_doc()
    given = [{"spans": [[4, 15]], "cui": "C1"}]
    settings = in_doc(doc, given, attributes={"negation": "neg"})
    with pytest.warns(InputWarning, match="the settings name keys that no mention has: neg"):
        to_inputs([doc], getter=settings)


def test_settings_have_their_earlier_names_too():
    doc = blank_doc()
    first_fragments(doc)
    new = {"span_getter": "ents", "fragments": "_.fragments",
           "attributes": {"cui": "label_", "negation": "_.negated"}}  # fmt: skip
    old = {"mentions": "ents", "fragments": "_.fragments", "code": "label_",
           "slots": {"negation": "_.negated"}}  # fmt: skip
    assert to_inputs([doc], getter=new) == to_inputs([doc], getter=old)


def test_spans_are_written_as_mentions():
    doc = blank_doc()
    lists_of_spans(doc)
    set_mentions(doc, [*doc._.groups[:1], doc._.groups[1][0]])
    assert [m["spans"] for m in to_inputs([doc])[0]] == [m["spans"] for m in EXPECTED]
    assert [m["cui"] for m in to_inputs([doc])[0]] == ["C1", "C2"]
    different = [Span(doc, 1, 3, "X", kb_id="C1"), Span(doc, 5, 6, "X", kb_id="C2")]
    with pytest.raises(InputError, match="different codes or labels"):
        set_mentions(doc, [different])


@pytest.mark.parametrize(
    ("slots", "part"), [({"negatoin": "yes"}, "unknown slot"), ({"negation": "perhaps"}, "no, yes")]
)
def test_mentions_are_judged_when_they_are_written(slots, part):
    """Not only when they are scored, long after."""
    mention = {"spans": [[4, 15]], "cui": None, **slots}
    laws.refuses(lambda: set_mentions(blank_doc(), [mention]), "mention T1", part)
