"""Counts taken in parts are those of one process that has all documents, to the last bit."""

import json
import os
import warnings
from collections import Counter as Counts
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from demos import arguments_of
from hypothesis import given
from hypothesis import strategies as st
from lists import DOCUMENTS, OPTIONS
from thorough import each_case, each_module, fewer

import clineval
from clineval.base.errors import join_warnings
from clineval.base.progress import metered_by
from clineval.evaluation.counting.count import depends_on_all
from clineval.evaluation.counting.merging import about_input
from clineval.evaluation.counting.packing import pack, unpack
from clineval.evaluation.counting.parts import Counter, ListPart
from clineval.evaluation.evaluate import make_setup
from clineval.results.registry import NAMES, find_challenge

NAME = "semeval15_task14"
IN_PARTS = [name for name in NAMES if name in DOCUMENTS]
DIRECTORIES = [name for name in NAMES if all(path.is_dir() for path in arguments_of(name)[0])]
CASES = [(name, p) for name in IN_PARTS for p in find_challenge(name).protocols]


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", clineval.InputWarning)
        yield


def same(counts, whole):
    """Rows, names, settings and signature."""
    assert counts == whole
    assert np.array_equal(counts.table.view(np.int64), whole.table.view(np.int64))
    assert str(counts.score().signature) == str(whole.score().signature)


@st.composite
def corpora(draw, name):
    """Some documents, each with any other as its prediction."""
    pool = st.sampled_from(range(len(DOCUMENTS[name])))
    pairs = draw(st.lists(st.tuples(pool, pool), min_size=1, max_size=9))
    return [[DOCUMENTS[name][pair[at]] for pair in pairs] for at in (0, 1)]


@pytest.mark.parametrize(("name", "protocol"), each_case(CASES))
@fewer(0.1)
@given(data=st.data())
def test_lists_iterators_and_tables(name, protocol, data):
    predictions, references = data.draw(corpora(name))
    size = data.draw(st.integers(1, 10))
    asked = {"protocol": protocol, **OPTIONS.get(name, {})}
    whole = clineval.evaluate(name, predictions, references, **asked).counts
    table = pa.table({"predictions": predictions, "references": references})
    column = clineval.Column(table)
    same(clineval.count(name, predictions, references, batch_size=size, **asked), whole)
    same(clineval.count(name, iter(predictions), iter(references), batch_size=size, **asked), whole)
    same(clineval.count(name, column, column, batch_size=size, **asked), whole)
    same(clineval.evaluate(name, column, column, **asked).counts, whole)


@pytest.mark.parametrize(("name", "protocol"), each_case(CASES))
def test_processes(name, protocol):
    documents = list(islice(cycle(DOCUMENTS[name]), 11))
    predictions, references = documents[1:], documents[:-1]
    asked = {"protocol": protocol, **OPTIONS.get(name, {})}
    whole = clineval.evaluate(name, predictions, references, **asked).counts
    same(clineval.count(name, predictions, references, jobs=2, batch_size=3, **asked), whole)
    column = clineval.Column(pa.table({"predictions": predictions, "references": references}))
    same(clineval.count(name, column, column, jobs=2, batch_size=2, **asked), whole)


@pytest.mark.parametrize(("name", "protocol"), [(n, p) for n, p in CASES if n in (NAME, "bc5cdr")])
def test_systems_are_compared_in_processes(name, protocol):
    documents = list(islice(cycle(DOCUMENTS[name]), 1100))
    systems = {"a": documents, "b": documents[1:] + documents[:1], "c": documents[::-1]}
    asked = {"protocol": protocol, "trials": 20, "n_resamples": 20, **OPTIONS.get(name, {})}
    whole = clineval.compare(name, systems, documents, jobs=1, **asked)
    compared = clineval.compare(name, systems, documents, jobs=2, **asked)
    assert compared.sheet().data() == whole.sheet().data()
    for system, score in compared.scores.items():
        same(score.counts, whole.scores[system].counts)


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("name", DIRECTORIES)
def test_directories(name, size):
    (predictions, references), options = arguments_of(name)
    for protocol in find_challenge(name).protocols:
        asked = {"protocol": protocol, **options}
        whole = clineval.evaluate(name, predictions, references, **asked).counts
        same(clineval.count(name, predictions, references, batch_size=size, **asked), whole)


@pytest.mark.parametrize("name", DIRECTORIES)
def test_directories_are_not_listed_again_for_every_part(name, monkeypatch):
    """Else a corpus of twice as many documents takes four times as long."""
    (predictions, references), options = arguments_of(name)
    listings = []

    def spy(function):
        return lambda path: [listings.append(Path(path)), function(path)][1]

    for each in ("listdir", "scandir"):
        monkeypatch.setattr(os, each, spy(getattr(os, each)))
    clineval.count(name, predictions, references, batch_size=1, **options)
    setup = find_challenge(name).setup("default", "spec", options)
    # one listing finds out whether a directory holds DocBins, one lists the documents; files that
    # are read as a whole may also be listed to find out their format
    most = 5 if depends_on_all(setup) else 2
    if name in ("drugprot21", "chemprot17"):  # a folder holds a few tables, not documents
        most = 10
    if name == "clinical_tempeval":  # each document has a folder; only folders know their files
        most, listings = 6, [path for path in listings if path in (predictions, references)]
    assert set(listings) == {predictions, references}
    assert max(Counts(listings).values()) <= most


def test_progress_is_shown_once_for_all_parts():
    """Processes drew bars of their own over that of the whole."""
    (predictions, references), options = arguments_of("semeval15_task14")
    bars, steps = [], []

    @contextmanager
    def meter(total, label, **_):
        bars.append((total, label))
        yield steps.append

    with metered_by(meter):
        counts = clineval.count(
            "semeval15_task14", predictions, references, batch_size=1, **options
        )
    assert bars == [(len(counts), "counting documents")]
    assert steps == [1] * len(counts)


@each_module()
def test_demos_with_two_processes(name):
    """Whatever can be cut and whatever cannot."""
    (predictions, references), options = arguments_of(name)
    whole = clineval.evaluate(name, predictions, references, **options).counts
    same(clineval.count(name, predictions, references, jobs=2, batch_size=2, **options), whole)


GOLD = [[{"spans": [[at, at + 4]], "cui": "C0000001"}] for at in range(6)]


def table_of(documents, names, column="references"):
    return pa.table({"id": names, column: documents})


@pytest.mark.parametrize("size", [1, 4, 100])
def test_two_files_are_joined_by_id(tmp_path, size):
    names = [f"note-{at}" for at in range(6)]
    gold = [[{**GOLD[at][0], "cui": f"C000000{at}"}] for at in range(6)]
    order = [4, 2, 0, 5, 1, 3]
    found = table_of(gold, names, "predictions").take(order)
    paths = [tmp_path / "found.parquet", tmp_path / "gold.parquet"]
    pq.write_table(found, paths[0], row_group_size=2)
    pq.write_table(table_of(gold, names), paths[1], row_group_size=4)
    counts = clineval.count(NAME, *paths, batch_size=size)
    assert counts.documents == tuple(names)
    assert counts.totals["strict_tp"] == len(gold)
    same(counts, clineval.count(NAME, clineval.Column(table_of(gold, names)),
                                clineval.Column(table_of(gold, names))))  # fmt: skip


def test_two_tables_are_joined_by_id():
    names = [f"note-{at}" for at in range(6)]
    gold = clineval.Column(table_of(GOLD[:5], names[:5]))
    found = table_of(GOLD[1:], names[1:], "predictions").take([4, 2, 0, 1, 3])
    mentions = [
        clineval.Document(n, [clineval.Mention.from_dict(m) for m in document])
        for n, document in zip(names, GOLD, strict=True)
    ]
    whole = clineval.evaluate(NAME, [mentions[at] for at in (5, 3, 1, 2, 4)], mentions[:5]).counts
    counts = clineval.count(NAME, clineval.Column(found), gold, batch_size=2)
    assert counts.documents == tuple(names)
    same(counts, whole)


def test_one_warning_for_all_parts():
    names = [f"note-{at}" for at in range(6)]
    gold, found = table_of(GOLD, names), table_of(GOLD[:1], names[:1], "predictions")
    columns = clineval.Column(found), clineval.Column(gold)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        clineval.count(NAME, *columns, batch_size=2)
    told = "5 documents have no predictions and count as all missed: "
    listed = "note-1, note-2, note-3, note-4, note-5"
    assert [str(each.message) for each in caught] == [told + listed]


def test_tokens_of_parts_of_which_one_has_no_text():
    """The de-identification challenge: no part may have scores that the whole has not."""
    mention = {"spans": [[0, 3]], "label": "DATE"}
    named = [clineval.Mention.from_dict(mention)]
    documents = [clineval.Document("1-01", named, "one"), clineval.Document("2-01", named, None)]
    name = "i2b2_2014_deid"
    parts = [clineval.count(name, [each], [each]) for each in documents]
    whole = clineval.count(name, documents, documents)
    same(parts[0] + parts[1], whole)
    assert whole.settings["tokens"] == "no"


BROKEN = [*GOLD[:4], [{"spans": [[9, 4]], "cui": "C0000001"}], *GOLD[4:]]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_broken_row_is_named(jobs):
    names = [f"note-{at}" for at in range(7)]
    column = clineval.Column(table_of(BROKEN, names))
    with pytest.raises(clineval.InputError, match="note-4, mention 0: fragment 9-4"):
        clineval.count(NAME, column, column, jobs=jobs, batch_size=2)
    with pytest.raises(clineval.InputError, match="document 4, mention 0: fragment 9-4"):
        clineval.count(NAME, BROKEN, BROKEN, jobs=jobs, batch_size=3)


def test_what_is_left_out_is_listed(tmp_path):
    names = [f"note-{at}" for at in range(7)]
    column, listed = clineval.Column(table_of(BROKEN, names)), tmp_path / "left_out.jsonl"
    with pytest.warns(clineval.InputWarning, match="1 document cannot be counted"):
        counts = clineval.count(NAME, column, column, batch_size=3, keep_going=listed)
    assert counts.documents == (*names[:4], *names[5:])
    assert counts.settings["left_out"] == "1"
    assert "|left_out:1|" in str(counts.score().signature)
    [line] = listed.read_text().splitlines()
    assert json.loads(line)["document"] == "note-4"
    assert "fragment 9-4" in json.loads(line)["problem"]


def test_nothing_is_left_out(tmp_path):
    listed = tmp_path / "left_out.jsonl"
    counts = clineval.count(NAME, GOLD, GOLD, keep_going=listed)
    assert listed.read_text() == ""
    same(counts, clineval.count(NAME, GOLD, GOLD))


def test_all_is_left_out(tmp_path):
    broken = BROKEN[4:5]
    with pytest.raises(clineval.InputError, match="the only document was left out"):
        clineval.count(NAME, broken, broken, keep_going=tmp_path / "left_out.jsonl")


def test_what_depends_on_all_documents_is_counted_at_once():
    weights = {"weights": "references"}
    whole = clineval.evaluate(NAME, GOLD, GOLD, **weights).counts
    same(clineval.count(NAME, iter(GOLD), iter(GOLD), batch_size=2, **weights), whole)
    same(clineval.count(NAME, GOLD, GOLD, batch_size=2, jobs=2, **weights), whole)


def test_iterators_of_different_lengths():
    with pytest.raises(clineval.InputError, match=r"got 6 documents .* and 5 with references"):
        clineval.count(NAME, iter(GOLD), iter(GOLD[:5]), batch_size=2)


@pytest.mark.parametrize("other", [0, None, {"a": []}, b"[]"])
def test_what_is_no_list_beside_an_iterator(other):
    """Found by fuzzing: it was a TypeError."""
    for sides in ((other, iter(GOLD)), (iter(GOLD), other)):
        with pytest.raises(clineval.InputError, match="expected"):
            clineval.count(NAME, *sides)


def test_iterators_in_different_orders():
    documents = [clineval.Document(f"note-{at}", []) for at in range(4)]
    with pytest.raises(clineval.InputError, match="same order"):
        clineval.count(NAME, iter(documents[::-1]), iter(documents))
    same(
        clineval.count(NAME, documents[::-1], documents, batch_size=2),
        clineval.evaluate(NAME, documents[::-1], documents).counts,
    )


@pytest.mark.parametrize(
    ("mentions", "problem"),
    [
        ([None], "expected a dict, got null"),
        (None, "expected a list of mentions, got null"),
        ([{"spans": None, "cui": "C1"}], "expected spans such as"),
        ([{"spans": [[1, 2, 3]], "cui": "C1"}], "a list of 3"),
        ([{"spans": [], "cui": "C1"}], "no fragment"),
        ([{"spans": [[1, None]], "cui": "C1"}], "expected an integer, got null"),
        ([{"spans": [[-1, 4]], "cui": "C1"}], "-1"),
        ([{"spans": [[1, 4]], "cui": "C1", "negation": "maybe"}], "negation: expected one of"),
        ([{"spans": [[1, 4]], "cui": "C 1"}], "cui: expected a code"),
    ],
)
def test_rows_that_are_no_mentions(mentions, problem):
    fine = [{"spans": [[0, 2]], "cui": None, "negation": None}]
    column = clineval.Column(pa.table({"references": [fine, mentions]}), "references")
    with pytest.raises(clineval.InputError, match=problem) as caught:
        clineval.count(NAME, column, column)
    assert "document 1" in str(caught.value)


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"references": [[{"spans": [[0, 2]], "cui": "C1", "mood": "x"}]]}, "unknown slot 'mood'"),
        ({"references": [[{"spans": [[0, 2]]}]]}, "'cui' is missing"),
        ({"references": [[{"spans": [["a"]], "cui": "C1"}]]}, "lists of lists of integers"),
        ({"references": [[{"spans": [[0, 2]], "cui": 3}]]}, "cui: expected strings"),
        ({"one": GOLD[:1], "other": GOLD[:1]}, "there is no column 'references'"),
        ({"id": ["a", "a"], "references": GOLD[:2]}, "repeated document ids: a"),
        ({"id": ["a", None], "references": GOLD[:2]}, "id: expected a name, got null"),
    ],
)
def test_tables_that_do_not_fit(columns, problem):
    column = clineval.Column(pa.table(columns))
    with pytest.raises(clineval.InputError, match=problem):
        clineval.count(NAME, column, column)


def table_with_fields(*names):
    """A table of one mention with some fields, spans or a code."""
    spans = pa.array([[[0, 2]]])
    arrays = [spans if name == "spans" else pa.array(["C1"]) for name in names]
    mention = pa.StructArray.from_arrays(arrays, names=names)
    return pa.table({"id": ["a"], "mentions": pa.ListArray.from_arrays([0, 1], mention)})


@pytest.mark.parametrize("module", ["clefehealth13_task1", "bc5cdr", "clinais23_b2"])
def test_fields_of_one_name(module, tmp_path):
    """Arrow tells them apart by their places only."""
    table, path = table_with_fields("spans", "spans", "cui"), tmp_path / "x.parquet"
    pq.write_table(table, path)
    for side in (clineval.Column(table), path):
        with pytest.raises(clineval.InputError, match="several fields with the same name: spans"):
            clineval.count(module, side, side)
    with pytest.raises(clineval.InputError, match="several fields with the same name: spans"):
        clineval.read(path, "clefehealth13_task1")


@pytest.mark.parametrize("name", ["id", "mentions"])
def test_columns_of_one_name(name, tmp_path):
    table, path = table_with_fields("spans", "cui"), tmp_path / "x.parquet"
    table = table.append_column(name, table[name])
    pq.write_table(table, path)
    for side in (clineval.Column(table), path):
        with pytest.raises(clineval.InputError, match=f"there are several columns '{name}'"):
            clineval.count("clefehealth13_task1", side, side)


@pytest.mark.parametrize("part", ["mentions", "scalar", "table"])
def test_arrow_without_a_column(part):
    table = table_with_fields("spans", "cui")
    given = {"mentions": table["mentions"], "scalar": table["mentions"][0], "table": table}[part]
    with pytest.raises(clineval.InputError, match=r"Give clineval\.Column\(table, name\)"):
        clineval.count("clefehealth13_task1", given, given)


def test_dictionaries_and_chunks():
    """Strings may be dictionary-encoded, with values that no mention has, and lists large."""
    plain = pa.array(GOLD)
    mentions = plain.flatten()
    codes = pa.DictionaryArray.from_arrays(pa.array([1] * 6, pa.int8()), ["none", "C0000001"])
    spans = mentions.field("spans").cast(pa.large_list(pa.large_list(pa.int32())))
    structs = pa.StructArray.from_arrays([spans, codes], names=["spans", "cui"])
    other = pa.LargeListArray.from_arrays(pa.array(range(7), pa.int64()), structs)
    table = pa.table({"references": pa.chunked_array([other[:2], other[2:]])})
    column = clineval.Column(table)
    same(clineval.count(NAME, column, column, batch_size=4), clineval.count(NAME, GOLD, GOLD))


def test_documents_without_mentions():
    """Also all of them, with and without rows."""
    kind = pa.array(GOLD).type
    for documents in ([[], [], []], []):
        column = clineval.Column(pa.table({"references": pa.array(documents, kind)}))
        whole = clineval.count(NAME, documents, documents)
        same(clineval.count(NAME, column, column, batch_size=2), whole)
        same(clineval.evaluate(NAME, column, column).counts, whole)


@pytest.mark.parametrize("written", [
    {"row_group_size": 4},
    {"row_group_size": 2, "use_dictionary": False},
    {"dictionary_pagesize_limit": 1, "data_page_size": 1},
])  # fmt: skip
def test_parquet(tmp_path, written):
    """Words are read as numbers of the file's own dictionaries; each group has others."""
    path = tmp_path / "notes.parquet"
    documents = [[{**GOLD[at][0], "cui": f"C000000{at}"}] for at in range(6)]
    pq.write_table(pa.table({"references": documents, "predictions": GOLD}), path, **written)
    whole = clineval.count(NAME, GOLD, documents)
    same(clineval.count(NAME, path, path, batch_size=3), whole)
    same(clineval.count(NAME, clineval.Column(path), str(path)), whole)
    path.write_bytes(b"no table")
    with pytest.raises(clineval.InputError, match="not a Parquet file"):
        clineval.count(NAME, path, path)


@pytest.mark.parametrize("name", IN_PARTS)
def test_results_travel_as_rows(name):
    documents = DOCUMENTS[name]
    counter = Counter(make_setup(name, **OPTIONS.get(name, {})))
    result = counter(ListPart(documents, documents, 0))
    row = unpack(pack(result))
    same(row.counts, result.counts)
    expected = join_warnings(about_input(result.warnings))
    assert [str(each) for each in row.warnings] == [str(each) for each in expected]


def test_errors_travel_as_rows():
    counter = Counter(make_setup(NAME))
    result = counter(ListPart(BROKEN, BROKEN, 10))
    assert str(unpack(pack(result)).error) == str(result.error)
    assert "document 14" in str(result.error)


@pytest.mark.parametrize("processes", [None, 2])
def test_datasets(processes):
    datasets = pytest.importorskip("datasets")
    names = [f"note-{at}" for at in range(6)]
    columns = {"id": names, "references": GOLD, "predictions": [*GOLD[:3], [], [], []]}
    dataset = datasets.Dataset.from_dict(columns)
    column = clineval.Column(dataset)
    whole = clineval.count(NAME, columns["predictions"], GOLD).named(*names)
    same(clineval.count(NAME, column, column, batch_size=4), whole)
    options = {"id": "id", "num_proc": processes, "batch_size": 2}
    same(clineval.count_dataset(dataset, NAME, **options), whole)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"references": "nowhere"}, "unknown column 'nowhere'"),
        ({"weights": "references"}, "depends on all references"),
    ],
)
def test_datasets_that_do_not_fit(options, problem):
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_dict({"references": GOLD, "predictions": GOLD})
    with pytest.raises(clineval.InputError, match=problem):
        clineval.count_dataset(dataset, NAME, **options)
