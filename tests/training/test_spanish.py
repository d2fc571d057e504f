"""The transformers part of the page of the Spanish family, with a tiny model of no weights."""

import subprocess
import sys

from needs import need
from pages import code_of

import clineval
from clineval.cli.demo import copy_corpora
from clineval.training import TagSet

models = need("training.models", "training")

PAGE = "hub_cards/spanish/README.md"
SCRIPT = code_of(PAGE, "python")[1]
BASE = "PlanTL-GOB-ES/bsc-bio-ehr-es"


def test_it_has_no_more_lines_than_a_screen():
    assert len([line for line in SCRIPT.splitlines() if line]) <= 25


def test_a_tagger_is_trained_and_its_submission_scored(tmp_path):
    copy_corpora(tmp_path / "demo")
    folder = tmp_path / "demo" / "medprocner23"
    notes = clineval.read(folder / "gold.tsv", "medprocner23", texts=folder / "text")
    tokenizer = models.make_tokenizer([note.text for note in notes])
    tokenizer.save_pretrained(tmp_path / "base")
    model = models.make_model(tokenizer, TagSet.of(["PROCEDIMIENTO"], "bio"))
    model.save_pretrained(tmp_path / "base")
    assert SCRIPT.count(BASE) == 1
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.replace(BASE, "base")],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    score = clineval.score("medprocner23", tmp_path / "submission.tsv", folder / "gold.tsv")
    assert float(done.stdout.splitlines()[-1]) == score["strict_f1"]
