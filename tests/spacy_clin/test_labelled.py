"""Docs with labelled mentions, and with relations between them."""

from shutil import copytree
from typing import NamedTuple

import pytest
import spacy
from spacy.tokens import Doc, Span

import clineval
from clineval import InputError, InputWarning
from clineval.results.registry import find_challenge
from spacy_clin import read_docs, score_docs, set_mentions, write_docbin, write_docs
from spacy_clin.guards import get_document_name

TEXT = "chest pain and aspirin"
CHALLENGES = {
    "clinical_spans": ({"label": "problem"}, {"label": "test"}, "strict"),
    "i2b2_2010": ({"label": "problem"}, {"label": "test"}, "concepts_strict"),
    "bc5cdr": ({"label": "Disease", "concept": "D1"}, {"label": "Chemical"}, "mentions"),
}


@pytest.mark.parametrize("name", CHALLENGES)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_score_docs(name):
    nlp = spacy.blank("en")
    right, wrong, key = CHALLENGES[name]

    def make(*mentions):
        doc = nlp(TEXT)
        set_mentions(doc, mentions, document="a")
        return [doc]

    first, second = {"spans": [[0, 10]], **right}, {"spans": [[15, 22]], **right}
    gold, found = make(first, second), make(first, {**second, **wrong})
    scores = score_docs(gold, found, name)
    assert [scores[f"{key}_{verdict}"] for verdict in ("tp", "fp", "fn")] == [1, 1, 1]


NOTE = "Aspirin 81 mg daily for pain."
DRUG, STRENGTH, REASON = [0, 7], [8, 13], [24, 28]
MENTIONS = [
    {"id": "D", "spans": [DRUG], "label": "Drug"},
    {"id": "S", "spans": [STRENGTH], "label": "Strength"},
    {"id": "R", "spans": [REASON], "label": "Reason"},
]
RELATIONS = [
    {"label": "Strength-Drug", "from": "S", "to": "D"},
    {"label": "Reason-Drug", "from": "R", "to": "D"},
]


class Link(NamedTuple):
    source: object
    label: str
    target: object


pytestmark = pytest.mark.usefixtures("extensions")


@pytest.fixture
def nlp():
    return spacy.blank("en")


@pytest.fixture
def gold(nlp):
    doc = nlp(NOTE)
    set_mentions(doc, MENTIONS, relations=RELATIONS, document="a.txt")
    return doc


def in_group(doc):
    set_mentions(doc, MENTIONS, relations=[tuple(each.values()) for each in RELATIONS])
    return "clin"


def between_spans_of_the_group(doc):
    set_mentions(doc, MENTIONS)
    drug, strength, reason = doc.spans["clin"]
    Doc.set_extension("relations", default=None)
    doc._.relations = [("Strength-Drug", strength, drug), ("Reason-Drug", reason, drug)]
    return "clin"


def between_entities(doc):
    """Objects, at a path that the reader names."""
    doc.ents = [doc.char_span(*m["spans"][0], label=m["label"]) for m in MENTIONS]
    drug, strength, reason = doc.ents
    Doc.set_extension("links", default=None)
    doc._.links = {
        "all": [Link(strength, "Strength-Drug", drug), Link(reason, "Reason-Drug", drug)]
    }
    return {"span_getter": "ents", "relations": "_.links.all"}


def between_dicts(doc):
    Doc.set_extension("links", default=None)
    doc._.links = MENTIONS
    return {"span_getter": "_.links", "relations": lambda _: RELATIONS}


def between_tied_spans(doc):
    """A span that a relation names stands for the mention that it is a fragment of."""
    doc.spans["sc"] = [
        Span(doc, at, at + 1, label, span_id=id_)
        for at, label, id_ in [(0, "Drug", "D"), (1, "Strength", "S"), (2, "Strength", "S"),
                               (5, "Reason", "R")]
    ]  # fmt: skip
    doc.spans["sc"].attrs["mentions"] = {}
    drug, first, _, reason = doc.spans["sc"]
    related = [("Strength-Drug", first, drug), ("Reason-Drug", reason, drug)]
    return {"span_getter": "sc", "tie": "id_", "relations": lambda _: related}


@pytest.mark.parametrize(
    ("place", "strength"),
    [
        (in_group, "strict"),
        (between_spans_of_the_group, "strict"),
        (between_entities, "strict"),
        (between_dicts, "strict"),
        (between_tied_spans, "lenient"),
    ],
)
def test_relations_are_read_wherever_they_are(nlp, gold, place, strength):
    doc = nlp(NOTE)
    score = score_docs([gold], [doc], "n2c2_2018_track2", pred=place(doc))
    assert score[f"relations_micro_{strength}_tp"] == 2
    assert score["relations_micro_lenient_fp"] == score["relations_micro_lenient_fn"] == 0


@pytest.mark.parametrize("user_data", [True, False])
def test_relations_survive_what_docs_go_through(nlp, gold, tmp_path, user_data):
    write_docbin([gold.copy()], tmp_path / "gold.spacy", user_data=user_data)
    [found] = read_docs(tmp_path / "gold.spacy", nlp.make_doc, "n2c2_2018_track2")
    score = score_docs([gold], [found], "n2c2_2018_track2")
    assert score["relations_micro_strict_f1"] == score["concepts_micro_strict_f1"] == 1


@pytest.mark.parametrize("format_", ["brat", "jsonl"])
def test_relations_are_in_files(nlp, gold, tmp_path, format_):
    path = tmp_path / ("gold.jsonl" if format_ == "jsonl" else "gold")
    write_docs([gold], path, "n2c2_2018_track2")  # the name of the file tells its format
    assert path.is_dir() == (format_ == "brat")
    [found] = read_docs(path, nlp.make_doc, "n2c2_2018_track2")
    related = found.spans["clin"].attrs["relations"]
    names = {span.id_: span.text for span in found.spans["clin"]}
    assert [(names[r["from"]], r["label"], names[r["to"]]) for r in related] == [
        ("81 mg", "Strength-Drug", "Aspirin"),
        ("pain", "Reason-Drug", "Aspirin"),
    ]
    assert score_docs([gold], [found], "n2c2_2018_track2")["relations_micro_strict_f1"] == 1


def test_the_converter_keeps_relations(nlp, gold):
    doc = nlp(NOTE)
    getter = {"span_getter": "ents", "relations": "_.links.all"}
    between_entities(doc)
    settings = {"challenge": "n2c2_2018_track2", "getter": getter}
    nlp.add_pipe("clin_converter", config=settings)(doc)
    assert score_docs([gold], [doc], "n2c2_2018_track2")["relations_micro_strict_f1"] == 1


def test_relations_between_concepts(nlp):
    """An end is a concept, or a mention that stands for its concept."""
    gold, pred = nlp("Lithium and tremor"), nlp("Lithium and tremor")
    chemical = {"spans": [[0, 7]], "label": "Chemical", "concept": "D008094"}
    disease = {"spans": [[12, 18]], "label": "Disease", "concept": "D014202"}
    set_mentions(gold, [chemical, disease], relations=[("CID", "D008094", "D014202")])
    pred.ents = [
        Span(pred, 0, 1, "Chemical", kb_id="D008094"),
        Span(pred, 2, 3, "Disease", kb_id="D014202"),
    ]
    Doc.set_extension("relations", default=None)
    pred._.relations = [("CID", *pred.ents)]
    score = score_docs([gold], [pred], "bc5cdr")
    assert score["relations_f1"] == score["concepts_f1"] == score["mentions_f1"] == 1


@pytest.mark.parametrize(
    ("relation", "problem"),
    [
        (("Strength-Drug", "S", "X"), "relation 0: to: no mention matches it"),
        (("Strength-Drug", "S"), "relation 0: expected a relation"),
        ({"label": "Strength-Drug", "from": 1, "to": "D"}, "from: expected the id of a mention"),
        (("Strength-Drug", "D", "D"), "the relation connects a mention with itself"),
        (("Strength", "S", "D"), "label: expected one of Strength-Drug"),
    ],
)
def test_bad_relations_are_refused(nlp, gold, relation, problem):
    doc = nlp(NOTE)
    set_mentions(doc, MENTIONS)
    pred = {"preset": "clin", "relations": lambda _: [relation]}
    with pytest.raises(InputError, match=problem):
        score_docs([gold], [doc], "n2c2_2018_track2", pred=pred)


def test_predictions_without_a_place_of_relations_are_told_of(nlp, gold):
    doc = nlp(NOTE)
    set_mentions(doc, MENTIONS)
    with pytest.warns(InputWarning, match="no document has relations"):
        score_docs([gold], [doc], "n2c2_2018_track2")
    set_mentions(doc, MENTIONS, relations=[])  # looked for, and none found
    assert score_docs([gold], [doc], "n2c2_2018_track2")["relations_micro_strict_fn"] == 2


def test_a_span_of_another_text_is_refused(nlp, gold):
    doc, other = nlp(NOTE), nlp("Another note, with other words.")
    set_mentions(doc, MENTIONS, relations=[])
    pred = {"preset": "clin", "relations": lambda _: [("Strength-Drug", other[0:1], "D")]}
    with pytest.raises(InputError, match=r"relation 0, from: the span belongs to another text"):
        score_docs([gold], [doc], "n2c2_2018_track2", pred=pred)


def test_codes_of_documents_are_not_on_docs(gold):
    with pytest.raises(InputError, match="Score default or ner"):
        score_docs([gold], [gold], "pharmaconer19", config="indexing")


DEMOS = {
    "n2c2_2018_track2": ("tagger", "concepts_micro_lenient_f1"),
    "chemu20": ("tagger", "relations_exact_f1"),
    "meddocan19": ("tagger", "strict_f1"),
    "pharmaconer19": ("tagger", "strict_f1"),
}


@pytest.mark.parametrize("challenge", DEMOS)
def test_demos_as_docs_score_as_their_files(challenge, tmp_path):
    system, key = DEMOS[challenge]
    demo = find_challenge(challenge).task.corpora
    make_doc = spacy.blank("es").make_doc
    sides = []
    for name in ("gold", system):
        copytree(demo / name, tmp_path / name)
        if (demo / "text").exists():  # which brat keeps beside annotations
            copytree(demo / "text", tmp_path / name, dirs_exist_ok=True)
        docs = read_docs(tmp_path / name, make_doc, challenge, format="brat")
        sides.append({get_document_name(doc): doc for doc in docs})
    names = sorted(sides[0])
    golds, preds = ([side[name] for name in names] for side in sides)
    expected = clineval.score(challenge, demo / system, demo / "gold")
    assert 0 < score_docs(golds, preds, challenge)[key] == expected[key] < 1


def test_slots_that_only_the_docs_name():
    """In a span group, and in an extension that a setting names."""
    nlp = spacy.blank("en")
    slots = {"negated": True, "grade": "low grade"}
    gold, found = nlp(TEXT), nlp(TEXT)
    pain, drug = {"spans": [[0, 10]], "label": "problem"}, {"spans": [[15, 22]], "label": "drug"}
    set_mentions(gold, [{**pain, **slots}, drug], document="a")
    set_mentions(found, [{**pain, "grade": "low grade"}, drug], document="a")
    scores = score_docs([gold], [found], "clinical_spans", slots=["negated", "grade"])
    assert [scores[f"{slot}_strict_accuracy"] for slot in slots] == [0.5, 1]
    assert scores["strict_slots_tp"] == 1
    Span.set_extension("is_negated", default=None, force=True)
    found = nlp(TEXT)
    found.ents = [Span(found, 0, 2, label="problem"), Span(found, 3, 4, label="drug")]
    found.ents[0]._.is_negated = True
    read = {"attributes": {"label": "label_", "negated": "_.is_negated"}}
    scores = score_docs([gold], [found], "clinical_spans", slots="negated", pred=read)
    assert scores["negated_strict_accuracy"] == scores["strict_slots_f1"] == 1
    with pytest.raises(InputError, match="unknown slot 'negated'"):
        score_docs([gold], [found], "semeval15_task14", pred=read)
