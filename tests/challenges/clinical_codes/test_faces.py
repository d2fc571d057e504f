"""Codes with scores in faces besides the command ``score``."""

import pickle

import evaluate
import pytest
import spacy
from commands import invoke
from conftest import ROOT

import clineval
from clineval import Challenge, ScoredCodes, Task
from clineval.answers.rewards import reward
from clineval.harness.samples import SampleScoring
from spacy_clin import score_docs

NAME = "clinical_codes"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
GOLD = [["I10"], ["J45.0", "I10"]]
FOUND = [{"I10": 0.8, "J45.0": 0.3}, {"J45.0": 0.4, "I10": 0.1}]
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def docs_of(documents):
    nlp = spacy.blank("en")
    docs = [nlp("A letter.") for _ in documents]
    for doc, cats in zip(docs, documents, strict=True):
        doc.cats = cats
    return docs


def test_categories_of_docs_are_codes_with_scores():
    gold = [{code: float(code in of) for code in ("I10", "J45.0")} for of in GOLD]
    found = score_docs(docs_of(gold), docs_of(FOUND), NAME)
    expected = clineval.score(NAME, FOUND, GOLD)
    for key in ("micro_f1", "macro_f1", "map", "auc_micro"):
        assert found[key] == expected[key], key


def test_answers_may_give_scores():
    answers = [
        '["I10"]',
        '[{"code": "I10", "score": 0.9}, {"code": "Z00", "score": 0.2}]',
        '{"codes": [{"code": "I10"}]}',
        "no idea",
        '[{"code": "I10", "score": 7}]',
        '[{"code": "no fever"}]',
    ]
    assert reward(NAME, answers, [["I10"]] * 6) == [1, 1, 1, 0, 0, 0]


def test_samples_of_a_harness_are_scored_together():
    """The mean over codes is that of the whole corpus, and not a mean over samples."""
    scoring = SampleScoring(NAME, ("macro_f1", "micro_f1"))
    answers = ['["I10"]', '[{"code": "J45.0", "score": 0.9}, {"code": "I10", "score": 0.1}]']
    pairs = zip(answers, GOLD, strict=True)
    parts = [scoring.count(answer, of, None, str(at)) for at, (answer, of) in enumerate(pairs)]
    expected = clineval.score(NAME, [["I10"], ["J45.0"]], GOLD)
    assert scoring.tell(parts) == {key: expected[key] for key in ("macro_f1", "micro_f1")}


def test_the_evaluate_module_adds_batches():
    metric = evaluate.load(NAME)
    metric.add_batch(predictions=[["I10"]], references=GOLD[:1])
    metric.add(prediction=["Z00"], reference=GOLD[1])
    expected = clineval.score(NAME, [["I10"], ["Z00"]], GOLD)
    assert metric.compute()["macro_f1"] == expected["macro_f1"]


def test_counts_travel_between_processes_with_their_labels():
    counts = clineval.count(NAME, FOUND, GOLD)
    assert pickle.loads(pickle.dumps(counts)) == counts
    assert dict(pickle.loads(pickle.dumps(counts)).score()) == dict(counts.score())


def test_files_of_systems_are_valid_too():
    paths = [str(DEMO / f"{name}.csv") for name in ("gold", "dictionary", "classifier")]
    assert invoke(["validate", NAME, *paths]).exit_code == 0


@pytest.mark.parametrize("command", ["errors", "agreement", "compare"])
def test_commands_of_several_sides(command):
    sides = [str(DEMO / f"{name}.csv") for name in ("dictionary", "classifier")]
    gold = [] if command == "agreement" else [str(DEMO / "gold.csv")]
    systems = sides[:1] if command == "errors" else sides
    result = invoke([command, NAME, *gold, *systems, "--format", "json"])
    assert result.exit_code == 0, result.output


def test_a_challenge_of_ones_own():
    task = Task("ward", "Ward", "https://example.org/", definition="", file="")
    challenge = Challenge(task, {"spec": ScoredCodes()})
    assert clineval.score(challenge, FOUND, GOLD)["macro_f1"] > 0
