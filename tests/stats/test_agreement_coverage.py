"""How often intervals of agreement contain the true coefficient, in simulated corpora."""

import numpy as np
import pytest

from clineval.stats.chance import NOMINAL, ORDERED, ValuePairs, compare_answers, compare_many
from clineval.stats.chance import compare_ordered as order
from clineval.stats.coefficients import ac1, alpha, kappa, ordinal_alpha, weighted_kappa

LARGE = 1e9  # pairs of a corpus without sampling error
CORPORA = 3000  # a standard error of 0.4 %
SCENARIOS = {  # the shares of the true answers, and how often an annotator finds the true one
    "two answers, half and half": ((0.5, 0.5), 0.9),
    "two answers, one of them rare": ((0.85, 0.15), 0.95),
    "two answers, much disagreement": ((0.6, 0.4), 0.7),
    "two answers, hardly any disagreement": ((0.7, 0.3), 0.98),
    "three answers": ((0.5, 0.3, 0.2), 0.9),
    "three answers, hardly any disagreement": ((0.6, 0.3, 0.1), 0.97),
    "five answers": ((0.1, 0.2, 0.4, 0.2, 0.1), 0.8),
}


def find_answers(answers, right):
    """The probabilities of each answer to each true one; neighbours are confused most often."""
    places = np.arange(answers)
    wrong = np.exp(-np.abs(places[:, None] - places)) * (1 - np.eye(answers))
    return (1 - right) * wrong / wrong.sum(axis=1, keepdims=True) + right * np.eye(answers)


def find_table(shares, right):
    """The probability of every two answers; annotators err independently of each other."""
    given = find_answers(len(shares), right)
    return np.einsum("t,ta,tb->ab", np.array(shares), given, given)


def find_truth(table):
    many = LARGE * table
    size, same = many.sum(), many.trace()
    left, right = many.sum(axis=1), many.sum(axis=0)
    both = left + right
    return {
        "kappa": kappa(size, same, left @ right),
        "ac1": ac1(size, same, both @ both, len(table)),
        "alpha": alpha(2 * size, 2 * same, both @ both),
        "linear_kappa": weighted_kappa(many, 1),
        "quadratic_kappa": weighted_kappa(many, 2),
        "ordinal_alpha": ordinal_alpha(many + many.T),
    }


def count_held(found, truth, held):
    for name, of in found.items():
        if of.value is not None:
            low, high = of.bounds(0.95)
            held.setdefault(name, []).append(low <= truth[name] <= high)


@pytest.mark.thorough
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("documents", [60, 200])
def test_intervals_of_two_annotators_hold_93_to_98_percent(scenario, documents):
    shares, right = SCENARIOS[scenario]
    answers, table = len(shares), find_table(shares, right)
    random, truth, held = np.random.default_rng(54), find_truth(table), {}
    for _ in range(CORPORA):
        cells = random.choice(table.size, documents, p=table.ravel())
        pairs = ValuePairs.of(np.arange(documents), *np.divmod(cells, answers))
        count_held(compare_answers(pairs, documents, answers), truth, held)
        if answers > 2:  # with two, they are kappa and alpha
            count_held(order(pairs, documents, answers), truth, held)
    shares_held = {name: round(100 * float(np.mean(of)), 1) for name, of in held.items()}
    print(f"{scenario}, {documents} documents: {shares_held}")
    assert {*shares_held} == {*NOMINAL, *(ORDERED if answers > 2 else ())}
    for name, share in shares_held.items():
        assert 93 <= share <= 98, name


@pytest.mark.thorough
@pytest.mark.parametrize("documents", [60, 200])
def test_intervals_of_three_annotators_with_missing_answers_hold_93_to_98_percent(documents):
    shares, right = SCENARIOS["three answers"]
    given, truth = find_answers(3, right), find_truth(find_table(shares, right))
    random, held = np.random.default_rng(54), {}
    for _ in range(CORPORA):
        true = random.choice(3, documents, p=shares)
        table = (random.random((documents, 3, 1)) > np.cumsum(given, axis=1)[true][:, None]).sum(-1)
        table[random.random(table.shape) < 0.1] = -1
        found = compare_many(coincide(table), documents, 3, ordered=True)
        count_held(found, truth, held)
    shares_held = {name: round(100 * float(np.mean(of)), 1) for name, of in held.items()}
    print(f"three annotators, {documents} documents: {shares_held}")
    for name, share in shares_held.items():
        assert 93 <= share <= 98, name


def coincide(table):
    """Every two answers to a unit, in both orders, each 1 / (m - 1) times."""
    rows = []
    for unit, row in enumerate(table.tolist()):
        known = [answer for answer in row if answer >= 0]
        for i, one in enumerate(known):
            others = known[:i] + known[i + 1 :]
            rows += [(unit, one, other, 1 / len(others)) for other in others]
    unit, left, right, times = np.array(rows).T
    return ValuePairs(unit.astype(int), left.astype(int), right.astype(int), times)
