"""Files of labels: i2b2 2014's XML as documents, and brat's without codes."""

import json

import laws
import pytest
from commands import invoke
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import Document, InputWarning, Mention, Relation
from clineval.challenges.i2b2_2010.documents import format_lines, write_documents
from clineval.challenges.i2b2_2010.lines import parse_line
from clineval.challenges.i2b2_2014_deid import documents as xml

TEXT = 'Dr. <Ñ> & "O\'Hara" saw\n\tAna ]]> 61.'
characters = st.characters(
    codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"
)
texts = st.text(characters | st.sampled_from("\n\t<>&\"']]>"), min_size=1, max_size=30)


def label(start, end, name, id_=None):
    return Mention([(start, end)], slots={"label": name}, id=id_, coded=False)


@st.composite
def documents(draw):
    text = draw(texts)
    places = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 5))
    labels = st.sampled_from(["PATIENT", "doctor", "PET & <co>", 'a "b"'])
    mentions = [
        label(start, min(start + size, len(text)), draw(labels), f"M{at}")
        for at, (start, size) in enumerate(draw(st.lists(places, max_size=4)))
    ]
    return Document("note", mentions, text)


@given(documents())
def test_what_is_written_as_xml_is_read_back(document):
    [found] = xml.read_documents(xml.format_document(document))
    assert (found.text, found.mentions) == (document.text, document.mentions)


def test_tags_are_as_the_challenge_writes_them():
    document = Document("a", [label(4, 7, "DOCTOR", "P7"), label(0, 3, "PET")], TEXT)
    lines = xml.format_document(document).split("\n")
    assert lines[-5:] == [
        '<NAME id="P7" start="4" end="7" text="&lt;Ñ&gt;" TYPE="DOCTOR" comment="" />',
        '<OTHER id="P0" start="0" end="3" text="Dr." TYPE="PET" comment="" />',
        "</TAGS>",
        "</deIdi2b2>",
        "",
    ]


@pytest.mark.parametrize(
    ("document", "parts"),
    [
        (Document("a", []), ["document a", "--text DIR"]),
        (Document("a", [], "one\r\ntwo"), ["document a", "U+000D at offset 3"]),
        (Document("a", [], "one\0"), ["U+0000"]),
        (Document("a", [Mention([(0, 1)], "C1", {"label": "x"})], "ab"), ["mention 0", "a code"]),
        (Document("a", [Mention([(0, 1)], coded=False)], "ab"), ["mention 0", "label"]),
        (Document("a", [label(0, 1, " ")], "ab"), ["mention 0", "label"]),
        (Document("a", [label(1, 3, "AGE")], "ab"), ["fragment 1-3 is outside"]),
        (
            Document("a", [Mention([(0, 1), (2, 3)], slots={"label": "x"}, coded=False)], "abc"),
            ["several fragments"],
        ),
        (Document("a", [label(0, 1, "x", "P"), label(1, 2, "y", "P")], "ab"), ["same 'id'"]),
    ],
)
def test_what_xml_cannot_hold_is_refused(document, parts):
    laws.refuses(lambda: xml.format_document(document), *parts)


WORDS = st.lists(st.text('ab."|é', min_size=1, max_size=3), min_size=1, max_size=8)


@st.composite
def noted(draw):
    """Mentions of whole tokens, and relations between problems and treatments."""
    words = draw(WORDS)
    blanks = [draw(st.sampled_from([" ", "\n", "  ", "\n\n", "\t"])) for _ in words]
    text = "".join(map("".join, zip(words, blanks, strict=True)))
    starts = [sum(map(len, words[:n])) + sum(map(len, blanks[:n])) for n in range(len(words))]
    mentions = []
    for first in draw(st.lists(st.integers(0, len(words) - 1), max_size=4)):
        last = draw(st.integers(first, min(first + 2, len(words) - 1)))
        name = draw(st.sampled_from(["problem", "test", "treatment", "present", "absent"]))
        end = starts[last] + len(words[last])
        mentions.append(label(starts[first], end, name, f"T{len(mentions)}"))
    concepts = [m for m in mentions if m.slots["label"] in ("problem", "test", "treatment")]
    pairs = [(a.id, b.id) for a in concepts for b in concepts if a.spans != b.spans]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=3)) if pairs else []
    relations = [Relation(draw(st.sampled_from(["TrIP", "PIP"])), *ends) for ends in chosen]
    return Document("a", mentions, text, relations)


@given(noted())
def test_lines_of_i2b2_2010_are_those_of_a_plain_count(document):
    """Tokens are counted line by line, as the challenge's document says."""
    places = {}
    at = 0
    for number, line in enumerate(document.text.split("\n"), 1):
        for index, word in enumerate(line.split()):
            start = document.text.index(word, at)
            places[start], places[-start - len(word)] = (number, index), (number, index)
            at = start + len(word)
    expected = {"concepts": [], "assertions": [], "relations": []}
    spans = {}
    for mention in document.mentions:
        [(start, end)] = mention.spans
        kind = "assertions" if mention.slots["label"] in ("present", "absent") else "concepts"
        spans[mention.id] = (*places[start], *places[-end])
        expected[kind].append((mention.slots["label"], spans[mention.id], None))
    for relation in document.relations:
        ends = spans[relation.source], spans[relation.target]
        expected["relations"].append((relation.label, *ends))
    assert expected == {
        kind: [parse_line(line, kind) for line in format_lines(document, kind)] for kind in expected
    }


@pytest.mark.parametrize(
    ("document", "parts"),
    [
        (Document("a", []), ["document a", "--text DIR"]),
        (Document("a", [label(1, 4, "test")], "some word"), ["1-4 does not begin and end"]),
        (Document("a", [label(0, 4, "drug")], "some word"), ["mention 0", "one of problem"]),
        (
            Document("a", [label(0, 4, "test", "T1")], "some", [Relation("PIP", "T1", "T2")]),
            ["relation 0", "no mention has this id"],
        ),
        (Document("a", [], "some", [Relation("ADE", "T1", "T2")]), ["relation 0", "TrIP"]),
    ],
)
def test_what_lines_of_i2b2_2010_cannot_hold_is_refused(document, parts, tmp_path):
    laws.refuses(lambda: write_documents(iter([document]), tmp_path / "new"), *parts)
    assert not (tmp_path / "new").exists()


def test_notes_in_brat_score_as_lines_of_i2b2_2010(tmp_path):
    ann = "T1\tproblem 0 7\tAspirin\nT2\ttreatment 8 13\t81 mg\nR1\tTrIP Arg1:T2 Arg2:T1\n"
    convert(tmp_path, ann, tmp_path / "con", "--to", "con")
    assert (tmp_path / "con" / "a.rel").read_text() == (
        'c="81 mg" 1:1 1:2||r="TrIP"||c="aspirin" 1:0 1:0\n'
    )
    score = clineval.score("i2b2_2010", tmp_path / "con", tmp_path / "con")
    assert (score["concepts_strict_tp"], score["relations_strict_tp"]) == (2, 1)


ANN = "T1\tDrug 0 7\tAspirin\nT2\tStrength 8 13\t81 mg\nR1\tStrength-Drug Arg1:T2 Arg2:T1\n"
NOTE = "Aspirin 81 mg daily."


def convert(tmp_path, ann, *target):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.ann").write_text(ann)
    (folder / "a.txt").write_text(NOTE)
    done = invoke(["convert", str(folder), *map(str, target)], catch_exceptions=False)
    assert done.exit_code == 0, done.output


def test_types_of_brat_without_codes_are_labels(tmp_path):
    convert(tmp_path, ANN, tmp_path / "a.jsonl")
    line = json.loads((tmp_path / "a.jsonl").read_text())
    assert line["mentions"] == [
        {"id": "T1", "spans": [[0, 7]], "label": "Drug"},
        {"id": "T2", "spans": [[8, 13]], "label": "Strength"},
    ]
    assert line["relations"] == [{"label": "Strength-Drug", "from": "T2", "to": "T1"}]
    score = clineval.score("n2c2_2018_track2", tmp_path / "a.jsonl", tmp_path / "a.jsonl")
    assert score["relations_micro_strict_tp"] == 1


def test_types_beside_codes_are_no_labels(tmp_path):
    note = "T1\tDrug 0 7\tAspirin\nN1\tReference T1 UMLS:C1\tx\n"
    with pytest.warns(InputWarning, match="1 name of a concept"):
        convert(tmp_path, note, tmp_path / "a.jsonl")
    [mention] = json.loads((tmp_path / "a.jsonl").read_text())["mentions"]
    assert mention == {"spans": [[0, 7]], "cui": "C1", "type": "Drug"}


def test_labels_of_brat_become_xml_and_come_back(tmp_path):
    ann = "T1\tDATE 14 19\tdaily\nT2\tDOCTOR 0 7\tAspirin\n"
    convert(tmp_path, ann, tmp_path / "xml", "--to", "xml")
    back = ["convert", tmp_path / "xml", tmp_path / "back", "--from", "xml", "--to", "brat"]
    assert invoke(list(map(str, back))).exit_code == 0
    assert (tmp_path / "back" / "a.ann").read_text() == ann
    assert (tmp_path / "back" / "a.txt").read_text() == NOTE
    score = clineval.score("i2b2_2014_deid", tmp_path / "xml", tmp_path / "xml")
    assert score["strict_tp"] == 2
