"""Slots, events and codes of corrected mentions: written in the file's own style, or rejected."""

import csv
import json

import laws
import pytest
from commands import invoke

import clineval
from clineval.evaluation.adjudication import adjudicate

SPANS, CMED, SEMEVAL, CANTEMIST = (
    "clinical_spans", "n2c2_2022_cmed", "semeval15_task14", "cantemist20",
)  # fmt: skip
TEXT = "pain here and there and more"


def decide(decision, place="0-4 P", to="0-4 P", **others):
    spans, label = place.split(" ")
    to_spans, to_class = to.split(" ")
    return {
        "document": "a", "side": others.get("side", "gold"), "spans": spans, "class": label,
        "decision": decision, "to_spans": to_spans, "to_class": to_class,
        "to_slots": others.get("slots", {}),
    }  # fmt: skip


def follow(folder, module, content, *remarks, name="a.ann", config="default"):
    """Correct a file of one document; return its text and the changes."""
    (folder / name).write_text(content)
    (folder / "a.txt").write_text(TEXT)
    head = {"schema": "clineval remarks 1", "module": module, "config": config}
    (folder / "r.json").write_text(json.dumps({**head, "remarks": remarks}))
    found = adjudicate(folder / name, folder / "r.json", texts=folder)
    return found.files[name].decode(), found.changes


ATTRIBUTES = (
    "T1\tP 0 4\tpain\nA1\tNegated T1\nT2\tP 5 9\there\nA2\tSeverity T2 severe\nT3\tP 10 13\tand\n"
)


@pytest.mark.parametrize(
    ("place", "slots", "old", "new"),
    [("0-4", {"negated": "no", "severity": "no"}, "A1\tNegated T1\n", ""),
     ("5-9", {"negated": "yes", "severity": "mild"}, "T2 severe", "T2 mild"),
     ("5-9", {"severity": "no"}, "A2\tSeverity T2 severe\n", ""),
     ("10-13", {"severity": "very severe"}, "", "A3\tSeverity T3 very severe\n"),
     ("10-13", {"history": "yes"}, "", "A3\tHistory T3\n")],
)  # fmt: skip
def test_attributes_of_brat_keep_the_style_of_their_file(tmp_path, place, slots, old, new):
    decision = decide("system right", f"{place} P", f"{place} P", slots=slots)
    text, [change] = follow(tmp_path, SPANS, ATTRIBUTES, decision)
    expected = ATTRIBUTES.replace(old, new) if old else ATTRIBUTES + new
    assert text == (
        expected + "A3\tNegated T2\n" if place == "5-9" and "negated" in slots else expected
    )
    for name, value in slots.items():
        assert (f"{name}={value}" in change.after) is (f"{name}=" in change.before)


def test_a_flag_is_written_as_a_word_where_the_file_has_words(tmp_path):
    words = ATTRIBUTES.replace("Negated T1", "negAted T1 yes")
    decision = decide("system right", "5-9 P", "5-9 P", slots={"negated": "yes"})
    text, _ = follow(tmp_path, SPANS, words, decision)
    assert text == words + "A3\tnegAted T2 yes\n"


def test_json_keeps_true_and_false_and_lists_slots(tmp_path):
    mentions = [
        {"spans": [[0, 4]], "label": "P", "negated": True},
        {"spans": [[5, 9]], "label": "P", "severity": "mild"},
        {"spans": [[10, 13]], "label": "P", "negated": 1},
    ]
    line = json.dumps({"id": "a", "mentions": mentions, "text": TEXT}) + "\n"
    text, changes = follow(
        tmp_path, SPANS, line,
        decide("system right", slots={"negated": "no", "severity": "no"}),
        decide("system right", "5-9 P", "5-9 Q", slots={"negated": "yes", "severity": "true"}),
        decide("system right", "10-13 P", "10-13 P", slots={"negated": "yes"}),
        decide("system right", "14-19 P", "14-19 P", side="s",
               slots={"negated": "yes", "severity": "no"}),
        name="g.jsonl",
    )  # fmt: skip
    assert json.loads(text)["mentions"] == [
        {"spans": [[0, 4]], "label": "P", "negated": False},
        {"spans": [[5, 9]], "label": "Q", "negated": True, "severity": "true"},
        {"spans": [[10, 13]], "label": "P", "negated": 1},
        {"spans": [[14, 19]], "label": "P", "negated": True},
    ]
    assert [(change.before, change.after) for change in changes] == [
        ("0-4 P negated=yes", "0-4 P negated=no"),
        ("5-9 P negated=no severity=mild", "5-9 Q negated=yes severity=true"),
        ("10-13 P", "10-13 P"),
        ("", "14-19 P negated=yes"),
    ]
    listed = invoke(["adjudicate", tmp_path / "g.jsonl", tmp_path / "r.json"])
    assert "0-4 P negated=yes" in listed.stdout


CONTEXT = (
    "T1\tDisposition 0 4\tpain\nE1\tDisposition:T1 \nA1\tAction E1 Stop\n#1\tAnnotatorNotes E1\tx\n"
    "T2\tDrug 5 9\there\nE2\tNoDisposition:T2 \nT3\tDrug 10 13\tand\n"
)
NOBODY = dict.fromkeys(("action", "negation", "temporality", "certainty", "actor"), "no")


@pytest.mark.parametrize(
    ("decision", "old", "new"),
    [(decide("label", "0-4 Disposition", "0-4 Undetermined"), CONTEXT[: CONTEXT.index("A1")],
      "T1\tUndetermined 0 4\tpain\nE1\tUndetermined:T1 \n"),
     (decide("label", "5-9 NoDisposition", "5-9 Undetermined"), "NoDisposition", "Undetermined"),
     (decide("label", "5-9 NoDisposition", "5-9 Drug"), "E2\tNoDisposition:T2 \n", ""),
     (decide("label", "10-13 Drug", "10-13 Undetermined"), "T3\tDrug 10 13\tand\n",
      "T3\tUndetermined 10 13\tand\nE3\tUndetermined:T3 \n"),
     (decide("gold wrong", "0-4 Disposition"), CONTEXT[: CONTEXT.index("T2")], ""),
     (decide("gold wrong", "10-13 Drug"), "T3\tDrug 10 13\tand\n", ""),
     (decide("system right", "0-4 Disposition", "0-4 Disposition",
             slots={**NOBODY, "action": "Start"}), "Stop", "Start"),
     (decide("system right", "14-19 Disposition", "14-19 Disposition", side="s",
             slots={**NOBODY, "action": "Start"}), "",
      "T4\tDisposition 14 19\tthere\nE3\tDisposition:T4 \nA2\tAction E3 Start\n")],
)  # fmt: skip
def test_events_follow_their_mentions(tmp_path, decision, old, new):
    text, _ = follow(tmp_path, CMED, CONTEXT, decision)
    assert text == (CONTEXT.replace(old, new) if old else CONTEXT + new)
    clineval.score(CMED, text, text)


PIPE = "a|0-4|C1|\n"
CODED = "T1\tDisorder 0 4\tpain\nN1\tReference T1 MeSH:D1\tx\n"
CODED += "N2\tReference T1 OMIM:2\tx\n#1\tAnnotatorNotes T1\tsure?\n"
LABEL = "MORFOLOGIA_NEOPLASIA"
SURE = f"T1\t{LABEL} 0 4\tpain\n#1\tAnnotatorNotes T1\t8000/3\n"


@pytest.mark.parametrize(
    ("module", "content", "decision", "said"),
    [(SPANS, ATTRIBUTES, decide("system right", slots={"label": "x"}), "no slot 'label'"),
     (SPANS, ATTRIBUTES, decide("system right", slots={"spans": "x"}), "no slot 'spans'"),
     (CMED, CONTEXT, decide("system right", "0-4 Disposition", "0-4 Disposition",
                                     slots={"negated": "yes"}), "no slot 'negated'"),
     (CMED, CONTEXT, decide("label", "0-4 Disposition", "0-4 Other"), "no class 'Other'"),
     (CMED, CONTEXT, decide("label", "0-4 Disposition", "0-4 Drug"), "Drug is not an event"),
     (CMED, CONTEXT, decide("system right", "10-13 Drug", "10-13 Drug",
                                     slots={**NOBODY, "actor": "Patient"}), "Drug is not an event"),
     (CMED, CONTEXT + "R1\tX Arg1:E1 Arg2:T2\n", decide("gold wrong", "0-4 Disposition"),
      "relations or events refer to it"),
     (SPANS, ATTRIBUTES, decide("system right", slots={"Negated": "yes"}), "cannot contain"),
     (SPANS, ATTRIBUTES, decide("system right", slots={"is it": "yes"}), "cannot contain"),
     (SEMEVAL, PIPE, decide("system right", "0-4 C1", "0-4 C1",
                                      slots={"negation": "yes"}), "no columns for negation"),
     (SEMEVAL, PIPE, decide("system right", "5-9 C1", "5-9 C1", side="s",
                                      slots={"severity": "severe"}), "no columns for severity"),
     (SEMEVAL, PIPE, decide("system right", "0-4 C1", "0-4 C1",
                                      slots={"negation": "perhaps"}), "'negation' cannot be")],
)  # fmt: skip
def test_what_a_file_cannot_hold_is_rejected(tmp_path, module, content, decision, said):
    name = "a.pipe" if content == PIPE else "a.ann"
    laws.refuses(lambda: follow(tmp_path, module, content, decision, name=name), said, "remark 1")


@pytest.mark.parametrize(
    ("code", "lines"),
    [("C0000001", "N1\tReference T1 UMLS:C0000001\tC0000001\n"),
     ("MESH:D2,C3", "N1\tReference T1 MeSH:D2\tD2\nN2\tReference T1 UMLS:C3\tC3\n")],
)  # fmt: skip
def test_all_codes_of_a_mention_are_one_class_and_remarks_stay(tmp_path, code, lines):
    decision = decide("label", "0-4 MESH:D1,OMIM:2", f"0-4 {code}")
    text, _ = follow(tmp_path, SEMEVAL, CODED, decision)
    kept = [line for line in CODED.splitlines(keepends=True) if line[0] != "N"]
    assert text == "".join(kept) + lines


NEUTRAL = "NULL|patient|NULL|no|NULL|unmarked|NULL|unmarked|NULL|false|NULL|false|NULL"
CASES = {
    "json": (SPANS, "g.jsonl", ["negated", "severity"], "P", json.dumps({"id": "a", "mentions": [
        {"spans": [[0, 4]], "label": "P", "negated": negated, "severity": severity}
        for negated, severity in ((True, "no"), (False, "no"), (False, "mild"))
    ]}) + "\n"),
    "brat": (SPANS, "a.ann", ["negated", "severity"], "P",
             "".join(f"T{at}\tP 0 4\tpain\n" for at in (1, 2, 3))
             + "A1\tNegated T1\nA2\tSeverity T3 mild\n"),
    "pipe": (SEMEVAL, "a.pipe", ["negation", "body_location"], "C1", "".join(
        f"a|0-4|C1|{negated}|{NEUTRAL}|{place}|NULL|\n"
        for negated, place in (("yes", "C8"), ("yes", "C9"), ("no", "C8"))
    )),
}  # fmt: skip
"""Files of mentions of one span and class; lines of a pipe file have a body location each."""
TWINS = {
    "json": [("yes", "no"), ("no", "no"), ("no", "mild")],
    "pipe": [("yes", "C8,C9"), ("no", "C8")],
}


def decide_twins(form, *decisions):
    """Decide on mentions that differ in slots alone, each by its place among them."""
    _, _, names, label, _ = CASES[form]
    found = []
    for at, (decision, to, slots) in decisions:
        own = dict(zip(names, TWINS.get(form, TWINS["json"])[at], strict=True))
        found.append({**decide(decision, f"0-4 {label}", to, slots=slots), "slots": own})
    return found


@pytest.mark.parametrize("form", ["json", "brat", "pipe"])
def test_each_of_the_mentions_that_differ_in_slots_alone_is_corrected_by_itself(tmp_path, form):
    module, name, names, label, content = CASES[form]
    first, second = TWINS.get(form, TWINS["json"])[:2]
    as_second = dict(zip(names, second, strict=True))
    decisions = decide_twins(
        form, (0, ("system right", f"0-4 {label}", as_second)), (1, ("gold wrong", "0-4 -", {}))
    )
    text, changes = follow(tmp_path, module, content, *decisions, name=name)
    given = [f"{n}={v}" for n, v in zip(names, first, strict=True)]
    assert changes[0].before == " ".join([f"0-4 {label}", *given])
    assert changes[1].before.endswith(changes[0].after)
    new = tmp_path / "new"
    new.mkdir()
    (new / name).write_text(text)
    [document] = clineval.read(new, module, format={"json": "jsonl"}.get(form, form))
    held = [[mention.slots.get(n, "no") for n in names] for mention in document.mentions]
    if form == "pipe":
        assert held == [["no", ("C8",)]]
    else:
        assert held == [["no", "no"], ["no", "mild"]]


@pytest.mark.parametrize("form", ["json", "brat", "pipe"])
def test_a_remark_that_could_be_on_several_mentions_is_rejected(tmp_path, form):
    module, name, names, label, content = CASES[form]
    decision = decide("label", f"0-4 {label}", "0-4 C2")
    said = "mentions have this span and class and differ in slots"
    laws.refuses(lambda: follow(tmp_path, module, content, decision, name=name), said, "remark 1")
    if form != "pipe":
        half = {**decision, "slots": {names[0]: "no"}}
        laws.refuses(lambda: follow(tmp_path, module, content, half, name=name), f"2 {said}")
    none = {**decision, "slots": {names[0]: "no", names[1]: "C7"}}
    laws.refuses(lambda: follow(tmp_path, module, content, none, name=name), "no such mention")
    wrong = {**decision, "slots": {"text": "x"}}
    laws.refuses(lambda: follow(tmp_path, module, content, wrong, name=name), "no slot 'text'")


@pytest.mark.parametrize("form", ["json", "brat"])
def test_mentions_that_differ_in_what_does_not_count_are_one(tmp_path, form):
    module, name, _, _, content = CASES[form]
    decision = decide("label", to="0-4 Q")
    (tmp_path / name).write_text(content)
    (tmp_path / "a.txt").write_text(TEXT)
    head = {"schema": "clineval remarks 1", "module": module}
    remarks = tmp_path / "r.json"
    for scored, number in ((["label"], 3), (["label", "negated"], 2)):
        own = {"slots": {"negated": "no"}} if number == 2 else {}
        held = {**head, "scored_slots": scored, "remarks": [{**decision, **own}]}
        remarks.write_text(json.dumps(held))
        text = adjudicate(tmp_path / name, remarks).files[name].decode()
        assert (text.count("Q"), text.count('"P"') + text.count("\tP ")) == (number, 3 - number)


def test_tables_of_remarks_have_slots_too(tmp_path):
    module, name, names, _, content = CASES["json"]
    (tmp_path / name).write_text(content)
    [remark] = decide_twins("json", (2, ("label", "0-4 Q", {})))
    with (tmp_path / "r.csv").open("w", newline="") as file:
        rows = csv.DictWriter(file, [*remark, "scored_slots"])
        rows.writeheader()
        cells = {n: json.dumps(v) if isinstance(v, dict) else v for n, v in remark.items()}
        rows.writerow({**cells, "scored_slots": "; ".join(["label", *names])})
    text = adjudicate(tmp_path / name, tmp_path / "r.csv", module).files[name].decode()
    assert [each["label"] for each in json.loads(text)["mentions"]] == ["P", "P", "Q"]


def test_a_slot_that_is_a_note_is_written_as_a_note(tmp_path):
    slots = {"code": "8140/3"}
    text, [change] = follow(
        tmp_path,
        CANTEMIST,
        SURE,
        decide("system right", f"0-4 {LABEL}", f"0-4 {LABEL}", slots=slots),
        config="norm",
    )
    assert text == SURE.replace("8000/3", "8140/3")
    assert (change.before, change.after) == (f"0-4 {LABEL} code=8000/3", f"0-4 {LABEL} code=8140/3")
    added = decide("system right", f"5-9 {LABEL}", f"5-9 {LABEL}", side="s", slots=slots)
    text, _ = follow(tmp_path, CANTEMIST, SURE, added, config="norm")
    assert text == SURE + f"T2\t{LABEL} 5 9\there\n#2\tAnnotatorNotes T2\t8140/3\n"
