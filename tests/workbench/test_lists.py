"""The items of a list view are those behind the counts."""

import json
import math
import re
from collections import Counter

import pytest
from conftest import DATA, ROOT
from demos import arguments_of

import clineval
from clineval.challenges.clefehealth13_task3 import page as rankings
from clineval.challenges.clinais23_b2 import page as sections
from clineval.challenges.i2b2_2009_medication import page as entries
from clineval.kinds.codes import evidence_page as evidence
from clineval.kinds.codes import page as codes
from clineval.kinds.records import page as records
from clineval.results.registry import find_challenge
from clineval.workbench import build_workbench

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
I2B2 = DATA / "oracle" / "i2b2_2009_medication"


def check(module, layout, predictions, references, **options):
    score = clineval.score(module, predictions, references, **options)
    bench = build_workbench(module, references, {"system": predictions}, with_text=False, **options)
    (modes,) = bench.tables["systems"]
    assert [each["name"] for each in bench.head["kinds"]] == [each.name for each in layout.kinds]
    counted = 0
    for each in find_challenge(module).faces.page.checks:
        if each.key not in score.values:
            continue
        items = modes[each.mode]
        rows = zip(items["row"], items["kind"], strict=True)
        names = bench.tables["rows"]
        counts = Counter(
            layout.kinds[kind].name for row, kind in rows if each.row in ("", names[row])
        )
        whole = sum(counts[kind] for kind in layout.divide(each.of))
        found = sum(counts[kind] for kind in layout.divide(each.kinds))
        if not each.of or whole:
            assert score[each.key] == pytest.approx(found / whole if each.of else found), each.key
            counted += 1
        assert items["document"] == sorted(items["document"])
    assert counted or not any(items["kind"] for items in modes.values())
    return bench


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("case", sorted(p.parent for p in I2B2.rglob("gold")), ids=lambda p: p.name)
def test_fields_are_those_of_the_medication_scores(case, protocol):
    options = {"protocol": protocol}
    if (case / "records").is_dir():
        options["records"] = case / "records"
    try:
        clineval.count("i2b2_2009_medication", case / "sys", case / "gold", **options)
    except clineval.InputError:
        pytest.skip("the protocol refuses this input")
    if protocol == "official" and not any(case.joinpath("gold").iterdir()):
        pytest.skip("nothing to compare")
    check("i2b2_2009_medication", entries.LAYOUT, case / "sys", case / "gold", **options)


@pytest.mark.parametrize("system", ["windows", "tagger"])
def test_edits_are_those_of_the_section_scores(system):
    corpus = CHALLENGES / "clinais23_b2" / "demo"
    check("clinais23_b2", sections.LAYOUT, corpus / f"{system}.json", corpus / "gold.json")


@pytest.mark.parametrize(
    "options", [{}, {"complete": False}, {"relevance_level": 2}, {"protocol": "official"}]
)
@pytest.mark.parametrize("run", ["team.run1", "team.run2"])
def test_ranks_are_those_of_the_retrieval_scores(run, options):
    corpus = CHALLENGES / "clefehealth13_task3" / "demo"
    path = corpus / f"{run}.txt"
    check("clefehealth13_task3", rankings.LAYOUT, path, corpus / "qrels.txt", **options)


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize(
    ("config", "system"), [("D", "dictionary"), ("D", "classifier"), ("X", "dictionary")]
)
def test_codes_are_those_of_the_scores(config, system, protocol):
    corpus = CHALLENGES / "codiesp20" / "demo"
    sides = [corpus / f"{name}_{config}.tsv" for name in (system, "gold")]
    for options in ({}, {"codes": corpus / "codes_D.tsv", "chapters": corpus / "chapters.tsv"}):
        asked = {"config": config, "protocol": protocol, **options}
        bench = check("codiesp20", codes.LAYOUT, *sides, **asked)
        assert bench.tables["rows"]
        [modes] = bench.tables["systems"]
        for items in modes.values():  # by rank, and last what the system lacks
            ranks = [rank or math.inf for rank in items["rank"]]
            places = list(zip(items["document"], ranks, strict=True))
            assert places == sorted(places)


@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_a_page_of_evidence_has_kinds_of_its_own(protocol):
    sides, options = arguments_of("archehr_qa26")
    check("archehr_qa26", evidence.LAYOUT, *sides, protocol=protocol, **options)


@pytest.mark.parametrize("module", ["clinical_codes", "codiesp20", "icd_coding"])
def test_wrong_codes_have_their_relation_to_gold_codes(module):
    sides, options = arguments_of(module, 1)
    names = {"clinical_codes": "icd10", "codiesp20": "icd10cm", "icd_coding": "icd9cm"}
    bench = check(module, codes.BY_HIERARCHY, *sides, **options, hierarchy=names[module])
    kinds = [
        codes.BY_HIERARCHY.kinds[kind].name for kind in bench.tables["systems"][0]["codes"]["kind"]
    ]
    assert set(kinds) & {"too general", "too specific", "sibling", "unrelated"}
    assert "spurious" not in kinds
    shown = [column["label"] for column in bench.head["modes"][0]["columns"]]
    assert {"Too general", "Too specific", "Sibling", "Unrelated"} <= set(shown)
    assert {"h_f1", "cophe_f1", "level0_f1"} <= set(bench.head["shown_scores"])


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("system", ["model", "rules"])
def test_records_are_those_of_the_scores(system, protocol):
    corpus = CHALLENGES / "mediqa_synur26" / "demo"
    sides = corpus / f"{system}.jsonl", corpus / "gold.jsonl"
    bench = check("mediqa_synur26", records.LAYOUT, *sides, protocol=protocol)
    assert "5" in bench.tables["rows"], "names of concepts may be words of a note"
    named = build_workbench("mediqa_synur26", sides[1], {"system": sides[0]}, protocol=protocol)
    assert "5 Temperature unit" in named.tables["rows"]
    assert len(named.tables["rows"]) == len(bench.tables["rows"])
    assert bench.tables["extra"]["fields"] == ["concept", "value"]
    notes = build_workbench("mediqa_synur26", sides[1], {"A": sides[0]}, notes=corpus / "text")
    assert all(notes.texts)


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("system", ["model", "rules"])
def test_tags_of_documents_show_the_values_that_the_challenge_lists(system, protocol):
    corpus = CHALLENGES / "i2b2_2014_risk" / "demo"
    sides = corpus / system, corpus / "gold"
    bench = check("i2b2_2014_risk", records.LAYOUT, *sides, protocol=protocol)
    assert bench.tables["extra"]["fields"] == ["tag", "time", "indicator"]
    assert {"CAD", "MEDICATION", "SMOKER"} <= {*bench.tables["rows"]}
    [modes] = bench.tables["systems"]
    gold = " ".join(modes["records"]["gold"])
    joined = ["MEDICATION", "after DCT", "ARB + diuretic"]
    lower = [joined[0], *(value.lower() for value in joined[1:])]
    assert json.dumps(joined if protocol == "spec" else lower) in gold
    assert "withheld" not in gold


def test_values_that_no_challenge_lists_are_withheld(tmp_path):
    record = {"tag": "MEDICATION", "time": "before DCT", "indicator": "statin + left knee"}
    gold = [{"id": "100-01", "tags": [record]}]
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold[0]))
    sides = tmp_path / "gold.jsonl", tmp_path / "gold.jsonl"
    bench = check("i2b2_2014_risk", records.LAYOUT, *sides)
    [modes] = bench.tables["systems"]
    assert "left knee" not in str(modes)
    assert "text 1 (18 characters withheld)" in str(modes)


@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_codes_of_one_configuration_are_listed(protocol):
    corpus = CHALLENGES / "pharmaconer19" / "demo"
    sides = corpus / "tagger_codes", corpus / "gold_codes"
    asked = {"config": "indexing", "protocol": protocol, "annotations": corpus / "gold"}
    bench = build_workbench("pharmaconer19", sides[1], {"A": sides[0]}, **asked)
    assert bench.head["view"] == "codes"
    score = clineval.score("pharmaconer19", *sides, **asked)
    (modes,) = bench.tables["systems"]
    kinds = Counter(codes.LAYOUT.kinds[kind].name for kind in modes["codes"]["kind"])
    found = {"right": "tp", "spurious": "fp", "missed": "fn"}
    assert {kind: kinds[kind] for kind in found} == {
        kind: score[f"micro_{key}"] for kind, key in found.items()
    }


def test_labels_without_a_text_can_be_shown():
    gold = [["TREATMENT", None, "EVOLUTION", None], [None, None]]
    found = [["TREATMENT", None, None, "EVOLUTION"], [None, "TREATMENT"]]
    bench = check("clinais23_b2", sections.LAYOUT, found, gold)
    assert bench.texts is None
    assert build_workbench("clinais23_b2", gold, {"A": found}).texts == [None, None]


def test_sections_of_a_text_keep_the_text():
    text = "Reposo.  Mejora 😀.\r\n"
    gold = [{"text": text, "sections": [{"start": 0, "end": 7, "label": "TREATMENT"}]}]
    found = [{"text": text, "sections": [{"start": 9, "end": 18, "label": "EVOLUTION"}]}]
    bench = build_workbench("clinais23_b2", gold, {"A": found})
    assert bench.texts == [text]
    assert bench.tables["extra"]["tokens"] == [[0, 9, 16]]
    without = build_workbench("clinais23_b2", gold, {"A": found}, with_text=False)
    assert "Reposo" not in json.dumps([without.tables, without.head])


def test_the_page_holds_the_scores_of_each_level():
    """The table of levels is made from the scores that the page holds in plain JSON."""
    sides, _ = arguments_of("codiesp20", 1)
    options = {"hierarchy": "icd10cm"}
    score = clineval.score("codiesp20", *sides, **options)
    html = build_workbench("codiesp20", sides[1], {"A": sides[0]}, **options).to_html()
    head = json.loads(re.search(r'<script[^>]*id="head"[^>]*>(.*?)</script>', html, re.DOTALL)[1])
    [system] = head["systems"]
    names = ["h", "cophe", *(f"level{k}" for k in range(5))]
    keys = [f"{name}_{part}" for name in names for part in ("tp", "fp", "fn", "precision", "f1")]
    assert {key: system["scores"][key] for key in keys} == {key: score[key] for key in keys}
    assert set(keys) <= set(head["shown_scores"])
    kinds = [kind["label"] for kind in head["kinds"]]
    assert {"too general", "too specific", "sibling", "unrelated"} <= set(kinds)
