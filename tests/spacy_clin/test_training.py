"""A real training run on the demo corpus with the configuration of the README."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import spacy
from conftest import ROOT

from clineval import InputWarning
from spacy_clin.readers import make_corpus

README = (ROOT / "README.md").read_text("utf-8")
SECTION = re.search(r"^## spaCy\n.*?(?=^## )", README, re.DOTALL | re.MULTILINE)[0]
BIN = Path(sys.executable).parent


def shell(commands, cwd):
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-euc", commands], cwd=cwd, env=environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", SECTION, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder and what the commands printed."""
    folder = tmp_path_factory.mktemp("training")
    (folder / "base.cfg").write_text(blocks("ini")[0])
    prepare, train = blocks("bash")[:2]
    shell(prepare, folder)
    return folder, shell(train, folder)


@pytest.fixture(scope="module")
def table(run):
    """The rows of the training table: column to value."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in run[1].splitlines()]
    start = next(k for k, line in enumerate(lines) if line.startswith("E  "))
    names = re.split(r"\s{2,}", lines[start].strip())
    rows = []
    for line in lines[start + 2 :]:
        values = line.split()
        if len(values) != len(names):
            break
        rows.append(dict(zip(names, map(float, values), strict=True)))
    return rows


def test_the_score_is_in_the_table_and_counts(table):
    assert len(table) > 5
    for row in table:
        assert row["SCORE"] == pytest.approx(row["S15_F_X_WA"] / 100, abs=0.0051)
    assert max(row["S15_F_X_WA"] for row in table) > 20


def test_the_best_model_is_the_one_that_the_score_prefers(run, table):
    best = json.loads((run[0] / "out" / "model-best" / "meta.json").read_text())["performance"]
    assert round(100 * best["s15_f_x_wa"], 2) == max(row["S15_F_X_WA"] for row in table)
    # and not by spaCy's own F, which prefers another step
    assert 100 * best["ents_f"] < max(row["ENTS_F"] for row in table) - 1


def test_spacy_evaluate_writes_the_scores(run):
    folder, _ = run
    written = json.loads((folder / "scores.json").read_text())
    nlp = spacy.load(folder / "out" / "model-best")
    with pytest.warns(InputWarning, match="no document holds the value of any extension"):
        scores = nlp.evaluate(list(make_corpus(folder / "dev.spacy")(nlp)))
    assert written["s15_f_x_wa"] > 0
    # spaCy writes ten digits
    assert written["s15_f_x_wa"] == pytest.approx(scores["s15_f_x_wa"], abs=1e-9)
    assert written["s15_scores"] == pytest.approx(scores["s15_scores"], abs=1e-9)
    best = json.loads((folder / "out" / "model-best" / "meta.json").read_text())["performance"]
    assert best["s15_f_x_wa"] == pytest.approx(scores["s15_f_x_wa"], abs=1e-9)


def test_the_table_of_the_challenge_is_printed(run):
    assert "SemEval-2015 Task 14" in run[1]
    assert "semeval15_task14|task2b|protocol:spec" in run[1]


def test_the_examples_run():
    names = {}
    mentions, component = blocks("python")
    exec(compile(mentions, "README", "exec"), names)
    assert (names["score"]["strict_f1"], names["score"]["relaxed_f1"]) == (0.0, 1.0)
    exec(compile(component, "README", "exec"), names)
    assert callable(names["find_negation"])


def test_task_2a_works_on_the_command_line(run):
    folder, _ = run
    (folder / "negation.py").write_text(blocks("python")[1])
    printed = shell(blocks("bash")[2], folder)
    assert "semeval15_task14|task2a|protocol:spec" in printed


def test_task_2a_works_as_a_dev_corpus(run, tmp_path):
    """Gold spans are given; the component of the README predicts their negation."""
    folder, _ = run
    (tmp_path / "negation.py").write_text(blocks("python")[1])
    config = (folder / "config.cfg").read_text()
    config = config.replace('"ner","score"', '"ner","find_negation","score"')
    section = '[components.find_negation]\nfactory = "find_negation"\n\n'
    config = config.replace("[components.ner]", f"{section}[components.ner]", 1)
    config = config.replace('config = "task2b"', 'config = "task2a"').replace(
        'pred = "spacy"', 'pred = "clin"'
    )
    head, dev = config.split("[corpora.dev]")
    dev = dev.replace('given = "nothing"', 'given = "spans"', 1)
    train = head.replace('given = "nothing"', 'given = "spans"')
    (tmp_path / "config.cfg").write_text(f"{train}[corpora.dev]{dev}")
    printed = shell(
        "python -m spacy train config.cfg --output out --code negation.py "
        f"--paths.train {folder}/train.spacy --paths.dev {folder}/dev.spacy "
        "--training.max_steps 20 --training.eval_frequency 10",
        tmp_path,
    )
    assert "S15_F_X_WA" in printed
    best = json.loads((tmp_path / "out" / "model-best" / "meta.json").read_text())["performance"]
    assert best["s15_span_f"] == 1.0
    assert 0.3 < best["s15_f_x_wa"] < 1.0
    evaluated = shell(
        f"python -m spacy clin evaluate out/model-best {folder}/dev.spacy --config task2a "
        "--given spans --pred clin --code negation.py --format json",
        tmp_path,
    )
    scores = json.loads(evaluated)["scores"]
    assert scores["f1_x_weighted_accuracy"] == pytest.approx(best["s15_f_x_wa"], abs=1e-9)
    assert scores["negation_accuracy"] > 0.8
