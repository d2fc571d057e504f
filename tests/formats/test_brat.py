"""brat's standoff format."""

import laws
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import mentions

from clineval import Document, InputWarning, Mention
from clineval.formats.brat import documents as brat
from clineval.formats.delimited.pipe import SLOTS
from clineval.kinds.mentions.mention import Equivalence

TEXT = "The left atrium is moderately dilated.\nNo fever."
ANN = """\
T1\tDisorder 4 15;30 37\tleft atrium dilated
T2\tDisorder 42 47\tfever
A1\tNegation T2
A2\tSeverity T1 moderate
N1\tReference T1 UMLS:C0344720\tdilated
#1\tAnnotatorNotes T2\tC0015967
"""


def write(folder, ann=ANN, text=TEXT):
    (folder / "note.txt").write_bytes(text.encode())
    (folder / "note.ann").write_text(ann, "utf-8")
    return folder


def test_discontiguous_mentions_stay_whole(tmp_path):
    [document] = brat.read_documents(write(tmp_path), SLOTS)
    assert (document.id, document.text) == ("note.txt", TEXT)
    assert [m.as_dict() for m in document.mentions] == [
        {
            "spans": [[4, 15], [30, 37]],
            "cui": "C0344720",
            "type": "Disorder",
            "severity": "moderate",
        },
        {"spans": [[42, 47]], "cui": "C0015967", "type": "Disorder", "negation": "yes"},
    ]


@given(data=st.data())
def test_what_is_written_is_read(data, tmp_path_factory):
    text = data.draw(st.text("ab é\n", min_size=24, max_size=30))
    given_ = [Mention.from_dict(m) for m in data.draw(st.lists(mentions(), max_size=4))]
    folder = tmp_path_factory.mktemp("brat")
    brat.write_documents([Document("note.txt", given_, text)], folder, SLOTS)
    [document] = brat.read_documents(folder, SLOTS)
    assert document.text == text
    for before, after in zip(given_, document.mentions, strict=True):
        assert (after.spans, after.cui) == (before.spans, before.cui)
        for slot in SLOTS[1:]:
            values = [m.slots.get(slot.name, slot.default) for m in (before, after)]
            spelled = [slot.fold(v if isinstance(v, str) else ",".join(v)) for v in values]
            assert spelled[0] == spelled[1]


def test_what_is_no_mention_is_counted(tmp_path):
    ann = ANN + "R1\tOf Arg1:T1 Arg2:T2\nE1\tX:T1\n*\tEquiv E1 E2\nA3\tUrgency T1 high\n"
    told = "not read: 1 attributes 'urgency'.*1 equivalence of events, 1 event"
    with pytest.warns(InputWarning, match=told):
        [document] = brat.read_documents(write(tmp_path, ann), SLOTS)
    assert len(document.mentions) == 2


def test_equivalences_of_mentions_are_relations(tmp_path):
    ann = f"{ANN}T3\tDisorder 0 3\tThe\n*\tsame-as T2 T1 T3\n"
    [document] = brat.read_documents(write(tmp_path, ann), SLOTS)
    same = Equivalence("same-as", "T2", "T1"), Equivalence("same-as", "T2", "T3")
    assert document.relations == same
    assert [mention.id for mention in document.mentions] == ["T1", "T2", "T3"]


@pytest.mark.parametrize(
    ("ann", "parts"),
    [
        ("T1\tDisorder 4-15\tx\n", ["note.ann:1", "semicolons"]),
        ("T1\tDisorder 15 4\tx\n", ["note.ann:1", "end is not after"]),
        ("T1\tDisorder 4 15;10 20\tx\n", ["note.ann:1", "overlap"]),
        ("T1\tDisorder 4 99\tx\n", ["note.ann:1", "offset 99", f"{len(TEXT)} characters"]),
        ("T1\tX 4 8\tx\nT1\tX 9 15\tx\n", ["note.ann:2", "twice"]),
        ("A1\tNegation T9\n", ["note.ann:1", "no mention has the id T9"]),
        ("T1\tX 4 8\tx\nA1\tSeverity T1 huge\n", ["severity", "moderate", "'huge'"]),
    ],
)
def test_malformed_lines_are_refused(tmp_path, ann, parts):
    folder = write(tmp_path, ann)
    laws.refuses(lambda: brat.read_documents(folder, SLOTS), *parts, text=["atrium"])


def test_the_text_must_be_there_to_write(tmp_path):
    folder = write(tmp_path)
    (folder / "note.txt").unlink()
    [document] = brat.read_documents(folder, SLOTS)  # other formats need none
    assert document.text is None
    laws.refuses(lambda: brat.write_documents([document], folder, SLOTS), "--text DIR")
