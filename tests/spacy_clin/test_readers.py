"""The corpus reader."""

import json

import laws
import pytest
import spacy
from docs import CHALLENGES, CORPORA, HARD, NOTES, TEXT, blank_doc

from clineval import InputWarning
from spacy_clin import get_mentions, set_mentions, to_inputs, write_docbin, write_docs
from spacy_clin.files import make_corpus

GOLD = CHALLENGES / "semeval15_task14" / "demo" / "gold"


def read(path, **settings):
    return list(make_corpus(path, **settings)(spacy.blank("en")))


def hard_doc():
    doc = blank_doc()
    set_mentions(doc, HARD, document="note.txt")
    return doc


def test_all_formats_say_the_same(tmp_path):
    """brat's discontiguous spans too, and ends of lines and characters outside ASCII."""
    text = f"é😀 {TEXT}\r\nNo fever."
    doc = blank_doc(text)
    shifted = [
        {**mention, "spans": [[a + 3, b + 3] for a, b in mention["spans"]]}
        for mention in HARD.values()
        if mention["cui"]
    ]
    set_mentions(doc, shifted, document="note.txt")
    write_docbin([doc], tmp_path / "docs.spacy")
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "note.txt").write_bytes(text.encode())
    for format_ in ("pipe", "brat"):
        write_docs([doc], tmp_path / format_, format=format_)
    write_docs([doc], tmp_path / "docs.jsonl", format="jsonl")
    for path in ("docs.spacy", "pipe", "brat", "docs.jsonl"):
        text_folder = tmp_path / "text" if path == "pipe" else None
        [example] = read(tmp_path / path, text=text_folder)
        assert example.reference.text == text
        [found] = to_inputs([example.reference])
        for before, after in zip(shifted, found, strict=True):
            assert after["spans"] == before["spans"], path
            assert after["cui"] == before["cui"]
            assert after.get("negation", "no") == before.get("negation", "no")
            locations = after.get("body_location", "NULL")
            locations = [locations] if isinstance(locations, str) else list(locations)
            assert locations == before.get("body_location", ["NULL"])


def test_the_challenges_own_files_are_read():
    examples = read(GOLD, text=NOTES)
    assert len(examples) == 24
    assert sum(len(get_mentions(example.reference)) for example in examples) == 329
    assert all(not example.predicted.spans for example in examples)


@pytest.mark.parametrize("challenge", CORPORA)
def test_every_challenge_has_files(challenge):
    gold, _, text = CORPORA[challenge]
    examples = read(CHALLENGES / challenge / "demo" / gold, challenge=challenge, text=text)
    assert len(examples) >= 6
    assert all(example.reference.ents for example in examples)


@pytest.mark.parametrize("given", ["spans", "spans+codes"])
def test_given_spans_leak_nothing(given, tmp_path):
    """Task 2a: where mentions are is given, what is said of them is not."""
    write_docbin([hard_doc()], tmp_path / "docs.spacy")
    [example] = read(tmp_path / "docs.spacy", given=given)
    [found] = to_inputs([example.predicted])
    expected = [
        {"spans": m["spans"], "cui": m["cui"] if given == "spans+codes" else None}
        for m in HARD.values()
    ]
    assert found == expected
    assert list(get_mentions(example.predicted)) == list(HARD)
    group = example.predicted.spans["clin"]
    assert json.dumps(group.attrs["mentions"]).count("negation") == 0
    assert {span.kb_id_ for span in group} == (
        {"C1", "C2", "C3", "C4", ""} if given == "spans+codes" else {""}
    )
    assert example.predicted.user_data == {}
    assert not example.predicted.ents
    assert example.reference.spans["clin"].attrs["mentions"]["T1"]["negation"] == "yes"


def test_labels_are_not_given_where_they_are_what_is_scored():
    """Sections, whose labels leaked."""
    gold = CHALLENGES / "clinais23_b2" / "demo" / "gold.json"
    for example in read(gold, challenge="clinais23_b2", given="spans"):
        known = {span.label_ for span in example.reference.spans["clin_sections"]}
        assert not known & {span.label_ for span in example.predicted.spans["clin_sections"]}
        assert example.predicted.spans["clin_sections"]


def test_nothing_is_given_unless_asked_for(tmp_path):
    write_docbin([hard_doc()], tmp_path / "docs.spacy")
    [example] = read(tmp_path / "docs.spacy")
    assert not example.predicted.spans


@pytest.mark.parametrize(
    ("entities", "expected"),
    [
        ("none", []),
        ("envelopes", [(4, 57)]),
        ("fragments", [(4, 15), (26, 33), (49, 57)]),
    ],
)
def test_entities_to_train_with(entities, expected, tmp_path):
    write_docbin([hard_doc()], tmp_path / "docs.spacy")
    [example] = read(tmp_path / "docs.spacy", entities=entities)
    assert [(ent.start_char, ent.end_char) for ent in example.reference.ents] == expected


def test_limit_and_order():
    names = [e.reference.spans["clin"].attrs["document"] for e in read(GOLD, text=NOTES, limit=3)]
    assert names == sorted(names)
    assert len(names) == 3
    assert len(read(GOLD, text=NOTES, shuffle=True)) == 24


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({"given": "everything"}, "given"),
        ({"entities": "all"}, "entities"),
        ({"challenge": "clefehealth13_task3"}, "no scores of Docs"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, part):
    laws.refuses(lambda: make_corpus(GOLD, **settings), part)


def test_missing_texts_and_files_are_refused(tmp_path):
    laws.refuses(lambda: read(GOLD), "text is missing", "--text DIR")
    laws.refuses(lambda: read(tmp_path / "no.spacy"), "no.spacy", "cannot be read")
    (tmp_path / "bad.spacy").write_bytes(b"no docs")
    laws.refuses(lambda: read(tmp_path / "bad.spacy"), "bad.spacy", "not a DocBin")
    laws.refuses(lambda: read(tmp_path / "nothing"), "nothing", "no such file")


def test_given_spans_need_gold_mentions(tmp_path):
    write_docbin([blank_doc()], tmp_path / "docs.spacy")
    laws.refuses(lambda: read(tmp_path / "docs.spacy", given="spans"), "needs gold mentions")


def test_formats_say_what_they_cannot_hold(tmp_path):
    with pytest.warns(InputWarning, match="cannot represent the slots of 3 mentions"):
        write_docs([hard_doc()], tmp_path / "clef", format="clef")


def test_equal_values_of_a_corpus_are_kept_once(tmp_path):
    docs = [hard_doc(), hard_doc()]
    write_docbin(docs, tmp_path / "docs.spacy")
    codes = [
        record["cui"]
        for example in read(tmp_path / "docs.spacy")
        for record in example.reference.spans["clin"].attrs["mentions"].values()
        if record["cui"] == "C3"
    ]
    assert len(codes) == 2
    assert codes[0] is codes[1]
    assert [get_mentions(doc) for doc in docs] == [
        get_mentions(example.reference) for example in read(tmp_path / "docs.spacy")
    ]
