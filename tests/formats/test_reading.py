"""``clineval.read``: documents of every format, and back."""

import json

import laws
import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora

import clineval
from clineval import InputError
from clineval.formats.checking import find_problems
from clineval.formats.delimited import pipe
from clineval.formats.delimited.pipe import SLOTS
from clineval.formats.dicts import read_records
from clineval.kinds.mentions.mention import Document, Mention
from clineval.kinds.mentions.objects import to_documents
from clineval.results.registry import find_challenge

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL = CHALLENGES / "semeval15_task14" / "demo"
MODULE = "semeval15_task14"


@pytest.mark.filterwarnings("ignore:the format cannot represent the cues")
@pytest.mark.parametrize("format_", ["pipe", "jsonl", "brat"])
def test_what_is_written_is_read_back(format_, tmp_path):
    documents = clineval.read(SEMEVAL / "gold", MODULE, texts=SEMEVAL / "text")
    assert all(document.text for document in documents)
    out = tmp_path / ("out.jsonl" if format_ == "jsonl" else "out")
    clineval.write(documents, out, format_)
    again = clineval.read(out, MODULE, texts=SEMEVAL / "text")
    named = {d.id.removesuffix(".txt"): d for d in again}
    assert {name: len(d.mentions) for name, d in named.items()} == {
        d.id.removesuffix(".txt"): len(d.mentions) for d in documents
    }
    score = clineval.score(MODULE, _renamed(again), _renamed(documents))
    assert score["strict_f1"] == score["weighted_accuracy"] == 1.0


def _renamed(documents):
    return [clineval.Document(d.id.removesuffix(".txt"), d.mentions) for d in documents]


@pytest.mark.parametrize("module", [MODULE, "clefehealth13_task1"])
def test_the_challenges_own_format_is_read_by_its_own_reader(module, tmp_path):
    """Under a name that tells nothing; the columns become the same objects as by the converter."""
    gold = SEMEVAL / "gold" if module == MODULE else CHALLENGES / module / "demo" / "gold.pipe"
    lines = b"".join(p.read_bytes() for p in (sorted(gold.iterdir()) if gold.is_dir() else [gold]))
    (tmp_path / "corpus.of-mine").write_bytes(lines)
    by_reader = clineval.read(tmp_path / "corpus.of-mine", module)
    by_name = clineval.read(gold, module)
    assert len(by_reader) == len(by_name) > 10
    score = clineval.score(module, by_reader, by_name)
    assert all(v == 1 for k, v in score.values.items() if k.endswith(("f1", "accuracy")))


@given(corpora())
def test_objects_of_columns_score_as_the_records_that_they_were(corpus):
    for side in corpus:
        documents = to_documents(read_records(side, SLOTS), SLOTS)
        assert [len(d.mentions) for d in documents] == list(map(len, side))
        assert clineval.count(MODULE, documents, side) == clineval.count(MODULE, side, side)


@pytest.mark.parametrize("module", ["clinais23_b2", "clefehealth13_task2", "clefehealth13_task3"])
def test_other_metrics_have_no_mentions_to_read(module):
    with pytest.raises(InputError, match="does not score mentions"):
        clineval.read(SEMEVAL / "gold", module)


def test_what_is_not_there_or_not_known_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        clineval.read(tmp_path / "nowhere", MODULE)
    with pytest.raises(InputError, match="unknown format"):
        clineval.read(SEMEVAL / "gold", MODULE, format="docx")


@given(st.data())
def test_documents_keep_their_order(data):
    sizes = data.draw(st.lists(st.integers(0, 2), max_size=5))
    side = [[{"spans": [[at, at + 1]], "cui": None} for at in range(size)] for size in sizes]
    assert [len(d.mentions) for d in to_documents(read_records(side, SLOTS), SLOTS)] == sizes


def test_parquet_with_strings_that_are_none_is_refused(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    ends = pa.array([0, 1], pa.int32()).buffers()[1]
    broken = pa.Array.from_buffers(pa.string(), 1, [None, ends, pa.py_buffer(b"\xe9")])
    mentions = pa.array([[{"spans": [[0, 2]], "cui": "C0000001"}]])
    pq.write_table(pa.table({"id": broken, "mentions": mentions}), tmp_path / "a.parquet")
    for read in (
        lambda: clineval.read(tmp_path / "a.parquet", MODULE),
        lambda: clineval.count(MODULE, tmp_path / "a.parquet", tmp_path / "a.parquet"),
    ):
        with pytest.raises(InputError, match=r"not a Parquet file|the Parquet file is damaged"):
            read()


def test_a_parquet_file_with_broken_pages_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    clineval.write([clineval.Document("d", [clineval.Mention([(0, 2)], "C1")])], path, "parquet")
    content = path.read_bytes()
    path.write_bytes(content[:4] + b"\xff" * 60 + content[64:])
    with pytest.raises(InputError, match="not a Parquet file"):
        clineval.read(path, MODULE)


@pytest.mark.parametrize("format_", ["pipe", "clef"])
def test_a_document_without_mentions_is_read_among_others(format_, tmp_path):
    line = {"pipe": "{}.txt|1-2|C1\n", "clef": "{}.txt||Disease_Disorder||C1||1||2\n"}[format_]
    module = {"pipe": MODULE, "clef": "clefehealth13_task1"}[format_]
    for name in "abc":
        (tmp_path / f"{name}.pipe").write_text("" if name == "b" else line.format(name))
    found = clineval.read(tmp_path, module)
    assert {d.id.partition(".")[0]: len(d.mentions) for d in found} == {"a": 1, "b": 0, "c": 1}


def test_what_is_written_keeps_its_letters(tmp_path):
    document = Document("é", [Mention([(0, 6)], slots={"label": "cirugía"})])
    clineval.write([document], tmp_path / "out.jsonl", "jsonl")
    assert '"cirugía"' in (tmp_path / "out.jsonl").read_text(encoding="utf-8")


def test_a_value_as_long_as_its_column_is_known():
    line = (
        "d|1-2|C1|no|NULL|patient|NULL|no|NULL|unmarked|NULL|unmarked|NULL|false|NULL|false|NULL|C7"
    )
    side = pipe.read_side(f"{line}|NULL\n", SLOTS, strict=True)
    for column in side.mentions.attributes.values():
        assert len(set(column.values)) == len(column.values)


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_mention_without_spans_is_refused_among_others(at):
    document = [{"spans": [[k, k + 1]], "cui": None} for k in range(2)]
    document.insert(at, {"spans": [], "cui": None})
    laws.refuses(lambda: clineval.score(MODULE, [document], [document]), f"mention {at}")


@pytest.mark.parametrize("line", ["A1\tnegated T9", "A1\tnegated"])
def test_attributes_are_checked_where_they_are_read(line, tmp_path):
    (tmp_path / "a.ann").write_text(f"T1\tPAIS 0 6\tEspaña\n{line}\n", encoding="utf-8")
    found = list(find_problems(find_challenge("clinical_spans"), [tmp_path]))
    assert [problem.line for problem in found] == [2]
    assert list(find_problems(find_challenge("meddocan19"), [tmp_path])) == []


def test_mentions_by_id_are_refused_by_name():
    mentions = {"1": {"spans": [[0, 4]], "label": "Drug"}}
    laws.refuses(
        lambda: clineval.score("n2c2_2018_track2", [{"mentions": mentions}], [{"mentions": []}]),
        "predictions, document 0: mentions: expected a list, got a dict. Give a list of mentions",
    )


def test_documents_may_be_dicts_objects_or_strings_of_json():
    found = {"spans": [[0, 4]], "label": "Drug"}
    named = {"id": "a", "mentions": [found], "text": "Some fever"}
    document = clineval.Document("a", [clineval.Mention([(0, 4)], slots={"label": "Drug"})])
    gold = [{"id": "a", "mentions": [found]}]
    for form in ([named], [document], [json.dumps(named)], gold):
        assert clineval.score("clinical_spans", form, gold)["strict_f1"] == 1
    laws.refuses(
        lambda: clineval.score("clinical_spans", [{**named, "relation": []}], gold),
        "predictions, document 0: unknown 'relation', expected id, language, mentions",
        text=["fever"],
    )
