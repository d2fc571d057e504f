"""Documents to files and back: what is written is read, and scores what the objects score."""

import warnings
from dataclasses import replace
from functools import cache

import pytest
from canary import NOTE
from hypothesis import given
from hypothesis import strategies as st
from thorough import each

import clineval
from clineval import Document, InputError, InputWarning
from clineval.evaluation.convert import read_documents, write_documents
from clineval.results.registry import NAMES, find_challenge
from fuzz.contract import FEW, keep, share
from fuzz.test_python import ONE_PLACE, demo_sides

TEXTS = ("", NOTE, "a\rb\r\nc", "\ufeff\u2028 é\t", "😀 " * 20, "no line end", " \n\n")
LANGUAGES = ("es", "en", None)
FORMATS = {"parquet": "a.parquet", "jsonl": "a.jsonl"}


@cache
def corpus_of(name):
    """The documents of a demo's gold standard and first system, with their notes."""
    corpus = find_challenge(name).task.corpora
    notes = corpus / "text" if (corpus / "text").is_dir() else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return tuple(
            tuple(clineval.read(corpus / path, name, texts=notes)) for path in demo_sides(name)
        )


def has_documents(name):
    try:
        sides = corpus_of(name)
        return all(sides) and all(isinstance(each, Document) for side in sides for each in side)
    except InputError:
        return False


WITH_MENTIONS = list(filter(has_documents, NAMES))


@st.composite
def changed(draw, documents):
    """Some of the documents, in some order, with some of what they hold."""
    size = draw(st.integers(1, min(len(documents), 4)))
    return [_change(draw, document) for document in draw(st.permutations(documents))[:size]]


def _change(draw, document):
    mentions = document.mentions
    how = draw(st.sampled_from(["as it is", "none", "some", "alone"]))
    if how == "none":
        mentions = ()
    elif how == "some":
        mentions = mentions[: draw(st.integers(0, len(mentions)))]
    ids = {mention.slots.get("id") for mention in mentions}
    relations = () if how == "alone" else document.relations
    kept = [of for of in relations if {of.source, of.target} <= ids or how == "as it is"]
    text = document.text
    if draw(st.integers(0, 2)) == 0:
        text = draw(st.sampled_from(TEXTS) | st.none())
    language = draw(st.sampled_from((document.language, document.language, *LANGUAGES)))
    return replace(document, mentions=mentions, relations=tuple(kept), text=text, language=language)


def write(documents, path, format_, name):
    """Write documents, and tell what is not held; of the rest nothing may be lost."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        write_documents(documents, path, format_, find_challenge(name))
    lost = [str(of.message) for of in caught if "cannot represent" in str(of.message)]
    assert all("cannot represent the cues of" in said for said in lost), lost
    return bool(lost)


def as_held(document):
    """What a document holds; a cell of a table has a set of codes as one string.

    Equivalences of brat's files become relations, of which there is a warning.
    """
    mentions = [
        replace(
            of, slots={n: v if isinstance(v, str) else ",".join(v) for n, v in of.slots.items()}
        )
        for of in document.mentions
    ]
    relations = [relation.as_dict() for relation in document.relations]
    return document.id, document.text, document.language, mentions, relations


def score(name, found, gold, **way):
    """All scores and the signature."""
    result = keep(lambda: clineval.score(name, found, gold, **way))
    return result and (result.as_dict(), str(result.signature))


@pytest.mark.parametrize("name", each(WITH_MENTIONS))
@share("round trips", len(WITH_MENTIONS), each=6, few=min(4, FEW), suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_documents(name, data, place):
    gold, found = (data.draw(changed(documents)) for documents in corpus_of(name))
    protocol = data.draw(st.sampled_from(sorted(find_challenge(name).protocols)))
    format_ = data.draw(st.sampled_from(["parquet", "parquet", "jsonl"]))
    gold_file, found_file = (place / f"{side}-{FORMATS[format_]}" for side in ("gold", "found"))
    lost = [
        keep(lambda of=of: write(*of, format_, name))
        for of in ((gold, gold_file), (found, found_file))
    ]
    if None in lost or any(lost):
        return
    for documents, path in ((gold, gold_file), (found, found_file)):
        back = keep(lambda path=path: read_documents(path, format_, find_challenge(name)))
        assert list(map(as_held, back)) == list(map(as_held, documents))
    expected = score(name, found, gold, protocol=protocol)
    assert score(name, found_file, gold_file, protocol=protocol) == expected
