"""The entries format of the i2b2 2009 challenge: reading, writing, round trips."""

import laws
import numpy as np
from conftest import DATA
from entry_strategies import corpora
from hypothesis import given

import clineval
from clineval.entries import Entry, Phrase
from clineval.formats import i2b2_entries
from clineval.formats.entry_dicts import read_dicts
from clineval.formats.i2b2_columns import read_side

DEMO = DATA.parents[1] / "metrics" / "clineval" / "demo" / "i2b2_2009_medication"
FOLDERS = ("gold", "rules", "tagger")


def as_entry(given_entry):
    fields = {
        tag: Phrase(phrase["text"], phrase["offsets"])
        for tag, phrase in given_entry.items()
        if tag != "ln" and phrase is not None
    }
    return Entry(fields, given_entry["ln"])


@given(corpora())
def test_writing_and_reading_changes_nothing(corpus):
    for record in corpus[0]:
        entries = [as_entry(entry) for entry in record]
        text = "".join(map(i2b2_entries.format_entry, entries))
        again = i2b2_entries.read_entries(text + "\n" + 'm="x" 1:1 1:1\n')[""][:-1]
        assert again == entries
        assert "".join(map(i2b2_entries.format_entry, again)) == text


def test_the_demo_corpus_survives_a_round_trip_byte_for_byte(tmp_path):
    for folder in FOLDERS:
        records = i2b2_entries.read_entries(DEMO / folder)
        i2b2_entries.write_entries(records, tmp_path / folder)
        for file in sorted((DEMO / folder).iterdir()):
            assert (tmp_path / folder / file.name).read_bytes() == file.read_bytes(), file.name


def test_quotes_and_remarks_are_kept():
    line = 'm="lidocaine "magic" mouthwash" 3:1 3:3||e="start"||t="past"||c="factual"||ln="list"'
    entry = i2b2_entries.read_entries(line + "\n")[""][0]
    assert entry.fields["m"].text == 'lidocaine "magic" mouthwash'
    written = i2b2_entries.format_entry(entry)
    assert i2b2_entries.read_entries(written)[""][0] == entry
    assert 'e="start"' in written


@given(corpora())
def test_files_dicts_and_objects_give_the_same_columns(corpus):
    records = [record for record in corpus[0] if record]
    objects = [[as_entry(entry) for entry in record] for record in records]
    texts = ["".join(map(i2b2_entries.format_entry, record)) for record in objects]
    sides = [read_dicts(records), read_side(texts, side=""), read_side(objects, side="")]
    for name in ("record", "bounds", "field", "first", "last"):
        first, *others = (getattr(side.entries, name) for side in sides)
        assert all(np.array_equal(first, other) for other in others), name
    scores = [
        clineval.score("i2b2_2009_medication", form, records).as_dict()
        for form in (records, texts, objects)
        if records and all(_stays_on_one_line(record) for record in records)
    ]
    assert all(score == scores[0] for score in scores)


def _stays_on_one_line(record):
    phrases = (phrase for entry in record for tag, phrase in entry.items() if tag != "ln")
    return all(
        first == last for phrase in phrases if phrase for first, _, last, _ in phrase["offsets"]
    )


def test_line_ends_and_byte_order_marks_do_not_matter():
    line = 'm="lantus" 1:1 1:1||do="7 units" 1:2 1:3||ln="list"'
    plain = clineval.score("i2b2_2009_medication", [line], [line]).as_dict()
    for text in (f"\ufeff{line}\r\n", f"\n{line}\n\n", f"{line}   \n"):
        assert clineval.score("i2b2_2009_medication", [text], [line]).as_dict() == plain


def test_the_reader_of_objects_names_line_and_field():
    text = 'm="x" 1:1 1:1\nm="x" 1:1 1:1||do="y"\n'
    laws.refuses(lambda: i2b2_entries.read_entries(text), "<string>:2", "do: the field has no")
