"""Slots, events and codes of corrected mentions: written in the file's own style, or rejected."""

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
     (CMED, CONTEXT, decide("label", "0-4 Disposition", "0-4 Drug"), "Drug is none"),
     (CMED, CONTEXT, decide("system right", "10-13 Drug", "10-13 Drug",
                                     slots={**NOBODY, "actor": "Patient"}), "Drug is none"),
     (CMED, CONTEXT + "R1\tX Arg1:E1 Arg2:T2\n", decide("gold wrong", "0-4 Disposition"),
      "relations or events end at it"),
     (SPANS, ATTRIBUTES, decide("system right", slots={"Negated": "yes"}), "cannot hold"),
     (SPANS, ATTRIBUTES, decide("system right", slots={"is it": "yes"}), "cannot hold"),
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


@pytest.mark.parametrize("form", ["json", "brat"])
def test_mentions_that_differ_in_slots_alone_are_not_mixed_up(tmp_path, form):
    mentions = [{"spans": [[0, 4]], "label": "P", "negated": value} for value in (True, False)]
    lines = json.dumps({"id": "a", "mentions": mentions}) + "\n"
    ann = "T1\tP 0 4\tpain\nT2\tP 0 4\tpain\nA1\tNegated T1\n"
    name, content = ("g.jsonl", lines) if form == "json" else ("a.ann", ann)
    decision = decide("label", to="0-4 Q")
    laws.refuses(
        lambda: follow(tmp_path, SPANS, content, decision, name=name),
        "2 mentions have this span and class and differ in slots", "remark 1",
    )  # fmt: skip
    same = content.replace("false", "true") if form == "json" else content + "A2\tNegated T2\n"
    text, _ = follow(tmp_path, SPANS, same, decision, name=name)
    assert (text.count("Q"), text.count("P")) == (2, 0)


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
