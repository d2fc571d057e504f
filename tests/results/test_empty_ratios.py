"""A ratio without a denominator is a dash in tables, and 0.0 for programs, with its counts."""

import json
import re

import pytest
from demos import arguments_of
from hypothesis import given
from hypothesis import strategies as st
from thorough import each

import clineval
from clineval.base.ratios import harmonic_mean, is_empty, marking_empty, ratio
from clineval.evaluation.analysis.breakdown import add_intervals, break_down
from clineval.results.registry import NAMES
from clineval.results.tables import WRITERS
from clineval.workbench import build_workbench

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
MENTION = {"spans": [[0, 4]], "label": "a"}
GOLD = [[MENTION], [], [MENTION], []]
FOUND = [[MENTION], [], [], [MENTION]]
"""A hit; nothing on either side; only gold; only a prediction."""


def list_parts(values):
    """Prefix to true positives, predictions and gold annotations, where all three are counted."""
    for key in values:
        prefix = key.removesuffix("_tp")
        if key != prefix and f"{prefix}_precision" in values and f"{prefix}_fp" in values:
            tp, fp = values[key], values[f"{prefix}_fp"]
            own = f"{prefix}_gold" if f"{prefix}_gold_tp" in values else prefix
            if f"{own}_fn" in values:
                yield prefix, tp, tp + fp, values[f"{own}_tp"] + values[f"{own}_fn"]


@pytest.mark.parametrize("name", each(NAMES))
def test_precision_recall_and_f1_are_empty_without_units(name):
    """Alone, most documents lack some label on one side or both."""
    sides, options = arguments_of(name)
    whole = clineval.count(name, *sides, **options)
    for counts in (whole, *(whole.take([at]) for at in range(len(whole)))):
        score = counts.score()
        for prefix, _, found, gold in list_parts(score.values):
            told = [score.shown[f"{prefix}_{of}"] is None for of in ("precision", "recall", "f1")]
            assert told == [not found, not gold, not found and not gold], prefix
        empty = [key for key, value in score.shown.items() if value is None]
        assert all(score.get(key) in (0, None) for key in empty)
        assert {**score.values, **score.shown}.keys() == score.shown.keys()
        assert not any(is_empty(value) for value in score.values.values())
        assert "-0.0" not in json.dumps(score.per_document)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6))
def test_marks_change_no_number(pairs):
    tops, bottoms = zip(*pairs, strict=True)
    with marking_empty():
        marked = [ratio(top, bottom) for top, bottom in pairs]
        at_once = ratio(list(tops), list(bottoms))
        means = [harmonic_mean(one, marked[0]) for one in marked]
    assert marked == [ratio(top, bottom) for top, bottom in pairs] == at_once.tolist()
    assert [is_empty(of) for of in marked] == [bottom == 0 for _, bottom in pairs]
    assert [is_empty(of) for of in at_once] == [bottom == 0 for _, bottom in pairs]
    assert [is_empty(of) for of in means] == [b == 0 == pairs[0][1] for _, b in pairs]
    assert not any(is_empty(ratio(top, bottom)) for top, bottom in pairs)


def test_a_product_is_empty_with_an_empty_factor():
    mention = {"spans": [[0, 4]], "cui": "C0344720"}
    score = clineval.score("semeval15_task14", [[]], [[mention]])
    assert (score.shown["span_f1"], score["f1_x_accuracy"]) == (0.0, 0.0)
    assert (score.shown["accuracy"], score.shown["f1_x_accuracy"]) == (None, None)


def test_tables_have_dashes_and_programs_zeros():
    score = clineval.score("clinical_spans", [[]], [[MENTION]])
    assert "–   0.0000   0.0000" in str(score)
    assert "| – | 0.0000 | 0.0000 |" in WRITERS["markdown"](score.sheet())
    assert "& -- & 0.0000 & 0.0000 &" in WRITERS["latex"](score.sheet())
    told = json.loads(WRITERS["json"](score.sheet()))
    assert told["scores"]["strict_precision"] == score["strict_precision"] == 0.0
    assert "strict_precision,0.0" in WRITERS["csv"](score.sheet())
    assert "undefined" not in told


def test_documents_have_dashes():
    score = clineval.score("clinical_spans", FOUND, GOLD)
    at = score.documents_table.columns.index("strict_f1") + 1
    assert [row[at] for row in score.documents_table.rows] == ["1.0000", "–", "0.0000", "0.0000"]
    assert [row["strict_f1"] for row in score.per_document] == [1.0, 0.0, 0.0, 0.0]


def test_an_empty_score_has_no_interval_in_tables():
    score = clineval.score("clinical_spans", [[]] * 4, GOLD, confidence=0.95)
    assert score.format_interval("strict_precision") == "–"
    assert score.format_interval("strict_recall").startswith("[0.0000, ")
    assert "strict_precision" in score.intervals


def test_groups_have_dashes():
    evaluation = clineval.evaluate("clinical_spans", [[], [MENTION]], [[MENTION], [MENTION]])
    groups = break_down(evaluation.outcomes, "document")
    columns = groups.table().columns
    rows = {name: dict(zip(columns, row, strict=True)) for name, *row in groups.table().rows}
    assert rows["0"]["strict_f1"] == "0.0000"
    assert groups.scores["strict_precision"].tolist() == [0.0, 1.0]
    assert [is_empty(of) for of in groups.marked["strict_precision"]] == [True, False]


def test_comparisons_and_leaderboards_have_dashes():
    compared = clineval.compare("clinical_spans", {"a": [[]] * 4, "b": FOUND}, GOLD)
    [table] = compared.sheet(["strict_precision"]).tables()
    assert [row[1] for row in table.rows] == ["–", "0.5000"]
    told = json.loads(WRITERS["json"](compared.sheet(["strict_precision"])))
    assert told["systems"]["a"]["strict_precision"] == 0.0


def test_runs_are_empty_if_all_of_them_are():
    nothing = [[]] * 4
    for runs, shown in (([nothing, nothing], "–"), ([nothing, FOUND], "0.2500 ± 0.3536")):
        systems = {"a": clineval.Runs(runs), "b": clineval.Runs([FOUND, FOUND])}
        compared = clineval.compare("clinical_spans", systems, GOLD)
        [table] = compared.sheet(["strict_precision"]).tables()
        assert table.rows[0][1] == shown


def test_kappa_of_one_class_is_undefined():
    score = clineval.score("clinical_classes", ["a"] * 3, ["a"] * 3, confidence=0.95)
    assert score.undefined == ("kappa",)
    assert "kappa" not in score
    assert score.as_dict()["kappa"] is None is score.shown["kappa"]
    assert "kappa" not in score.as_dict(numbers_only=True)
    told = json.loads(WRITERS["json"](score.sheet()))
    assert told["undefined"] == ["kappa", "kappa_low", "kappa_high"]
    assert told["scores"]["kappa"] is None
    assert "kappa,,\n" in WRITERS["csv"](score.sheet()) + "\n"
    assert score.per_document[0]["kappa"] is None


def test_groups_of_one_class_have_no_kappa():
    evaluation = clineval.evaluate("clinical_classes", ["a", "b"], ["a", "b"])
    by = f"slot:{next(iter(evaluation.outcomes.gold.attributes))}"
    groups = break_down(evaluation.outcomes, by)
    sure = add_intervals(groups, evaluation.score(confidence=0.95))
    assert groups.values["b"]["kappa"] is None
    assert sure.values["b"]["kappa_low"] is None


def test_pages_name_the_empty_scores():
    page = build_workbench("clinical_spans", [[MENTION], []], {"s": [[], []], "t": FOUND[:2]})
    found = re.search(r'<script type="application/json" id="head">(.*?)</script>', page.to_html())
    first, second = json.loads(found[1])["systems"]
    assert "strict_precision" in first["empty"]
    assert first["scores"]["strict_precision"] == 0.0
    assert second["empty"] == []
