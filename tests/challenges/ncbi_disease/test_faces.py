"""The faces that take mentions with concepts: BigBIO, Docs, and answers of a model."""

import json

import pytest
import spacy

import clineval
from clineval import InputError
from clineval.answers import Alignment, reward, score
from clineval.evaluation.evaluate import evaluate
from clineval.training.bigbio import from_bigbio
from spacy_clin import score_docs, set_mentions

NAME = "ncbi_disease"
NOTE = "Breast and ovarian cancer; copper toxicosis."
LINE = "1\t{}\t{}\twords\t{}\t{}\n"
GOLD = (
    f"1|t|{NOTE}\n"
    + LINE.format(0, 25, "CompositeMention", "D001943|D010051")
    + LINE.format(27, 43, "Modifier", "OMIM:215600")
)
MENTIONS = [
    {"spans": [[0, 25]], "label": "CompositeMention", "concept": "D001943|D010051"},
    {"spans": [[27, 43]], "label": "Disease", "concept": "OMIM:215600"},
]
COUNTS = {"mentions_tp": 2, "linked_tp": 2, "concepts_tp": 2, "linked_fn": 1, "linked_fp": 0}
"""Of a system that lacks one of the three concepts."""
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def counts_of(score):
    return {key: score[key] for key in COUNTS}


def test_bigbio_keeps_the_databases_of_codes():
    def entity(start, end, label, *codes):
        normalized = [{"db_name": database, "db_id": code} for database, code in codes]
        return {
            "id": str(start),
            "type": label,
            "text": [NOTE[start:end]],
            "offsets": [[start, end]],
            "normalized": normalized,
        }

    row = {
        "passages": [{"text": [NOTE], "offsets": [[0, len(NOTE)]]}],
        "entities": [
            entity(0, 25, "CompositeMention", ("MESH", "D010051")),
            entity(27, 43, "Modifier", ("OMIM", "215600")),
        ],
    }
    found = from_bigbio([row], NAME)
    assert found[0][1]["concept"] == "OMIM:215600"
    assert counts_of(clineval.score(NAME, found, [GOLD])) == COUNTS


def test_docs():
    nlp = spacy.blank("en")

    def make(*mentions):
        doc = nlp(NOTE)
        set_mentions(doc, list(mentions))
        return doc

    composite, other = MENTIONS
    gold = make(composite, other)
    assert score_docs([gold], [gold], NAME)["linked_tp"] == 3
    found = make({**composite, "concept": "D010051"}, other)
    assert counts_of(score_docs([gold], [found], NAME)) == COUNTS


def test_answers_of_a_model_have_a_reward():
    answer = json.dumps(
        [
            {"text": "Breast and ovarian cancer", "label": "Disease", "concept": "D010051"},
            {"text": "copper toxicosis", "label": "Disease", "concept": "OMIM:215600"},
        ]
    )
    for written, value in ((answer, 0.8), ("no JSON", 0.0), (answer.replace("Disease", "x"), 0.0)):
        assert reward(NAME, [written], [MENTIONS], texts=[NOTE], keys=("linked_f1",)) == [value]


def test_answers_need_places():
    with pytest.raises(InputError, match="match: each mention needs one place"):
        score(NAME, ["[]"], [MENTIONS], texts=[NOTE], alignment=Alignment(match="text"))


def test_classes_of_a_page_are_shared_by_both_sides():
    """Also if a kind of items occurs on one side only."""
    evaluation = evaluate(NAME, ["1\t0\t3\tx\tDisease\t-1\n"], ["1\t4\t6\tx\tDisease\tD1\n"])
    setup = evaluation.setup
    gold, found = (
        side.attributes["label"] for side in setup.steps.page_sides(evaluation.corpus, setup)
    )
    assert gold.values == found.values
    assert {*gold.values} == {"Disease mentions", "Disease linked", "Disease concepts"}
    assert [found.values[each] for each in found.ids] == ["Disease mentions"]
