"""ChEMU 2020 in faces besides scores: commands, evaluate, Docs, BigBIO, answers, the page."""

import json

import evaluate
import pytest
import spacy
from commands import invoke
from conftest import ROOT

import clineval
from clineval.answers import reward
from clineval.training.bigbio import from_bigbio
from spacy_clin import score_docs, set_mentions

NAME = "chemu20"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
NOTE = "stirred in dry toluene for 2 h"
PLACES = {"REACTION_STEP": [0, 7], "SOLVENT": [11, 22], "TIME": [27, 30]}
RELATIONS = [
    {"label": "ARG1", "from": "REACTION_STEP", "to": "SOLVENT"},
    {"label": "ARGM", "from": "REACTION_STEP", "to": "TIME"},
]
KEYS = [f"{kind}_{match}_tp" for kind in ("entities", "relations")
        for match in ("exact", "overlap", "approx")]  # fmt: skip
COUNTS = [2, 3, 3, 1, 2, 2]
"""Of a system that writes toluene shortly."""
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def document(**places):
    mentions = [
        {"id": label, "label": label, "spans": [span]}
        for label, span in {**PLACES, **places}.items()
    ]
    return {"id": "a", "text": NOTE, "mentions": mentions, "relations": RELATIONS}


GOLD, FOUND = document(), document(SOLVENT=[12, 22])


def counts_of(scores):
    return [scores[key] for key in KEYS]


def test_python_and_evaluate():
    assert counts_of(clineval.score(NAME, [FOUND], [GOLD])) == COUNTS
    metric = evaluate.load(NAME)
    assert counts_of(metric.compute(predictions=[FOUND], references=[GOLD])) == COUNTS
    metric = evaluate.load(NAME, "entities")
    mentions = FOUND["mentions"], GOLD["mentions"]
    result = metric.compute(predictions=[mentions[0]], references=[mentions[1]], types="any")
    assert [result[f"{match}_tp"] for match in ("exact", "overlap")] == [2, 3]


def test_docs_with_relations():
    nlp = spacy.blank("en")
    docs = []
    for given in (GOLD, FOUND):
        docs.append(nlp(NOTE))
        set_mentions(docs[-1], given["mentions"], document="a", relations=given["relations"])
    assert counts_of(score_docs(docs[:1], docs[1:], NAME)) == COUNTS


def test_bigbio():
    entities = [
        {"id": label, "type": label, "text": [NOTE[a:b]], "offsets": [[a, b]], "normalized": []}
        for label, (a, b) in PLACES.items()
    ]
    relations = [
        {"id": str(at), "type": of["label"], "arg1_id": of["from"], "arg2_id": of["to"],
         "normalized": []} for at, of in enumerate(RELATIONS)
    ]  # fmt: skip
    passages = [{"id": "p", "type": "", "text": [NOTE], "offsets": [[0, len(NOTE)]]}]
    row = {"id": "1", "document_id": "a", "passages": passages, "entities": entities,
           "relations": relations, "events": [], "coreferences": []}  # fmt: skip
    assert counts_of(clineval.score(NAME, [FOUND], from_bigbio([row], NAME))) == COUNTS


def answer_of(solvent, end="S"):
    mentions = [
        {"id": "A", "text": "stirred", "label": "REACTION_STEP"},
        {"id": "S", "text": solvent, "label": "SOLVENT"},
        {"id": "T", "text": "2 h", "label": "TIME"},
    ]
    links = [{"label": "ARG1", "from": "A", "to": end}, {"label": "ARGM", "from": "A", "to": "T"}]
    return json.dumps({"mentions": mentions, "relations": links})


def test_answers_of_a_model_have_a_reward():
    answers = [answer_of("dry toluene"), answer_of("toluene"), answer_of("dry toluene", "T"), "?"]
    sides = answers, [GOLD] * 4
    for key, expected in (
        ("entities_exact_f1", [1, 2 / 3, 1, 0]),
        ("entities_overlap_f1", [1, 1, 1, 0]),
        ("relations_exact_f1", [1, 0.5, 0.5, 0]),
    ):
        found = reward(NAME, *sides, texts=[NOTE] * 4, keys=(key,))
        assert found == pytest.approx(expected), key


def parse(*words):
    done = invoke([str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("config", ["default", "entities", "relations"])
def test_commands(config, tmp_path):
    sides = DEMO / "gold", DEMO / "tagger"
    more = "--config", config, "--threshold", 0.7, "--types", "any", "--format", "json"
    found = json.loads(parse("score", NAME, *sides, *more))
    options = {"config": config, "threshold": 0.7, "types": "any"}
    assert found["scores"] == {
        key: value
        for key, value in clineval.score(NAME, *sides[::-1], **options).as_dict().items()
        if key in found["scores"]
    }
    key = "exact_f1" if config != "default" else "entities_exact_f1"
    intervals = json.loads(parse("score", NAME, *sides, *more, "--confidence", 0.95))["scores"]
    assert intervals[f"{key}_low"] <= intervals[key] <= intervals[f"{key}_high"]
    compared = parse("compare", NAME, *sides, DEMO / "rules", "--config", config)
    assert key in compared
    labels = parse("score", NAME, *sides, "--config", config, "--by", "label")
    assert ("ARGM" if config == "relations" else "SOLVENT") in labels
    page = tmp_path / "page.html"
    parse("report", NAME, *sides, "--config", config, "--text", DEMO / "text", "-o", page)
    assert page.stat().st_size > 10_000
    parse("validate", NAME, sides[1])


def test_conversion_keeps_all_scores(tmp_path):
    for side in ("gold", "tagger"):
        parse("convert", DEMO / side, tmp_path / f"{side}.jsonl", "--module", NAME)
    sides = tmp_path / "tagger.jsonl", tmp_path / "gold.jsonl"
    texts = DEMO / "text"
    expected = clineval.score(NAME, DEMO / "tagger", DEMO / "gold").values
    assert clineval.score(NAME, *sides, texts=texts).values == expected


def test_processes_count_the_same():
    sides = DEMO / "gold", DEMO / "tagger"
    for protocol in ("spec", "official"):
        words = "score", NAME, *sides, "--protocol", protocol, "--format", "json"
        assert json.loads(parse(*words)) == json.loads(parse(*words, "--jobs", 2))
