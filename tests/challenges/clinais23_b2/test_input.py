"""ClinAIS 2023: every form of input scores alike, and bad input is named without its text."""

import json

import laws
import numpy as np
import pytest

import clineval
from clineval.challenges.clinais23_b2.spec import LABELS

NAME = "clinais23_b2"
TEXT = "Mujer de 46 años.\nAbdomen blando. Se pauta reposo."
WORDS = ("Mujer", "años", "Abdomen", "blando", "pauta", "reposo")
PRESENT, EXPLORED, TREATED = "PRESENT_ILLNESS", "EXPLORATION", "TREATMENT"
GOLD = [PRESENT, None, None, None, EXPLORED, None, TREATED, None, None]
FOUND = [PRESENT, None, None, None, EXPLORED, None, None, None, TREATED]
EMPTY = [None] * len(GOLD)


def sections(*bounds):
    return [{"start": start, "end": end, "label": label} for start, end, label in bounds]


GOLD_SECTIONS = sections((0, 18, PRESENT), (18, 34, EXPLORED), (34, 50, TREATED))
FOUND_SECTIONS = sections((0, 17, PRESENT), (18, 43, EXPLORED), (43, 50, TREATED))


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options)


def items(labels, *, line_end=False):
    """Tokens as the task's JSON has them; there a line end may be an item."""
    from clineval.kinds.sections.segmentation import split_text

    tokens = split_text(TEXT).tolist()
    given = [
        {"span": TEXT[start:end], "boundary": label, "start_offset": start, "end_offset": end}
        for (start, end), label in zip(tokens, labels, strict=True)
    ]
    if line_end:
        newline = {"span": "\n", "boundary": None, "start_offset": 17, "end_offset": 18}
        given.insert(4, newline)
    return given


def task_sections(bounds):
    return [
        {
            "segment": TEXT[s["start"] : s["end"]],
            "label": s["label"],
            "start_offset": s["start"],
            "end_offset": s["end"],
        }
        for s in bounds
    ]


def entry(name="n1", **annotations):
    return {"note_id": name, "note_text": TEXT, **annotations}


def entries(**notes):
    return {"annotated_entries": notes}


EXPECTED = score([FOUND], [GOLD]).values


class TestFormsOfInput:
    def test_labels(self):
        assert EXPECTED["matches"] == 2
        assert EXPECTED["transpositions"] == 1

    def test_sections_with_the_text(self):
        gold = {"text": TEXT, "sections": GOLD_SECTIONS}
        found = {"text": TEXT, "sections": FOUND_SECTIONS[::-1]}
        assert score([found], [gold]).values == EXPECTED

    def test_sections_on_one_side_and_labels_on_the_other(self):
        found = {"text": TEXT, "sections": FOUND_SECTIONS}
        assert score([found], [GOLD]).values == EXPECTED

    def test_the_text_on_one_side_is_enough(self):
        gold = {"text": TEXT, "sections": GOLD_SECTIONS}
        assert score([{"sections": FOUND_SECTIONS}], [gold]).values == EXPECTED

    def test_entries_of_the_task_with_both_sides(self):
        both = entry(boundary_annotation={"gold": items(GOLD), "prediction": items(FOUND)})
        assert score([both], [both]).values == EXPECTED
        assert score(entries(n1=both), entries(n1=both)).values == EXPECTED

    def test_entries_with_sections_alone(self):
        annotation = {
            "gold": task_sections(GOLD_SECTIONS),
            "prediction": task_sections(FOUND_SECTIONS),
        }
        both = entry(section_annotation=annotation)
        assert score([both], [both]).values == EXPECTED

    def test_gold_sections_beside_gold_boundaries_and_no_key_for_predictions(self):
        """The layout of the official sample."""
        gold = entry(
            section_annotation={"gold": task_sections(GOLD_SECTIONS)},
            boundary_annotation={"gold": items(GOLD)},
        )
        found = entry(
            section_annotation={"gold": [], "prediction": []},
            boundary_annotation={"gold": items(GOLD), "prediction": items(FOUND)},
        )
        assert score([found], [gold]).values == EXPECTED

    def test_sections_lie_on_the_items_where_there_are_any(self):
        """A line end that is an item of its own can carry the boundary."""
        gold = entry(boundary_annotation={"gold": items(GOLD, line_end=True)})
        gold["boundary_annotation"]["gold"][4]["boundary"] = EXPLORED
        gold["boundary_annotation"]["gold"][5]["boundary"] = None
        found = sections((0, 17, PRESENT), (17, 34, EXPLORED), (34, 50, TREATED))
        predicted = entry(section_annotation={"prediction": task_sections(found)})
        assert score([predicted], [gold])["matches"] == 3

    def test_no_predicted_section_is_a_note_without_boundaries(self):
        gold = entry(boundary_annotation={"gold": items(GOLD)})
        found = entry(section_annotation={"prediction": []})
        assert score([found], [gold]).values == score([EMPTY], [GOLD]).values

    def test_strings_of_json(self):
        gold = json.dumps({"text": TEXT, "sections": GOLD_SECTIONS})
        assert score([json.dumps(FOUND)], [gold]).values == EXPECTED

    def test_a_file_s_text_and_its_path(self, tmp_path):
        both = entry(boundary_annotation={"gold": items(GOLD), "prediction": items(FOUND)})
        text = json.dumps(entries(n1=both))
        path = tmp_path / "both.json"
        path.write_text(text)
        assert score(path, str(path)).values == EXPECTED
        assert score(text, text).values == EXPECTED
        assert score(tmp_path, tmp_path).values == EXPECTED

    def test_the_official_sample_s_sections_give_its_boundaries(self, shared_oracle):
        content = json.loads((shared_oracle / NAME / "gold.sample.json").read_text())
        for note in content["annotated_entries"].values():
            note["section_annotation"]["prediction"] = note["section_annotation"]["gold"]
        result = score(content, content)
        assert result["b"] == 1.0
        assert result["matches"] == 51

    def test_named_notes_are_paired_by_name(self):
        gold = [{"id": name, "text": TEXT, "sections": GOLD_SECTIONS} for name in "ab"]
        found = [{**gold[1], "sections": []}, gold[0]]
        rows = score(found, gold).per_document
        assert [(row["document"], row["matches"]) for row in rows] == [("a", 3), ("b", 0)]


class TestNotesOnOneSide:
    def named(self, *names):
        return [{"id": name, "text": TEXT, "sections": GOLD_SECTIONS} for name in names]

    def test_a_missing_prediction_is_all_missed(self):
        with pytest.warns(clineval.InputWarning, match=r"1 document has no predictions.*: b$"):
            result = score(self.named("a"), self.named("a", "b"))
        assert (result["matches"], result["additions"]) == (3, 3)
        assert result["b2"] == (1 + score([EMPTY], [GOLD])["b2"]) / 2

    def test_an_extra_prediction_is_all_spurious_and_weighs_nothing(self):
        with pytest.warns(clineval.InputWarning, match=r"1 predicted document .*: b$"):
            result = score(self.named("a", "b"), self.named("a"))
        assert (result["b2"], result["deletions"]) == (1.0, 3)

    def test_unnamed_notes_must_be_as_many(self):
        message = "expected as many predictions as references"
        laws.refuses(lambda: score([GOLD], [GOLD, GOLD]), message)


def with_items(**changes):
    given = items(FOUND)
    given[2].update(changes)
    return entry(boundary_annotation={"gold": items(GOLD), "prediction": given})


def refuses(predictions, *parts, references=None, **options):
    gold = [GOLD] if references is None else references
    return laws.refuses(lambda: score(predictions, gold, **options), *parts, text=WORDS)


class TestBadInput:
    def test_sides_of_different_length(self):
        refuses([FOUND[:-1]], "predictions, note 0", "9, got 8", "for every token")

    def test_tokens_that_differ(self):
        broken = with_items(start_offset=10)
        both = [entry(boundary_annotation={"gold": items(GOLD)})]
        refuses([broken], "predictions, note n1", "token 2", "9-11", "10-11", references=both)

    def test_tokens_that_are_missing(self):
        broken = entry(boundary_annotation={"prediction": items(FOUND)[:-1]})
        both = [entry(boundary_annotation={"gold": items(GOLD)})]
        refuses([broken], "note n1", "token 8", "43-50", "no more tokens", references=both)

    def test_texts_that_differ(self):
        gold = {"text": TEXT, "sections": GOLD_SECTIONS}
        found = {"text": TEXT.replace("46", "47"), "sections": FOUND_SECTIONS}
        refuses([found], "predictions, note 0", "offset 10", references=[gold])

    def test_an_unknown_label(self):
        refuses([[*FOUND[:-1], "Mi sección"]], "predictions, note 0", "token 8", *LABELS, "labels")
        broken = with_items(boundary="Abdomen blando")
        refuses([broken], "note n1", "token 2 at 9-11", "a string of 14 characters",
                references=[broken])  # fmt: skip

    def test_a_label_that_is_no_string(self):
        refuses([[7, *FOUND[1:]]], "token 0", "7")
        refuses([[np.arange(3), *FOUND[1:]]], "token 0", "unknown label")
        refuses([[{}, *FOUND[1:]]], "token 0", "a dict")

    @pytest.mark.parametrize(
        ("bounds", "parts"),
        [
            ([(0, 20, PRESENT), (18, 34, EXPLORED)], ["sections 0-20 and 18-34 overlap"]),
            ([(0, 8, PRESENT), (20, 34, EXPLORED)], ["section 20-34", "inside the token 18-25"]),
            ([(0, 17, PRESENT), (17, 18, EXPLORED)], ["section 17-18", "has no token"]),
            ([(0, 51, PRESENT)], ["section 0-51", "50 characters"]),
            ([(18, 18, PRESENT)], ["section 18-18", "start < end"]),
            ([(-1, 8, PRESENT)], ["section -1-8", "start < end"]),
            ([("0", 8, PRESENT)], ["integer offset", "a string"]),
            ([(0, 8, "Otra cosa")], ["token 0", "a string of 9 characters"]),
        ],
        ids=["overlap", "inside", "empty", "outside", "no length", "negative", "type", "label"],
    )
    def test_sections(self, bounds, parts):
        gold = {"id": "n7", "text": TEXT, "sections": GOLD_SECTIONS}
        found = {**gold, "sections": sections(*bounds)}
        refuses([found], "predictions, note n7", *parts, references=[gold])

    def test_sections_without_the_text(self):
        found = {"sections": FOUND_SECTIONS}
        refuses([found], "predictions, note 0", "without the note's text", references=[found])

    @pytest.mark.parametrize(
        ("item", "parts"),
        [
            (TEXT, ["expected JSON"]),
            (7, ["expected a list of labels or a dict", "7"]),
            ({"text": TEXT}, ["expected a list of sections", "None"]),
            ({"text": 7, "sections": []}, ["text: expected a string"]),
            ({"sections": ["Mujer"]}, ["start, end, label", "'Mujer'"]),
            ({"boundary_annotation": [], "note_text": TEXT}, ["boundary_annotation", "a list"]),
            ({"boundary_annotation": {"prediction": {}}}, ["expected a list, got a dict"]),
            ({"boundary_annotation": {"prediction": [7]}}, ["token 0: expected an object"]),
            ({"boundary_annotation": {}, "note_text": 7}, ["note_text"]),
        ],
    )
    def test_notes_of_another_shape(self, item, parts):
        with pytest.raises(clineval.InputError) as caught:
            score([item], [GOLD])
        assert all(part in str(caught.value) for part in ["predictions, note 0", *parts])
        assert "años" not in str(caught.value)

    def test_tokens_of_another_shape(self):
        refuses([with_items(start_offset="9")], "token 2: start_offset", "an integer")
        broken = with_items()
        del broken["boundary_annotation"]["prediction"][3]["boundary"]
        refuses([broken], "note n1", "token 3: 'boundary' is missing")

    def test_notes_named_in_part_or_twice(self):
        note = {"id": "a", "text": TEXT, "sections": []}
        refuses([note, GOLD], "1 of 2 notes have no id", references=[GOLD, GOLD])
        refuses([note, note], "repeated note ids: a", references=[note, note])

    def test_no_predictions_in_the_file(self, tmp_path):
        path = tmp_path / "gold.json"
        path.write_text(json.dumps(entries(n1=entry(boundary_annotation={"gold": items(GOLD)}))))
        refuses(path, f"{tmp_path.name}/gold.json, note n1: no 'prediction'", references=path)

    def test_a_note_in_two_files(self, tmp_path):
        for name in ("a.json", "b.json"):
            note = entry(boundary_annotation={"gold": items(GOLD), "prediction": items(FOUND)})
            (tmp_path / name).write_text(json.dumps(entries(n1=note)))
        refuses(tmp_path, "note n1 is in more than one file", references=tmp_path)

    @pytest.mark.parametrize(
        ("text", "parts"),
        [
            ('{"annotated_entries":\n {"n1": "Mujer de 46 años', ["both.json:2", "column"]),
            ("[]", ["both.json", "annotated_entries"]),
            ('{"annotated_entries": []}', ["both.json", "annotated_entries"]),
            ('{"annotated_entries": {"n1": "Mujer de"}}', ["note n1", "a string of 8 characters"]),
        ],
        ids=["broken", "list", "entries", "entry"],
    )  # fmt: skip
    def test_broken_json(self, tmp_path, text, parts):
        path = tmp_path / "both.json"
        path.write_text(text)
        refuses(path, *parts, references=path)

    @pytest.mark.parametrize(
        ("options", "parts"),
        [
            ({"n_t": 0}, ["n_t", "0"]),
            ({"n_t": "40"}, ["n_t", "a string"]),
            ({"b_weights": "x"}, ["b_weights", "unweighted, scaled"]),
            ({"labels": "TREATMENT"}, ["labels", "list of strings"]),
            ({"labels": []}, ["labels"]),
            ({"weights": {"addition": 1}}, ["'addition'", "addition_base"]),
            ({"weights": {"substitution": -1}}, ["substitution", "-1"]),
            ({"weights": {"substitution": float("nan")}}, ["substitution", "nan"]),
            ({"weights": {"addition_divisor": 0}}, ["addition_divisor", "above 0"]),
            ({"weights": "nowhere.json"}, ["nowhere.json", "cannot be read"]),
            ({"weights": 3}, ["expected names and numbers", "3"]),
            ({"config": "task1"}, ["config", "default"]),
            ({"protocol": "x"}, ["protocol", "spec, official"]),
            ({"overlap": "word"}, ["option", "n_t"]),
        ],
    )
    def test_options(self, options, parts):
        refuses([FOUND], *parts, **options)

    def test_a_whole_that_is_no_list(self):
        refuses(7, "predictions", "a list with one item for each note")


def test_a_note_that_stands_twice_in_one_file_is_refused(tmp_path):
    """Python's own parser would keep the last one without a word."""
    note = json.dumps(entry(boundary_annotation={"gold": items(GOLD), "prediction": items(GOLD)}))
    file = tmp_path / "notes.json"
    file.write_text(f'{{"annotated_entries": {{"n1": {note}, "n1": {note}}}}}')
    laws.refuses(lambda: score(file, file), "notes.json", "the key n1 occurs twice", text=WORDS)
