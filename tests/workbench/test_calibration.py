"""The bins of a calibration diagram, against a plain count of the file's lines."""

import csv

import numpy as np
import pytest

from clineval.base.arrays import Coded
from clineval.results.label_rows import SCORES, LabelRows
from clineval.workbench import build_workbench
from clineval.workbench.calibration import find_bins


def count_plainly(gold, rows):
    """Number, mean probability and share in the gold standard for each tenth."""
    bins = {}
    for document, code, score in rows:
        number = min(int(score * 10), 9)
        bins.setdefault(number, []).append((score, (document, code) in gold))
    return [
        (len(of), sum(s for s, _ in of) / len(of), sum(right for _, right in of) / len(of))
        for _, of in sorted(bins.items())
    ]


@pytest.fixture
def write(tmp_path):
    def write(name, head, rows):
        with (tmp_path / name).open("w", newline="") as file:
            csv.writer(file).writerows([head, *rows])
        return tmp_path / name

    return write


@pytest.mark.parametrize("scores", [(0.05, 0.05, 0.35, 0.36, 0.75, 1.0), (0.0, 1.0, 1.0)])
def test_codes_with_probabilities_are_counted_by_tenths(write, scores):
    rows = [(f"n{k % 3}", f"A0{k}", score) for k, score in enumerate(scores)]
    gold = {(document, code) for document, code, score in rows if score > 0.3} | {("n0", "B99")}
    files = (
        write("gold.csv", ("filename", "code"), sorted(gold)),
        write("system.csv", ("filename", "code", "score"), rows),
        write("sets.csv", ("filename", "code"), [row[:2] for row in rows]),
    )
    scored, sets = (
        build_workbench("clinical_codes", files[0], {"system": file}).head["calibration"]
        for file in files[1:]
    )
    assert sets == [[]]
    assert scored == [[pytest.approx(each) for each in count_plainly(gold, rows)]]


def test_scores_beyond_1_are_no_probabilities():
    both = np.array([True, False])
    label, score = Coded(np.array([0, 1]), ("a", "b")), np.array([3.5, 1.0])
    rows = LabelRows.of(1, np.zeros(2, np.int64), label, (both, ~both), score, ranking=SCORES)
    assert find_bins(rows) == []


def test_classes_with_probabilities_count_every_class(tmp_path):
    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    gold.write_text('{"id": "a", "smoking": "yes"}\n{"id": "b", "smoking": "no"}\n')
    system.write_text(
        '{"id": "a", "probabilities": {"smoking": {"yes": 0.8, "no": 0.2}}}\n'
        '{"id": "b", "probabilities": {"smoking": {"yes": 0.6, "no": 0.4}}}\n'
    )
    bench = build_workbench("clinical_classes", gold, {"system": system})
    rows = [("a", "yes", 0.8), ("a", "no", 0.2), ("b", "yes", 0.6), ("b", "no", 0.4)]
    expected = count_plainly({("a", "yes"), ("b", "no")}, rows)
    assert bench.head["calibration"] == [[pytest.approx(each) for each in expected]]
