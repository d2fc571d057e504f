"""A span group that was changed after its attrs were written: no score comes of what is left over.

Each change leaves the group as a component leaves it that knows nothing of ``attrs``: spans are
dropped, added, moved or linked, and ``attrs`` stay.
"""

import warnings

import laws
import pytest
from docs import TEXT, annotated_texts, blank_doc, demo_docs
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Span, SpanGroup

from clineval import InputWarning
from clineval.base.errors import InputError
from spacy_clin import get_mentions, score_docs, set_mentions, to_inputs
from spacy_clin.medications import set_entries
from spacy_clin.sections import set_sections

ATRIUM, DILATED = (4, 15), (26, 33)
WRITTEN = {
    "T1": {"spans": [[4, 15], [26, 33]], "cui": "C1", "negation": "yes"},
    "T2": {"spans": [[49, 57]], "cui": "C2"},
}
RECORD = "Lasix 80 mg daily\naspirin 81 mg"
ENTRIES = [
    {"m": {"offsets": [[1, 0, 1, 0]]}, "do": {"offsets": [[1, 1, 1, 2]]}, "ln": "list"},
    {"m": {"offsets": [[2, 0, 2, 0]]}},
]


def written():
    doc = blank_doc()
    set_mentions(doc, WRITTEN, document="note-1")
    return doc


def rebuild(doc, change, key="clin"):
    """Replace the spans by what ``change`` makes of them; ``attrs`` stay."""
    group = doc.spans[key]
    doc.spans[key] = SpanGroup(doc, name=key, attrs=group.attrs, spans=change(list(group)))
    return doc


def other(span, *, place=None, code=None, id_=None):
    start, end = place or (span.start_char, span.end_char)
    return span.doc.char_span(
        start, end, span.label_, span.kb_id_ if code is None else code,
        span_id=span.id_ if id_ is None else id_,
    )  # fmt: skip


REFUSED = {
    "linked": (lambda spans: [*spans[:2], other(spans[2], code="C9")], "T2", "different codes"),
    "unlinked": (lambda spans: [*spans[:2], other(spans[2], code="")], "T2", "different codes"),
    "moved": (lambda spans: [*spans[:2], other(spans[2], place=(38, 57))], "T2", "fragments"),
    "widened": (lambda spans: [other(spans[0], place=(0, 15)), *spans[1:]], "T1", "fragments"),
    "narrowed": (lambda spans: [other(spans[0], place=(9, 15)), *spans[1:]], "T1", "fragments"),
    "a fragment less": (lambda spans: spans[1:], "T1", "fragments"),
    "a fragment more": (lambda spans: [*spans, other(spans[2], place=(0, 3))], "T2", "fragments"),
    "a fragment for another": (
        lambda spans: [spans[0], other(spans[2], place=DILATED), spans[2]], "T1", "fragments",
    ),
    "ids exchanged": (
        lambda spans: [other(spans[2], id_="T1"), *(other(s, id_="T2") for s in spans[:2])],
        "T1", "fragments",
    ),
    "one for another under its id": (
        lambda spans: [*spans[:2], other(spans[2], place=(0, 3), code="C2")], "T2", "fragments",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("change", "id_", "what"), REFUSED.values(), ids=REFUSED)
def test_attrs_and_spans_that_disagree_are_refused(change, id_, what):
    doc, gold = rebuild(written(), change), written()
    parts = ("document note-1", f"mention {id_}", what, "out of date", "set_mentions")
    for read in (
        lambda: get_mentions(doc),
        lambda: to_inputs([doc]),
        lambda: score_docs([gold], [doc]),
        lambda: score_docs([doc], [gold]),
    ):
        laws.refuses(read, *parts, text=["atrium", "dilated"])


KEPT = {
    "deleted": (lambda spans: spans[:2], [WRITTEN["T1"]]),
    "all deleted": (lambda _: [], []),
    "deleted and added": (
        lambda spans: [*spans[:2], other(spans[2], place=(0, 3), code="C9", id_="N")],
        [WRITTEN["T1"], {"spans": [[0, 3]], "cui": "C9"}],
    ),
    "as many of others": (
        lambda spans: [
            other(span, place=place, code="", id_=f"N{place[0]}")
            for span, place in zip(spans, [(0, 3), ATRIUM, DILATED], strict=True)
        ],
        [{"spans": [list(place)], "cui": None} for place in [(0, 3), ATRIUM, DILATED]],
    ),
}


@pytest.mark.parametrize(("change", "expected"), KEPT.values(), ids=KEPT)
def test_mentions_without_spans_are_no_mentions(change, expected):
    doc = rebuild(written(), change)
    with pytest.warns(InputWarning, match="document note-1: .* without spans, .* left out: .*T2"):
        assert to_inputs([doc]) == [expected]
    fresh = blank_doc()
    set_mentions(fresh, expected)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        score = score_docs([written()], [doc])
    assert "without spans" in str(caught[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # that no mention has a code
        assert dict(score.values) == dict(score_docs([written()], [fresh]).values)


def test_an_added_mention_counts_with_default_slots():
    doc = rebuild(written(), lambda spans: [other(spans[2], place=(0, 3), id_="N"), *spans])
    added = {"spans": [[0, 3]], "cui": "C2"}
    assert to_inputs([doc]) == [[added, WRITTEN["T1"], WRITTEN["T2"]]]


def test_the_order_of_spans_does_not_matter():
    doc = rebuild(written(), lambda spans: spans[::-1])
    assert to_inputs([doc]) == [[WRITTEN["T2"], WRITTEN["T1"]]]


@pytest.mark.parametrize("code", [None, "", "CUI-less"])
def test_no_code_is_no_code_however_it_is_written(code):
    doc = blank_doc()
    set_mentions(doc, [{"spans": [[4, 15]], "cui": None}])
    doc.spans["clin"].attrs["mentions"]["T1"]["cui"] = code
    assert score_docs([doc], [doc], config="task1")["strict_f1"] == 1.0


@given(annotated_texts(), st.data())
def test_whatever_is_done_to_the_spans_what_is_read_is_theirs_or_refused(annotated, data):
    """Of groups with parts of tokens, too."""
    text, mentions = annotated
    doc = blank_doc(text)
    set_mentions(doc, mentions)
    tokens = st.integers(0, len(doc) - 1)
    codes, ids = st.sampled_from(["C1", "C2", ""]), st.sampled_from(["T1", "T2", "T3"])

    def change(spans):
        kept = [span for span in spans if data.draw(st.integers(0, 3))]
        for _ in range(data.draw(st.integers(0, 2))):
            first, last = sorted((data.draw(tokens), data.draw(tokens)))
            label = spans[0].label_ if spans else "X"
            kept.append(Span(doc, first, last + 1, label, data.draw(codes), span_id=data.draw(ids)))
        return kept

    rebuild(doc, change)
    by_id = {}
    for span in doc.spans["clin"]:
        by_id.setdefault(span.id_, []).append(span)
    try:
        found = read_in_peace(doc)
    except InputError:
        return
    assert found.keys() == by_id.keys()
    for id_, mention in found.items():
        spans = by_id[id_]
        assert {span.kb_id_ for span in spans} == {mention.cui or ""}
        covered = {at for s in spans for at in range(s.start, s.end)}
        assert covered == {
            token.i
            for token in doc
            for start, end in mention.spans
            if start < token.idx + len(token.text_with_ws) and token.idx < end
        }


def read_in_peace(doc):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return get_mentions(doc)


ONE_BY_ONE = {"preset": "clin", "fragments": None}


def test_getters_of_single_spans_take_no_stale_attrs():
    moved = rebuild(written(), REFUSED["moved"][0])
    laws.refuses(lambda: to_inputs([moved], getter=ONE_BY_ONE), "mention T2", "different fragments")
    [found] = to_inputs([written()], getter=ONE_BY_ONE)
    assert [mention.get("negation") for mention in found] == ["yes", "yes", None]


def test_a_getter_says_whose_codes_count():
    linked = rebuild(written(), REFUSED["linked"][0])
    for code, expected in (("kb_id_", "C9"), ("attrs.cui", "C2")):
        getter = {"mentions": "clin", "fragments": "id", "code": code}
        assert to_inputs([linked], getter=getter)[0][1]["cui"] == expected
        moved = rebuild(written(), REFUSED["moved"][0])
        laws.refuses(lambda: to_inputs([moved], getter=getter), "different fragments")  # noqa: B023


@pytest.mark.parametrize("spans", [[[50, 90]], [[4, 15], [900, 905]], [[57, 59]]])
def test_attrs_that_tell_of_what_is_outside_the_text_are_refused(spans):
    doc = written()
    doc.spans["clin"].attrs["mentions"]["T1"]["spans"] = spans
    laws.refuses(
        lambda: score_docs([written()], [doc]), "note-1", "outside the text", f"{len(TEXT)} char"
    )


@pytest.mark.parametrize("spans", [[[15, 4]], [[-3, 8]], ["4-15"], [[4]], [[4, 15], [9, 20]]])
def test_attrs_that_tell_of_no_fragments_are_refused(spans):
    doc = written()
    doc.spans["clin"].attrs["mentions"]["T1"]["spans"] = spans
    laws.refuses(lambda: score_docs([written()], [doc]), "note-1, mention T1", text=["atrium"])


def test_a_gold_standard_that_was_changed_is_refused_too():
    golds, preds = demo_docs("semeval15_task14")
    golds = [gold.copy() for gold in golds]
    changed = next(gold for gold in golds if len(gold.spans["clin"]) > 1)
    rebuild(changed, lambda spans: [other(span, code="C0000000") for span in spans])
    laws.refuses(lambda: score_docs(golds, preds), "different codes", "set_mentions")


def test_sections_that_were_moved_are_refused():
    doc = blank_doc()
    set_sections(doc, [{"start": 0, "end": 15, "label": "PLAN"}])
    rebuild(doc, lambda spans: [other(spans[0], place=(16, 33))], key="clin_sections")
    laws.refuses(lambda: to_inputs([doc], "clinais23_b2"), "different fragments")


def recorded():
    doc = blank_doc(RECORD)
    set_entries(doc, ENTRIES, document="1")
    return doc


ENTRIES_REFUSED = {
    "moved": lambda spans: [spans[0], other(spans[1], place=(12, 17)), spans[2]],
    "widened": lambda spans: [spans[0], other(spans[1], place=(6, 17)), spans[2]],
    "doubled": lambda spans: [*spans[:2], other(spans[1], place=(12, 17)), spans[2]],
    "ids exchanged": lambda spans: [other(spans[2], id_="E1"), spans[1], other(spans[0], id_="E2")],
}


@pytest.mark.parametrize("change", ENTRIES_REFUSED.values(), ids=ENTRIES_REFUSED)
def test_entries_that_were_changed_are_refused(change):
    doc = rebuild(recorded(), change, key="clin_meds")
    parts = ("document 1, entry E1", "the offsets of the field", "out of date", "set_entries")
    laws.refuses(lambda: to_inputs([doc], "i2b2_2009_medication"), *parts, text=["Lasix"])


def test_entries_have_the_fields_and_lines_of_their_spans():
    whole = to_inputs([recorded()], "i2b2_2009_medication")[0]
    assert [{tag: e[tag]["offsets"] for tag in ("m", "do") if tag in e} for e in whole] == [
        {tag: phrase["offsets"] for tag, phrase in e.items() if tag != "ln"} for e in ENTRIES
    ]
    fewer = rebuild(recorded(), lambda spans: [spans[0]], key="clin_meds")
    [[entry]] = to_inputs([fewer], "i2b2_2009_medication")
    assert entry == {"m": {"text": "", "offsets": [[1, 0, 1, 0]]}, "ln": "list"}
    more = rebuild(
        recorded(),
        lambda spans: [*spans, other(spans[2], place=(26, 31), id_="E3")],
        key="clin_meds",
    )
    assert to_inputs([more], "i2b2_2009_medication")[0][2]["m"]["offsets"] == [[2, 1, 2, 2]]


def test_entries_outside_the_record_are_refused():
    doc = recorded()
    doc.spans["clin_meds"].attrs["entries"]["E1"]["offsets"]["m"] = [[7, 0, 7, 0]]
    laws.refuses(
        lambda: score_docs([recorded()], [doc], "i2b2_2009_medication"), "entry E1", "no line 7"
    )
