"""brat's codes, equivalences and relations of a mention with itself: kept, or named when lost."""

import json

import laws
import pytest
from commands import invoke
from conftest import ROOT
from processes import run_clineval
from thorough import each

import clineval
from clineval.evaluation.adjudication import adjudicate
from clineval.evaluation.convert import read_documents, write
from clineval.results.registry import find_challenge

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
TEXT = "fever and rash"
MENTIONS = "T1\tDisease 0 5\tfever\nT2\tDisease 10 14\trash\n"
CODES = "N1\tReference T1 MeSH:D1\tD1\nN2\tReference T1 OMIM:2\t2\nN3\tReference T2 UMLS:C3\tC3\n"


def brat(folder, lines, name="gold"):
    path = folder / name
    path.mkdir()
    (path / "a.ann").write_text(lines)
    (path / "a.txt").write_text(TEXT)
    return path


def codes_in(path):
    lines = (path / "a.ann").read_text().splitlines()
    return [line.split("\t")[1] for line in lines if line[0] == "N"]


EXPECTED = ["Reference T1 MeSH:D1", "Reference T1 OMIM:2", "Reference T2 UMLS:C3"]


@pytest.mark.parametrize("module", [(), ("--module", "clinical_spans")])
@pytest.mark.parametrize("name", ["x.jsonl", "x.parquet", "x"])
def test_databases_and_all_codes_come_back(tmp_path, name, module):
    gold = brat(tmp_path, MENTIONS + CODES)
    middle, to_brat = tmp_path / name, ("--to", "brat")
    form = () if "." in name else to_brat
    for source, target, options in ((gold, middle, form), (middle, tmp_path / "back", to_brat)):
        # a warning would be an error here
        assert invoke(["convert", source, target, *options, *module]).exit_code == 0
    assert codes_in(tmp_path / "back") == EXPECTED


@pytest.mark.parametrize("name", ["x.jsonl", "x.spacy", "x"])
@pytest.mark.parametrize("module", [(), ("--module", "clinical_spans")])
def test_names_of_concepts_and_notes_that_are_no_codes_are_counted_once(tmp_path, name, module):
    lines = (
        "N1\tReference T1 MeSH:D1\tFever\nN2\tReference T1 MeSH:D2\tD2\nN3\tReference T1 D3\tHeat\n"
        "#1\tAnnotatorNotes T1\tnot sure\n#2\tNote R1\tnor here\n#3\tAnnotatorNotes T2\tC0000001\n"
    )
    gold, form = brat(tmp_path, MENTIONS + lines), () if "." in name else ("--to", "brat")
    done = run_clineval("convert", gold, tmp_path / name, *module, *form)
    said = (
        "gold: not converted: 2 names of concepts (third column of N lines) and 2 notes that are "
        "not codes (# lines)"
    )
    assert done.stderr.count("names of concepts") == done.stderr.count(said) == 1
    assert "Fever" not in done.stderr


def test_labelled_json_has_the_codes_beside_labels(tmp_path):
    gold, lines = brat(tmp_path, MENTIONS + CODES), tmp_path / "x.jsonl"
    assert invoke(["convert", gold, lines, "--module", "clinical_spans"]).exit_code == 0
    mentions = json.loads(lines.read_text())["mentions"]
    assert [(each["label"], each["cui"]) for each in mentions] == [
        ("Disease", "MeSH:D1,OMIM:2"), ("Disease", "C3")
    ]  # fmt: skip
    assert clineval.score("clinical_spans", gold, lines)["strict_f1"] == 1


@pytest.mark.parametrize(
    "module",
    each(["clinical_spans", "meddocan19", "pharmaconer19", "cantemist20", "n2c2_2018_track2",
          "n2c2_2022_cmed", "n2c2_2022_sdoh", "ehealthkd20", "i2b2_2014_deid", "i2b2_2010",
          "distemist22"], ["clinical_spans", "n2c2_2018_track2", "n2c2_2022_sdoh"]),
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:.*equivalences:clineval.InputWarning")
def test_every_metric_reads_what_it_was_converted_to(tmp_path, module):
    demo = CHALLENGES / module / "demo"
    [path] = [path for path in demo.iterdir() if path.stem == "gold"]
    texts = {"texts": demo / "text"} if (demo / "text").is_dir() else {}
    write(clineval.read(path, module, **texts), tmp_path / "b", "brat", module)
    coded = "N98\tReference T1 MeSH:D1\tx\nN99\tReference T1 OMIM:2\tx\n"
    for file in (tmp_path / "b").glob("*.ann"):
        file.write_text(file.read_text() + coded * file.read_text().startswith("T1\t"))
    challenge = find_challenge(module)
    documents = read_documents(tmp_path / "b", "brat", challenge)
    assert "MeSH:D1,OMIM:2" in {of.cui for each in documents for of in each.mentions}
    write(documents, tmp_path / "x.jsonl", "jsonl", module)
    assert next(iter(clineval.score(module, *[tmp_path / "x.jsonl"] * 2).values.values())) == 1


@pytest.mark.parametrize(
    ("lines", "code"),
    [("N1\tReference T1 UMLS:C1\tx\nN2\tReference T1 UMLS:C2\tx\n", "C1,C2"),
     ("N1\tReference T1 umls:C1\tx\nN2\tReference T1 UMLS:C1\tx\n", "C1"),
     ("N1\tReference T1 MeSH:D1\tx\n#1\tAnnotatorNotes T1\tC2\n", "MESH:D1"),
     ("N1\tReference T1 UMLS: \tx\n#1\tAnnotatorNotes T1\t C2 \n", "C2"),
     ("#1\tAnnotatorNotes T1\tsure?\n#2\tAnnotatorNotes T1\tC2\n", "C2"),
     ("#1\tAnnotatorNotes T1\tC2\n#2\tAnnotatorNotes T1\tcuiless\n", "C2,CUI-LESS"),
     ("#1\tAnnotatorNotes T1\tsure?\n", "CUI-less"),
     ("N1\tReference T1 C1\tx\n", "C1")],
)  # fmt: skip
def test_reader_and_editor_take_the_same_codes(tmp_path, lines, code):
    gold = brat(tmp_path, MENTIONS + lines)
    [document] = clineval.read(gold, "semeval15_task14")
    read = document.mentions[0].cui or "CUI-less"
    assert read.replace("cuiless", "cui-less").upper() == code.upper()
    spelled = find_challenge("semeval15_task14").kind.slots("default")[0]
    known = spelled.spell(spelled.fold(read))
    remark = {"document": "a", "side": "gold", "spans": "0-5", "class": known,
              "decision": "gold wrong"}  # fmt: skip
    head = {"schema": "clineval remarks 1", "module": "semeval15_task14", "remarks": [remark]}
    (tmp_path / "r.json").write_text(json.dumps(head))
    assert len(adjudicate(gold, tmp_path / "r.json").changes) == 1


LOOP = "R1\tsame-as Arg1:T1 Arg2:T1\n"
OTHERS = "E1\tDisease:T1\nE2\tDisease:T2\n*\tEquiv T1 T2\n"


def test_what_is_not_scored_is_named_and_not_judged(tmp_path):
    gold = brat(tmp_path, MENTIONS + LOOP + OTHERS)
    done = run_clineval("score", "clinical_spans", gold, gold)
    for said in ("1 relation in brat's files is ignored", "2 events in brat's files are ignored",
                 "1 equivalence (* lines) in brat's files is ignored"):  # fmt: skip
        assert said in done.stderr
    done = run_clineval("validate", "clinical_spans", gold)
    assert "no problems" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("module", "lines"),
    [("n2c2_2022_cmed", "T1\tDrug 0 5\tfever\n"), ("meddocan19", "T1\tPAIS 0 5\tfever\n"),
     ("n2c2_2022_sdoh", "T1\tDrug 0 5\tfever\nT2\tMethod 10 14\trash\nE1\tDrug:T1 Method:T2\n")],
)  # fmt: skip
def test_no_metric_of_spans_judges_relations(tmp_path, module, lines):
    gold = brat(tmp_path, f"{lines}{LOOP}*\tEquiv T1 T1\n")
    done = run_clineval("score", module, gold, gold)
    assert "brat's files" in done.stderr


def test_a_metric_of_relations_still_refuses_one_of_a_mention_with_itself(tmp_path):
    lines = MENTIONS.replace("Disease", "Drug") + LOOP.replace("same-as", "ADE-Drug")
    gold = brat(tmp_path, lines)
    laws.refuses(
        lambda: clineval.score("n2c2_2018_track2", gold, gold),
        "a.ann:3", "the relation connects a mention with itself",
    )  # fmt: skip


def test_equivalences_stay_equivalences_or_are_named(tmp_path):
    links = "*\tEquiv T1 T2 T1\n"
    gold = brat(tmp_path, MENTIONS + links)
    done = run_clineval("convert", gold, tmp_path / "again", "--to", "brat")
    assert done.stderr == ""
    assert (tmp_path / "again" / "a.ann").read_text() == MENTIONS + links
    done = run_clineval("convert", gold, tmp_path / "x.jsonl")
    assert "2 relations are from equivalences" in done.stderr
    done = run_clineval("convert", tmp_path / "x.jsonl", tmp_path / "r", "--to", "brat")
    assert "R2\tEquiv Arg1:T1 Arg2:T1" in (tmp_path / "r" / "a.ann").read_text()
    clineval.score("semeval15_task14", *[clineval.read(tmp_path / "r", "semeval15_task14")] * 2)


def test_events_that_are_not_read_are_counted(tmp_path):
    gold = brat(tmp_path, f"{MENTIONS}{OTHERS}*\tEquiv E1 E2\n")
    done = run_clineval("convert", gold, tmp_path / "x", "--to", "brat")
    assert "gold: not read: 1 equivalence of events, 2 events" in done.stderr


def test_relations_of_concepts_are_left_out_of_brat(tmp_path):
    lines = tmp_path / "x.jsonl"
    gold = CHALLENGES / "bc5cdr" / "demo" / "gold.PubTator"
    run_clineval("convert", gold, lines)
    done = run_clineval("convert", lines, tmp_path / "b", "--to", "brat", status=2)
    assert "not the id of a mention" in done.stderr
    assert "--module" in done.stderr
    done = run_clineval("convert", lines, tmp_path / "b", "--to", "brat", "--module", "bc5cdr")
    assert "cannot represent the relations of 3 documents" in done.stderr
    again = tmp_path / "again.jsonl"
    done = run_clineval("convert", tmp_path / "b", again, "--module", "bc5cdr")
    assert (done.stderr, "4 documents" in done.stdout) == ("", True)
    before, after = ([json.loads(line) for line in of.read_text().splitlines()]
                     for of in (lines, again))  # fmt: skip
    assert [each["mentions"] for each in after] == [each["mentions"] for each in before]
