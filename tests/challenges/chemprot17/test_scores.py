"""ChemProt: the numbers of the released readme, a plain scorer, and groups that are left out."""

import json
import warnings

import pytest
from commands import invoke
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import InputError
from clineval.challenges.chemprot17 import GROUPS, OTHERS
from clineval.definitions import given_relations as plain
from clineval.results.registry import find_challenge

NAME = "chemprot17"
CORPORA = find_challenge(NAME).task.corpora


def write(path, rows):
    path.write_text("".join(f"{d}\t{of}\tArg1:{a}\tArg2:{b}\n" for d, of, a, b in rows))
    return path


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_the_numbers_of_the_readme(tmp_path):
    """239 annotations and 142 predictions, 121 of which are common; the lines are invented."""
    expected = json.loads((DATA / "oracle" / NAME / "readme.json").read_text("utf-8"))
    rows = [(f"{100 + at // 9}", GROUPS[at % 5], f"T{at % 9}", f"T{20 + at % 7}")
            for at in range(260)]  # fmt: skip
    gold = write(tmp_path / "gold.tsv", rows[:239])
    found = write(tmp_path / "found.tsv", rows[118:239] + rows[239:260])
    scores = clineval.score(NAME, found, gold)
    counts = [scores[f"micro_{of}"] for of in ("tp", "fn", "fp")]
    assert counts == [expected[of] for of in ("TP", "FN", "FP")]
    precision, recall = scores["micro_precision"], scores["micro_recall"]
    assert (precision, recall) == (expected["Precision"], expected["Recall"])
    assert 2 * precision * recall / (precision + recall) == expected["F-score"]  # its formula
    assert scores["micro_f1"] == pytest.approx(expected["F-score"], abs=2e-16)


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@given(st.data())
def test_a_plain_scorer_agrees(tmp_path_factory, data):
    document, end = st.sampled_from("123"), st.sampled_from(["T1", "T2", "T3"])
    one = st.tuples(document, st.sampled_from([*GROUPS, *OTHERS[:2]]), end, end)
    gold, found = (data.draw(st.lists(one, max_size=9)) for _ in range(2))
    folder = tmp_path_factory.mktemp("c")
    sides = write(folder / "found.tsv", found), write(folder / "gold.tsv", gold)
    scores = clineval.score(NAME, *sides).as_dict()
    expected = plain.score(gold, found, GROUPS, "123", OTHERS)
    assert {key: scores[key] for key in expected} == pytest.approx(expected, abs=1e-15)


def test_other_groups_are_left_out_and_counted(tmp_path):
    gold, rules = CORPORA / "gold", (CORPORA / "rules" / "relations.tsv").read_text("utf-8")
    system = tmp_path / "rules.tsv"
    system.write_text(f"{rules}80000001\tCPR:2\tArg1:T2\tArg2:T6\n", "utf-8")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scores = clineval.score(NAME, system, gold)
    assert (scores["micro_tp"], scores["micro_fp"], scores["micro_fn"]) == (3, 2, 3)
    [said] = [str(each.message) for each in caught]
    assert said.startswith("predictions: 1 relation has a label that is not scored")


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_entities_are_optional():
    gold = CORPORA / "gold"
    for system in ("rules", "model"):
        whole, bare = (
            clineval.score(NAME, CORPORA / system, of) for of in (gold, gold / "gold_standard.tsv")
        )
        assert [whole[f"micro_{of}"] for of in ("tp", "fp", "fn")] == [
            bare[f"micro_{of}"] for of in ("tp", "fp", "fn")
        ]


def test_an_unknown_group(tmp_path):
    gold = write(tmp_path / "gold.tsv", [("1", "CPR:3", "T1", "T2")])
    found = write(tmp_path / "found.tsv", [("1", "CPR:11", "T1", "T2")])
    with pytest.warns(clineval.InputWarning, match="1 relation has an unknown label"):
        assert clineval.score(NAME, found, gold)["micro_fp"] == 1
    with pytest.raises(InputError, match=r"found.tsv:1: label: expected one of CPR:3"):
        clineval.score(NAME, gold, found)


def test_a_document_that_gold_lacks_is_spurious(tmp_path):
    gold = write(tmp_path / "gold.tsv", [("1", "CPR:3", "T1", "T2")])
    found = write(tmp_path / "found.tsv", [("2", "CPR:3", "T1", "T2")])
    with pytest.warns(clineval.InputWarning, match="counts as all spurious"):
        assert clineval.score(NAME, found, gold)["micro_fp"] == 1


def test_the_page_without_entities(tmp_path):
    sides = CORPORA / "gold" / "gold_standard.tsv", CORPORA / "model"
    done = invoke(["report", NAME, *sides, "-o", tmp_path / "page.html"])
    assert done.exit_code == 0, done.output
