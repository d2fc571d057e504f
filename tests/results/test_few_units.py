"""Intervals that rest on few documents are marked wherever they are written."""

import json
import warnings

import pytest
from commands import invoke
from demos import arguments_of
from thorough import each_module

import clineval
from clineval.evaluation.analysis.breakdown import add_intervals, break_down
from clineval.results.registry import find_challenge
from clineval.results.tables import WRITERS
from clineval.stats.confidence import Confidence

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
# a hit of "a" in 30 documents, an error in 11; of "b" a hit in 2, an error in 1
GOLD = [[{"spans": [[0, 3]], "label": "a"}] for _ in range(41)]
GOLD[0] = GOLD[1] = [*GOLD[0], {"spans": [[5, 8]], "label": "b"}]
FOUND = [mentions if row < 30 else [] for row, mentions in enumerate(GOLD)]
FOUND[2] = [*GOLD[2], {"spans": [[5, 8]], "label": "b"}]


@pytest.fixture(scope="module")
def score():
    return clineval.score("clinical_spans", FOUND, GOLD, labels=["a", "b"], confidence=0.9)


def test_scores_with_fewer_than_ten_documents_with_hits_or_with_errors_are_few(score):
    assert {"b_strict_f1", "b_strict_recall", "a_strict_precision"} <= set(score.few_units)
    assert not {"a_strict_f1", "a_strict_recall", "strict_f1"} & set(score.few_units)
    assert set(score.few_units) <= set(score.intervals)


@pytest.mark.parametrize(("notation", "mark"), [("markdown", "] † |"), ("latex", r"] $^\dagger$")])
def test_a_dagger_is_explained_below_the_tables(score, notation, mark):
    written = WRITERS[notation](score.sheet())
    assert mark in written
    assert "fewer than 10 documents" in written[written.rindex(mark) :]
    assert score.format_interval("strict_recall") in written
    assert score.format_interval("b_strict_f1").endswith("] †")
    assert score.format_interval("strict_recall").endswith("]")


def test_a_score_without_intervals_has_no_marks():
    plain = clineval.score("clinical_spans", FOUND, GOLD)
    assert plain.few_units == ()
    assert "few_units" not in WRITERS["json"](plain.sheet()) + WRITERS["csv"](plain.sheet())
    assert "†" not in WRITERS["markdown"](plain.sheet())


def test_programs_are_told_by_key(score):
    told = json.loads(WRITERS["json"](score.sheet()))
    assert tuple(told["few_units"]) == score.few_units
    head, *lines = (line.split(",") for line in WRITERS["csv"](score.sheet()).splitlines())
    assert head == ["key", "value", "few_units"]
    assert {key for key, *_, few in lines if few == "yes"} == set(score.few_units)


def test_groups_and_comparisons_mark_them_too():
    evaluation = clineval.evaluate("clinical_spans", FOUND, GOLD, labels=["a", "b"])
    whole = clineval.Score(evaluation.counts, Confidence(0.9))
    sheet = add_intervals(break_down(evaluation.outcomes, "label"), whole).sheet(whole)
    told = sheet.data()["few_units"]
    assert "strict_f1" in told["b"]
    assert "strict_f1" not in told["a"]
    head, *lines = map(tuple, sheet.lines())
    assert {line[0]: line[head.index("few_units")].split() for line in lines} == {
        name: list(keys) for name, keys in told.items()
    }
    compared = clineval.compare("clinical_spans", {"x": FOUND, "y": GOLD}, GOLD, labels=["a", "b"])
    told = compared.sheet(["strict_f1"]).data()["few_units"]
    head, *lines = map(tuple, compared.sheet(["strict_f1"]).lines())
    marked = [line[head.index("system")] for line in lines if line[head.index("few_units")]]
    assert marked == [name for name, keys in told.items() if keys] == ["y"]


def weigh(score, key):
    """How many gold annotations a score of a label rests on."""
    prefix = key.rpartition("_")[0]
    return score[f"{prefix}_tp"] + score[f"{prefix}_fn"]


@each_module()
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_a_mean_over_labels_is_marked_if_any_label_is(name):
    """Whatever the scores of all labels together rest on; labels that nobody has do not count."""
    if not find_challenge(name).steps.listed:
        return
    sides, options = arguments_of(name)
    score = clineval.score(name, *sides, confidence=0.9, n_resamples=10, **options)
    parts = score.challenge.measures.list_parts(score.values)
    macro = {key for key in score.intervals if key.startswith("macro_")}
    if score.counts.weighed is None:  # else means of labels that have no scores of their own
        assert macro - {"macro_f1_of_means"} <= parts.keys()
    for mean, own in parts.items():
        assert set(own) <= score.intervals.keys()
        assert (mean in score.few_units) >= bool({*own} & {*score.few_units})
        weights = [weigh(score, key) if "weighted_" in mean else 1 for key in own]
        means = [score[key] * weight for key, weight in zip(own, weights, strict=True)]
        assert score[mean] == pytest.approx(sum(means) / max(sum(weights), 1))


def test_a_mean_is_marked_where_one_rare_label_is_averaged(score):
    assert {"macro_strict_f1", "macro_strict_recall"} <= {*score.few_units}
    frequent = clineval.score(
        "clinical_spans",
        [[m for m in mentions if m["label"] == "a"] for mentions in FOUND],
        GOLD,
        labels=["a"],
        confidence=0.9,
    )
    assert "macro_strict_f1" not in frequent.few_units


def test_warnings_are_about_the_scores_that_were_asked_for(tmp_path):
    """``compare --score`` and ``score --score``, and all of them for ``all``."""
    paths = [tmp_path / f"{name}.jsonl" for name in ("gold", "one", "two")]
    for path, side in zip(paths, (GOLD, FOUND, GOLD), strict=True):
        lines = [json.dumps({"id": f"n{at}", "mentions": of}) for at, of in enumerate(side)]
        path.write_text("\n".join(lines))
    gold, *systems = paths
    for command in (
        ["compare", "clinical_spans", gold, *systems],
        ["score", "clinical_spans", gold, systems[1], "--confidence", ".9"],
    ):
        for keys in ("strict_f1", "all"):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                done = invoke([*command, "--labels", "a,b", "--score", keys])
            assert done.exit_code == 0, done.output
            few = [str(of.message) for of in caught if "few documents" in str(of.message)]
            assert any("strict_f1" in each for each in few)
            assert any("lenient_f1" in each for each in few) == (keys == "all")
