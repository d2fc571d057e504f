"""Figures of scikit-learn for classes of documents, compared with scores."""

import pytest

NUMBERS = ("precision", "recall", "f1")
NAMES = {"macro of all classes": "macro_all", "macro of classes there": "macro"}


def key_of(name):
    return name.lower().replace("-", "_").replace(" ", "_")


def compare(scores, figures, prefix=""):
    """Compare all figures; return how many. Classes are compared if the configuration has them."""
    expected = {
        f"{prefix}{NAMES.get(name) or key_of(name)}_{number}": value
        for name, values in figures.items()
        if name not in ("accuracy", "U") or f"{prefix}{key_of(name)}_f1" in scores
        for number, value in zip(NUMBERS, values, strict=False)
    }
    if "accuracy" in figures:  # there of gold answers, here also of those that gold lacks
        gold = sum(
            values[-1] for values in figures.values() if isinstance(values, list) and values[3:]
        )
        share = gold / scores[f"{prefix}questions"] if gold else 0
        expected[f"{prefix}accuracy"] = figures["accuracy"] * share
    assert {key: scores[key] for key in expected} == pytest.approx(expected, abs=1e-12)
    return len(expected)
