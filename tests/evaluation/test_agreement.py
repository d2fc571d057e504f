"""Kappa and alpha: against the krippendorff package and plain sums."""

import csv
import json
import re
from functools import partial

import krippendorff
import laws
import numpy as np
import pytest
from demos import arguments_of
from hypothesis import given
from hypothesis import strategies as st
from processes import run_clineval

import clineval
from clineval.evaluation.analysis.agreement import agree, agree_in
from clineval.evaluation.evaluate import evaluate
from clineval.formats.note_json import read_side
from clineval.results.registry import NAMES, find_challenge
from clineval.stats.chance import ValuePairs, compare_answers

NAME = "semeval15_task14"
PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)
LISTED = [name for name in NAMES if find_challenge(name).steps.listed]


def tabulate(pairs):
    table = np.zeros((4, 4), np.int64)
    for left, right in pairs:
        table[left, right] += 1
    return table


@given(PAIRS)
def test_alpha_is_that_of_the_krippendorff_package(pairs):
    found = agree_in(tabulate(pairs))
    if len({value for pair in pairs for value in pair}) == 1:
        assert found.alpha is None
    else:
        theirs = krippendorff.alpha(np.array(pairs).T, level_of_measurement="nominal")
        assert found.alpha == pytest.approx(theirs)


@given(PAIRS)
def test_kappa_is_that_of_the_definition(pairs):
    n = len(pairs)
    observed = sum(left == right for left, right in pairs)
    chance = sum(left == right for left, _ in pairs for _, right in pairs)
    found = agree_in(tabulate(pairs))
    assert found.agreement == observed / n
    if chance == n * n:
        assert found.kappa is None
    else:
        assert found.kappa == pytest.approx((observed * n - chance) / (n * n - chance))


UNITS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=30
)


@given(UNITS)
def test_what_is_left_out_is_counted_anew(rows):
    unit, left, right = np.array(rows).T
    whole = compare_answers(ValuePairs.of(unit, left, right), unit.max() + 1, 3)
    for number in range(unit.max() + 1):
        kept = unit != number
        pairs = ValuePairs.of(unit[kept], left[kept], right[kept])
        for name, found in compare_answers(pairs, 6, 3).items():
            if whole[name].value is not None:
                expected = whole[name].value if found.value is None else found.value
                assert whole[name].without[number] == pytest.approx(expected)


def draw_annotators(random, documents):
    """Pairs of values of two annotators who agree in 4 of 5, more so in some documents."""
    size = 1 + random.poisson(random.gamma(1.0, 8.0, documents))
    unit = np.repeat(np.arange(documents), size)
    left = (random.random(len(unit)) < 0.3).astype(int)
    same = random.random(len(unit)) < random.beta(8, 2, documents)[unit]
    return ValuePairs.of(unit, left, np.where(same, left, 1 - left))


@pytest.mark.parametrize("documents", [40, 300])
def test_intervals_of_kappa_hold_the_true_kappa_about_95_percent_of_the_time(documents):
    random = np.random.default_rng(8)
    # P(equal) = .8, P(1) = .3 and .3 * .8 + .7 * .2 = .38
    chance = 0.3 * 0.38 + 0.7 * 0.62
    true, held, corpora = (0.8 - chance) / (1 - chance), 0, 200
    for _ in range(corpora):
        pairs = draw_annotators(random, documents)
        low, high = compare_answers(pairs, documents, 2)["kappa"].bounds(0.95)
        held += low <= true <= high
    assert 0.9 <= held / corpora <= 0.99  # a standard error of 1.5 %


def test_the_demo_s_annotators_have_intervals():
    (predicted, gold), _ = arguments_of(NAME, 1)
    [found] = agree(NAME, {"a": gold, "b": predicted}, config="task2b")
    severity = found.slots["severity"]
    for name in ("kappa", "ac1", "alpha"):
        low, high = severity.bounds(name)
        assert low < severity[name] < high
    [clustered] = agree(
        NAME, {"a": gold, "b": predicted}, config="task2b", cluster=lambda name: name[-14:]
    )
    assert clustered.slots["severity"].kappa == severity.kappa
    assert clustered.slots["severity"].bounds("kappa") != severity.bounds("kappa")


def test_no_pairs_no_agreement():
    found = agree_in(np.zeros((0, 0), np.int64))
    assert (found.pairs, found.agreement, found.kappa, found.alpha) == (0, 0, None, None)


def test_kappa_and_alpha_are_undefined_where_values_do_not_vary():
    for pairs in (1, 7):
        found = agree_in(np.array([[0, 0], [0, pairs]]))
        assert (found.pairs, found.agreement) == (pairs, 1)
        assert found.kappa is found.alpha is None
    found = agree_in(np.array([[0, 1], [0, 7]]))  # only one annotator's values do not vary
    assert (found.agreement, found.kappa) == (7 / 8, 0)
    assert found.alpha == pytest.approx(0)


def test_slots_are_compared_in_the_mentions_that_both_marked():
    (predicted, gold), _ = arguments_of(NAME, 1)
    [found] = agree(NAME, {"a": gold, "b": predicted}, config="task2b")
    score = clineval.score(NAME, predicted, gold, config="task2b")
    assert found.score["span_f1"] == score["span_f1"]
    for slot, of in found.slots.items():
        assert of.pairs == score["span_tp"]
        assert of.agreement == pytest.approx(score[f"{slot}_accuracy"])
    outcomes = evaluate(NAME, predicted, gold).outcomes
    match = outcomes.matches["span"]
    values = [outcomes.value("severity", match, row) for row in range(match.pairs)]
    numbers = {value: k for k, value in enumerate(sorted({v for pair in values for v in pair}))}
    units = np.array([[numbers[value] for value in pair] for pair in values]).T
    theirs = krippendorff.alpha(units, level_of_measurement="nominal")
    assert found.slots["severity"].alpha == pytest.approx(theirs)


def test_every_two_annotators_are_compared():
    gold = [[{"spans": [[0, 4]], "cui": "C1"}]] * 2
    found = agree(NAME, {"a": gold, "b": gold, "c": gold})
    assert [(f.first, f.second) for f in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    laws.refuses(lambda: agree(NAME, {"a": gold}), "two annotators")


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", LISTED)
def test_every_challenge_with_mentions_has_agreement(name):
    (predicted, gold), options = arguments_of(name)
    [found] = agree(name, {"a": gold, "b": predicted}, **options)
    assert found.slots
    for of in found.slots.values():
        assert of.kappa is None or max(of.kappa, of.ac1, of.alpha) <= 1


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", [name for name in LISTED if name != "clinais23_b2"])
def test_annotators_who_are_read_once_agree_as_any_two_of_them(name):
    (first, gold), options = arguments_of(name)
    (second, _), _ = arguments_of(name, 1)
    annotators = {"gold": gold, "first": first, "second": second}
    for found in agree(name, annotators, **options):
        pair = {of: annotators[of] for of in (found.first, found.second)}
        [alone] = agree(name, pair, **options)
        assert alone.score.counts == found.score.counts
        assert alone.slots == found.slots


def test_an_annotator_s_sections_are_the_same_on_both_sides():
    """A file that also holds a gold standard is read for what its annotator says."""
    (windows, gold), _ = arguments_of("clinais23_b2")
    (tagger, _), _ = arguments_of("clinais23_b2", 1)
    *_, found = agree("clinais23_b2", {"gold": gold, "windows": windows, "tagger": tagger})
    labels = [[n.labels for n in read_side(p, "prediction").notes] for p in (tagger, windows)]
    expected = clineval.score("clinais23_b2", *labels)
    assert (found.first, found.second) == ("windows", "tagger")
    assert found.score["b2"] == pytest.approx(expected["b2"])
    assert found.score["b"] == pytest.approx(expected["b"])


def test_lists_of_codes_of_three_annotators():
    codes = {"a": [["C1", "C2"], "C3"], "b": ["C2", "C3"], "c": ["C2", None]}
    found = agree("clefehealth13_task2", codes)
    assert [f.score["strict_correct"] for f in found] == [1, 0, 1]
    assert [f.score["relaxed_correct"] for f in found] == [2, 1, 1]


run = partial(run_clineval, "agreement", NAME)


def test_the_command_line_shows_agreement():
    (predicted, gold), _ = arguments_of(NAME, 1)
    [found] = agree(NAME, {"gold": gold, "tagger": predicted})
    out = run(gold, predicted).stdout
    assert f"{found.slots['severity'].kappa:.4f}" in out
    assert f"{found.score['strict_f1']:.4f}" in out
    [shown] = json.loads(run(gold, predicted, "--format", "json").stdout)["pairs"]
    assert shown["slots"]["severity"]["alpha"] == found.slots["severity"].alpha
    assert "| severity | " in run(gold, predicted, "--format", "markdown").stdout
    assert "tabular" in run(gold, predicted, "--format", "latex").stdout
    lines = csv.DictReader(run(gold, predicted, "--format", "csv").stdout.splitlines())
    [line] = [e for e in lines if (e["question"], e["measure"]) == ("severity", "alpha")]
    assert float(line["value"]) == found.slots["severity"].alpha


def test_what_is_undefined_is_null_in_json_and_a_dash_in_tables(tmp_path):
    for name in ("anna", "ben"):
        line = {"id": "d", "mentions": [{"spans": [[0, 4]], "cui": "C1"}]}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(line) + "\n")
    files = [tmp_path / "anna.jsonl", tmp_path / "ben.jsonl"]
    [alike] = json.loads(run(*files, "--format", "json").stdout)["pairs"]
    names = ("kappa", "ac1", "alpha")
    none = {name + end: None for name in names for end in ("", "_low", "_high")}
    assert alike["slots"]["negation"] == {
        "pairs": 1, "missing": 0, "agreement": 1, **none, "undefined": [*names],
    }  # fmt: skip
    row = re.search(r"negation +1 +0 +1\.0000 +(\S+) +(\S+)", run(*files).stdout)
    assert row.groups() == ("–", "–")
    markdown = run(*files, "--format", "markdown").stdout
    assert "| negation | 1 | 0 | 1.0000 | – | – | – | – | – | – |" in markdown
