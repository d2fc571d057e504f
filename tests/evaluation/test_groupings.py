"""Which groupings a corpus supports, and in what lengths are counted."""

import pytest
from demos import arguments_of
from thorough import each_module

import clineval
from clineval import InputError
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.analysis.groups import list_supported
from clineval.results.registry import find_challenge
from clineval.workbench import build_workbench

MORE = {"seen", "frequency", "section"}
"""Groupings that need a training corpus, or sections."""
SHAPES = {"length", "fragments"}
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@each_module()
def test_the_groupings_that_are_listed_are_supported(name):
    if not find_challenge(name).steps.listed:
        return
    sides, options = arguments_of(name)
    outcomes = clineval.evaluate(name, *sides, **options).outcomes
    supported = list_supported(outcomes)
    with pytest.raises(InputError, match=f"one of {', '.join(supported)}"):
        break_down(outcomes, "nonsense")
    for by in {*supported} - MORE:
        assert break_down(outcomes, by).names
    for by in SHAPES - {*supported}:
        with pytest.raises(InputError, match="needs positions"):
            break_down(outcomes, by)


def test_records_have_no_length():
    sides, options = arguments_of("mediqa_synur26")
    outcomes = clineval.evaluate("mediqa_synur26", *sides, **options).outcomes
    assert not SHAPES & {*list_supported(outcomes)}


@pytest.mark.parametrize(
    ("name", "suffix", "line"),
    [
        ("i2b2_2010", ".con", 'c="{phrase}" 1:0 1:{last}||t="problem"'),
        (
            "i2b2_2009_medication",
            ".i2b2.entries",
            'm="{phrase}" 1:0 1:{last}||do="nm"||mo="nm"||f="nm"||du="nm"||r="nm"||ln="list"',
        ),
    ],
)
def test_lengths_count_tokens_where_offsets_do(name, suffix, line, tmp_path):
    """A phrase of four tokens and 44 characters, and one of twelve; in ``--by`` and on the page."""
    phrases = ["severe chronic obstructive pulmonary", " ".join("abcdefghijkl")]
    for folder in ("gold", "found"):
        (tmp_path / folder).mkdir()
        for number, phrase in enumerate(phrases):
            last = len(phrase.split()) - 1
            path = tmp_path / folder / f"{number}{suffix}"
            path.write_text(line.format(phrase=phrase, last=last) + "\n")
    sides = tmp_path / "found", tmp_path / "gold"
    outcomes = clineval.evaluate(name, *sides).outcomes
    assert break_down(outcomes, "length").names == ("4 tokens", "11 tokens and more")
    if name == "i2b2_2010":  # the page of entries has no groups
        page = build_workbench(name, sides[1], {"system": sides[0]})
        assert "4 tokens" in page.head["groups"]["length"]


def test_other_lengths_count_characters():
    spans = [[{"spans": [[0, 4], [8, 12]], "label": "Drug"}]]
    outcomes = clineval.evaluate("clinical_spans", spans, spans).outcomes
    assert break_down(outcomes, "length").names == ("6 to 10 characters",)
