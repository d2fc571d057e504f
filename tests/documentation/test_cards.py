"""Cards name all scores: the keys of a demo can be put together from "Output Values"."""

import re

import pytest
from conftest import ROOT
from demos import OTHER_FILES, arguments_of
from thorough import each_module

import clineval
from clineval.results.registry import find_challenge

BESIDE = {"signature", "dataset"}
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def words_of(key):
    return {*re.split(r"[^a-z0-9]+", key.lower())} - {""}


def find_missing(keys, headline, text):
    """Find the scores that a card lacks.

    Labels are not all listed in cards, so that of other keys than the main ones only the last word
    is looked for.
    """
    section = re.search(r"^### Output Values\n(.*?)^#", text, re.MULTILINE | re.DOTALL)[1]
    named = set().union(*map(words_of, re.findall(r"`([^`]+)`", section)))
    last = [key for key in keys if not {key.lower().rsplit("_", maxsplit=1)[-1]} <= named]
    return sorted({*last, *(key for key in headline if not words_of(key) <= named)})


@each_module()
def test_a_card_names_every_score(name):
    challenge = find_challenge(name)
    sides, options = arguments_of(name)
    keys = set()
    for config in {*challenge.task.configs} - {*OTHER_FILES.get(name, ())}:
        keys |= {*clineval.score(name, *sides, config=config, **options)} - BESIDE
    card = (ROOT / "hub_cards" / name / "README.md").read_text("utf-8")
    assert find_missing(keys, challenge.measures.headline, card) == []


def test_a_card_that_lacks_a_score_fails():
    text = "### Output Values\n\n`strict_precision`, `strict_recall`, `strict_f1`.\n\n## Next\n"
    assert find_missing(["strict_f1", "drug_strict_f2"], ["strict_f1"], text) == ["drug_strict_f2"]
    assert find_missing(["lenient_f1"], ["lenient_f1"], text) == ["lenient_f1"]
