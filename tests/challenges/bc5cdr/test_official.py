"""What the kit of BioCreative V CDR prints; the order of its INFO lines is a hash order."""

import re
from collections import Counter

import pytest
from commands import invoke
from conftest import DATA, SHARED

import clineval
from clineval.base.errors import InputError

OWN = DATA / "oracle" / "bc5cdr"
OTHERS = SHARED / "oracle" / "bc5cdr"
FOLDERS = [*sorted((OWN / "cases").iterdir()), *sorted((OWN / "random").iterdir())]
MORE = sorted((OTHERS / "random").iterdir()) if OTHERS.is_dir() else []
OUTPUTS = [
    path for folder in FOLDERS + MORE for path in sorted(folder.glob("official.*.out"))
]  # fmt: skip
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def lines_of(text):
    """INFO lines as a multiset, the others in order."""
    lines = text.split("\n")
    info = Counter(line for line in lines if line.startswith("INFO"))
    return info, [line for line in lines if not line.startswith("INFO")]


def asked(output):
    """Form, evaluation and types, as the name of an output has them."""
    _, form, evaluation, types, _ = output.name.split(".")
    return form, evaluation, types.replace("+", "|")


@pytest.mark.parametrize("output", OUTPUTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_output_is_printed_byte_for_byte(output):
    form, evaluation, types = asked(output)
    ending = {"PubTator": "PubTator", "BioC": "BioC.xml"}[form]
    files = [output.parent / f"{side}.{ending}" for side in ("gold", "pred")]
    done = invoke(["official", "bc5cdr", evaluation, types, form.lower(), *files])
    expected = output.read_text("utf-8")
    if "rc=1" in expected:  # a stack trace with a line of the file
        assert isinstance(done.exception, InputError)
        assert not done.stdout
        return
    assert done.exit_code == 0, done.output
    assert lines_of(done.stdout) == lines_of(expected.removesuffix("rc=0\n"))


@pytest.mark.parametrize("output", OUTPUTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_scores_are_those_that_the_program_prints(output):
    form, evaluation, types = asked(output)
    expected = output.read_text("utf-8")
    names = {
        ("mention", "Disease|Chemical"): "mentions",
        ("id", "Disease|Chemical"): "concepts",
        ("mention", "Disease"): "disease_mentions",
        ("mention", "Chemical"): "chemical_mentions",
        ("id", "Disease"): "disease_concepts",
        ("id", "Chemical"): "chemical_concepts",
        ("relation", "CID"): "relations",
    }
    if "rc=1" in expected or (evaluation, types) not in names:
        pytest.skip("the program stops, or no score of ours")
    key = names[evaluation, types]
    ending = {"PubTator": "PubTator", "BioC": "BioC.xml"}[form]
    gold, found = (output.parent / f"{side}.{ending}" for side in ("gold", "pred"))
    kind = key.rpartition("_")[2]
    scores = clineval.score("bc5cdr", found, gold, config=kind, protocol="official")
    printed = dict(re.findall(r"^(\S+): (\S+)$", expected, re.MULTILINE))
    assert [scores[f"{key}_{v.lower()}"] for v in ("TP", "FP", "FN")] == [
        int(printed[v]) for v in ("TP", "FP", "FN")
    ]
    for name, measure in (("Precision", "precision"), ("Recall", "recall"), ("F-score", "f1")):
        value = 0.0 if printed[name] == "NaN" else float(printed[name])
        assert scores[f"{key}_{measure}"] == pytest.approx(value)
