"""A challenge of events of other people is a declaration, and every face works for it."""

import json
import re

import pytest
import spacy
from commands import invoke
from conftest import DATA
from outside import install

import clineval
from clineval import InputError
from clineval.evaluation.analysis.mistakes import count_mistakes
from spacy_clin import score_docs, set_mentions, write_docbin

NAME = "infusion_events"
SOURCE = DATA / "outside" / f"{NAME}.py"
TEXT = "Heparin drip started at 12 units. Insulin stopped for hypoglycemia."
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def at(words):
    return [[TEXT.index(words), TEXT.index(words) + len(words)]]


def event(label, words, *arguments):
    return {"label": label, "spans": at(words), "arguments": list(arguments)}


GOLD = [
    event(
        "Start", "started",
        {"label": "Status", "value": "done"}, {"label": "Rate", "spans": at("12 units")},
    ),
    event("Stop", "stopped", {"label": "Reason", "spans": at("hypoglycemia")}),
]  # fmt: skip
FOUND = [
    event(
        "Start", "drip started",
        {"label": "Status", "value": "planned"}, {"label": "Rate", "spans": at("12 units")},
    ),
    event("Stop", "Heparin"),
]  # fmt: skip
COUNTS = {
    "overall": (2, 2, 3), "trigger": (1, 1, 1), "labelled": (0, 1, 1), "span": (1, 0, 1),
    "start": (2, 1, 1), "stop": (0, 1, 2), "start_status_done": (0, 0, 1),
    "start_status_planned": (0, 1, 0), "start_rate": (1, 0, 0), "stop_reason": (0, 0, 1),
}  # fmt: skip
"""True and false positives and false negatives, by hand."""


@pytest.fixture(scope="module", autouse=True)
def site(tmp_path_factory):
    with install(tmp_path_factory.mktemp("site"), **{NAME: SOURCE.read_text()}):
        yield


@pytest.fixture
def sides(tmp_path):
    """Paths of JSON Lines: the gold standard and the system."""
    paths = [tmp_path / f"{name}.jsonl" for name in ("gold", "found")]
    for path, events in zip(paths, (GOLD, FOUND), strict=True):
        path.write_text(json.dumps({"id": "n0", "text": TEXT, "events": events}) + "\n")
    return paths


def run(*words, status=0):
    done = invoke(list(map(str, words)))
    assert done.exit_code == status, (done.output, done.exception)
    return json.loads(done.stdout) if "json" in words else done.stdout


def counts_of(score):
    return {row: tuple(score[f"{row}_{v}"] for v in ("tp", "fp", "fn")) for row in COUNTS}


def as_doc(events):
    """A Doc with the mentions of events, and relations from triggers to arguments."""
    doc, mentions, relations = spacy.blank("en")(TEXT), {}, []
    for each in events:
        trigger = f"T{len(mentions)}"
        mentions[trigger] = {name: each[name] for name in ("label", "spans")}
        for argument in each["arguments"]:
            own = f"T{len(mentions)}"
            mentions[own] = {"spans": each["spans"], **argument}
            relations.append((argument["label"], trigger, own))
    set_mentions(doc, mentions, relations=relations, document="n0")
    return doc


def test_its_author_writes_a_declaration():
    assert len(SOURCE.read_text().splitlines()) <= 30


def test_scores_are_those_worked_out_by_hand(sides, tmp_path):
    """Given as dicts, JSON Lines, brat's files and Docs."""
    gold, found = sides
    for side, events in ((gold, GOLD), (found, FOUND)):
        write_docbin([as_doc(events)], tmp_path / "side.spacy")
        run(
            "convert",
            tmp_path / "side.spacy",
            tmp_path / side.stem,
            "--to",
            "brat",
            "--module",
            NAME,
        )
    scores = [
        clineval.score(NAME, [{"events": FOUND}], [{"events": GOLD}]),
        clineval.score(NAME, found, gold),
        clineval.score(NAME, tmp_path / "found", tmp_path / "gold"),
        score_docs([as_doc(GOLD)], [as_doc(FOUND)], NAME),
    ]
    for score in scores:
        assert counts_of(score) == COUNTS
    exact = clineval.score(NAME, found, gold, trigger="exact")
    assert (exact["trigger_tp"], exact["overall_tp"]) == (0, 0)


def test_commands_know_it(sides, tmp_path):
    gold, found = sides
    printed = run("score", NAME, gold, found)
    assert "span-only arguments" in printed
    assert f"{4 / 9:.4f}" in printed
    assert run("score", NAME, gold, found, "--format", "json")["scores"]["overall_f1"] == 4 / 9
    assert run("score", NAME, gold, found, "--trigger", "exact", "--format", "json")
    assert run("errors", NAME, gold, found, "--format", "json")["kinds"] == count_mistakes(
        clineval.evaluate(NAME, found, gold).outcomes
    )
    assert "--trigger" in run("score", NAME, "--help")
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": "n0", "events": [{"label": "Begin", "spans": [[0, 3]]}]}\n')
    assert "bad.jsonl:1: event 0: label: expected one of Start, Stop" in run(
        "validate", NAME, bad, status=2
    )


def test_its_page_has_what_is_counted(sides, tmp_path):
    run("report", NAME, *sides, "--output", tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    head = json.loads(re.search(r'id="head"[^>]*>(.*?)</script>', text, re.DOTALL)[1])
    checked = {check["key"] for check in head["checks"]}
    assert {"overall_f1", "trigger_tp", "labelled_fn", "span_f1", "start_trigger_f1"} <= checked
    assert "start_f1" not in checked


def test_what_is_none_of_its_events_is_refused():
    argument = {"label": "Dose", "spans": [[0, 3]]}
    with pytest.raises(InputError, match="argument 0: label: expected one of Status, Rate, Reason"):
        clineval.score(
            NAME, [{"events": [{**FOUND[1], "arguments": [argument]}]}], [{"events": []}]
        )
