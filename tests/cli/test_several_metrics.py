"""``clineval score a,b``: several metrics in one call; each result is the one of its own call."""

import json
import sys
from collections import Counter

import pytest
from commands import invoke

from clineval.base.errors import hear_warnings
from clineval.cli.options import complete_metric
from clineval.results.registry import find_challenge

OPENED = []
sys.addaudithook(lambda event, given: OPENED.append(given[0]) if event == "open" else None)
BOTH = "clinical_spans,clinical_relations"
DEMO = find_challenge("n2c2_2018_track2").task.corpora
SIDES = DEMO / "gold", DEMO / "tagger"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def run(modules, *words):
    with hear_warnings():  # as main() does
        done = invoke(["score", modules, *SIDES, *words])
    assert done.exit_code == 0, done.output or done.exception
    return done.stdout


def test_json_is_a_list_of_the_results_of_single_calls():
    single = [json.loads(run(name, "--format", "json")) for name in BOTH.split(",")]
    assert json.loads(run(BOTH, "--format", "json")) == single
    assert [each["metric"] for each in single] == BOTH.split(",")


@pytest.mark.parametrize("notation", ["table", "csv", "latex", "markdown"])
def test_other_formats_follow_each_other(notation):
    single = [run(name, "--format", notation) for name in BOTH.split(",")]
    assert run(BOTH, "--format", notation) == "\n".join(single)


@pytest.mark.parametrize(
    "words", [["--confidence", "0.9"], ["--per-document"], ["--by", "document"], ["--jobs", "2"]]
)
def test_common_options_are_for_all(words):
    words = [*words, "--format", "json"]
    single = [json.loads(run(name, *words)) for name in BOTH.split(",")]
    assert json.loads(run(BOTH, *words)) == single


def test_an_option_of_one_metric_is_for_that_one():
    words = ["--overlap", "hull", "--types", "ADE-Drug", "--format", "json"]
    spans, relations = json.loads(run(BOTH, *words))
    assert "overlap:hull" in spans["signature"]
    assert "types:ade_drug" in relations["signature"]
    assert spans == json.loads(run("clinical_spans", "--overlap", "hull", "--format", "json"))


def test_an_unknown_option_is_an_error():
    done = invoke(["score", BOTH, *SIDES, "--ends", "exact"])
    assert done.exit_code == 2
    assert "No such option: --ends" in done.output
    assert invoke(["score", "clinical_spans", *SIDES, "--types", "ADE-Drug"]).exit_code == 2


def test_each_shows_the_chosen_scores_that_it_has():
    words = ["--score", "boundary_f1,strict_f1", "--format", "json"]
    spans, relations = json.loads(run(BOTH, *words))
    assert sorted(spans["scores"]) == ["boundary_f1", "strict_f1"]
    assert list(relations["scores"]) == ["strict_f1"]
    done = invoke(["score", BOTH, *SIDES, "--score", "strict_f2"])
    assert "unknown score 'strict_f2'" in str(done.exception)


@pytest.mark.parametrize(
    ("modules", "words", "message"),
    [
        ("clinical_spans,clinical_span", [], "unknown metric"),
        ("clinical_spans,clinical_spans", [], "the metric clinical_spans is named twice"),
        ("clinical_spans,", [], "unknown metric"),
        (BOTH, ["--format", "xml"], "unknown format for several metrics 'xml'"),
        (BOTH, ["--config", "task1"], "unknown config 'task1'"),
    ],
)
def test_wrong_names_are_rejected(modules, words, message):
    done = invoke(["score", modules, *SIDES, *words])
    assert done.stdout == ""
    assert message in str(done.exception)


@pytest.mark.parametrize("option", ["--dataset", "--plot", "--keep-going", "--save-counts"])
def test_files_and_names_for_one_result_are_rejected(option, tmp_path):
    done = invoke(["score", BOTH, *SIDES, option, tmp_path / "a.svg"])
    assert done.exit_code == 2
    assert "is for a single metric" in done.output


def test_each_file_is_opened_once():
    OPENED.clear()
    run(BOTH)
    opened = Counter(path for path in OPENED if isinstance(path, str) and str(DEMO) in path)
    assert len(opened) > 5
    assert set(opened.values()) == {1}


def test_the_output_is_one_file(tmp_path):
    assert run(BOTH, "--format", "json", "-o", tmp_path / "a.json") == ""
    assert len(json.loads((tmp_path / "a.json").read_text("utf-8"))) == 2


def test_names_are_completed_after_a_comma():
    assert complete_metric("clinical_spans,clinical_rel") == [BOTH]
    assert "clinical_spans" in complete_metric("clin")


def test_the_help_has_the_options_of_both():
    done = invoke(["score", BOTH, "--help"], terminal_width=200)
    for text in ("Options of clinical_spans", "Options of clinical_relations", "--touching"):
        assert text in done.output


def test_an_error_names_the_metric(tmp_path):
    """The same line has a problem for both; a single metric needs no name."""
    lines = "T1\tDrug 0 7\taspirin\nR1\tHAS Arg1:T1 Arg2:{}\nT2\tDose 8 13\t10 mg\n"
    for name, end in (("gold", "T2"), ("found", "E9")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.ann").write_text(lines.format(end))
    sides = tmp_path / "gold", tmp_path / "found"
    for names in (BOTH, "clinical_relations,clinical_spans"):
        with hear_warnings():
            done = invoke(["score", names, *sides])
        assert str(done.exception).startswith(f"{names.split(',')[0]}: found/a.ann:2: ")
    with hear_warnings():
        done = invoke(["score", "clinical_relations", *sides])
    assert str(done.exception).startswith("found/a.ann:2: ")
