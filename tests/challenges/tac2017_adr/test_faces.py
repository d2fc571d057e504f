"""TAC 2017 ADR in evaluate, Docs, BigBIO items and answers of models, and on the page."""

import csv
import io
import json
from collections import Counter

import evaluate
import pytest
import spacy
from challenges.tac2017_adr.labels import write_label
from commands import invoke
from conftest import DATA
from demos import arguments_of

import clineval
from clineval import InputError, InputWarning
from clineval.answers import reward
from clineval.answers import score as score_answers
from clineval.challenges.tac2017_adr.labels import RELATIONS, TYPES
from clineval.training.bigbio import from_bigbio
from clineval.workbench.measures import measures_csv
from clineval.workbench.mentions import list_checks
from clineval.workbench.pairs import pair_mentions
from spacy_clin import score_docs

NAME = "tac2017_adr"
ORACLE = DATA / "oracle" / NAME
(SYSTEM, GOLD), _ = arguments_of(NAME, 1)
CONFIGS = ("default", "mentions", "relations", "reactions", "codes")
CASES = ("a02", "a06", "a09", "a10", "a30", "a36", "a37", "a39", "a41")
CORPORA = [
    *(arguments_of(NAME, system)[0] for system in (0, 1)),
    *((f / "system", f / "gold") for f in sorted(ORACLE.glob("random_*"))),
    *((f / "system", f / "gold") for case in CASES for f in ORACLE.glob(f"cases/{case}_*")),
]
NOTE = "severe headache, no rash"
MENTIONS = [
    {"id": "a", "spans": [[7, 15]], "label": "AdverseReaction"},
    {"id": "b", "spans": [[0, 6]], "label": "Severity"},
    {"id": "c", "spans": [[20, 24]], "label": "AdverseReaction"},
    {"id": "d", "spans": [[17, 19]], "label": "Negation"},
]
EFFECT = {"label": "Effect", "from": "a", "to": "b"}
NEGATED = {"label": "Negated", "from": "c", "to": "d"}
DOCUMENT = {"text": NOTE, "mentions": MENTIONS, "relations": [EFFECT, NEGATED]}
LABEL = {
    "mentions": [("M1", "S1", ("0",), ("2",), "AdverseReaction")],
    "relations": [],
    "reactions": [("nausea", [("Nausea", "1")])],
}
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("config", ["default", "mentions", "relations"])
@pytest.mark.parametrize("sides", CORPORA, ids=lambda sides: str(sides[0])[-40:])
def test_the_page_recounts_mentions_and_relations(sides, config, protocol):
    evaluation = clineval.evaluate(NAME, *sides, config=config, protocol=protocol)
    view, scores = evaluation.challenge.faces.page, evaluation.score()
    types = {*TYPES, *RELATIONS}
    rows = list(csv.DictReader(io.StringIO(measures_csv({"a": pair_mentions(evaluation, view)}))))
    checks = [check for check in list_checks(view, [scores]) if check.measure in ("tp", "fp", "fn")]
    kinds = ("exact", "binary") if config == "default" else ("exact",)
    kinds = ("binary",) if config == "relations" else kinds
    assert {check.key for check in checks} == {
        f"{k}_{v}" for k in kinds for v in ("tp", "fp", "fn")
    }
    for check in checks:
        counts = Counter()
        for row in rows:
            wanted = row["class"] in (check.classes or types.difference(check.without))
            if (row["match"], row["criterion"]) == (check.match, check.criterion) and wanted:
                counts += Counter({name: int(row[name]) for name in ("tp", "fp", "fn")})
        assert scores[check.key] == counts[check.measure], check.key


@pytest.mark.parametrize("config", CONFIGS)
def test_a_report_is_written_and_errors_are_listed(config, tmp_path):
    page = tmp_path / "page.html"
    done = invoke(["report", NAME, GOLD, SYSTEM, "-o", page, "--config", config])
    assert done.exit_code == 0, done.output
    assert page.stat().st_size > 10_000
    listed = json.loads(
        invoke(["errors", NAME, GOLD, SYSTEM, "--config", config, "--format", "json"]).stdout
    )
    assert listed


@pytest.mark.parametrize("config", CONFIGS)
def test_evaluate_gives_the_scores_of_the_command(config):
    found = evaluate.load(NAME, config).compute(predictions=str(SYSTEM), references=str(GOLD))
    done = invoke(["score", NAME, GOLD, SYSTEM, "--config", config, "--format", "json"])
    scores = json.loads(done.stdout)["scores"]
    assert {key: found[key] for key in scores} == scores


def test_lists_of_strings_are_scored():
    gold, found = [["nausea", "skin rash"], []], [["skin rash"], ["fever"]]
    scores = clineval.score(NAME, found, gold, config="reactions")
    assert [scores[f"reactions_{verdict}"] for verdict in ("tp", "fp", "fn")] == [1, 1, 1]
    assert scores["document_reactions_f1"] == pytest.approx((2 / 3 + 0) / 2)


def test_strings_of_one_side_alone_are_not_scored():
    texts = [write_label(LABEL)]
    assert clineval.score(NAME, texts, texts)["codes_tp"] == 1
    documents = [{"mentions": [{"spans": [[0, 2]], "label": "AdverseReaction"}]}]
    with pytest.warns(InputWarning, match="reactions and codes are not scored, because only one"):
        scores = clineval.score(NAME, documents, texts)
    assert scores["exact_f1"] == 1
    assert "codes_tp" not in scores


def make_doc(relations):
    doc = spacy.blank("en")(NOTE)
    spans = []
    for mention in MENTIONS:
        [(start, end)] = mention["spans"]
        span = doc.char_span(start, end, label=mention["label"], span_id=mention["id"])
        spans.append(span)
    doc.spans["clin"] = spans
    doc.spans["clin"].attrs["relations"] = relations
    return doc


def test_docs_with_relations():
    gold, found = make_doc([EFFECT, NEGATED]), make_doc([EFFECT])
    for config, key, value in (
        ("default", "full_f1", 2 / 3),
        ("mentions", "exact_f1", 1),
        ("relations", "binary_recall", 0.5),
    ):
        assert score_docs([gold], [found], NAME, config=config)[key] == pytest.approx(value)


def test_docs_have_no_reactions():
    doc = make_doc([])
    with pytest.raises(InputError, match="no scores of Docs for the configuration reactions"):
        score_docs([doc], [doc], NAME, config="reactions")


def test_bigbio_items():
    entities = [
        {
            "id": mention["id"],
            "type": mention["label"],
            "text": [NOTE[slice(*mention["spans"][0])]],
            "offsets": mention["spans"],
            "normalized": [{"db_name": "MedDRA", "db_id": "1"}],
        }
        for mention in MENTIONS
    ]
    relations = [
        {"id": str(at), "type": of["label"], "arg1_id": of["from"], "arg2_id": of["to"]}
        for at, of in enumerate((EFFECT, NEGATED))
    ]
    row = {
        "passages": [{"text": [NOTE], "offsets": [[0, len(NOTE)]]}],
        "entities": entities,
        "relations": relations,
    }
    found = from_bigbio([row], NAME)
    assert clineval.score(NAME, found, [DOCUMENT])["full_f1"] == 1


def test_answers_of_a_model_have_a_reward():
    quoted = [
        {"id": m["id"], "label": m["label"], "text": NOTE[slice(*m["spans"][0])]} for m in MENTIONS
    ]
    whole = json.dumps({"mentions": quoted, "relations": [EFFECT, NEGATED]})
    half = json.dumps({"mentions": quoted, "relations": [EFFECT]})
    keys = ("exact_f1", "full_f1")
    found = reward(NAME, [whole, half, "?"], [DOCUMENT] * 3, texts=[NOTE] * 3, keys=keys)
    assert found == pytest.approx([1, (1 + 2 / 3) / 2, 0])
    answers = ['["skin rash", "nausea"]', '{"codes": ["fever"]}']
    scores = score_answers(NAME, answers, [["skin rash"], ["fever"]], config="reactions")
    assert [scores[f"reactions_{verdict}"] for verdict in ("tp", "fp", "fn")] == [2, 1, 0]


def test_labels_become_documents_and_are_not_written(tmp_path):
    lines = tmp_path / "gold.jsonl"
    with pytest.warns(InputWarning, match="17 reactions are left out"):
        documents = clineval.read(GOLD, NAME)
    clineval.write(documents, lines, "jsonl", NAME)
    assert clineval.score(NAME, lines, GOLD)["full_f1"] == 1
    done = invoke(["convert", lines, tmp_path / "labels", "--module", NAME, "--to", "tac2017-adr"])
    assert (done.exit_code, "can only be read" in str(done.exception)) == (1, True)
