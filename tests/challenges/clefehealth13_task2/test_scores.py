"""ShARe/CLEF 2013 Task 2: the worked example, lists and files, laws, bad input."""

import laws
import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.challenges.clefehealth13_task2.definition import score_documents
from clineval.evaluation.counting.count import make_part_counter
from clineval.evaluation.evaluate import make_setup

NAME = "clefehealth13_task2"
WORKED = DATA / "oracle" / NAME / "worked"
CODES = st.sampled_from(["C1", "c1", "C2", "C3", "CUI-less", "", None])
LISTS = st.lists(CODES, min_size=1, max_size=4)


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


def count(predictions, references, **options):
    return clineval.count(NAME, predictions, references, **options)


@st.composite
def sides(draw):
    references = draw(st.lists(LISTS, min_size=1, max_size=8))
    return [draw(CODES) for _ in references], references


def fold(code):
    return (code or "CUI-less").lower()


def test_the_worked_example():
    """Made by hand; see PROVENANCE.md beside it."""
    with pytest.warns(clineval.InputWarning, match="1 abbreviation has no prediction"):
        result = score(WORKED / "system.pipe", WORKED / "gold.pipe")
    assert (result["strict_correct"], result["relaxed_correct"], result["total"]) == (4, 6, 8)
    assert (result["strict_accuracy"], result["relaxed_accuracy"]) == (0.5, 0.75)
    assert result["n_documents"] == 3


@given(sides())
def test_lists_score_as_the_definition_says(corpus):
    predictions, references = corpus
    result = score(predictions, references)
    pairs = list(zip(predictions, references, strict=True))
    strict = sum(fold(code) == fold(codes[0]) for code, codes in pairs)
    relaxed = sum(fold(code) in map(fold, codes) for code, codes in pairs)
    assert (result["strict_correct"], result["relaxed_correct"]) == (strict, relaxed)
    assert result["strict_accuracy"] == strict / len(pairs)
    assert result["relaxed_accuracy"] == relaxed / len(pairs)
    assert result["total"] == result["n_documents"] == len(pairs)


@given(sides())
def test_the_definition_agrees(corpus):
    found, golds = corpus
    documents = [
        [{"id": "n", "spans": at, "codes": codes} for at, codes in enumerate(side)]
        for side in (golds, [[code] for code in found])
    ]
    expected = score_documents(*documents)
    assert score(*corpus).items() >= expected.items()


@given(sides())
def test_lists_and_lines_score_alike(corpus):
    predictions, references = corpus
    lines = [
        "".join(f"d||T||{cell}||{2 * k}||{2 * k + 1}\n" for k, cell in enumerate(cells))
        for cells in (
            [code or "" for code in predictions],
            [", ".join(code or "CUI-less" for code in codes) for codes in references],
        )
    ]
    from_lists = score(predictions, references, documents=["d"] * len(references))
    from_lines = score(*lines)
    assert {**from_lists, "signature": ""} == {**from_lines, "signature": ""}


@given(sides())
def test_counts_of_examples_add_up(corpus):
    laws.counts_of_parts_add_up(count, *corpus)


@given(sides())
def test_counts_survive_json(corpus):
    laws.counts_survive_json(count, *corpus)


@given(sides(), st.integers(0, 1000))
def test_order_of_examples_does_not_matter(corpus, seed):
    laws.order_of_documents_does_not_matter(score, *corpus, seed)


@given(sides())
def test_keys_never_depend_on_the_data(corpus):
    result = score(*corpus)
    laws.scores_are_flat_numbers(result)
    assert set(result) == set(score([], []))


def test_the_best_codes_score_one():
    references = [["C1", "C2"], ["C3"], [None]]
    keys = ["strict_accuracy", "relaxed_accuracy"]
    best = score([codes[0] for codes in references], references)
    assert {key: best[key] for key in keys} == dict.fromkeys(keys, 1.0)


def test_examples_belong_to_the_documents_that_are_named():
    codes, lists = ["C1", "C2", "C1"], ["C1", "C1,C2", "C1"]
    counts = count(codes, lists, documents=["b", "a", "b"])
    assert counts.documents == ("b", "a")
    assert counts.table.tolist() == [[2, 2, 2], [0, 1, 1]]


def test_predictions_that_nobody_asked_for_do_not_count():
    gold = "d||T||C1||0||2\n"
    with pytest.warns(clineval.InputWarning, match="1 prediction has no pre-annotated span"):
        result = score(gold + "d||T||C1||5||9\n", gold)
    assert (result["strict_correct"], result["total"]) == (1, 1)


def test_a_shuffled_reference_list_changes_the_strict_score_only():
    one, other = (score(["C2"], [codes]) for codes in (["C1", "C2"], ["C2", "C1"]))
    assert (one["strict_accuracy"], other["strict_accuracy"]) == (0, 1)
    assert one["relaxed_accuracy"] == other["relaxed_accuracy"] == 1


@pytest.mark.parametrize(
    ("predictions", "references", "said"),
    [
        (["C1"], [], "got 1 and 0"),
        ([["C1"]], [["C1"]], "predictions, abbreviation 0: expected one code"),
        (["C1,C2"], [["C1"]], "predictions, abbreviation 0: expected one code"),
        ([1], [["C1"]], "predictions, abbreviation 0"),
        (["C1"], [[]], "references, abbreviation 0: expected a list of codes"),
        (["C1"], [{"C1": 1}], "references, abbreviation 0: expected a list of codes"),
        (["C1"], ["[oops"], "references, abbreviation 0: expected a list of codes"),
        (["C1"], [["C1", 2]], "references, abbreviation 0: expected a code"),
        (["C1"], [["John Smith"]], "references, abbreviation 0: expected a code"),
        (3, [["C1"]], "predictions: expected a list"),
        ("d||T||C1||0||2\n", [["C1"]], "predictions are text or a path"),
        ("d||T||C1,C2||0||2\n", "d||T||C1||0||2\n", "<string>:1: cui: expected one code"),
        ("d||T||C1||0||2\nd||T||C2||0||2\n", "d||T||C1||0||2\n", "predictions, document d"),
        ("d||T||C1||0||2\n", "d||T||C1||0||2\nd||T||C2||0||2\n", "references, document d"),
    ],
)
def test_bad_input_is_refused_with_its_place(predictions, references, said):
    laws.refuses(lambda: score(predictions, references), said, text=["Smith"])


def test_names_must_be_as_many_as_examples():
    laws.refuses(lambda: score(["C1"], ["C1"], documents=[]), "documents", "expected 1", "got 0")


def test_there_is_one_protocol():
    laws.refuses(lambda: score(["C1"], ["C1"], protocol="official"), "'official'", "spec")


def test_named_examples_are_not_counted_in_parts_that_come_alone():
    """A part would need its own share of the names."""
    setup = make_setup(NAME, documents=["b", "a"])
    laws.refuses(lambda: make_part_counter(setup, "a table"), "documents has a value for each item")
    assert make_part_counter(make_setup(NAME), "a table")
