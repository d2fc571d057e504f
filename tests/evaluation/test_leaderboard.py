"""Leaderboards: ranks, neighbours that the test does not separate, and the files."""

import json
import re

import pytest
from conftest import ROOT

import clineval
from clineval import InputError
from clineval.evaluation.leaderboard import LEVEL, rank_systems
from clineval.hub.leaderboards import write_leaderboard
from clineval.stats.significance import correct_by_holm

GOLD = [[{"spans": [[k, k + 1]], "label": "A"}] for k in range(40)]


def system(right, shift=0):
    """A system with some right documents; ``shift`` leaves out others than the first ones."""
    return [GOLD[k] if (k + shift) % 40 < right else [] for k in range(40)]


def board_of(systems, **how):
    return rank_systems(clineval.compare("clinical_spans", systems, GOLD, trials=999, **how))


def test_ranks_and_neighbours():
    systems = {"weak": system(5), "a<b": system(38), "near": system(37, 1), "same": system(37, 1)}
    board = board_of(systems)
    assert [*board.places] == ["a<b", "near", "same", "weak"]
    assert [place.rank for place in board.places.values()] == [1, 2, 2, 4]
    assert [place.separated for place in board.places.values()] == [None, False, False, True]


def test_p_is_that_of_a_comparison_of_the_two_alone():
    systems = {"c": system(20), "a": system(38), "b": system(30)}
    board = board_of(systems)
    ps = []
    for above, below in (("a", "b"), ("b", "c")):
        pair = {name: systems[name] for name in (above, below)}
        compared = clineval.compare("clinical_spans", pair, GOLD, trials=999)
        ps.append(compared.differences[below][board.key].p)
    assert [place.p for place in board.places.values()][1:] == [*correct_by_holm(ps)]
    assert LEVEL == 0.05


def test_a_test_without_counts_is_refused():
    gold = ["C1"] * 12
    systems = {"a": gold, "b": ["C2"] * 12}
    compared = clineval.compare("clefehealth13_task2", systems, gold, test="mcnemar")
    with pytest.raises(InputError, match="expected a test by counts"):
        rank_systems(compared)


def test_names_are_data(tmp_path):
    name = "<script>alert(1)</script>|x"
    write_leaderboard(board_of({name: system(9), "b": system(3)}), tmp_path)
    page = (tmp_path / "index.html").read_text("utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "<script" not in (tmp_path / "README.md").read_text("utf-8")
    data = json.loads((tmp_path / "leaderboard.json").read_text("utf-8"))
    assert [place["system"] for place in data["places"]] == [name, "b"]


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_the_command_writes_it(run, tmp_path):
    demo = ROOT / "metrics/clineval/challenges/semeval15_task14/demo"
    systems = [demo / "dictionary", demo / "tagger"]
    arguments = ("semeval15_task14", demo / "gold", *systems, "--sort", "--leaderboard")
    run("compare", *arguments, "site")
    data = json.loads((tmp_path / "site/leaderboard.json").read_text("utf-8"))
    assert [(place["system"], place["rank"]) for place in data["places"]] == [
        ("tagger", 1),
        ("dictionary", 2),
    ]
    markdown = (tmp_path / "site/README.md").read_text("utf-8")
    page = (tmp_path / "site/index.html").read_text("utf-8")
    for shown in (markdown, page):
        assert re.search(r"tagger.*\b0\.8101\b.*dictionary.*\byes \(p = ", shown, re.DOTALL)
        assert data["signature"].split("|bs")[0].split("|refs")[0] in shown
    said = run("compare", *arguments, "x", "--by", "slot:negation", status=2).stderr
    assert "--leaderboard" in said
