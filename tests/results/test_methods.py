"""The paragraph for a paper: every fact of a score and of a comparison, in three notations."""

import re

import pytest
from conftest import ROOT
from demos import arguments_of

import clineval
from clineval import InputError, Signature
from clineval.results.methods import CITATION, describe_methods
from clineval.results.paragraphs import PARAGRAPHS
from clineval.results.registry import NAMES, find_challenge
from clineval.results.tables import WRITERS

GOLD = [[{"spans": [[4, 9]], "label": "A_B"}], [{"spans": [[0, 2]], "label": "C"}]]
DEMO = ROOT / "metrics/clineval/challenges/semeval15_task14/demo"


def plain(score, keys=None):
    return PARAGRAPHS["methods"].write(describe_methods(score, keys or score.headline))


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", NAMES)
def test_every_metric_has_one(name):
    sides, options = arguments_of(name)
    score = clineval.score(name, *sides, **options)
    task = find_challenge(name).task
    text = plain(score)
    assert text.startswith(f"Predictions were scored with {name} ({task.title})")
    for key in re.findall(r"^@\w+\{([^,]+),", text, re.MULTILINE):
        assert re.search(rf"\[[^\]]*\b{re.escape(key)}\b[^\]]*\]", text), key
    found = re.search(r"Signature: (\S+\|.*)\.\n", text)[1]
    assert Signature.parse(found) == score.signature
    for setting in find_challenge(name).own_settings:
        value = score.signature.settings.get(setting.name)
        assert (f"{setting.name}={value}" in text) is (value is not None)
    assert "intervals" not in text


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_intervals_clusters_and_means():
    how = {"confidence": 0.9, "n_resamples": 50, "seed": 7, "cluster": {"0": "a", "1": "b"}}
    score = clineval.score("clinical_spans", GOLD, GOLD, weighted=True, **how)
    text = plain(score, ["strict_f1", "macro_strict_f1", "weighted_strict_f1"])
    level = "Confidence intervals have a level of 90 % and follow from 50 bootstrap samples of "
    assert f"{level}2 clusters of documents, seed 7" in text
    assert "macro_ are means over the labels that either side has" in text
    assert "weighted_ are means over labels, weighted by gold annotations" in text
    assert "has 2 documents" in text


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_weighted_accuracy_is_no_mean_over_labels():
    sides, options = arguments_of("semeval15_task14")
    text = plain(clineval.score("semeval15_task14", *sides, **options))
    assert "weighted_accuracy" in text
    assert "means over labels" not in text


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("systems", [2, 3])
def test_comparisons_name_the_test_and_the_correction(systems):
    named = {f"system {k}": GOLD for k in range(systems)}
    compared = clineval.compare("clinical_spans", named, GOLD, trials=99)
    text = WRITERS["methods"](compared.sheet(["strict_f1", "lenient_f1"]))
    assert f"Differences of {systems - 1} system" in text
    assert "from the baseline system 0 were tested by approximate randomization (" in text
    assert (f"corrected for the {systems - 1} systems" in text) is (systems > 2)
    assert f"corrected for all {2 * (systems - 1)} comparisons by Holm's method" in text
    assert str(compared.signature) in text


def test_notations_escape_data():
    score = clineval.score("clinical_spans", GOLD, GOLD, labels=["A_B", "C"])
    paragraphs = {name: WRITERS[name](score.sheet()) for name in PARAGRAPHS}
    assert "`labels=a_b+c`" in paragraphs["methods-markdown"]
    assert r"\texttt{labels=a\_b+c}" in paragraphs["methods-latex"]
    assert "[@clineval]" in paragraphs["methods-markdown"]
    assert r"\cite{clineval}" in paragraphs["methods-latex"]
    assert "[clineval]" in paragraphs["methods"]


def test_groups_have_none(run):
    demo = DEMO / "gold", DEMO / "tagger"
    options = ("--by", "slot:negation", "--format", "methods")
    said = run("score", "semeval15_task14", *demo, *options, status=2).stderr
    assert "only scores and comparisons of a whole corpus" in said
    with pytest.raises(InputError, match="Choose another format"):
        WRITERS["methods-latex"](
            clineval.agreement("clinical_spans", {"a": GOLD, "b": GOLD}).sheet()
        )


@pytest.mark.parametrize("notation", PARAGRAPHS)
def test_the_command_prints_it(run, notation):
    arguments = ("semeval15_task14", DEMO / "gold", DEMO / "tagger")
    shown = run("score", *arguments, "--score", "strict_f1", "--format", notation).stdout
    assert "SemEval-2015 Task 14: Analysis of Clinical Text" in shown
    assert shown.count("elhadad-etal-2015-semeval") == 2
    compared = run("compare", *arguments, DEMO / "dictionary", "--format", notation).stdout
    assert "approximate randomization" in compared


def test_the_readme_has_the_citation():
    assert CITATION in (ROOT / "README.md").read_text("utf-8")
