"""Events of any scheme: equal to a plain scorer and n2c2_2022_sdoh, to examples, and to laws."""

import json
from itertools import pairwise

import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from thorough import fewer

import clineval
from clineval.challenges.clinical_events.definition import find_labelled, mean_f1
from clineval.challenges.n2c2_2022_sdoh.spec import EVENTS
from clineval.definitions.events import USUAL, count_events
from clineval.evaluation.analysis.mistakes import count_mistakes

NAME = "clinical_events"
CASES = json.loads((DATA / "oracle" / NAME / "cases.json").read_text())
VERDICTS = ("tp", "fp", "fn")
CRITERIA = [
    USUAL,
    {"trigger": "exact", "span": "overlap", "labeled": "exact"},
    {"trigger": "min_dist", "span": "exact", "labeled": "overlap"},
]
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def disjoint(spans):
    return all(a[1] <= b[0] for a, b in pairwise(sorted(spans)))


span = st.builds(lambda at, size: [at, at + size], st.integers(0, 8), st.integers(1, 4))
spans = st.lists(span, min_size=1, max_size=2).filter(disjoint).map(sorted)
valued = st.fixed_dictionaries(
    {"label": st.sampled_from(["Status", "Drug"]), "value": st.sampled_from(["done", "a b"])},
    optional={"spans": spans},
)
named = st.fixed_dictionaries(
    {"label": st.sampled_from(["Status", "Drug", "Stop"]), "spans": spans},
)


def events(labels, *arguments):
    return st.fixed_dictionaries(
        {
            "label": st.sampled_from(labels),
            "spans": spans,
            "arguments": st.lists(st.one_of(*arguments), max_size=3),
        }
    )


def corpora(event):
    documents = st.lists(event, max_size=3)
    return st.lists(st.tuples(documents, documents), min_size=1, max_size=2)


own = corpora(events(["Start", "Stop"], valued, named))  # Stop is a type and an argument, too


def sides_of(pairs):
    """The predictions and the references."""
    golds, founds = (
        [{"events": document} for document in side] for side in zip(*pairs, strict=True)
    )
    return founds, golds


def counts_of(scores):
    keys = {key.rpartition("_")[0] for key in scores if key.endswith("_tp")}
    counts = {key: tuple(scores[f"{key}_{verdict}"] for verdict in VERDICTS) for key in keys}
    return {key: counted for key, counted in counts.items() if any(counted)}


@fewer(0.5)
@pytest.mark.parametrize("criteria", CRITERIA)
@given(own)
def test_counts_are_those_of_a_plain_scorer(criteria, pairs):
    scores = clineval.score(NAME, *sides_of(pairs), **criteria).as_dict()
    labelled = find_labelled([gold for gold, _ in pairs])
    expected = count_events(pairs, labelled, criteria)
    assert counts_of(scores) == expected
    assert scores["macro_overall_f1"] == pytest.approx(mean_f1(expected, ["Start", "Stop"]))
    assert scores["macro_trigger_f1"] == pytest.approx(
        mean_f1(expected, ["Start", "Stop"], "trigger")
    )


@given(own, st.lists(st.sampled_from(["Status", "Drug", "Stop"]), unique=True))
def test_the_user_may_say_which_values_count(pairs, labels):
    there = {a["label"] for pair in pairs for side in pair for e in side for a in e["arguments"]}
    chosen = [label for label in labels if label in there]
    scores = clineval.score(NAME, *sides_of(pairs), labeled_arguments=chosen).as_dict()
    assert counts_of(scores) == count_events(pairs, {*chosen})


status = st.fixed_dictionaries(
    {"label": st.just("StatusTime"), "spans": spans, "value": st.sampled_from(["none", "past"])},
)
extent = st.fixed_dictionaries({"label": st.sampled_from(["Amount", "Type"]), "spans": spans})


@pytest.mark.parametrize("criteria", CRITERIA)
@given(corpora(events(["Alcohol", "Drug"], status, extent)))
def test_with_its_scheme_all_scores_are_those_of_n2c2_2022_sdoh(criteria, pairs):
    sides = sides_of(pairs)
    expected = clineval.score("n2c2_2022_sdoh", *sides, **criteria).as_dict()
    scores = clineval.score(NAME, *sides, events=EVENTS, **criteria).as_dict()
    assert {key: scores[key] for key in expected if key != "signature"} == {
        key: value for key, value in expected.items() if key != "signature"
    }


@given(own)
def test_laws(pairs):
    scheme = {"Start": {"Status": None, "Drug": [], "Stop": []}, "Stop": ["Drug", "Stop"]}

    def score(pairs, **criteria):
        return clineval.score(NAME, *sides_of(pairs), events=scheme, **criteria).as_dict()

    scores, swapped = score(pairs), score([(found, gold) for gold, found in pairs])
    for row in ("overall", "trigger", "labelled", "span", "start", "stop_drug"):
        assert scores[f"{row}_precision"] == swapped[f"{row}_recall"]
    turned = [
        tuple([{**e, "arguments": e["arguments"][::-1]} for e in side[::-1]] for side in pair)
        for pair in pairs
    ]
    assert counts_of(score(turned[::-1])) == counts_of(scores)
    alone = [score([pair]) for pair in pairs]
    for key in ("overall_tp", "start_trigger_fp", "stop_fn"):
        assert scores[key] == sum(each[key] for each in alone)
    assert score(pairs, trigger="exact")["trigger_tp"] <= scores["trigger_tp"]
    assert scores["trigger_tp"] <= score(pairs, trigger="min_dist")["trigger_tp"]
    perfect = score([(gold, gold) for gold, _ in pairs])
    assert not perfect["overall_fp"] + perfect["overall_fn"]


@given(own)
def test_every_wrong_unit_is_one_error(pairs):
    evaluation = clineval.evaluate(NAME, *sides_of(pairs))
    outcomes, scores = evaluation.outcomes, evaluation.score()
    near = outcomes.matches["near_misses"]
    assert sorted(near.gold[near.gold >= 0]) == [*range(len(outcomes.gold))]
    assert sorted(near.prediction[near.prediction >= 0]) == [*range(len(outcomes.prediction))]
    assert len(near) <= sum(scores[f"overall_{verdict}"] for verdict in VERDICTS)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_worked_examples(case):
    options = case.get("options", {})
    evaluation = clineval.evaluate(NAME, case["predictions"], case["references"], **options)
    scores = evaluation.score()
    expected = {row: tuple(counted) for row, counted in case["counts"].items()}
    assert {row: tuple(scores[f"{row}_{v}"] for v in VERDICTS) for row in expected} == expected
    kinds = count_mistakes(evaluation.outcomes)
    assert {kind: number for kind, number in kinds.items() if number} == case["errors"]
