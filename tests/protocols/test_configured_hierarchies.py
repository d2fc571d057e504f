"""Scores by hierarchy in challenges with a configuration of codes, against plain loops."""

import re
from pathlib import Path

import pytest

import clineval
from clineval import InputError, InputWarning
from clineval.challenges.livingner22.impact import HEADER
from clineval.definitions import hierarchy
from clineval.evaluation.analysis.mistakes import classify, kinds_of
from clineval.evaluation.evaluate import evaluate
from clineval.formats.delimited.span_tables import read_code_table
from clineval.results.registry import find_challenge

DEMOS = {
    "cantemist20": ("coding", "gold_coding.tsv", "tagger_coding.tsv"),
    "livingner22": ("app", "gold_app.tsv", "tagger_app.tsv"),
    "medprocner23": ("index", "gold_index.tsv", "tagger_index.tsv"),
    "pharmaconer19": ("indexing", "gold_codes", "tagger_codes"),
}
ADDED = re.compile(r"(h|cophe|level\d+)_(precision|recall|f1|tp|fp|fn)(_low|_high)?\Z")
SPECIES = {
    "9615": ["9612"], "9612": ["9608"], "9608": ["40674"], "9685": ["9681"], "9681": ["40674"],
    "9135": ["40674"], "9031": ["1"], "287": ["1"], "7445": ["40674"],
    "3818": ["1"], "40674": ["1"], "1": [],
}  # fmt: skip


def group(codes):
    """Parents of codes: those with the same first two characters have one, below the first."""
    parents = {}
    for code in codes:
        parents |= {code: [code[:2]], code[:2]: [code[:1]], code[:1]: []}
    return parents


def read_codes(module):
    """The codes of the demo's gold standard and system, by document."""
    config, *names = DEMOS[module]
    folder = find_challenge(module).task.corpora
    found = []
    for name in names:
        files = sorted((folder / name).iterdir()) if (folder / name).is_dir() else [folder / name]
        documents = {}
        for file in files:
            documents.setdefault(file.stem, []) if (folder / name).is_dir() else None
            for line in file.read_text("utf-8").splitlines():
                document, code, *_ = line.split("\t")
                if document not in ("file", "filename"):
                    documents.setdefault(document, []).extend(code.split("+"))
        found.append(documents)
    return config, [folder / name for name in names], found


def added(result):
    return {key: value for key, value in result.as_dict().items() if ADDED.match(key)}


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("module", [name for name in DEMOS if name != "livingner22"])
def test_codes_of_demos_as_plain_loops_score_them(module, protocol):
    config, (gold, system), (golds, founds) = read_codes(module)
    parents = group({code for side in (golds, founds) for codes in side.values() for code in codes})
    options = {"config": config, "protocol": protocol}
    result = clineval.score(module, system, gold, hierarchy=parents, **options)
    names = sorted({*golds, *founds})
    sides = [[side.get(name, []) for name in names] for side in (golds, founds)]
    assert added(result) == pytest.approx(hierarchy.score(hierarchy.Tree(parents), *sides))
    assert re.search(r"\|hierarchy:[0-9a-f]{12}\|", str(result.signature))


def list_options(module, protocol):
    config, (gold, system), (golds, founds) = read_codes(module)
    codes = {code for side in (golds, founds) for codes in side.values() for code in codes}
    parents = SPECIES if module == "livingner22" else group(codes)
    return (system, gold), {"config": config, "protocol": protocol}, parents


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("module", DEMOS)
def test_exact_scores_do_not_move(module, protocol):
    sides, options, parents = list_options(module, protocol)
    options["confidence"] = 0.9
    result = clineval.score(module, *sides, hierarchy=parents, **options).as_dict()
    without = clineval.score(module, *sides, **options).as_dict()
    assert {"h_f1", "h_f1_low", "cophe_recall", "level0_f1", "level2_tp"} <= result.keys()
    for key, value in without.items():
        assert key == "signature" or result[key] == value, key


@pytest.mark.parametrize("module", DEMOS)
def test_other_configurations_refuse_a_hierarchy(module):
    config = DEMOS[module][0]
    message = r"hierarchy: the configuration 'ner' has no such option\. Use the configurations? "
    with pytest.raises(InputError, match=message + config):
        clineval.score(module, [[]], [[]], config="ner", hierarchy="atc")
    assert clineval.score(module, [[]], [[]], config="ner", hierarchy=None)


def counts_of(result, name):
    return [result[f"{name}_{verdict}"] for verdict in ("tp", "fp", "fn")]


def test_a_code_for_no_concept_has_no_place_in_the_hierarchy():
    """PharmaCoNER's <null> is a gold code, stands for itself, and has no ancestors."""
    gold, found = [["1", "<null>"]], [["2", "<NULL>"]]
    options = {"config": "indexing", "hierarchy": {"1": "0", "2": "0", "9": None}}
    result = clineval.score("pharmaconer19", found, gold, **options)
    assert counts_of(result, "micro") == [1, 1, 1]
    assert counts_of(result, "h") == [2, 1, 1]
    assert counts_of(result, "level0") == [2, 0, 0]
    with pytest.raises(InputError, match="is not in the hierarchy"):
        clineval.score("pharmaconer19", found, [["3"]], **options)


def test_the_code_that_codingf1_leaves_out_needs_no_place():
    gold, found = [["8140/3", "8000/6"]], [["8140/6"]]
    tree = {"8140/3": "8140", "8140/6": "8140", "9000": None}
    result = clineval.score("cantemist20", found, gold, config="codingf1", hierarchy=tree)
    assert counts_of(result, "h") == [1, 1, 1]
    with pytest.raises(InputError, match="is not in the hierarchy"):
        clineval.score("cantemist20", found, gold, config="coding", hierarchy=tree)


ANSWERS = {
    "Pet": [], "Pet:40674": ["Pet"], "Pet:9608": ["Pet:40674"], "Pet:9681": ["Pet:40674"],
    "Pet:9612": ["Pet:9608"], "Pet:9615": ["Pet:9612"], "Pet:9685": ["Pet:9681"],
    "Pet:9612|H": ["Pet:9612"], "Pet:9615+9685": ["Pet:9615", "Pet:9685"],
    "Food": [], "Food:9031": ["Food"], "Food:40674": ["Food"], "Food:9615": ["Food:9612"],
    "Food:9612": ["Food:9608"], "Food:9608": ["Food:40674"],
}  # fmt: skip
"""The parents of answers; 1, the root of species, is left out."""


@pytest.mark.parametrize(
    ("gold", "found"),
    [
        (["Pet:9615+9685", "Food:9031"], ["Pet:9685|9615", "Food"]),
        (["Pet:9615"], ["Pet:9612"]),
        (["Pet:9612|H"], ["Pet:9615"]),
        (["Pet:9615"], ["Pet:9615+9685", "Food:9615"]),
        (["Pet:9615", "Food:9031"], ["Food:9615"]),
    ],
)
def test_answers_of_clinical_impact(gold, found):
    options = {"config": "app", "hierarchy": SPECIES}
    result = clineval.score("livingner22", [found], [gold], **options)
    tree = hierarchy.Tree(ANSWERS, rooted=False)
    folded = [["Pet:9615+9685" if code == "Pet:9685|9615" else code for code in found]]
    expected = hierarchy.score(tree, [gold], folded)
    assert {key: result[key] for key in expected} == pytest.approx(expected)
    assert counts_of(result, "level0") == counts_of(result, "yes")
    assert counts_of(result, "level6") == counts_of(result, "micro")


def test_kinds_of_wrong_answers():
    golds = [["Pet:9615", "Food:9031"], ["Pet:9612"], ["Pet:9615"], ["Pet:9615"]]
    founds = [["Pet:9612", "Food"], ["Pet:9615+9685"], ["Food:9615"], ["Pet:9615+9135"]]
    outcomes = evaluate("livingner22", founds, golds, config="app", hierarchy=SPECIES).outcomes
    kinds = kinds_of(outcomes)
    named = [kinds[kind] for kind in classify(outcomes).tolist() if kinds[kind] != "missed"]
    assert sorted(named) == ["too general"] * 2 + ["too specific"] * 2 + ["unrelated"]


def test_unknown_species():
    with pytest.raises(InputError, match="is not in the hierarchy"):
        clineval.score("livingner22", [[]], [["Pet:4"]], config="app", hierarchy=SPECIES)
    with pytest.warns(InputWarning, match="1 predicted code is not in the hierarchy"):
        clineval.score("livingner22", [["Pet:4"]], [["Pet"]], config="app", hierarchy=SPECIES)


@pytest.mark.parametrize("module", DEMOS)
def test_the_command_line(module, run, tmp_path):
    (system, gold), options, parents = list_options(module, "spec")
    tree = Path(tmp_path / "tree.csv")
    rows = [f"{code},{above}" for code, each in parents.items() for above in each or [""]]
    tree.write_text("\n".join(["code,parent", *rows, ""]))
    asked = [gold, system, "--config", options["config"], "--hierarchy", tree]
    assert re.search(r"level 2 ", run("score", module, *asked).stdout)
    assert re.search(r"h_f1", run("score", module, *asked, "--by", "document").stdout)
    assert re.search(r"too general|sibling|unrelated|missed", run("errors", module, *asked).stdout)


INVALID = {
    "clinical_codes": ("gold.csv", "filename,code\na,K10\na,X1\nb,Y2\n", {3: "X1", 4: "Y2"}),
    "icd_coding": ("gold.csv", "filename,code\na,K10\na,X1\nb,Y2\n", {3: "X1", 4: "Y2"}),
    "codiesp20": ("gold.tsv", "a\tK10\na\tX1\nb\tY2\n", {2: "X1", 3: "Y2"}),
    "cantemist20": ("gold.tsv", "file\tcode\na\tK10\na\tX1\nb\tY2\n", {3: "X1", 4: "Y2"}),
    "medprocner23": ("gold.tsv", "filename\tcode\na\tK10+X1\nb\tY2\n", {2: "X1", 3: "Y2"}),
    "pharmaconer19": ("gold.tsv", "a\tK10\na\t<null>\na\tX1\nb\tY2\n", {3: "X1", 4: "Y2"}),
    "livingner22": (
        "gold.tsv",
        "\t".join(HEADER)
        + "\na\tYes\tK10|H"
        + "\tNo\tNA" * 3
        + "\nb\tYes\tK10+X1"
        + "\tNo\tNA" * 3,
        {3: "Pet:K10+X1"},
    ),
}


@pytest.mark.parametrize("module", INVALID)
def test_validate_lists_gold_codes_outside_the_hierarchy(module, run, tmp_path):
    name, text, codes = INVALID[module]
    gold, tree, circle = (tmp_path / each for each in (name, "tree.csv", "circle.csv"))
    gold.write_text(text)
    tree.write_text("code,parent\nK10,K\nL10,L\n")
    circle.write_text("code,parent\nK10,K\nK,K10\n")
    assert run("validate", module, gold).stderr.endswith("no problems\n")
    listed = run("validate", module, gold, "--hierarchy", tree, status=2).stdout.splitlines()
    problem = re.compile(r"gold\....:(\d+): the code '(.*)' is not in the hierarchy$")
    assert {int(found[1]): found[2] for found in map(problem.search, listed)} == codes
    message = run("validate", module, gold, "--hierarchy", circle, status=2).stderr
    assert re.search(r"its own ancestor, by the lines .*circle.csv:2, .*circle.csv:3", message)


def test_validate_checks_files_of_readers_that_judge_no_codes():
    """A challenge of another package can read files with a function without ``judge``."""

    def read(source):
        return read_code_table(source)

    codes = clineval.CodeSets(read)
    task = clineval.Task("ward", "Ward", "https://example.org/", definition="", file="")
    challenge = clineval.Challenge(task, {"spec": codes})
    setup = challenge.setup("default", "spec", {"hierarchy": {"K10": "K"}})
    codes.check("filename\tcode\na\tK10\n", setup)
    problem = "document a: the code 'X1' is not in the hierarchy; 2 codes are not"
    with pytest.raises(InputError, match=problem):
        codes.check("filename\tcode\na\tX1\na\tX2\n", setup)
