"""What a module of one's own data ignores is counted, with the module that scores it."""

import json

import pytest

import clineval
from clineval import InputWarning

MENTIONS = "T1\tDrug 0 7\taspirin\nT2\tDose 8 13\t100mg\nT3\tStart 14 19\tstart\n"
LINES = MENTIONS + (
    "R1\tDOSE_OF Arg1:T2 Arg2:T1\nE1\tStart:T3 Drug:T1\nE2\tStart:T3\n*\tSAME T1 T2\n"
    "A1\tNegated T1\nA2\tCertain E1\nM3\tSeverity T2 low\n"
)
IGNORED = {
    "clinical_spans": [
        ("2 events in brat's files are ignored", "clinical_events"),
        ("1 equivalence (* lines) in brat's files is ignored", "clinical_relations"),
        ("1 relation in brat's files is ignored", "clinical_relations"),
        ("2 attributes in brat's files are not scored: negated, severity", "slots="),
    ],
    "clinical_relations": [
        ("2 events in brat's files are ignored", "clinical_events"),
        ("3 attributes in brat's files are ignored", "clinical_spans"),
    ],
    "clinical_events": [
        ("2 relations or equivalences in brat's files are ignored", "clinical_relations"),
        ("1 mention belongs to no event and does not count", "clinical_spans"),
    ],
}
DOCUMENT = {
    "id": "a",
    "mentions": [
        {"id": "T1", "label": "Drug", "spans": [[0, 7]], "negated": True},
        {"id": "T2", "label": "Dose", "spans": [[8, 13]], "severity": "low"},
    ],
    "relations": [{"label": "DOSE_OF", "from": "T2", "to": "T1"}],
}


def score(module, path):
    with pytest.warns(InputWarning) as caught:
        found = clineval.score(module, path, path)
    sides = [str(each.message).partition(": ")[::2] for each in caught]
    own = [[text for side, text in sides if side == of] for of in ("references", "predictions")]
    assert own[0] == own[1]
    return found, own[0]


@pytest.mark.parametrize("module", IGNORED)
def test_brat(module, tmp_path):
    (tmp_path / "a.ann").write_text(LINES)
    _, messages = score(module, tmp_path)
    for message, (start, remedy) in zip(messages, IGNORED[module], strict=True):
        assert message.startswith(start)
        assert remedy in message.removeprefix(start)


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_the_modules_that_are_named_score_it(tmp_path):
    (tmp_path / "a.ann").write_text(LINES)
    slots = ["negated", "severity"]
    spans = clineval.score("clinical_spans", tmp_path, tmp_path, slots=slots)
    relations = clineval.score("clinical_relations", tmp_path, tmp_path)
    events = clineval.score("clinical_events", tmp_path, tmp_path)
    assert (spans["strict_slots_tp"], spans["negated_strict_accuracy"]) == (3, 1)
    assert (relations["dose_of_strict_tp"], relations["same_strict_tp"]) == (1, 1)
    assert (events["start_trigger_tp"], events["start_drug_tp"]) == (2, 1)


def test_slots_of_mentions_are_ignored_in_json_too(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(DOCUMENT) + "\n")
    found, [message] = score("clinical_relations", path)
    assert message.startswith("2 slots of mentions (negated, severity) are ignored")
    assert "clinical_spans" in message
    plain = [{k: v for k, v in m.items() if k in {"id", "label", "spans"}}
             for m in DOCUMENT["mentions"]]  # fmt: skip
    without = [{"mentions": plain, "relations": DOCUMENT["relations"]}]
    again = clineval.score("clinical_relations", without, without)
    assert dict(found) == dict(again)


def test_plain_relations_have_no_warning(tmp_path, recwarn):
    (tmp_path / "a.ann").write_text(MENTIONS + "R1\tDOSE_OF Arg1:T2 Arg2:T1\n*\tSAME T1 T2\n")
    clineval.score("clinical_relations", tmp_path, tmp_path)
    assert [str(each.message) for each in recwarn] == []
