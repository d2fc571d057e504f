"""The faces that take mentions and relations between them: BigBIO, Docs, answers of a model."""

import json

import pytest
import spacy

import clineval
from clineval.answers import reward
from clineval.challenges.gutbrainie26.documents import read_documents
from clineval.results.registry import find_challenge
from clineval.training.bigbio import from_bigbio
from spacy_clin import score_docs, set_mentions

NAME = "gutbrainie26"
CONFIGS = ("ner", "nerd", "mention_relations", "concept_relations")
NOTE = "Gut flora\nZolvanib had an effect on patients."
MENTIONS = [
    {"id": "T1", "spans": [[10, 18]], "label": "drug", "code": "u:1"},
    {"id": "T2", "spans": [[36, 44]], "label": "human", "code": "u:2"},
]
RELATION = {"label": "affect", "from": "T1", "to": "T2"}
GOLD = {"mentions": MENTIONS, "relations": [RELATION], "text": NOTE}
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def entity(id_, start, end, label, code):
    return {
        "id": id_,
        "type": label,
        "text": [NOTE[start:end]],
        "offsets": [[start, end]],
        "normalized": [{"db_name": "URI", "db_id": code}],
    }


@pytest.mark.parametrize("config", CONFIGS)
def test_bigbio_has_codes_and_relations(config):
    relation = {"type": "affect", "arg1_id": "T1", "arg2_id": "T2", "id": "R1"}
    row = {
        "passages": [{"text": [NOTE], "offsets": [[0, len(NOTE)]]}],
        "entities": [entity("T1", 10, 18, "drug", "u:1"), entity("T2", 36, 44, "human", "u:2")],
        "relations": [{**relation, "normalized": []}],
    }
    found = from_bigbio([row], NAME)
    assert found == [{"mentions": MENTIONS, "relations": [RELATION]}]
    assert clineval.score(NAME, found, [GOLD], config=config)["micro_f1"] == 1


def make_doc(nlp, document, relations):
    doc = nlp(document.text)
    set_mentions(doc, document.mentions, document=document.id, relations=relations)
    return doc


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("config", ["default", *CONFIGS])
def test_docs_with_relations_have_the_scores_of_files(config, protocol):
    nlp, gold = spacy.blank("en"), find_challenge(NAME).task.corpora / "gold.json"
    documents = read_documents(gold)
    docs = [make_doc(nlp, document, document.relations) for document in documents]
    found = score_docs(docs, docs, NAME, config=config, protocol=protocol)
    expected = clineval.score(NAME, gold, gold, config=config, protocol=protocol)
    keys = [key for key in expected.values if key.endswith(("_tp", "_f1"))]
    assert {key: found[key] for key in keys} == {key: expected[key] for key in keys}
    fewer = [make_doc(nlp, document, document.relations[:1]) for document in documents]
    if "relations" in config:
        scores = score_docs(docs, fewer, NAME, config=config, protocol=protocol)
        assert (scores["micro_tp"], scores["micro_fp"]) == (4, 0)


ANSWER = {
    "mentions": [
        {"id": "a", "text": "Zolvanib", "label": "drug", "code": "u:1"},
        {"id": "b", "text": "patients", "label": "human", "code": "u:9"},
    ],
    "relations": [{"label": "affect", "from": "a", "to": "b"}],
}


@pytest.mark.parametrize(
    ("config", "value"),
    [("ner", 1), ("nerd", 0.5), ("mention_relations", 1), ("concept_relations", 0)],
)
def test_answers_of_a_model_have_a_reward_for_each_abstract(config, value):
    written = [json.dumps(ANSWER), "no JSON"]
    found = reward(NAME, written, [GOLD, GOLD], texts=[NOTE, NOTE], config=config)
    assert found == [value, 0]


def test_ends_of_relations_may_be_quotes():
    relation = {"label": "affect", "from": "Zolvanib", "to": "patients"}
    answer = {**ANSWER, "relations": [relation]}
    options = {"texts": [NOTE], "config": "mention_relations"}
    assert reward(NAME, [json.dumps(answer)], [GOLD], **options) == [1]
    wrong = {**ANSWER, "relations": [{**relation, "to": "stars"}]}
    assert reward(NAME, [json.dumps(wrong)], [GOLD], **options) == [0]
