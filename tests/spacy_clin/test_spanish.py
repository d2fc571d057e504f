"""The spaCy part of the page of the Spanish family, as a reader copies it."""

from pages import code_of
from processes import shell
from thorough import thorough

import clineval
from clineval.cli.demo import copy_corpora

PAGE = "hub_cards/spanish/README.md"
[CONFIGURATION], [COMMANDS], [PREDICT, _] = (code_of(PAGE, of) for of in ("ini", "bash", "python"))


def test_it_has_no_more_lines_than_a_screen():
    lines = f"{CONFIGURATION}{COMMANDS}{PREDICT}".splitlines()
    assert len([line for line in lines if line]) <= 25


@thorough
def test_a_tagger_is_trained_and_its_submission_scored(tmp_path):
    copy_corpora(tmp_path / "demo")
    (tmp_path / "base.cfg").write_text(CONFIGURATION)
    (tmp_path / "predict.py").write_text(PREDICT)
    said = shell(COMMANDS, tmp_path)
    assert "MPN23_NER_F" in said
    gold, found = tmp_path / "demo/medprocner23/gold.tsv", tmp_path / "submission.tsv"
    score = clineval.score("medprocner23", found, gold)
    assert f"{score['strict_f1']:.4f}" in said.splitlines()[-3]
    whole = clineval.score("medprocner23", found, gold, protocol="official")
    assert whole["strict_f1"] == score["strict_f1"]  # texts, too, are those of the notes
