"""From remarks to gold: decisions of a reviewer in brat's, JSON Lines' and pipe's own files."""

import csv
import json
import shutil

import laws
import pytest
from conftest import ROOT
from processes import run_clineval

import clineval
from clineval.evaluation.adjudication import adjudicate, find_labels
from clineval.evaluation.convert import write
from clineval.formats.editing import spell_spans
from clineval.kinds.events.kind import EventKind
from clineval.results.registry import NAMES, find_challenge

DEMO = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL, N2C2 = "semeval15_task14", "n2c2_2018_track2"
COLUMNS = ["document", "side", "spans", "class", "tags", "comment"]
MORE = ["decision", "to_spans", "to_class", "to_slots"]


def remark(document, spans, label, decision, to=("", ""), **others):
    side, slots = others.get("side", "gold"), others.get("slots", {})
    cells = [document, side, spans, label, [], "", decision, *to, slots]
    return dict(zip([*COLUMNS, *MORE], cells, strict=True))


def write_remarks(path, module, remarks):
    head = {"schema": "clineval remarks 1", "module": module, "config": "default"}
    path.write_text(json.dumps({**head, "remarks": remarks}))
    return path


def decide_all(module, gold, system):
    """Take out what only the gold standard has, and add what only the system has."""
    labels = find_labels(find_challenge(module))
    slot = labels.classes.name

    def known(mention):
        value = mention.cui if slot == "cui" else mention.slots[slot]
        others = {n: ",".join(v) if isinstance(v, tuple) else v for n, v in mention.slots.items()}
        others.pop(slot, None)
        of = {s.name: s.spell(s.fold(others.get(s.name, s.default))) for s in labels.others()}
        return spell_spans(mention.spans), labels.spell(value), tuple(sorted(of.items()))

    theirs = {each.id: list(map(known, each.mentions)) for each in system}
    for document in gold:
        mine, other = list(map(known, document.mentions)), theirs.get(document.id, [])
        for spans, label, _ in dict.fromkeys(mine).keys() - set(other):
            yield remark(document.id, spans, label, "gold wrong")
        for spans, label, slots in dict.fromkeys(other).keys() - set(mine):
            to = (spans, label)
            yield remark(document.id, spans, label, "system right", to, side="tagger",
                         slots=dict(slots))  # fmt: skip


@pytest.mark.parametrize("form", ["pipe", "jsonl", "brat"])
def test_the_gold_standard_can_become_the_system(tmp_path, form):
    """Whoever always finds the system right has a gold standard by which it is perfect."""
    module = "meddocan19" if form == "brat" else SEMEVAL
    demo = DEMO / module / "demo"
    path, text = demo / "gold", demo / ("gold" if form == "brat" else "text")
    sides = [clineval.read(demo / side, module, texts=text) for side in ("gold", "tagger")]
    if form == "jsonl":
        path = tmp_path / "gold.jsonl"
        write(sides[0], path, form)
    remarks = write_remarks(tmp_path / "r.json", module, list(decide_all(module, *sides)))
    adjudicate(path, remarks).write(tmp_path / "new")
    gold = tmp_path / "new" / path.name if form == "jsonl" else tmp_path / "new"
    before, after = (clineval.score(module, demo / "tagger", of) for of in (path, gold))
    assert (after["strict_f1"], after.get("weighted_accuracy", 1)) == (1, 1)
    assert before["strict_f1"] < 1


ANN = "T1\tDrug 0 7\taspirin\nA1\tNegated T1\n#1\tAnnotatorNotes T1\tsure?\nT2\tDrug 8 13\tdaily\n"
ANN += "T3\tStrength 14 19\t40 mg\nR1\tStrength-Drug Arg1:T3 Arg2:T2\n"
TEXT = "aspirin daily 40 mg or more"


@pytest.fixture
def brat(tmp_path):
    folder = tmp_path / "gold"
    folder.mkdir()
    (folder / "a.ann").write_text(ANN)
    (folder / "b.ann").write_text("T1\tDrug 0 1\tx\r\n")
    (folder / "a.txt").write_text(TEXT)
    return folder


def follow(path, folder, *remarks, module=N2C2, **options):
    return adjudicate(path, write_remarks(folder / "r.json", module, list(remarks)), **options)


@pytest.mark.parametrize(
    ("decision", "old", "new"),
    [(remark("a", "0-7", "Drug", "gold wrong"), ANN[: ANN.index("T2")], ""),
     (remark("a", "8-13", "Drug", "boundary", ("8-19", "Form")), "Drug 8 13\tdaily",
      "Drug 8 19\tdaily 40 mg"),
     (remark("a", "8-13", "Drug", "label", ("8-19", "Frequency")), "T2\tDrug", "T2\tFrequency"),
     (remark("A.txt", "8-13", "Drug", "system right", ("8-12,14-16", "Form")),
      "T2\tDrug 8 13\tdaily", "T2\tForm 8 12;14 16\tdail 40"),
     (remark("a", "20-27", "Form", "system right", ("20-27", "Form"), side="s"), "",
      "T4\tForm 20 27\tor more\n")],
)  # fmt: skip
def test_brat_keeps_all_lines_but_those_of_the_mention(brat, tmp_path, decision, old, new):
    found = follow(brat, tmp_path, decision)
    expected = ANN.replace(old, new) if old else ANN + new
    assert found.files["a.ann"].decode() == expected
    assert {k: v for k, v in found.files.items() if k != "a.ann"} == {
        "a.txt": TEXT.encode(), "b.ann": b"T1\tDrug 0 1\tx\r\n"
    }  # fmt: skip


CODED = (
    "T1\tDisorder 0 3\tall\n"
    "T2\tDisorder 4 7\tone\nT3\tDisorder 8 11\ttwo\nT4\tDisorder 12 15\tsix\n"
    "#1\tAnnotatorNotes T1\tC0000009\nN1\tReference T1 UMLS:C0000001\tall\n"
    "N2\tReference T2 UMLS: \tone\n#2\tAnnotatorNotes T2\t C0000002 \n"
    "N3\tReference T3 UMLS:C0000003\ttwo\nN4\tReference T3 UMLS:C0000004\ttwo\n"
)


@pytest.mark.parametrize(
    ("spans", "code", "taken"),
    [("0-3", "C0000001", {"T1", "N1", "#1"}), ("4-7", "C0000002", {"T2", "N2", "#2"}),
     ("8-11", "C0000003,C0000004", {"T3", "N3", "N4"}), ("12-15", "CUI-less", {"T4"})],
)  # fmt: skip
def test_codes_of_brat_are_looked_for_where_brat_may_have_them(tmp_path, spans, code, taken):
    (tmp_path / "a.ann").write_text(CODED)
    found = follow(tmp_path, tmp_path, remark("a", spans, code, "gold wrong"), module=SEMEVAL)
    kept = [
        line for line in CODED.splitlines(keepends=True) if line.partition("\t")[0] not in taken
    ]
    assert found.files["a.ann"].decode() == "".join(kept)


@pytest.mark.parametrize(
    ("decision", "said"),
    [(remark("a", "14-19", "Strength", "gold wrong"), "relations or events refer to it"),
     (remark("a", "1-7", "Drug", "gold wrong"), "1-7 Drug: the gold standard has no such mention"),
     (remark("a", "0-7", "Form", "label", ("0-7", "Drug")), "no such mention"),
     (remark("c", "0-7", "Drug", "gold wrong"), "no such document"),
     (remark("b", "0-1", "Drug", "boundary", ("0-2", "Drug")), "Pass the directory of the notes"),
     (remark("a", "0-7", "Drug", "boundary", ("0-70", "Drug")), "27 characters"),
     (remark("a", "0-7", "Drug", "gold wrong", side="ours"), "not about a gold mention"),
     (remark("a", "0-7", "Drug", "boundary", ("", ""), side="ours"), "not paired with a gold"),
     (remark("a", "7-0", "Drug", "gold wrong"), "spans: fragment 7-0"),
     (remark("a", "0-7", "Drug", "else"), "decision: expected one of gold wrong, system right"),
     (remark("a", "0-7", "Drug", "label", ("0-7", "a b")), "a blank")],
)  # fmt: skip
def test_what_cannot_be_followed_is_refused(brat, tmp_path, decision, said):
    good = remark("a", "8-13", "Drug", "label", ("8-19", "Form"))
    laws.refuses(lambda: follow(brat, tmp_path, good, decision), said, "remark 2", text=["aspirin"])


def test_lines_of_json_and_of_pipes_stay_as_they_are(tmp_path):
    other = '{"mentions":[],  "id":"z\\u2028"}\n'
    mention = {"spans": [[0, 7]], "cui": "C1", "negation": "no", "cues": {"negation": [[8, 9]]}}
    held = {"id": "a", "mentions": [mention, {"spans": [[9, 12]], "cui": None}], "note": "x\u2028y"}
    lines = tmp_path / "g.jsonl"
    lines.write_text(other + json.dumps(held, ensure_ascii=False) + "\n" + other.replace("z", "y"))
    pipe = tmp_path / "g.pipe"
    rest = "no|NULL|patient|NULL|no|NULL|unmarked|NULL|unmarked|NULL|false|NULL|false|NULL"
    rows = [
        f"a|0-7|C1|{rest}|C9|1-2|",
        f"a|0-7|C1|{rest}|C8|NULL|",
        f"a|9-12|cuiless|{rest}|NULL|NULL|",
    ]
    pipe.write_text("\n".join(rows) + "\n")
    decisions = [
        remark("a", "0-7", "C1", "system right", ("0-8", "C2"),
               slots={"negation": "yes", "course": "unmarked", "body_location": "C9,C7"}),
        remark("a", "9-12", "CUI-less", "label", ("9-12", "C3")),
    ]  # fmt: skip
    written = follow(lines, tmp_path, *decisions, module=SEMEVAL).files["g.jsonl"].decode()
    one, two, three = written.removesuffix("\n").split("\n")
    assert (one + "\n", three + "\n") == (other, other.replace("z", "y"))
    changed = {**mention, "spans": [[0, 8]], "cui": "C2", "negation": "yes"}
    changed["body_location"] = ["C9", "C7"]
    expected = {**held, "mentions": [changed, {"spans": [[9, 12]], "cui": "C3"}]}
    assert json.loads(two) == expected
    yes = rest.replace("no|NULL|patient", "yes|NULL|patient")
    written = follow(pipe, tmp_path, *decisions, module=SEMEVAL).files["g.pipe"].decode()
    assert written.split("\n") == [
        f"a|0-8|C2|{yes}|C9|1-2|", f"a|0-8|C2|{yes}|C7|NULL|", f"a|9-12|C3|{rest}|NULL|NULL|", ""
    ]  # fmt: skip


def test_mentions_of_one_span_and_two_codes_are_two(tmp_path):
    rest = (
        "no|NULL|patient|NULL|no|NULL|unmarked|NULL|unmarked|NULL|false|NULL|false|NULL|NULL|NULL|"
    )
    (tmp_path / "g.pipe").write_text(f"a|0-7|C1|{rest}\na|0-7|C2|{rest}\n")
    slots = {"negation": "yes", "body_location": "NULL"}
    decision = remark("a", "0-7", "C2", "system right", ("0-7", "C3"), slots=slots)
    written = follow(tmp_path / "g.pipe", tmp_path, decision, module=SEMEVAL).files["g.pipe"]
    assert written.decode() == f"a|0-7|C1|{rest}\na|0-7|C3|yes{rest[2:]}\n"


def test_the_command_lists_what_changed_and_writes_a_new_folder(brat, tmp_path):
    decided = remark("a", "8-13", "Drug", "label", ("8-13", "=Form"))
    table = tmp_path / "r.csv"
    with table.open("w") as file:
        rows = csv.writer(file)
        rows.writerow([*COLUMNS, *MORE])
        rows.writerow(["a", "gold", "8-13", "Drug", "x", "'=1", "label", "8-13", "'=Form", ""])
        rows.writerow(["a", "gold", "0-7", "Drug", "gold wrong", "", "", "", "", ""])
    assert "Pass it" in run_clineval("adjudicate", brat, table, status=2).stderr
    options = ("--module", N2C2, "-o", tmp_path / "new")
    said = run_clineval("adjudicate", brat, table, *options, "--format", "json")
    [change] = json.loads(said.stdout)["changes"]
    expected = {"document": "a", "decision": "label", "before": "8-13 Drug", "after": "8-13 =Form"}
    assert (change, json.loads(said.stdout)["undecided"]) == (expected, 1)
    assert "1 remark has no decision" in said.stderr
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["a.ann", "a.txt", "b.ann"]
    again = run_clineval("adjudicate", brat, table, *options, status=2)
    assert "not empty" in again.stderr
    listed = run_clineval("adjudicate", brat, table, "--module", N2C2).stdout
    assert "8-13 =Form" in listed
    assert "aspirin" not in listed + said.stderr
    write_remarks(tmp_path / "r.json", N2C2, [decided])
    run_clineval("adjudicate", brat, tmp_path / "r.json", "-o", tmp_path / "json")
    new, other = ((tmp_path / name / "a.ann").read_text() for name in ("new", "json"))
    assert new == other


@pytest.mark.parametrize("name", NAMES)
def test_a_metric_without_mentions_is_refused_by_name(tmp_path, name):
    challenge = find_challenge(name)
    try:
        find_labels(challenge)
    except clineval.InputError:
        refused = True
    else:
        refused = False
    view = challenge.faces.page
    mentions = challenge.kind.in_columns and not challenge.kind.given
    mentions = mentions and not isinstance(challenge.kind, EventKind)  # triggers have arguments
    mentions = mentions and not view.equal_only  # items of bc5cdr's page lack mentions' concepts
    assert refused is not (mentions and challenge.kind.offsets == "characters")
    if refused:
        remarks = write_remarks(tmp_path / "r.json", name, [])
        laws.refuses(lambda: adjudicate(tmp_path, remarks), f"{name} has no mentions")


def test_other_files_and_formats_are_refused(tmp_path, brat):
    (tmp_path / "x.json").write_text('{"schema": "else"}')
    laws.refuses(lambda: adjudicate(brat, tmp_path / "x.json"), "the Workbench's remarks")
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    laws.refuses(lambda: adjudicate(brat, tmp_path / "x.csv", N2C2), "the Workbench's remarks")
    clef = DEMO / "clefehealth13_task1" / "demo" / "gold.pipe"
    shutil.copy(clef, tmp_path / "gold.pipe")
    laws.refuses(
        lambda: follow(tmp_path / "gold.pipe", tmp_path, module="clefehealth13_task1"),
        "brat, jsonl, pipe", "clef",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content"),
    [("g.jsonl", '{"id": "a", "mentions": [{"spans": [[0, "x"]], "cui": "C1"}]}\n'),
     ("g.jsonl", '{"mentions": []}\n'), ("g.jsonl", "[]\n"), ("g.jsonl", "{\n"),
     ("g.pipe", "a|x-7|C1|\n"), ("a.ann", "T1\tDrug\n"), ("a.ann", "T1 Drug 0 7\n")],
)  # fmt: skip
def test_a_broken_gold_standard_is_an_error_of_input(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    decision = remark("a", "0-7", "C1", "gold wrong")
    laws.refuses(lambda: follow(tmp_path / name, tmp_path, decision, module=SEMEVAL))
