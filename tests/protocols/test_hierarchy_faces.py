"""Hierarchies of codes in every face, on an invented corpus of MIMIC's shape and CodiEsp's demo."""

import csv
import json
import pickle
import random
import re

import evaluate as hf_evaluate
import pytest
import spacy
from demos import arguments_of

import clineval
from clineval import answers as model_answers
from clineval.answers import reward
from clineval.definitions import hierarchy
from clineval.harness.samples import SampleScoring
from clineval.results.registry import find_challenge
from spacy_clin import score_docs

pytestmark = pytest.mark.filterwarnings("ignore:the predictions have no scores")
NOTES = 200
TOP = [
    "401.9",
    "38.93",
    "428.0",
    "427.31",
    "414.01",
    "96.04",
    "96.6",
    "584.9",
    "250.00",
    "96.71",
    "272.4",
    "518.81",
    "99.04",
    "39.61",
    "599.0",
    "530.81",
    "96.72",
    "272.0",
    "285.9",
    "88.56",
    "244.9",
    "486",
    "38.91",
    "285.1",
    "36.15",
    "276.2",
    "496",
    "99.15",
    "995.92",
    "V58.61",
    "507.0",
    "038.9",
    "88.72",
    "585.9",
    "403.90",
    "311",
    "305.1",
    "37.22",
    "412",
    "33.24",
    "39.95",
    "287.5",
    "410.71",
    "276.1",
    "V45.81",
    "424.0",
    "45.13",
    "V15.82",
    "511.9",
    "37.23",
]
"""Diagnoses and procedures: procedures have two digits before the point."""


def cut(code):
    """A code and its prefixes, by plain loops: the part before the point, then each digit."""
    whole, _, digits = code.partition(".")
    return [whole, *(f"{whole}.{digits[: at + 1]}" for at in range(len(digits)))]


PARENTS = {
    code: [above] if above else []
    for whole in TOP
    for above, code in zip(["", *cut(whole)[:-1]], cut(whole), strict=True)
}


def test_modules_without_codes_name_those_with_the_option(run):
    refused = run("score", "clinical_relations", "gold", "found", "--hierarchy", "icd10", status=2)
    said = " ".join(refused.stderr.replace("│", " ").split())
    assert "clinical_relations has no scores of codes by a hierarchy" in said
    assert "bc5cdr" in said
    assert "clinical_codes" in said
    misspelt = run("score", "clinical_codes", "gold", "found", "--hierarchi", "icd10", status=2)
    assert "has no scores" not in misspelt.stderr


@pytest.fixture(scope="module")
def mimic():
    """Gold codes and codes with scores of 200 notes; half of the wrong ones are neighbours."""
    chance = random.Random(54)
    golds = [chance.sample(TOP, chance.randint(1, 12)) for _ in range(NOTES)]
    founds = []
    for gold in golds:
        kept = [code for code in gold if chance.random() < 0.7]
        general = [cut(code)[-2] for code in gold if len(cut(code)) > 1 and chance.random() < 0.1]
        others = chance.sample(TOP, 3)
        scores = {code: round(chance.uniform(0.2, 1), 3) for code in [*others, *general, *kept]}
        founds.append(scores)
    return golds, founds


@pytest.fixture(scope="module")
def files(mimic, tmp_path_factory):
    """The gold standard as in the files of the 50 most frequent codes, and scores in JSON."""
    golds, founds = mimic
    folder = tmp_path_factory.mktemp("mimic")
    with (folder / "gold.csv").open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["SUBJECT_ID", "HADM_ID", "TEXT", "LABELS"])
        rows.writerows(
            [k, 900000 + k, "an invented note", ";".join(g)] for k, g in enumerate(golds)
        )
    system = {str(900000 + at): scores for at, scores in enumerate(founds)}
    (folder / "system.json").write_text(json.dumps(system))
    return folder / "gold.csv", folder / "system.json"


def list_added(score):
    name = re.compile(r"(h|cophe|level\d)_(precision|recall|f1|tp|fp|fn)\Z")
    return {key: value for key, value in dict(score).items() if name.match(key)}


def test_codes_of_mimic_as_plain_loops_score_them(mimic, files):
    golds, founds = mimic
    score = clineval.score("icd_coding", files[1], files[0], hierarchy="icd9cm")
    predicted = [[code for code, share in found.items() if share > 0.5] for found in founds]
    tree = hierarchy.Tree(PARENTS, rooted=False)
    assert list_added(score.as_dict()) == pytest.approx(hierarchy.score(tree, golds, predicted))
    assert score["h_f1"] > score["micro_f1"]
    assert score["level2_f1"] == score["micro_f1"]
    named = clineval.score("icd_coding", files[1], files[0], hierarchy=PARENTS)
    added = list_added(named.as_dict())
    assert {key: added[key] for key in ("h_f1", "cophe_f1", "level1_f1")} == {
        key: score[key] for key in ("h_f1", "cophe_f1", "level1_f1")
    }


@pytest.mark.parametrize("protocol", ["caml", "edin"])
def test_the_programs_of_icd_coding_have_the_scores_beside_their_own(files, protocol):
    score, without = (
        clineval.score("icd_coding", files[1], files[0], protocol=protocol, **options)
        for options in ({"hierarchy": "icd9cm"}, {})
    )
    assert {key: score[key] for key in without.values} == dict(without.values)
    assert 0 < score["h_f1"] < 1


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        (("score", "--confidence", "0.95", "--resamples", "100"), r"codes with ancestors.*\d\.\d+"),
        (("score", "--by", "slot:type"), r"procedure"),
        (("errors",), r"too general"),
        (("validate", "--summary"), r"documents"),
        (("score", "--format", "json"), r'"h_f1"'),
        (("score", "--format", "latex"), r"CoPHE"),
    ],
)
def test_the_command_line(files, run, asked, shown):
    command, *more = asked
    paths = files[:1] if command == "validate" else files
    found = run(command, "icd_coding", *paths, "--hierarchy", "icd9cm", *more)
    assert re.search(shown, found.stdout, re.DOTALL)


def test_systems_are_compared(files, mimic, run, tmp_path):
    weaker = {
        name: dict(list(codes.items())[:-1])
        for name, codes in zip(range(900000, 900200), mimic[1], strict=True)
    }
    other = tmp_path / "weaker.json"
    other.write_text(json.dumps(weaker))
    found = run(
        "compare",
        "icd_coding",
        files[0],
        files[1],
        other,
        "--hierarchy",
        "icd9cm",
        "--trials",
        "100",
    )
    assert "h_f1" in found.stdout


def test_codiesp_s_demo_has_diagnoses_and_procedures():
    corpus = find_challenge("codiesp20").task.corpora
    sides = corpus / "dictionary_X.tsv", corpus / "gold_X.tsv"
    options = {"hierarchy": "icd10cm+icd10pcs", "config": "X"}
    score = clineval.score("codiesp20", *sides, **options)
    assert score["h_tp"] >= score["micro_tp"] > 0
    (found, gold), _ = arguments_of("codiesp20")
    score = clineval.score("codiesp20", found, gold, hierarchy="icd10cm")
    assert score["h_f1"] > 0
    assert score["level4_f1"] == score["micro_f1"]


def test_evaluate(mimic):
    golds, founds = mimic
    predictions = [[code for code, share in found.items() if share > 0.5] for found in founds]
    expected = clineval.score("icd_coding", predictions, golds, hierarchy="icd9cm").as_dict()
    result = clineval.hf.load("icd_coding").compute(
        predictions=predictions, references=golds, hierarchy="icd9cm"
    )
    assert result == expected
    assert (
        "**hierarchy**: a hierarchy of codes" in hf_evaluate.load("icd_coding").inputs_description
    )


def test_answers_of_language_models(mimic):
    golds, founds = mimic
    answers = [f"I found: {json.dumps(list(found))}" for found in founds]
    whole = model_answers.evaluate("icd_coding", answers, golds, hierarchy="icd9cm").score()
    expected = clineval.score(
        "icd_coding", [list(found) for found in founds], golds, hierarchy="icd9cm"
    )
    assert list_added(whole.as_dict()) == list_added(expected.as_dict())


def test_rewards_and_samples_of_harnesses(mimic):
    golds, founds = (side[:6] for side in mimic)
    answers = [json.dumps(list(found)) for found in founds]
    alone = [
        clineval.score("icd_coding", [list(found)], [gold], hierarchy="icd9cm")["h_f1"]
        for found, gold in zip(founds, golds, strict=True)
    ]
    assert reward("icd_coding", answers, golds, keys=("h_f1",), hierarchy="icd9cm") == alone
    scoring = SampleScoring("icd_coding", ("h_f1", "level1_f1"), options={"hierarchy": "icd9cm"})
    parts = [
        scoring.count(answer, json.dumps(gold), None, f"d{at}")
        for at, (answer, gold) in enumerate(zip(answers, golds, strict=True))
    ]
    whole = clineval.score("icd_coding", [list(f) for f in founds], golds, hierarchy="icd9cm")
    assert scoring.tell(parts) == {key: whole[key] for key in ("h_f1", "level1_f1")}


def test_a_reward_with_an_unknown_gold_code_names_the_hierarchy():
    with pytest.raises(clineval.InputError, match=r"completion 0.* is not in the hierarchy"):
        reward("icd_coding", ["[]"], [["B99"]], keys=("h_f1",), hierarchy="icd9cm")


def test_docs(mimic):
    golds, founds = (side[:20] for side in mimic)
    nlp = spacy.blank("en")
    docs = {"gold": [], "found": []}
    for gold, found in zip(golds, founds, strict=True):
        for name, cats in (("gold", dict.fromkeys(gold, 1.0)), ("found", found)):
            doc = nlp("An invented note.")
            doc.cats = cats
            docs[name].append(doc)
    score = score_docs(docs["gold"], docs["found"], "icd_coding", hierarchy="icd9cm")
    expected = clineval.score("icd_coding", founds, golds, hierarchy="icd9cm")
    assert list_added(score.as_dict()) == list_added(expected.as_dict())


def test_counts_in_parts_and_in_processes(mimic, tmp_path):
    """Workers, also those of Spark, take the options as they were read."""
    golds, founds = mimic
    tree = tmp_path / "tree.csv"
    rows = [f"{code},{above}" for code, each in PARENTS.items() for above in each or [""]]
    tree.write_text("\n".join(["code,parent", *rows, ""]))
    setup = find_challenge("icd_coding").setup("default", "spec", {"hierarchy": tree})
    again = pickle.loads(pickle.dumps(dict(setup.options)))["hierarchy"]
    predictions = [list(found) for found in founds]
    whole = clineval.count("icd_coding", predictions, golds, hierarchy=tree)
    for jobs in (1, 2):
        parts = clineval.count(
            "icd_coding", iter(predictions), iter(golds), jobs=jobs, batch_size=30, hierarchy=again
        )
        assert parts.score().values == whole.score().values
    assert "|hierarchy:" in str(whole.score().signature)
