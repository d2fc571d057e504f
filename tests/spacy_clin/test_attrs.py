"""What comes with Docs and DocBins is judged: attrs of span groups, names, settings, files."""

import gc
import os
import zlib
from functools import partial

import laws
import numpy as np
import pytest
import spacy
import srsly
from canary import NOTE, SECRET
from docs import HARD, blank, blank_doc
from spacy.attrs import HEAD
from spacy.tokens import DocBin, Span
from typer.testing import CliRunner

from clineval import InputError
from clineval.cli import make_app
from spacy_clin import (
    read_docs,
    score_docs,
    set_entries,
    set_mentions,
    set_sections,
    to_inputs,
    write_docbin,
    write_docs,
)

SECTION = {"start": 4, "end": 15, "label": "TREATMENT"}


def hard_doc(**attrs):
    doc = blank_doc()
    set_mentions(doc, HARD, document="d").attrs.update(attrs)
    return doc


@pytest.mark.parametrize(
    ("attrs", "told"),
    [
        ({"document": [NOTE]}, "'document'.*expected a name, got a list"),
        ({"document": 5.0}, "expected a name, got 5.0"),
        ({"mentions": NOTE}, "'mentions'.*expected a dict of ids"),
        ({"mentions": {"T1": NOTE}}, "expected a dict for each id"),
        ({"mentions": {5: {}}}, "expected a dict for each id, got 5"),
        ({"mentions": {"T1": {"spans": np.zeros((2, 2))}}}, "mention T1: expected an integer"),
        ({"mentions": {"T1": {"cui": np.arange(3)}}}, "different codes"),
    ],
)
def test_attrs_that_are_none(attrs, told):
    for read in (lambda doc: score_docs([doc], [doc]), lambda doc: to_inputs([doc])):
        with pytest.raises(InputError, match=told) as raised:
            read(hard_doc(**attrs))
        assert SECRET not in str(raised.value)


@pytest.mark.usefixtures("extensions")
class TestArrays:
    """No value of a slot is an array, which is neither equal to another nor different from it."""

    TOLD = "expected a value or a list, got an array"

    def test_in_attrs_of_entries(self):
        doc = blank_doc()
        group = set_entries(doc, [{"m": {"offsets": [[1, 0, 1, 0]]}}], document="d")
        group.attrs["entries"]["E1"]["ln"] = np.arange(3)
        for read in (to_inputs, lambda docs, name: score_docs(docs, docs, name)):
            laws.refuses(lambda read=read: read([doc], "i2b2_2009_medication"), "ln", self.TOLD)

    @pytest.mark.parametrize("slot", ["field", "entry", "ln"])
    def test_in_extensions_of_fields(self, slot, arrays):
        doc = blank_doc()
        set_entries(doc, [{"m": {"offsets": [[1, 0, 1, 0]]}}], document="d")
        pred = {"mentions": "spans.clin_meds", "attributes": {slot: f"_.{arrays}"}}
        call = partial(score_docs, [doc], [doc], "i2b2_2009_medication", pred=pred)
        laws.refuses(call, slot, self.TOLD)

    @pytest.mark.parametrize("tie", [{}, {"tie": "id_"}])
    def test_in_extensions_of_tied_spans(self, tie, arrays):
        doc = hard_doc()
        pred = {"mentions": "spans.clin", "attributes": {"negation": f"_.{arrays}"}, **tie}
        laws.refuses(partial(score_docs, [doc], [doc], pred=pred), self.TOLD)

    @pytest.mark.filterwarnings("ignore::clineval.InputWarning")
    def test_a_token_has_a_shape_and_is_none(self):
        Span.set_extension("cue", getter=lambda span: span.doc[0])
        doc = hard_doc()
        source = {"path": "_.cue", "values": {doc[0].text: "yes"}}
        reader = {"mentions": "spans.clin", "tie": "id_", "attributes": {"negation": source}}
        [mentions] = to_inputs([doc], getter=reader)
        assert {mention["negation"] for mention in mentions} == {"yes"}

    @pytest.fixture
    def arrays(self):
        Span.set_extension("arrays", getter=lambda _: np.arange(3))
        return "arrays"


def test_relations_that_are_none():
    doc = hard_doc(relations=5)
    laws.refuses(lambda: to_inputs([doc], "n2c2_2018_track2"), "'relations'", "a list, got 5")


def test_a_name_that_may_be_a_note_is_not_told():
    doc = hard_doc(document=NOTE)
    call = lambda: score_docs([doc], [hard_doc()])  # noqa: E731
    assert SECRET not in laws.refuses(call, "the gold document is (name withheld, ")
    doc.spans["clin"].attrs["mentions"]["T1"]["spans"] = 5
    assert SECRET not in laws.refuses(lambda: to_inputs([doc]), "document (name withheld, ")


def test_entries_and_tokens_that_are_none():
    doc = blank_doc("Start\nlantus 7 units")
    group = set_entries(doc, [{"m": {"offsets": [[2, 0, 2, 0]]}}])
    call = lambda: to_inputs([doc], "i2b2_2009_medication")  # noqa: E731
    for offsets in ([[2, 0, 2, 0, 0]], [[2, np.arange(2), 2, 0]], "x", [[2, "0", 2, 0]]):
        group.attrs["entries"]["E1"]["offsets"] = {"m": offsets}
        laws.refuses(call, "entry E1", "expected")
    group.attrs["entries"]["E1"]["offsets"] = [1]
    laws.refuses(call, "entry E1", "expected offsets of fields, got a list")
    for tokens in (5, [5], [[1, 2, 3]], [[0, float("inf")]]):
        laws.refuses(lambda t=tokens: set_sections(blank_doc(), [SECTION], tokens=t), "expected")
        doc = blank_doc()
        set_sections(doc, [SECTION]).attrs["tokens"] = tokens
        laws.refuses(lambda d=doc: to_inputs([d], "clinais23_b2"), "expected")


@pytest.mark.parametrize(
    "call",
    [
        lambda doc: score_docs(5, [doc]),
        lambda doc: score_docs([doc], [5]),
        lambda doc: score_docs([doc], [doc], {}),
        lambda doc: score_docs([doc], [doc], gold=np.zeros((2, 2))),
        lambda doc: score_docs([doc], [doc], gold={"tie": []}),
        lambda doc: score_docs([doc], [doc], gold={"span_getter": [["clin"]]}),
        lambda doc: score_docs([doc], [doc], gold={"span_getter": {"clin": 5}}),
        lambda doc: score_docs([doc], [doc], gold={"attributes": np.zeros((2, 2))}),
        lambda doc: to_inputs([doc], side="gold"),
        lambda doc: to_inputs([doc], names=[5]),
        lambda doc: set_mentions(doc, None),
        lambda doc: set_mentions(doc, [{"spans": [[4, 15]], "cui": "\ud800"}]),
        lambda doc: set_mentions(doc, [{"spans": [[4, 2**31]], "cui": "C1"}]),
        lambda doc: set_mentions(
            doc, [{"spans": [[4, 15]], "cui": None, "cues": np.zeros((2, 2))}]
        ),
        lambda doc: set_mentions(doc, [{"spans": [[4, 15]], "cui": None, "course": np.arange(3)}]),
        lambda doc: set_mentions(doc, [{"spans": [[4, 15]], "type": "\ud800"}]),
        lambda doc: set_mentions(doc, [], relations=5.0),
        lambda doc: set_mentions(doc, [], document=np.zeros((2, 2))),
        lambda doc: set_entries(doc, None),
        lambda doc: set_sections(doc, -1),
        lambda doc: set_sections(doc, [{**SECTION, "label": np.arange(3)}]),
        lambda doc: set_sections(doc, [{**SECTION, "label": "\ud800", "end": 14}]),
        lambda doc: list(read_docs(5, doc)),
        lambda _: write_docbin(5, "absent"),
        lambda doc: write_docbin([doc], 5),
        lambda doc: write_docbin([doc.text], "absent"),
        lambda doc: write_docs([doc], 5),
    ],
)
def test_arguments_that_are_none(call):
    laws.refuses(lambda: call(hard_doc()))


def docbin(change=id, group=id):
    stored = DocBin(docs=[hard_doc()])
    held = srsly.msgpack_loads(zlib.decompress(stored.to_bytes()))
    [(packed, keys)] = srsly.msgpack_loads(held["span_groups"][0]).items()
    inner = srsly.msgpack_loads(packed)
    group(inner)
    held["span_groups"] = [srsly.msgpack_dumps({srsly.msgpack_dumps(inner): keys})]
    change(held)
    return zlib.compress(srsly.msgpack_dumps(held))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        zlib.compress(b"\xdd\x7f\xff\xff\xff" + b"\x90" * 50),
        docbin()[:-40],
        docbin(lambda held: held.update(strings=[5])),
        docbin(lambda held: held.update(strings=[])),
        docbin(lambda held: held.update(flags=[])),
        docbin(lambda held: held.update(user_data=[b"\xc1"])),
        docbin(lambda held: held.update(attrs=[*held["attrs"][:-1], HEAD])),
        docbin(lambda held: held.update(attrs=[*held["attrs"][:-1], "HEAD"])),
        docbin(group=lambda held: held["spans"].append(b"\x7f" * 40)),
        docbin(group=lambda held: held.update(attrs=5)),
    ],
)
def test_a_damaged_docbin(tmp_path, content):
    path = tmp_path / "a.spacy"
    path.write_bytes(content)
    vocabulary = spacy.blank("en")  # which knows no word of other tests
    call = lambda: list(read_docs(path, vocabulary.make_doc))  # noqa: E731
    laws.refuses(call, "a.spacy: not a DocBin, or a damaged one")
    assert gc.isenabled()  # msgpack of srsly stops it


def test_what_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "a.spacy")
    laws.refuses(lambda: list(read_docs(tmp_path / "a.spacy", blank().make_doc)), "a pipe")


def test_a_docbin_that_is_large_when_unpacked(tmp_path, monkeypatch):
    path = tmp_path / "a.spacy"
    write_docbin([hard_doc()] * 100, path)
    monkeypatch.setenv("CLINEVAL_MAX_BYTES", str(path.stat().st_size + 1))
    call = lambda: list(read_docs(path, blank().make_doc))  # noqa: E731
    laws.refuses(call, "a.spacy: larger than", "when unpacked. Raise CLINEVAL_MAX_BYTES")


def test_where_nothing_can_be_written(tmp_path):
    target = tmp_path / "absent" / "a.spacy"
    laws.refuses(lambda: write_docbin([hard_doc()], target), "a.spacy: cannot be written")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "d.txt").write_text(blank_doc().text)
    write_docs([hard_doc()], tmp_path / "gold")
    words = ["convert", str(tmp_path / "gold"), str(target), "--text", str(tmp_path / "notes")]
    done = CliRunner().invoke(make_app([]), words)
    assert isinstance(done.exception, InputError), "of which the program makes status 2"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold", "notes"]
