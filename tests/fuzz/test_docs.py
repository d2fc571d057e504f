"""spaCy's Docs: what their span groups say, what is written to them, DocBins, and settings."""

import shutil
import zlib
from functools import cache

import pytest
import srsly
from canary import GOOD
from docs import blank, blank_doc
from hypothesis import assume, given
from hypothesis import strategies as st
from spacy.tokens import DocBin, SpanGroup
from thorough import each

import spacy_clin
from clineval import InputError
from clineval.results.registry import NAMES, find_challenge
from fuzz.contract import judge_scores, keep, share
from fuzz.mutations import NOTED, mutated_objects
from fuzz.test_python import ONE_PLACE
from spacy_clin.docbins import DOCBIN
from spacy_clin.files import make_corpus, read_documents_of
from spacy_clin.kinds import find_annotation

TEXT = "The left atrium is moderately dilated.\nlantus 7 units for pain at home"
ENTRY = {"m": {"offsets": [[2, 0, 2, 0]]}, "do": {"offsets": [[2, 1, 2, 2]]}, "ln": "list"}
SECTION = {"start": 4, "end": 20, "label": "TREATMENT"}
TOKENS = [[4, 8], [9, 15]]
RELATED = GOOD["n2c2_2018_track2"][0]
SETTINGS = {
    "span_getter": "ents", "tie": "id_", "fragments": "attrs.x", "offsets": "char",
    "attributes": {"negation": {"path": "label_", "values": {"a": "b"}}, "cui": "kb_id_"},
}  # fmt: skip
SETTERS = {
    "mentions": (GOOD["semeval15_task14"][0], spacy_clin.set_mentions),
    "relations": (
        RELATED["relations"],
        lambda doc, given: spacy_clin.set_mentions(doc, RELATED["mentions"], relations=given),
    ),
    "entries": ([ENTRY], spacy_clin.set_entries),
    "sections": ([SECTION], spacy_clin.set_sections),
    "tokens": (TOKENS, lambda doc, given: spacy_clin.set_sections(doc, [SECTION], tokens=given)),
    "name": ("d", lambda doc, given: spacy_clin.set_mentions(doc, [], document=given)),
}


def has_docs(name):
    try:
        return find_annotation(name).has_spans
    except InputError:
        return False


ON_DOCS = list(filter(has_docs, NAMES))


def good_doc(name):
    """A Doc of a challenge with good annotation."""
    doc, kind, good = blank_doc(TEXT), find_challenge(name).kind.name, GOOD[name]
    if kind == "entries":
        spacy_clin.set_entries(doc, [ENTRY], document="d")
    elif kind == "sections":
        spacy_clin.set_sections(doc, [SECTION], tokens=TOKENS, document="d")
    elif isinstance(good[0], dict) and "relations" in good[0] and name != "bc5cdr":
        related = good[0]["relations"]
        spacy_clin.set_mentions(doc, good[0]["mentions"], relations=related, document="d")
    else:
        own = {
            "clefehealth13_task2": {"spans": [[4, 8]], "cui": "C1"},
            "bc5cdr": {"spans": [[4, 15]], "label": "Disease", "concept": "D1"},
            "medmentions": {"spans": [[4, 15]], "label": "T047", "concept": "C0000001"},
            "ncbi_disease": {"spans": [[4, 15]], "label": "Disease", "concept": "D1"},
            "n2c2_2022_sdoh": {"spans": [[4, 15]], "label": "Drug"},
        }
        given = own[name] if name in own else good[0][0]
        key = find_annotation(name).view.group
        spacy_clin.set_mentions(doc, [given], key=key, document="d")
    return doc


def is_dict(given):
    """spaCy itself takes no other attrs."""
    return isinstance(given, dict)


def group_of(name, doc):
    return doc.spans[find_annotation(name).view.group]


def score(name, golds, preds, **settings):
    judge_scores(spacy_clin.score_docs(golds, preds, name, **settings).as_dict())


@pytest.mark.parametrize("name", ON_DOCS)
def test_good(name):
    score(name, [good_doc(name)], [good_doc(name)])


@pytest.mark.parametrize("name", each(ON_DOCS))
@share("docs", 3 * len(ON_DOCS), each=6, suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_attrs(name, data, place):
    """A component, or a file, has put something else into the attrs of a span group."""
    doc, other = good_doc(name), good_doc(name)
    group = group_of(name, doc)
    told = data.draw(mutated_objects(dict(group.attrs)).filter(is_dict))
    doc.spans[group.name] = SpanGroup(doc, name=group.name, attrs=told, spans=list(group))
    protocol = data.draw(st.sampled_from(sorted(find_challenge(name).protocols)))
    keep(lambda: score(name, [doc], [other], protocol=protocol))
    keep(lambda: score(name, [other], [doc], protocol=protocol))
    keep(lambda: score(name, [other], [doc], pred={"attributes": {"cui": "attrs.cui"}}))
    keep(lambda: spacy_clin.to_inputs([doc], name))
    keep(lambda: spacy_clin.get_mentions(doc, key=group.name))
    out = place / "out"
    keep(lambda: spacy_clin.write_docs([doc], out, name))
    if out.is_dir():
        shutil.rmtree(out)
    out.unlink(missing_ok=True)


@pytest.mark.parametrize("what", SETTERS)
@share("docs", 3 * len(SETTERS))
@given(data=st.data())
def test_setters(what, data):
    good, write = SETTERS[what]
    given = data.draw(mutated_objects(good))
    keep(lambda: write(blank_doc(TEXT), given))


@pytest.mark.parametrize("name", each(ON_DOCS))
@share("docs", 6 * len(ON_DOCS), each=2)
@given(data=st.data())
def test_settings(name, data):
    doc = good_doc(name)
    doc.ents = [doc.char_span(4, 15, label="Disease", kb_id="C1")]
    given = data.draw(mutated_objects(SETTINGS) | NOTED)
    keep(lambda: score(name, [doc], [good_doc(name)], gold=given))
    keep(lambda: score(name, [good_doc(name)], [doc], pred=given))


@share("docs", 24, each=7)
@given(given=NOTED)
def test_arguments(given):
    doc, make_doc = blank_doc(TEXT), blank().make_doc
    keep(lambda: spacy_clin.score_docs(given, [doc]))
    keep(lambda: spacy_clin.score_docs([doc], [given]))
    keep(lambda: spacy_clin.score_docs([doc], [doc], given))
    keep(lambda: spacy_clin.to_inputs([doc], side=given))
    keep(lambda: list(spacy_clin.read_docs(given, make_doc)))
    keep(lambda: spacy_clin.set_mentions(doc, [], document=given))
    keep(lambda: spacy_clin.to_inputs([doc]))


@cache
def good_docbin(name):
    stored = DocBin(store_user_data=True)
    stored.add(good_doc(name))
    return stored.to_bytes()


@pytest.mark.parametrize("name", each(ON_DOCS))
@share("docs", 6 * len(ON_DOCS), each=5, suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_docbin(name, data, place):
    path = place / f"a{DOCBIN}"
    path.write_bytes(data.draw(mutated_docbin(name)))
    make_doc = blank().make_doc

    def read():
        return list(spacy_clin.read_docs(path, make_doc, name))

    keep(read)
    keep(lambda: score(name, read(), [good_doc(name)]))
    keep(lambda: score(name, [good_doc(name)], read()))
    keep(lambda: list(make_corpus(path, challenge=name)(blank())))
    keep(lambda: read_documents_of(path, "xx"))  # English has a tokenizer that takes long to make


@st.composite
def mutated_docbin(draw, name):
    """A DocBin of which bytes are others, or parts of what it holds."""
    good = good_docbin(name)
    how = draw(st.sampled_from(["bytes", "unpacked bytes", "parts", "group", "columns"]))
    if how == "bytes":
        return _with_other_bytes(draw, good)
    unpacked = zlib.decompress(good)
    if how == "unpacked bytes":
        return zlib.compress(_with_other_bytes(draw, unpacked))
    held = srsly.msgpack_loads(unpacked)
    if how == "parts":
        held = draw(mutated_objects(held, noted=False))
    elif how == "columns":
        known = held["attrs"]
        size = len(known)
        drawn = st.lists(st.sampled_from(known), min_size=size, max_size=size)
        held["attrs"] = draw(st.permutations(known) | drawn)
    else:
        [(group, keys)] = srsly.msgpack_loads(held["span_groups"][0]).items()
        told = draw(mutated_objects(srsly.msgpack_loads(group)))
        held["span_groups"] = [_packed({_packed(told): keys})]
    return zlib.compress(_packed(held))


def _with_other_bytes(draw, good):
    changed = bytearray(good)
    for _ in range(draw(st.integers(1, 5))):
        changed[draw(st.integers(0, len(changed) - 1))] = draw(st.integers(0, 255))
    return bytes(changed[: draw(st.sampled_from([len(good), len(good) // 2]))])


def _packed(held):
    try:
        return srsly.msgpack_dumps(held)
    except (TypeError, ValueError, OverflowError, RecursionError, NotImplementedError):
        assume(False)  # noqa: FBT003 - a file cannot hold it
        raise
