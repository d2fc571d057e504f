"""The JSON of ClinAIS 2023: what is read from it, and the layout that is written."""

import json
from collections import Counter

import numpy as np
import pytest
from conftest import ROOT

import clineval
from clineval.challenges.clinais23_b2.printed import format_report
from clineval.evaluation.evaluate import evaluate_systems, make_setup
from clineval.formats import note_json

DEMO = ROOT / "metrics" / "clineval" / "challenges" / "clinais23_b2" / "demo"
NAME = "clinais23_b2"


def test_notes_have_tokens_labels_and_text():
    side = note_json.read_side(DEMO / "gold.json", "gold")
    content = json.loads((DEMO / "gold.json").read_text("utf-8"))["annotated_entries"]
    assert side.documents == side.keys == tuple(content)
    for note, entry in zip(side.notes, content.values(), strict=True):
        items = entry["boundary_annotation"]["gold"]
        assert note.text == entry["note_text"]
        assert note.labels == [item["boundary"] for item in items]
        assert [note.text[start:end] for start, end in note.tokens] == [i["span"] for i in items]


def test_the_demo_s_sections_agree_with_its_boundaries():
    content = json.loads((DEMO / "gold.json").read_text("utf-8"))
    for entry in content["annotated_entries"].values():
        del entry["boundary_annotation"]
    result = clineval.score(NAME, _as_predictions(content), DEMO / "gold.json")
    assert result["b"] == 1.0
    assert result["matches"] == clineval.score(NAME, DEMO / "tagger.json", DEMO / "gold.json")[
        "matches"
    ] + sum(
        clineval.score(NAME, DEMO / "tagger.json", DEMO / "gold.json")[kind]
        for kind in ("additions", "substitutions", "transpositions")
    )


def _as_predictions(content):
    for entry in content["annotated_entries"].values():
        sections = entry["section_annotation"]
        sections["prediction"] = sections.pop("gold")
    return content


def test_the_demo_has_all_seven_sections():
    from clineval.challenges.clinais23_b2.spec import LABELS

    side = note_json.read_side(DEMO / "gold.json", "gold")
    assert len(side.notes) == 6
    assert {label for note in side.notes for label in note.labels} == {None, *LABELS}


def test_one_side_is_read_and_the_other_left_alone():
    text = json.dumps(
        {
            "annotated_entries": {
                "n": {"boundary_annotation": {"gold": "broken", "prediction": []}},
                "m": {},
            }
        }
    )
    with pytest.raises(clineval.InputError, match="note n: boundary_annotation: gold"):
        note_json.read_side(text, "prediction")


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(tmp_path):
    text = (DEMO / "gold.json").read_bytes().replace(b"\n", b"\r\n")
    path = tmp_path / "gold.json"
    path.write_bytes(b"\xef\xbb\xbf" + text)
    ours, plain = (note_json.read_side(p, "gold") for p in (path, DEMO / "gold.json"))
    for one, other in zip(ours.notes, plain.notes, strict=True):
        assert one.labels == other.labels
        assert np.array_equal(one.tokens, other.tokens)
        assert one.text == other.text


def test_the_task_s_own_layout():
    gold = [["TREATMENT", None, "EVOLUTION", None, "EXPLORATION", None, None, None, "TREATMENT"]]
    found = [["TREATMENT", None, "EXPLORATION", None, None, None, None, "EXPLORATION", None]]
    score = clineval.score(NAME, found, gold, n_t=4)
    report = json.loads(format_report(score))
    assert list(report) == ["Weighted B2", "Scores per file"]
    assert report["Weighted B2"] == score["b2"]
    statistics = report["Scores per file"]["0"]["Statistics"]
    assert statistics["matches"] == ["TREATMENT"]
    assert statistics["transpositions"] == [
        {"start_offset": 2, "end_offset": 4, "boundary": "EXPLORATION"}
    ]
    assert statistics["additions"] == ["EVOLUTION", "TREATMENT"]
    assert statistics["deletions"] == ["EXPLORATION"]
    assert statistics["substitutions"] == []
    assert statistics["weighted_transpositions"] == 0


def test_it_can_be_written_from_stored_counts():
    counts = clineval.count(NAME, DEMO / "tagger.json", DEMO / "gold.json")
    stored = clineval.Counts.from_json(counts.to_json())
    assert format_report(stored.score()) == format_report(counts.score())


def test_parts_of_counts_keep_their_details():
    counts = clineval.count(NAME, DEMO / "tagger.json", DEMO / "gold.json")
    rows = counts.score().per_document
    assert counts.take([4, 1]).score().per_document == [rows[4], rows[1]]
    both = counts.take([0]) + counts.take([5])
    assert both.score().per_document == [rows[0], rows[5]]


def test_a_file_that_is_both_is_read_once_whatever_else_is_scored(tmp_path, monkeypatch):
    both, parsed = tmp_path / "both.json", []
    content = json.loads((DEMO / "tagger.json").read_text())
    gold = json.loads((DEMO / "gold.json").read_text())
    for key, entry in content["annotated_entries"].items():
        of_gold = gold["annotated_entries"][key]
        for name in ("boundary_annotation", "section_annotation"):
            if name in of_gold:
                entry[name] = {**entry.get(name, {}), "gold": of_gold[name]["gold"]}
    both.write_text(json.dumps(content))
    parse = note_json.parse
    monkeypatch.setattr(note_json, "parse", lambda file: parsed.append(file.label) or parse(file))
    systems = {"tagger": both, "windows": DEMO / "windows.json"}
    evaluations = evaluate_systems(make_setup(NAME), systems, both)
    assert sorted(Counter(parsed).values()) == [1, 1]
    for name, evaluation in evaluations.items():
        alone = clineval.count(NAME, DEMO / f"{name}.json", DEMO / "gold.json")
        assert evaluation.counts == alone


def test_offsets_that_no_array_holds_are_refused():
    item = {"span": "x", "boundary": None, "start_offset": 0, "end_offset": 10**30}
    text = json.dumps({"annotated_entries": {"n": {"boundary_annotation": {"gold": [item]}}}})
    said = (
        "note n: token 0: end_offset: expected an integer of up to 63 bits, got an integer of 100"
    )
    with pytest.raises(clineval.InputError, match=said):
        note_json.read_side(text, "gold")
