"""The page of classes: which class was taken for which, question by question."""

import json
from collections import Counter

import pytest
from demos import arguments_of
from processes import run_clineval

ROWS = """() => {
  change({ ...NO_FILTER, by: "confusion" });
  const list = current.list, { names, of } = groupingOf("confusion");
  const counts = countKinds(list, "confusion").map((kinds) => kinds.reduce((a, b) => a + b, 0));
  const shown = [...document.querySelectorAll("#statistics tbody tr")].map((row) => row.innerText.split("\\t")[0].trim());
  return { counts: Object.fromEntries(names.map((name, at) => [name, counts[at]])), shown };
}"""
NAMES = ("n2c2_2018_track1", "i2b2_2006_smoking", "i2b2_2008_obesity")


def list_answers(name, path, folder):
    """Answers by document and question, from the command line's own conversion."""
    written = folder / f"{path.stem}.jsonl"
    run_clineval("convert", path, written, "--module", name)
    lines = [json.loads(line) for line in written.read_text("utf-8").splitlines()]
    return {
        (line["id"], question): answer
        for line in lines
        for question, answer in line.items()
        if question not in ("id", "text")
    }


def count_confusions(gold, found, alone):
    counts = Counter()
    for unit in gold.keys() | found.keys():
        pair = f"{gold.get(unit, 'none')} → {found.get(unit, 'none')}"
        counts[pair if alone else f"{unit[1]}: {pair}"] += 1
    return counts


@pytest.mark.parametrize("name", NAMES)
def test_the_statistics_count_what_was_taken_for_what(name, make_report, open_page, tmp_path):
    (system, gold), _ = arguments_of(name)
    expected = count_confusions(
        *(list_answers(name, path, tmp_path) for path in (gold, system)),
        alone=name == "i2b2_2006_smoking",
    )
    rows = open_page(make_report(name, gold, system)).evaluate(ROWS)
    assert rows["counts"] == expected
    assert any(row in expected for row in rows["shown"])
    assert len({pair.partition(": ")[0] for pair in expected}) > 3
