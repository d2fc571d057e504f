"""Scores that need the labels of documents have no intervals above 5,000 documents, and say so."""

import pytest

import clineval
from clineval import InputError, plan
from clineval.results.resampled import MOST_WEIGHTED

MANY = MOST_WEIGHTED + 1
GOLD = [[f"C{number % 7}"] for number in range(MANY)]
FIRST, SECOND = ([[f"C{number % k}"] for number in range(MANY)] for k in (5, 6))
MESSAGE = "no intervals and no p-values"


def find_warnings(caught):
    return [str(each.message) for each in caught if MESSAGE in str(each.message)]


def score(documents, confidence):
    sides = FIRST[:documents], GOLD[:documents]
    return clineval.score("clinical_codes", *sides, confidence=confidence)


def test_a_warning_counts_and_names_them():
    found = score(MANY, 0.95)
    with pytest.warns(clineval.InputWarning) as caught:
        resampled = found.intervals
    without = found.keys() - resampled - {*found.counts.columns, "n_documents"}
    [message] = find_warnings(caught)
    names = message.partition(": ")[2].partition(". Draw a sample")[0].split(", ")
    assert {"macro_f1", "macro_gold_f1"} <= without == {*names}
    assert message.startswith(f"{len(names)} scores have {MESSAGE}")
    assert f"more than {MOST_WEIGHTED:,} documents" in message
    assert "micro_f1" in resampled


@pytest.mark.parametrize(("documents", "confidence"), [(MANY, None), (60, 0.95)])
def test_without_intervals_and_in_fewer_documents_there_is_none(documents, confidence, recwarn):
    found = score(documents, confidence)
    assert ("macro_f1" in found.intervals) == (confidence is not None)
    assert find_warnings(recwarn) == []


@pytest.mark.parametrize("confidence", [None, 0.95])
def test_a_metric_without_such_scores_has_none(confidence, recwarn):
    spans = [[{"spans": [[0, 4]], "label": "a"}]] * MANY
    found = clineval.score("clinical_spans", spans, spans, confidence=confidence)
    assert bool(found.intervals) == (confidence is not None)
    assert find_warnings(recwarn) == []


def test_a_comparison_says_so_too():
    with pytest.warns(clineval.InputWarning, match=MESSAGE):
        found = clineval.compare("clinical_codes", {"a": FIRST, "b": SECOND}, GOLD)
    assert "micro_f1" in found.choose_keys()
    with pytest.raises(InputError, match=f"macro_f1 has {MESSAGE} for 5,001 documents. Draw a"):
        found.choose_keys(["macro_f1"])
    with pytest.raises(InputError, match="unknown score 'macro'"):
        found.choose_keys(["macro"])


def test_so_does_a_plan():
    counts = clineval.count("clinical_codes", FIRST, GOLD)
    with (
        pytest.warns(clineval.InputWarning, match=MESSAGE),
        pytest.raises(InputError, match=f"macro_f1 has {MESSAGE}"),
    ):
        plan([counts], 0.1, scores=["macro_f1"])
