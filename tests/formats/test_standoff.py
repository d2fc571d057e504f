"""brat's lines as columns: what is there, and all that is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import refuses

from clineval import Document, InputError, Mention, Relation
from clineval.evaluation.convert import read_documents, write_documents
from clineval.formats.brat import documents as brat
from clineval.formats.brat.attributes import read_attributes
from clineval.formats.brat.columns import read_files
from clineval.formats.brat.standoff import open_files
from clineval.formats.files import open_strings
from clineval.results.slots import Slot

LABEL = Slot("label", "label", ("Drug", "Form"), required=True)
GOOD = "T1\tDrug 0 7\tsecret\nT2\tForm 9 12;15 17\tother words\nR1\tForm-Drug Arg1:T2 Arg2:T1\n"


def read(text):
    return read_files(open_strings([text]), LABEL, ["Form-Drug"])


def columns(side):
    mentions, relations = side.side.mentions, side.relations
    return (
        [mentions.text_of_spans(row) for row in range(len(mentions))],
        [mentions.attributes["label"].values[at] for at in mentions.attributes["label"].ids],
        [relations.label.values[at] for at in relations.label.ids],
        list(zip(relations.source.tolist(), relations.target.tolist(), strict=True)),
    )


EXPECTED = (["0-7", "9-12,15-17"], ["Drug", "Form"], ["Form-Drug"], [(1, 0)])


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        "\ufeff" + GOOD,
        GOOD.replace("Arg1:T2 Arg2:T1", "Arg2:T1 Arg1:T2"),
        GOOD.replace("\n", "  \n \t").rstrip(),
        GOOD.replace("T1\t", "T1 \t"),
        "#1\tAnnotatorNotes T1\tx\n" + GOOD + "\nA1\tNegation T1\nN1\tReference T1 X:Y\ty\n",
        "\n".join(reversed(GOOD.splitlines())).replace("T1", "T3").replace("T2", "T1"),
    ],
)
def test_ways_to_write_the_same(text):
    found = columns(read(text))
    if text.startswith("R1"):
        found = (found[0][::-1], found[1][::-1], found[2], [(1, 0)] * (found[3] == [(0, 1)]))
    assert found == EXPECTED


BAD = {
    "T3\tDrug 0 1": ("T1<tab>",),
    "T3\tDrug 0 1\t": ("T1<tab>",),
    "T3\tDrug 0 1\tsecret\tx": ("T1<tab>",),
    "T3\tDrug 0-1\tsecret": ("T1<tab>",),
    "T3\tDrug 0\tsecret": ("T1<tab>",),
    "T3\tDrug  0 1\tsecret": ("T1<tab>",),
    "T3\tDrug 0 1;\tsecret": ("T1<tab>",),
    "T3\tDrug +0 1\tsecret": ("T1<tab>",),
    "T3\tDrug 0 1234567890\tsecret": ("T1<tab>",),
    "T3\t 0 1\tsecret": ("T1<tab>",),
    "T3\tDrug 5 5\tsecret": ("end is not after",),
    "T3\tDrug 5 9;7 10\tsecret": ("overlap",),
    "T3\tdrug 5 9\tsecret": ("unknown type", "Drug, Form"),
    "T3\tsecret 5 9\tsecret": ("unknown type", "Drug, Form"),
    "T2\tDrug 0 1\tsecret": ("twice",),
    "Total\tDrug 0 1\tsecret": ("an id such as T1",),
    "t3\tDrug 0 1\tsecret": ("not a line of brat's format",),
    "secret": ("not a line of brat's format",),
    "R2\tForm-Drug Arg1:T2": ("R1<tab>",),
    "R2\tForm-Drug Arg1:T2  Arg2:T1": ("R1<tab>",),
    "R2\tForm-Drug Arg1:T2 Arg1:T1": ("R1<tab>",),
    "R2\tForm-Drug Foo:T2 Bar:T1": ("R1<tab>",),
    "R2\tForm-Drug T2 T1": ("R1<tab>",),
    "R2\tForm-Drug Arg1:T2 Arg2:T1 x": ("R1<tab>",),
    "R2\tForm-Drug Arg1:T2 Arg2:T1\tx": ("R1<tab>",),
    "R2\tForm-Drug Arg1:E2 Arg2:T1": ("R1<tab>",),
    "R2\tForm-Drug Arg1:T9 Arg2:T1": ("no mention",),
    "R2\tForm-Drug Arg1:T1 Arg2:T1": ("itself",),
    "R2\tOf Arg1:T2 Arg2:T1": ("unknown type",),
    "R1\tForm-Drug Arg1:T2 Arg2:T1": ("twice",),
}


@pytest.mark.parametrize("line", BAD)
def test_bad_lines_are_refused(line):
    refuses(lambda: read(GOOD + line), "document 0:4", *BAD[line], text=["secret", "words"])


def test_all_bad_lines_are_found_at_once():
    lines = [
        line.replace("T3\t", f"T{at}\t").replace("R2\t", f"R{at}\t")
        for at, line in enumerate(BAD, 10)
    ]
    with pytest.raises(InputError) as caught:
        read(GOOD + "\n".join(lines))
    places = [error.where for error in (caught.value, *caught.value.others)]
    assert places == [f"document 0:{number}" for number in range(4, 4 + len(BAD))]


def outcome(text):
    try:
        return columns(read(text))
    except InputError as error:
        return [str(each) for each in (error, *error.others)]


PLAIN = "T1\tDrug 0 7\tsecret\nT2\tForm 9 12\tword\n"


@pytest.mark.parametrize(
    "line", ["", "T3\tDrug 4 6\tx", "T3 \tDrug 4 6\tx ", "T3\tDrug 4 6\t \r", *BAD]
)
def test_files_of_mentions_alone_are_read_like_others(line):
    """They have a way of their own, which is faster; a note keeps a file from it."""
    text = f"{PLAIN}{line}\n"
    assert outcome(text) == outcome(f"{text}#1\tAnnotatorNotes T1\tx\n")


def test_an_id_that_is_there_twice_is_refused_beside_attributes():
    text = f"{PLAIN}T2\tForm 14 16\tx\nA1\tNegation T2\n"
    call = lambda: read_files(open_strings([text]), LABEL, (), read_attributes)  # noqa: E731
    refuses(call, "document 0:3", "twice", text=["secret"])


def test_offsets_outside_the_text_are_refused(tmp_path):
    (tmp_path / "a.ann").write_text(GOOD)
    (tmp_path / "a.txt").write_text("é" * 16)
    call = lambda: read_files(open_files(tmp_path), LABEL, [])  # noqa: E731
    refuses(call, "a.ann:2", "offset 17", "16 characters")
    (tmp_path / "a.txt").write_text("é" * 17)
    assert call().side.texts == ("é" * 17,)


spans = st.tuples(st.integers(0, 8), st.integers(9, 16)).map(lambda ends: [ends])


@given(st.lists(st.tuples(st.sampled_from(LABEL.values), spans), min_size=2, max_size=5), st.data())
def test_what_is_written_is_read(given_, data):
    mentions = [
        Mention(span, slots={"label": label}, id=f"T{number}", coded=False)
        for number, (label, span) in enumerate(given_, 1)
    ]
    ends = st.permutations([mention.id for mention in mentions]).map(lambda ids: ids[:2])
    arcs = [Relation("Form-Drug", *data.draw(ends)) for _ in range(data.draw(st.integers(0, 3)))]
    document = Document("a.txt", mentions, "x" * 16, arcs)
    side = read(brat.format_document(document, [LABEL]))
    assert columns(side)[0] == [f"{s}-{e}" for mention in mentions for s, e in mention.spans]
    assert columns(side)[3] == [(int(r.source[1:]) - 1, int(r.target[1:]) - 1) for r in arcs]


def test_relations_survive_conversion(tmp_path):
    (tmp_path / "a.ann").write_text(GOOD)
    (tmp_path / "a.txt").write_text("x" * 20)
    documents = read_documents(tmp_path, "brat")
    assert documents[0].relations == (Relation("Form-Drug", "T2", "T1"),)
    write_documents(documents, tmp_path / "a.jsonl", "jsonl")
    again = read_documents(tmp_path / "a.jsonl", "jsonl")
    assert again == documents
    write_documents(again, tmp_path / "brat", "brat")
    assert read_documents(tmp_path / "brat", "brat") == documents
    with pytest.warns(UserWarning, match="relations of 1 document"):
        write_documents(documents, tmp_path / "pipe", "pipe")
