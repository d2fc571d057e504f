"""The paper: its numbers, the corpora behind them, and what a workshop asks for."""

import hashlib
import json
import re
import sys

import pytest
from commands import invoke
from conftest import ROOT
from page_tables import rows_of
from pages import read

for package in ("nervaluate", "seqeval", "spacy"):
    pytest.importorskip(package)
metrics = pytest.importorskip("sklearn.metrics")
sys.path.append(str(ROOT / "paper"))
import corpus
import facts
import scores

pytestmark = pytest.mark.filterwarnings("ignore")  # commands warn
PAPER, BIBLIOGRAPHY = read("paper/paper.md"), read("paper/paper.bib")
_, HEAD, BODY = facts.NUMBER.sub("1", PAPER).split("---\n", 2)
STRICT = (
    "spec_strict", "meddocan", "pharmaconer", "multiclinai", "n2c2_strict", "chemu_exact",
    "i2b2_strict", "seqeval", "spacy", "nervaluate",
)  # fmt: skip
MEANS = ("list", "caml", "either", "edin", "documents", "micro", "micro_edin")
FAULTS = ("cohort_perfect", "cohort_without", "drugprot", "gut", "order_before", "free_official")


@pytest.fixture(scope="module")
def folder():
    return scores.open_corpora()


@pytest.fixture(scope="module")
def values():
    return scores.score_all()


# the text


def test_the_numbers_of_the_paper_are_those_of_today():
    found = facts.compute_facts()
    assert facts.write_facts(PAPER, found) == PAPER, "run paper/facts.py"
    assert set(facts.NUMBER.findall(PAPER)) == set(found)


def test_each_score_in_the_text_is_a_fact():
    plain = facts.NUMBER.sub("", PAPER)
    assert re.findall(r"\b[01]?\.\d{3}\b", plain) == []


def test_the_examples_are_the_rows_that_are_tested():
    rows = rows_of(read("hub_cards/other_scorers/README.md"))
    found = facts.compute_facts()
    assert found["examples"] == str(len(rows))
    assert found["scorers"] == str(len({row["section"] for row in rows}))


def test_the_paper_cites_all_that_it_lists_and_lists_all_that_it_cites():
    cited = re.findall(r"@([a-z][\w-]+)", BODY)
    listed = re.findall(r"^@\w+\{([\w-]+),$", BIBLIOGRAPHY, re.MULTILINE)
    assert sorted(set(cited)) == sorted(listed)


def test_the_paper_has_the_sections_and_the_length_of_four_pages():
    assert re.findall(r"^# (.*)$", BODY, re.MULTILINE) == [
        "Introduction", "One output, many scores", "Faults of released programs", "Design",
        "What to report", "Reproduced results", "Related work", "Limitations",
        "Use of language models", "References",
    ]  # fmt: skip
    prose = re.sub(r"^\|.*\n", "", BODY, flags=re.MULTILINE)
    assert 1500 <= len(prose.split()) <= 2200
    assert len(re.findall(r"^Table \d: ", BODY, re.MULTILINE)) == 3
    assert "abstract: |" in HEAD


# the corpora


def test_the_seed_gives_the_same_corpora_everywhere(folder):
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    assert digest.hexdigest() == "9316889815d19cefe598c6a25ac683eb7590c15732a55b9faff42bac0f4470da"


@pytest.mark.parametrize("variant", corpus.make_variants())
def test_the_definition_is_the_f1_of_sets(variant, values):
    notes = corpus.make_variants()[variant]
    gold, found = (
        {(note.name, mention) for note in notes for mention in getattr(note, side) or ()}
        for side in ("gold", "found")
    )
    assert values[f"spec_strict_{variant}"] == 2 * len(gold & found) / (len(gold) + len(found))


def test_means_over_codes_are_those_of_scikit_learn(folder, values):
    names = (folder / "icd_coding" / "codes.txt").read_text("utf-8").split()
    gold, found = (
        [json.loads(line)["codes"] for line in path.read_text("utf-8").splitlines()]
        for path in (folder / "icd_coding" / f"{side}.jsonl" for side in ("gold", "found"))
    )
    found = [[code for code, score in each.items() if score > 0.5] for each in found]

    def mean(listed):
        sides = ([[code in each for code in listed] for each in side] for side in (gold, found))
        return metrics.precision_recall_fscore_support(*sides, average="macro", zero_division=0)

    golds = {code for each in gold for code in each}
    precision, recall, f1, _ = mean(names)
    assert values["icd_list_found"] == pytest.approx(f1, abs=1e-9)
    harmonic = 2 * precision * recall / (precision + recall)
    assert values["icd_caml_found"] == pytest.approx(harmonic, abs=1e-9)
    assert values["icd_edin_found"] == pytest.approx(mean(sorted(golds))[2], abs=1e-9)
    either = sorted(golds.union(*found))
    assert values["icd_either_found"] == pytest.approx(mean(either)[2], abs=1e-9)


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("meddocan-2019 brat ner all/meddocan19/gold all/meddocan19/found", "meddocan_all"),
        ("pharmaconer-2019 ner all/pharmaconer19/gold all/pharmaconer19/found", "pharmaconer_all"),
        ("n2c2-2018-track2 all/n2c2_2018_track2/gold all/n2c2_2018_track2/found",
         "n2c2_lenient_all"),
        ("brateval CompareEntities -e all/chemu20/found -g all/chemu20/gold -s overlap",
         "chemu_overlap_all"),
        ("n2c2-2018-track1 n2c2_2018_track1/gold n2c2_2018_track1/without", "cohort_without"),
    ],
)  # fmt: skip
def test_stand_ins_of_the_programs_print_the_number(words, number, folder, values, monkeypatch):
    monkeypatch.chdir(folder)
    done = invoke(["official", *words.split()])
    assert done.exit_code == 0, done.output
    assert f"{values[number]:.4f}" in done.stdout


# what the paper says of the numbers


def test_strict_scores_differ_by_more_than_an_interval_and_agree_without_the_properties(values):
    reported = [values[f"{name}_all"] for name in STRICT]
    assert max(reported) - min(reported) > values["high"] - values["low"]
    assert len({round(value, 3) for value in reported}) >= 6
    flat = [values[f"{name}_flat"] for name in STRICT]
    assert max(flat) - min(flat) < 1e-9


def test_each_property_explains_what_the_text_says(values):
    def agree(variant, *names):
        return all(abs(values[f"{name}_{variant}"] - values[f"spec_strict_{variant}"]) < 1e-9
                   for name in names)  # fmt: skip

    ignoring, copies = ("meddocan", "pharmaconer", "n2c2_strict"), ("chemu_exact", "i2b2_strict")
    rest = ("seqeval", "spacy", "nervaluate")
    assert not any(agree("all", name) for name in (*ignoring, *copies, *rest))
    assert agree("annotated", *ignoring)
    assert not any(agree("annotated", name) for name in (*copies, *rest))
    assert agree("once", *copies)
    assert not any(agree("once", name) for name in rest)
    assert values["spec_strict_once"] > values["spec_strict_flat"]
    assert values["nervaluate_once"] < values["nervaluate_flat"]
    for name in ("seqeval", "spacy"):
        assert values[f"{name}_once"] == values[f"{name}_flat"]


def test_lenient_scores_still_differ_and_faults_change_the_number(values):
    lenient = [values[f"{name}_flat"] for name in ("n2c2_lenient", "i2b2_lenient", "spec_lenient")]
    assert lenient == sorted(lenient, reverse=True)
    assert len(set(lenient)) == 3
    means = [values[f"icd_{name}_found"] for name in MEANS[:5]]
    assert means == sorted(set(means))
    first = [values[f"icd_{name}_found"] > values[f"icd_{name}_cautious"] for name in MEANS]
    assert first == [True, True, False, True, False, False, True]
    found = facts.compute_facts()
    spec = {"free_official": "free_spec"}
    assert all(found[name] != found[spec.get(name, f"{name}_spec")] for name in FAULTS)
    assert found["order_after"] == found["order_after_spec"] == found["order_before_spec"]
