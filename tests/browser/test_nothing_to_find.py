"""A document with nothing to find, where nothing was found, has no score, and comes last."""

import json

import pytest

MENTION = {"spans": [[0, 4]], "label": "Drug"}
ORDER = {"order_type": "lab", "description": "lipid panel", "reason": "", "provenance": [1]}
CORPORA = {
    "clinical_spans": ("mentions", MENTION, {**MENTION, "spans": [[5, 9]]}),
    "mediqa_oe25": ("orders", ORDER, {**ORDER, "description": "chest film"}),
}


@pytest.fixture(params=CORPORA)
def page(request, make_report, open_page, tmp_path):
    key, right, wrong = CORPORA[request.param]
    gold = {"empty": [], "good": [right], "bad": [right], "lone": []}
    found = {"empty": [], "good": [right], "bad": [wrong], "lone": [wrong]}
    for name, side in (("gold", gold), ("found", found)):
        lines = (json.dumps({"id": k, key: of}) + "\n" for k, of in side.items())
        (tmp_path / f"{name}.jsonl").write_text("".join(lines))
    sides = (tmp_path / "gold.jsonl", tmp_path / "found.jsonl")
    return open_page(make_report(request.param, *sides, "--no-text"), "#sort=score")


def test_it_has_a_dash_and_stands_last(page, go_to):
    rows = page.locator("#reports .row")
    listed = page.evaluate("current.order.map((d) => corpus.documents[d])")
    assert listed[-1] == "empty"
    assert set(listed[:2]) == {"bad", "lone"}
    scores = {row.split()[0]: row.split() for row in rows.all_inner_texts()}
    assert "–" in scores["empty"]
    assert not any("–" in scores[name] for name in listed[:-1])
    go_to(page, doc="empty")
    assert "–" in page.evaluate("measuresOf(current.document)")
    assert page.evaluate("findDifferences()") == []


def test_a_page_of_items_says_what_right_means_and_writes_shares_alike(page):
    if page.evaluate("head.view") == "mentions":
        pytest.skip("its legend and its presets say so")
    said = page.locator("#statistics .meaning-of-right").inner_text()
    assert said == "Right: equal in every field; some scores require less."
    shown = dict(
        page.locator("#slots tbody tr").evaluate_all(
            "(rows) => rows.map(({ cells }) => [cells[0].innerText, cells[1].innerText])"
        )
    )
    assert shown["match tp"] == "1"
    assert all(
        len(value) == len("0.1234") or value == "–"
        for name, value in shown.items()
        if name.split()[-1] in ("precision", "recall", "f1")
    ), shown
