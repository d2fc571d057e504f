"""Figures of scikit-learn for classes of documents, compared with scores."""

import pytest

NUMBERS = ("precision", "recall", "f1")
NAMES = {"macro of all classes": "macro_all", "macro of classes there": "macro"}


def key_of(name):
    return name.lower().replace("-", "_").replace(" ", "_")


def compare(scores, figures, prefix=""):
    """Compare each figure that has a score; return how many."""
    expected = {
        f"{prefix}{NAMES.get(name) or key_of(name)}_{number}": value
        for name, values in figures.items()
        if name != "accuracy"
        for number, value in zip(NUMBERS, values, strict=False)
    }
    found = {key: scores[key] for key in expected if key in scores}
    missing = expected.keys() - found.keys()
    assert all("macro_all" in key for key in missing)  # only the pooled scores have it
    assert found == pytest.approx({key: expected[key] for key in found}, abs=1e-9)
    return len(found)
