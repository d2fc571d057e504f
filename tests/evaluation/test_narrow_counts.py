"""Very many counts are held in a small type; nothing else changes."""

import json

import numpy as np
import pytest

import clineval
from clineval.evaluation.counting import merging

MENTION = {"spans": [[0, 4]], "label": "Drug"}
LABELS = ["Drug", "ADE", "Drug", "Sign"]


def write(path, sizes):
    """A document of each size; the next label comes after every two documents."""
    path.write_text(
        "".join(
            json.dumps({
                "id": f"note-{at}",
                "mentions": [
                    {"spans": [[9 * k, 9 * k + 4]], "label": LABELS[at // 2 % 4]}
                    for k in range(size)
                ],
            })
            + "\n"
            for at, size in enumerate(sizes)
        )
    )  # fmt: skip
    return path


@pytest.fixture
def sides(tmp_path):
    return write(tmp_path / "f.jsonl", [3, 300, 0, 2] * 2), write(tmp_path / "g.jsonl", [2] * 8)


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("labels", [None, ["Drug", "ADE", "Sign"]])
def test_counts(sides, size, labels, monkeypatch):
    whole = clineval.evaluate("clinical_spans", *sides, labels=labels).counts
    monkeypatch.setattr(merging, "_MOST_CELLS", 0)
    counts = clineval.count("clinical_spans", *sides, labels=labels, batch_size=size)
    assert counts.cells.dtype == np.uint16
    assert whole.cells.dtype == counts.table.dtype == np.float64
    assert counts == whole
    assert np.array_equal(counts.table.view(np.int64), whole.table.view(np.int64))
    assert counts.to_json() == whole.to_json()
    assert counts.totals == whole.totals
    for options in ({}, {"confidence": 0.9, "n_resamples": 20}):
        scores = [each.score(**options) for each in (counts, whole)]
        assert scores[0].as_dict() == scores[1].as_dict()
        assert scores[0].per_document == scores[1].per_document
    both = [each + each.named(*(f"x{at}" for at in range(8))) for each in (counts, whole)]
    assert both[0].totals == both[1].totals
    assert counts.take([1, 3]).totals == whole.take([1, 3]).totals


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([], np.uint8), ([[0, 255]], np.uint8), ([[256]], np.uint16), ([[65536]], np.uint32),
        ([[2.0**32]], np.float64), ([[0.5]], np.float64), ([[-1.0]], np.float64),
        ([[-0.0]], np.float64),
    ],
)  # fmt: skip
def test_types(cells, kind):
    table = np.array(cells, np.float64)
    narrow = merging._narrow(table)
    assert narrow.dtype == kind
    assert np.array_equal(narrow, table)
