"""Bad input: what the messages say, and that they never repeat a note."""

from pathlib import Path

import laws
import numpy as np
import pytest

import clineval
from clineval import Document, Mention

TEXT = ("Smith", "pneumonia", "chest", "lobe")
GOOD = {"spans": [[0, 4]], "cui": "C1"}
SLOTS = "no|NULL|{}|NULL|no|NULL|unmarked|NULL|unmarked|NULL|false|NULL|false|NULL|NULL|NULL"
ROW = "d.txt|{}|C1|" + SLOTS + "|\n"


def score(predictions, references=None, **options):
    references = [[] for _ in predictions] if references is None else references
    return clineval.score("semeval15_task14", predictions, references, **options)


def mention(**changes):
    return {**GOOD, **changes}


@pytest.mark.parametrize(
    ("bad", "parts"),
    [
        (mention(spans=[[20, 10]]), ["fragment 20-10", "not after the start"]),
        (mention(spans=[[10, 10]]), ["fragment 10-10"]),
        (mention(spans=[[0, 10], [5, 20]]), ["fragments 0-10 and 5-20 overlap"]),
        (mention(spans=[[-1, 10]]), ["offset -1 is negative"]),
        (mention(spans=[[0, 4.5]]), ["expected an integer offset, got 4.5"]),
        (mention(spans=[["0", 4]]), ["expected an integer offset", "a string of 1 characters"]),
        (mention(spans=[[True, 4]]), ["expected an integer offset, got True"]),
        (mention(spans=[[0, 4, 6]]), ["expected a fragment [start, end]"]),
        (mention(spans=[]), ["no fragment", "[[10, 20]]"]),
        (mention(spans=[0, 4]), ["expected spans such as [[10, 20]]"]),
        (mention(spans="chest pain"), ["expected spans such as [[10, 20]]"]),
        (mention(spans=[[0, 2**40]]), ["is larger than"]),
        (mention(negated="yes"), ["unknown slot 'negated'", "negation"]),
        (mention(negation="negated"), ["negation: expected one of no, yes, got 'negated'"]),
        (mention(negation=2), ["negation: expected a string, got 2"]),
        (mention(severity=True), ["severity: expected a string, got True"]),
        (mention(severity="left lower lobe"), ["severity", "a string of 15 characters"]),
        (mention(cui=5), ["cui: expected a code or None, got 5"]),
        (mention(cui="chest pain"), ["cui: expected a code or None"]),
        (mention(body_location=["chest", 3]), ["body_location: expected codes or None"]),
        ({"spans": [[0, 4]]}, ["'cui' is missing", "None for cui-less"]),
        ({"cui": "C1"}, ["'spans' is missing"]),
        ("Smith has pneumonia", ["expected a dict"]),
    ],
)
def test_a_bad_mention_is_named(bad, parts):
    laws.refuses(
        lambda: score([[], [GOOD, bad]]),
        "predictions, document 1, mention 1",
        *parts,
        text=TEXT,
    )


def test_references_are_judged_too():
    laws.refuses(lambda: score([[]], [[mention(cui=5)]]), "references, document 0, mention 0")


def test_a_forgotten_level_of_lists_is_named():
    message = laws.refuses(lambda: score([GOOD], [GOOD]), "expected a list of mentions")
    assert "one list of mentions for each document" in message


def test_one_sides_string_is_not_a_list():
    laws.refuses(lambda: score(3, []), "predictions", "expected a list with one item")
    laws.refuses(lambda: score({}, []), "predictions", "got a dict")


def test_different_lengths():
    laws.refuses(
        lambda: score([[], []], [[]]), "got 2 documents with predictions and 1 with references"
    )
    laws.refuses(
        lambda: score([[]], [[], []]), "got 1 document with predictions and 2 with references"
    )


def test_kinds_must_not_be_mixed():
    laws.refuses(lambda: score([[], ROW], [[], []]), "documents in one form")


def test_unknown_names_list_the_known_ones():
    laws.refuses(lambda: score([[]], overlaps="word"), "'overlaps'", "overlap, texts, weights")
    laws.refuses(lambda: score([[]], config="task3"), "task1, task2a, task2b")
    laws.refuses(lambda: score([[]], protocol="perl"), "spec, official")
    laws.refuses(lambda: score([[]], overlap="token"), "character, word")
    laws.refuses(lambda: clineval.score("semeval15", [], []), "Did you mean semeval15_task14?")


@pytest.mark.parametrize(
    ("weights", "parts"),
    [
        ({}, ["no weights for negation"]),
        ({"negated": {}}, ["unknown slot 'negated'"]),
        ("missing.json", ["missing.json", "No such file", "clineval prevalence"]),
        ({"cui": -1}, ["cui", "0 or more, got -1"]),
        ({"cui": 1, "negation": {"maybe": 1}}, ["negation", "unknown value 'maybe'"]),
        ({"cui": 1, "negation": 0.5}, ["negation", "values with weights"]),
        (Path(__file__), ["expected a JSON file of weights"]),
        (Path(__file__).parent / "none.json", ["cannot be read"]),
    ],
)
def test_bad_weights(weights, parts):
    laws.refuses(lambda: score([[]], weights=weights), *parts)


class TestPipeText:
    def refused(self, text, *parts):
        laws.refuses(lambda: score(text, ROW.format("1-2", "patient")), *parts, text=TEXT)

    def test_too_few_columns(self):
        self.refused("d.txt|1-2|C1\nd.txt|1-2|C1|no|NULL|\n", "<string>:2", "19 columns", "got 5")
        self.refused("Smith has pneumonia\nd|1-2|C1\n", "<string>:1", "got 1")

    def test_malformed_spans(self):
        for spans in (
            "chest",
            "",
            "1",
            "1-",
            "-2",
            "1-2-3",
            "1,2",
            "1-2,",
            "1 0-20",
            "1-9999999999",
        ):
            self.refused(f"\nd.txt|{spans}|C1\n", "<string>:2", "expected spans such as 10-20")

    def test_reversed_and_overlapping_spans(self):
        self.refused("d.txt|20-10|C1\n", "<string>:1", "fragment 20-10")
        self.refused(
            "d.txt|1-2|C1\nd.txt|30-40,1-31|C1\n", "<string>:2", "fragments 1-31 and 30-40"
        )

    def test_unknown_values(self):
        self.refused(ROW.format("1-2", "the aunt"), "subject", "a string of 8 characters")
        self.refused(ROW.format("1-2", ""), "subject", "a string of 0 characters")
        self.refused("d.txt|1-2|chest pain\n", "<string>:1", "cui: expected a code")

    def test_two_documents_in_one_string(self):
        laws.refuses(
            lambda: score(["d|1-2|C1\ne|1-2|C1\n"], ["d|1-2|C1\n"]),
            "document 0:2",
            "one string for each document",
        )

    def test_strings_of_different_documents(self):
        laws.refuses(lambda: score(["d|1-2|C1\n"], ["e|1-2|C1\n"]), "document 0", "same order")

    def test_what_could_be_words_of_a_note_is_no_name_to_show(self):
        sides = ["Ann denies pain|1-2|C1\n"], ["e|1-2|C1\n"]
        laws.refuses(lambda: score(*sides), "predictions to (name withheld, 15 characters)")


class TestFiles:
    def test_the_file_and_line_are_named(self, write_pipe):
        gold = write_pipe("gold", d=ROW.format("1-2", "patient"))
        found = write_pipe("found", a=ROW.format("1-2", "patient"), d="\n\nd|x|C1\n")
        laws.refuses(lambda: score(found, gold), "found/d.pipe:3", "expected spans")

    def test_no_utf8(self, write_pipe):
        gold = write_pipe("gold", d=b"d.txt|1-2|C1\nd.txt|1-2|\xe9\n")
        laws.refuses(lambda: score(gold, gold), "d.pipe:2", "byte 23 is not UTF-8")

    def test_an_empty_directory(self, tmp_path):
        laws.refuses(lambda: score(tmp_path, tmp_path), tmp_path.name, "an empty directory")

    def test_a_directory_of_other_files(self, tmp_path):
        (tmp_path / "notes.txt").write_text("Smith has pneumonia")
        laws.refuses(
            lambda: score(tmp_path, tmp_path), "'.pipe'", "1 file with other names", text=TEXT
        )

    def test_no_such_path(self, tmp_path):
        laws.refuses(lambda: score(tmp_path / "x", tmp_path / "x"), "no such file or directory")

    def test_documents_on_one_side_only_are_listed_in_a_warning(self, write_pipe):
        gold = write_pipe("gold", d="d.txt|1-2|C1\n", e="e.txt|1-2|C1\n")
        found = write_pipe("found", d="d.txt|1-2|C1\n", f="f.txt|1-2|C1\n")
        with pytest.warns(clineval.InputWarning) as caught:
            result = score(found, gold)
        messages = [str(warning.message) for warning in caught]
        assert any("no predictions" in m and "e.txt" in m for m in messages)
        assert any("not in the gold standard" in m and "f.txt" in m for m in messages)
        assert (result["strict_tp"], result["strict_fp"], result["strict_fn"]) == (1, 1, 1)

    def test_an_empty_file_is_a_document_without_mentions(self, write_pipe):
        gold = write_pipe("gold", d="d.txt|1-2|C1\n", e="")
        found = write_pipe("found", d="", e="e.txt|1-2|C1\n")
        result = score(found, gold)
        assert (result["strict_fp"], result["strict_fn"], result["n_documents"]) == (1, 1, 2)


class TestDocuments:
    def test_a_mention_is_judged_when_it_is_made(self):
        laws.refuses(lambda: Mention([(20, 10)]), "fragment 20-10")
        laws.refuses(lambda: Mention([(0, 10), (5, 12)]), "fragments 0-10 and 5-12 overlap")
        laws.refuses(lambda: Mention([]), "no fragment")
        laws.refuses(lambda: Mention([3]), "expected a fragment [start, end], got 3")
        laws.refuses(lambda: Mention([(0, 1)], np.int64(3)), "cui: expected a code or None")
        laws.refuses(lambda: Mention([(0, 1)], id=3), "id: expected a string, got 3")
        laws.refuses(lambda: Mention([(0, 1)], slots={3: "x"}), "slots: expected strings as names")
        laws.refuses(lambda: Mention([(0, 1)], cues={b"x": []}), "cues: expected strings as names")

    def test_a_document_is_judged_when_it_is_made(self):
        laws.refuses(lambda: Document(np.int64(3)), "id: expected a string, got an int64")
        laws.refuses(lambda: Document("d", text=b"x"), "text: expected a string")

    def test_names_pair_documents_in_any_order(self):
        one, two = Document("one", [Mention([(0, 4)], "C1")]), Document("two")
        assert score([two, one], [one, two])["strict_f1"] == 1

    def test_names_must_be_unique_and_complete(self):
        one = Document("one")
        laws.refuses(lambda: score([one, one], [one]), "repeated document ids: one")
        laws.refuses(lambda: score([one, Document(None)], [one]), "1 of 2 documents have no id")

    def test_their_slots_are_judged(self):
        bad = Document("one", [Mention([(0, 4)], None, {"negation": "maybe"})])
        laws.refuses(lambda: score([bad], [bad]), "document one, mention 0", "no, yes")

    def test_text_is_never_shown(self):
        document = Document("one", [Mention([(0, 4)])], text="Smith has pneumonia")
        assert "Smith" not in repr(document)
        assert "Smith" not in repr(score([document], [document]))
