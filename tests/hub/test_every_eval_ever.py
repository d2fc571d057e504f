"""Results in the schema of Every Eval Ever, validated by that schema."""

import json

import jsonschema
import pytest
from conftest import ROOT
from demos import arguments_of

import clineval
from clineval import InputError
from clineval.hub.every_eval_ever import SCHEMA, describe_run
from clineval.results.registry import NAMES

RULES = json.loads((ROOT / "tests/data/every_eval_ever/eval.schema.json").read_text("utf-8"))
DEMO = ROOT / "metrics/clineval/challenges/semeval15_task14/demo"


def test_it_is_the_version_that_we_write():
    assert RULES["version"] == SCHEMA


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("confidence", [None, 0.9])
@pytest.mark.parametrize("name", NAMES)
def test_every_metric(name, confidence):
    sides, options = arguments_of(name)
    score = clineval.score(name, *sides, confidence=confidence, n_resamples=20, **options)
    record = describe_run(score, "tagger")
    jsonschema.validate(json.loads(json.dumps(record)), RULES)
    results = record["evaluation_results"]
    assert [each["metric_config"]["metric_name"] for each in results] == [*score.headline]
    for key, each in zip(score.headline, results, strict=True):
        assert each["score_details"]["score"] == score.values[key]
        interval = each["score_details"].get("uncertainty", {}).get("confidence_interval")
        if key in score.intervals if confidence else False:
            assert (interval["lower"], interval["upper"]) == score.intervals[key]
        else:
            assert interval is None


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_scores_that_are_better_if_lower():
    sides, options = arguments_of("meddocan19")
    score = clineval.score("meddocan19", *sides, **options)
    lower = {
        each["metric_config"]["metric_name"]: each["metric_config"]["lower_is_better"]
        for each in describe_run(score, "x")["evaluation_results"]
    }
    assert lower["strict_f1"] is False
    assert lower["leaked_mentions_share"] is True


def test_unknown_score():
    gold = [[{"spans": [[4, 9]], "label": "A"}]]
    with pytest.raises(InputError, match="score 'strictf1'"):
        describe_run(clineval.score("clinical_spans", gold, gold), "x", ["strictf1"])


class TestCommand:
    def test_it_prints_a_record(self, run):
        arguments = ("semeval15_task14", DEMO / "gold", DEMO / "tagger")
        how = ("--format", "every-eval-ever", "--score", "strict_f1")
        record = json.loads(run("score", *arguments, *how).stdout)
        jsonschema.validate(record, RULES)
        assert record["model_info"]["name"] == "tagger"
        [result] = record["evaluation_results"]
        assert result["metric_config"]["metric_parameters"]["protocol"] == "spec"
        assert result["source_data"]["dataset_name"] == "semeval15_task14/demo"

    def test_what_it_cannot_hold_is_refused(self, run):
        arguments = ("semeval15_task14", DEMO / "gold", DEMO / "tagger")
        for more in (["--per-document"], ["--by", "slot:negation"]):
            said = run("score", *arguments, "--format", "every-eval-ever", *more, status=2).stderr
            assert "every-eval-ever" in said
