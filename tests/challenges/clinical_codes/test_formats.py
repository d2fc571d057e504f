"""Codes in every format that the module names, and bad input."""

import json

import laws
import pytest
from canary import SECRET
from commands import invoke

import clineval

NAME = "clinical_codes"
GOLD = {"a": ["I10", "E11.9"], "b": [], "c": ["J45.0"]}
FOUND = {"a": {"I10": 0.9, "N18": 0.7, "E11.9": 0.2}, "b": {"I10": 0.1}, "c": {"J45.0": 0.6}}
EXPECTED = dict(clineval.score(NAME, FOUND, GOLD))


def table(documents, separator, heading="filename,code,score"):
    """A row for each code; a document without codes has a row of its own."""
    scored = heading.count(",") > 1
    rows = [heading.split(",")]
    for name, codes in documents.items():
        listed = codes.items() if scored else ((code, "") for code in codes)
        rows += [[name, code, *([str(of)] if scored else [])] for code, of in listed or [("", "")]]
        if not codes:
            rows.append([name, "", ""][: len(rows[0])])
    return "".join(separator.join(row) + "\n" for row in rows)


def lines(documents, form):
    return "".join(
        json.dumps({"id": name, "codes": form(codes)}) + "\n" for name, codes in documents.items()
    )


def as_dicts(codes):
    return [{"code": code, "score": of} for code, of in codes.items()]


SYSTEMS = {
    "csv": table(FOUND, ","),
    "csv with other headings": table(FOUND, ",", "ID,Label,Probability"),
    "csv of a spreadsheet": "\ufeff" + table(FOUND, ";").replace("\n", "\r\n"),
    "tsv": table(FOUND, "\t"),
    "jsonl": lines(FOUND, as_dicts),
    "jsonl with objects": lines(FOUND, dict),
}


@pytest.mark.parametrize("form", SYSTEMS)
def test_every_file_gives_the_same_scores(form, tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text(table(GOLD, ",", "filename,code"))
    system = tmp_path / f"system.{form.split()[0]}"
    system.write_text(SYSTEMS[form], "utf-8", newline="")
    assert dict(clineval.score(NAME, system, gold)) == EXPECTED


def test_several_codes_in_a_cell(tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text('filename,codes\na,I10;E11.9\nb,\nc,"J45.0,"\n')
    assert dict(clineval.score(NAME, FOUND, gold)) == EXPECTED


@pytest.mark.parametrize(
    ("found", "gold"),
    [
        ([*FOUND.values()], [*GOLD.values()]),
        ([as_dicts(of) for of in FOUND.values()], [*GOLD.values()]),
        ([[*of.items()] for of in FOUND.values()], [*GOLD.values()]),
        ([json.dumps(of) for of in FOUND.values()], [json.dumps(of) for of in GOLD.values()]),
        (
            [{"id": name, "codes": as_dicts(of)} for name, of in FOUND.items()],
            [{"id": name, "codes": of} for name, of in GOLD.items()],
        ),
        (FOUND, {name: dict.fromkeys(of, 1) | {"Z00": 0} for name, of in GOLD.items()}),
    ],
)
def test_every_object_gives_the_same_scores(found, gold):
    assert dict(clineval.score(NAME, found, gold)) == {**EXPECTED, "n_documents": 3}


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_conversion_keeps_codes_scores_and_documents_without_codes(ending, tmp_path):
    source, target, back = (tmp_path / n for n in ("a.jsonl", f"b.{ending}", "c.jsonl"))
    source.write_text(lines({**FOUND, "d": {}}, as_dicts))
    for one, other in ((source, target), (target, back)):
        assert invoke(["convert", str(one), str(other), "--module", NAME]).exit_code == 0
    read = [json.loads(line) for line in back.read_text().splitlines()]
    assert {each["id"]: {c["code"]: c["score"] for c in each["codes"]} for each in read} == {
        **FOUND,
        "d": {},
    }


BAD = {
    "filename,code,score\na,I10,1.5\n": ("1.5", ":2", "from 0 to 1"),
    "filename,code,score\na,I10,nan\n": (":2", "expected a number"),
    f"filename,code,score\na,I10,{SECRET} x\n": (":2", "expected a number"),
    f"filename,code\na,{SECRET} fever\n": (":2", "codes without blanks"),
    "filename,code\n,I10\n": (":2", "name of a document"),
    "filename,code\na,I10,x\n": (":2", "expected 2 cells"),
    "filename,codes,score\na,I10;I11,0.5\n": (":2", "one code in a row with a score"),
    f"filename,{SECRET}\na,I10\n": (":1", "code or codes", "filename,code,score"),
    "filename,code,codes\na,I10,I11\n": (":1", "one column"),
    '{"id": "a", "codes": [{"code": "I10", "score": NaN}]}\n': (":1",),
    '{"id": "a", "codes": [{"code": "I10", "share": 1}]}\n': (":1", "expected code and score"),
    '{"id": "a", "codes": {"I10": null}}\n': (":1", "expected a score"),
    '{"id": "a", "codes": ["I10"]}\n{"id": "a", "codes": []}\n': (":2", "the same 'id'"),
    '{"id": "a"}\n': (":1", "codes"),
}


@pytest.mark.parametrize("content", BAD)
def test_a_bad_file_is_refused_with_its_place(content, tmp_path):
    path = tmp_path / ("x.jsonl" if content.startswith("{") else "x.csv")
    path.write_text(content)
    laws.refuses(lambda: clineval.score(NAME, path, GOLD), path.name, *BAD[content], text=[SECRET])


def test_all_faults_of_a_file_are_listed(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("filename,code\na,b c\na,I10\n,I10\n")
    with pytest.raises(clineval.InputError) as caught:
        clineval.score(NAME, path, GOLD)
    assert len(caught.value.others) == 1


@pytest.mark.parametrize("score", [True, "0.5", float("nan"), -0.1, 10**400])
def test_a_score_is_a_number_from_0_to_1(score):
    laws.refuses(lambda: clineval.score(NAME, [{"I10": score}], [["I10"]]), "score", "from 0 to 1")


def test_a_probability_in_references_is_refused():
    laws.refuses(lambda: clineval.score(NAME, [["I10"]], [{"I10": 0.7}]), "1 or 0", "document 0")


def test_codes_without_a_score_among_others_count_as_1_with_a_warning():
    found = [[{"code": "I10", "score": 0.2}, "J45"]]
    with pytest.warns(clineval.InputWarning, match="1 of 2 codes has no score, and counts as 1"):
        result = clineval.score(NAME, found, [["I10", "J45"]])
    assert (result["micro_tp"], result["micro_fn"]) == (1, 1)


def test_a_repeated_code_counts_once_with_its_highest_score():
    found = [[{"code": "i10", "score": 0.2}, {"code": "I10 ", "score": 0.8}]]
    result = clineval.score(NAME, found, [["I10"]])
    assert (result["micro_tp"], result["micro_fp"], result["map"]) == (1, 0, 1)
