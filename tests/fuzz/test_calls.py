"""Every argument of the functions that Python has, one at a time."""

import shutil
from functools import cache

import pytest
from canary import GOOD
from hypothesis import assume, given
from hypothesis import strategies as st

import clineval
from fuzz.contract import keep, share
from fuzz.mutations import NOTED
from fuzz.test_python import ONE_PLACE

SEMEVAL = "semeval15_task14"
GOLD, FOUND = [*GOOD[SEMEVAL] * 2, []], [*GOOD[SEMEVAL], [], *GOOD[SEMEVAL]]
DRAWN = {"n_resamples": 20, "seed": 1, "interval": "auto", "cluster": None, "confidence": 0.9}
TEST = {"test": "ar", "trials": 50}
SIDES = {"predictions": FOUND, "references": GOLD, "config": "default", "protocol": "spec"}
DOCUMENTS = [clineval.Document("d", [clineval.Mention([(3, 8)], "C1")])]
MOST = 1000
"""Resamples and trials of this number or more are valid, and take their time."""


@cache
def counts():
    return [clineval.count(SEMEVAL, found, GOLD) for found in (FOUND, GOLD)]


def score_counts(**given):
    return counts()[0].score(**given)


CALLS = {
    "score": (clineval.score, lambda: {"module": SEMEVAL, **SIDES, **DRAWN}),
    "count": (clineval.count, lambda: {"module": SEMEVAL, **SIDES}),
    "evaluate": (clineval.evaluate, lambda: {"module": SEMEVAL, **SIDES}),
    "compare": (
        clineval.compare,
        lambda: {
            "module": SEMEVAL, "systems": {"a": FOUND, "b": GOLD}, "references": GOLD, **TEST,
            **DRAWN,
        },
    ),
    "compare_counts": (
        clineval.compare_counts,
        lambda: {"systems": dict(zip("ab", counts(), strict=True)), **TEST, **DRAWN},
    ),
    "plan": (
        clineval.plan,
        lambda: {
            "pilot": counts(), "difference": 0.1, "power": 0.8, "confidence": 0.95,
            "scores": ["strict_f1"], "cluster": None,
        },
    ),
    "Counts.sum": (clineval.Counts.sum, lambda: {"parts": counts()}),
    "Counts.score": (score_counts, lambda: DRAWN),
    "Counts.load": (clineval.Counts.load, lambda: {"path": "nowhere.json"}),
    "read": (
        clineval.read,
        lambda: {
            "path": "nowhere.jsonl", "module": SEMEVAL, "texts": None, "format": None,
            "config": "default",
        },
    ),
    "Document": (
        clineval.Document, lambda: {"id": "d", "mentions": [], "text": "x", "relations": []}
    ),
    "Mention": (
        clineval.Mention, lambda: {"spans": [(0, 1)], "cui": "C1", "slots": {}, "cues": {}}
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", CALLS)
@share("calls", len(CALLS))
@given(data=st.data())
def test_every_argument(what, data):
    call, good = CALLS[what]
    name = data.draw(st.sampled_from(list(good())))
    value = data.draw(NOTED)
    large = isinstance(value, (int, float)) and value >= MOST
    assume(not (large and name in {"n_resamples", "trials"}))
    keep(lambda: call(**{**good(), name: value}))


@pytest.mark.parametrize("what", [what for what in CALLS if what not in {"read", "Counts.load"}])
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_what_is_good_is_taken(what):
    call, good = CALLS[what]
    assert call(**good()) is not None


@pytest.mark.parametrize("name", ["documents", "path", "format"])
@share("calls", 3 * len(CALLS), suppress_health_check=ONE_PLACE)
@given(value=NOTED)
def test_writing(name, value, place):
    assume(not (name == "path" and isinstance(value, str)))  # most strings are names of files
    given = {"documents": DOCUMENTS, "path": place / "x", "format": "pipe", name: value}
    try:
        keep(lambda: clineval.write(**given))
    finally:
        shutil.rmtree(place / "x", ignore_errors=True)


@pytest.mark.parametrize("name", ["pipe", "brat", "jsonl", "parquet", "tsv"])
@share("calls", 3 * len(CALLS), suppress_health_check=ONE_PLACE)
@given(value=NOTED)
def test_values_in_files(name, value, place):
    try:
        keep(lambda: clineval.write([with_slot(value)], place / "x", name))
    finally:
        shutil.rmtree(place / "x", ignore_errors=True)
        (place / "x").unlink(missing_ok=True)


def with_slot(value):
    return clineval.Document("d", [clineval.Mention([(0, 2)], None, {"severity": value})], "No.")
