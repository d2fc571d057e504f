"""Corpora to train with: DocBins by suffix, entities that nobody set, and what is left."""

import laws
import pytest
import spacy
from conftest import ROOT
from demos import arguments_of
from docs import CORPORA, blank, blank_doc
from spacy.tokens import Doc, DocBin, Span
from thorough import KINDS, each

from clineval import InputWarning
from clineval.results.registry import find_challenge
from spacy_clin import read_docs, score_docs, set_mentions, to_inputs, write_docs
from spacy_clin.files import make_corpus
from spacy_clin.guards import get_document_name

DOCS = (ROOT / ".ci" / "docs.txt").read_text().split()
TEXT = "The left atrium is dilated. No fever."
MENTIONS = [
    {"spans": [[4, 15], [19, 26]], "cui": "C0344720"},
    {"spans": [[31, 36]], "cui": "C0015967", "negation": "yes"},
]


def annotated(mentions=MENTIONS, **told):
    doc = blank_doc(TEXT)
    set_mentions(doc, mentions, **told)
    return doc


def read(path, **settings):
    return [e.reference for e in make_corpus(path, **settings)(spacy.blank("en"))]


@pytest.mark.filterwarnings("ignore:1 discontiguous mention is in doc.ents")
@pytest.mark.parametrize("format_", [None, "spacy"])
def test_the_suffix_says_docbin(tmp_path, format_):
    docs = [annotated(document="a"), annotated([])]
    write_docs(docs, tmp_path / "docs.spacy", format=format_)
    found = list(read_docs(tmp_path / "docs.spacy", spacy.blank("en").make_doc))
    assert to_inputs(found) == to_inputs(docs) == [MENTIONS, []]
    assert score_docs(docs, found, config="task1")["strict_f1"] == 1


@pytest.mark.parametrize("name", each(DOCS, [name for name in KINDS if name in DOCS]))
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")  # of what nobody found
def test_a_docbin_of_a_known_gold_standard_is_recognised(name, tmp_path):
    (_, gold), options = arguments_of(name)
    options.pop("records", None)  # the Docs have the texts
    docs = read_docs(gold, blank().make_doc, name, text=texts_of(name), side="references")
    write_docs(docs, tmp_path / "gold.spacy", name, side="references")
    back = [*read_docs(tmp_path / "gold.spacy", blank().make_doc)][::-1]
    found = back if name != "clefehealth13_task2" else [without_acronyms(doc) for doc in back]
    assert score_docs(back, found, name, **options).dataset == f"{name}/demo"


def without_acronyms(gold):
    """What a system found: none, as it gives one code each, and gold acronyms have several."""
    doc = blank_doc(gold.text)
    set_mentions(doc, [], key="clin_acronyms", document=get_document_name(gold))
    return doc


def texts_of(name):
    """Where the notes of a demo are, if not in its files."""
    corpus = find_challenge(name).task.corpora
    places = (corpus / "text", corpus / "txt", CORPORA.get(name, [None])[-1])
    return next((place for place in places if place and place.exists()), None)


def test_what_is_elsewhere_is_put_into_the_span_group_of_a_copy(tmp_path):
    doc = blank_doc(TEXT)
    doc.ents = [Span(doc, 1, 5, "Disorder", kb_id="C0344720")]
    write_docs([doc], tmp_path / "docs.spacy", getter={"span_getter": "ents"}, names=["a"])
    [found] = read_docs(tmp_path / "docs.spacy", spacy.blank("en").make_doc)
    assert to_inputs([found]) == [[{"spans": [[4, 26]], "cui": "C0344720"}]]
    assert "clin" not in doc.spans
    assert found.spans["clin"].attrs["document"] == "a"


def test_docs_without_annotation_are_no_corpus(tmp_path):
    laws.refuses(lambda: write_docs([blank_doc(TEXT)], tmp_path / "docs.spacy"), "no span group")
    assert not (tmp_path / "docs.spacy").exists()


def test_entities_that_nobody_set_are_those_of_the_mentions(tmp_path):
    """A model that learns from ``doc.ents`` learns nothing of Docs that have none."""
    DocBin(docs=[annotated(), annotated([])]).to_disk(tmp_path / "docs.spacy")
    found = read(tmp_path / "docs.spacy")
    assert [[ent.text for ent in doc.ents] for doc in found] == [
        ["left atrium is dilated", "fever"],
        [],
    ]
    assert all(doc.has_annotation("ENT_IOB") for doc in found)
    assert not any(doc.ents for doc in read(tmp_path / "docs.spacy", entities="none"))


def test_entities_that_were_set_stay_and_none_of_them_is_told(tmp_path):
    own, none = annotated(), annotated()
    own.ents, none.ents = [Span(own, 1, 2, "Part")], []
    DocBin(docs=[own, none]).to_disk(tmp_path / "some.spacy")
    assert [len(doc.ents) for doc in read(tmp_path / "some.spacy")] == [1, 0]
    DocBin(docs=[none]).to_disk(tmp_path / "none.spacy")
    with pytest.warns(InputWarning, match="no document has entities, although 1 has mentions"):
        read(tmp_path / "none.spacy")


def test_the_name_of_a_folder_is_no_format(tmp_path):
    docs = [annotated(document="a.txt"), annotated(document="b.txt")]
    write_docs(docs, tmp_path / "docs.spacy", format="pipe")
    make_doc, text = spacy.blank("en").make_doc, dict.fromkeys(["a.txt", "b.txt"], TEXT)
    found = list(read_docs(tmp_path / "docs.spacy", make_doc, text=text))
    assert [len(doc.spans["clin"]) for doc in found] == [3, 3]


def test_what_is_left_of_a_folder_is_told(tmp_path):
    make_doc = spacy.blank("en").make_doc
    DocBin(docs=[annotated()]).to_disk(tmp_path / "a.spacy")
    (tmp_path / "deep").mkdir()
    DocBin(docs=[annotated()]).to_disk(tmp_path / "deep" / "b.spacy")
    (tmp_path / "c.pipe").write_text("c|0-3|CUI-less|\n")
    with pytest.warns(InputWarning, match=r"only \.spacy files are read, ignored: c\.pipe"):
        assert len(list(read_docs(tmp_path, make_doc))) == 2
    (tmp_path / "none.spacy").mkdir()
    laws.refuses(lambda: list(read_docs(tmp_path / "none.spacy", make_doc)), "an empty directory")


def test_own_groups_tied_by_id_are_not_taken_for_joined_docs(recwarn):
    doc = blank_doc(TEXT)
    doc.spans["sc"] = [
        Span(doc, 1, 3, kb_id="C0344720", span_id="x"),
        Span(doc, 4, 5, kb_id="C0344720", span_id="x"),
    ]
    assert to_inputs([doc], getter={"span_getter": "sc", "tie": "id_"}) == [MENTIONS[:1]]
    assert not recwarn.list


NOTE = "Aspirin 81 mg daily."
DRUG = {"T1": {"spans": [[0, 7]], "label": "Drug"}, "T2": {"spans": [[8, 13]], "label": "Strength"}}
RELATION = {"label": "Strength-Drug", "from": "T2", "to": "T1"}


@pytest.mark.usefixtures("extensions")
def test_relations_that_nothing_reads_are_told():
    """Also where ``doc._.relations`` is there, and empty."""
    Doc.set_extension("relations", default=None)
    gold, doc, joined = (blank_doc(NOTE) for _ in range(3))
    set_mentions(gold, DRUG, relations=[RELATION])
    set_mentions(doc, DRUG)
    joined.ents = [Span(joined, 0, 1, "Drug"), Span(joined, 1, 2, "Strength")]
    for pred in (doc, joined):
        with pytest.warns(InputWarning, match="predictions: no document has relations"):
            score_docs([gold], [pred], "n2c2_2018_track2")
    with pytest.warns(InputWarning, match="references: no document has relations"):
        score_docs([doc], [gold], "n2c2_2018_track2")
