"""Parquet keeps everything that JSON Lines keep, and is scored alike: texts, relations, cues."""

import json
import warnings
from dataclasses import replace

import numpy as np
import pytest
from commands import invoke
from thorough import each

import clineval
from clineval import Document, InputError, InputWarning, Mention
from clineval.evaluation.convert import read, write
from clineval.formats.tables.mentions import holds_mentions
from clineval.kinds.mentions.mention import Relation
from clineval.results.registry import NAMES, find_challenge
from clineval.results.views import MentionView

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
MODULES = [
    name
    for name in NAMES
    if isinstance(find_challenge(name).faces.page, MentionView)
    and not find_challenge(name).kind.given
]
FAST = ("semeval15_task14", "meddocan19", "i2b2_2010", "bc5cdr", "n2c2_2018_track2", "ehealthkd20")
FORMATS = ("jsonl", "parquet")


def demo(name):
    """The demo's gold standard and a system's documents."""
    challenge = find_challenge(name)
    folder, notes = challenge.task.corpora, challenge.task.corpora / "text"
    names = challenge.demo.gold, next(iter(challenge.demo.systems.values()))
    texts = notes if notes.exists() else None
    return [read(folder / each, name, texts=texts) for each in names]


def written(name, sides, folder, form):
    """The paths of two sides, written in a format that lacks nothing but brat's equivalences."""
    paths = [folder / f"{side}.{form}" for side in ("gold", "found")]
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputWarning)
        warnings.filterwarnings("ignore", ".* from equivalences", InputWarning)
        for documents, path in zip(sides, paths, strict=True):
            write(documents, path, form, name)
    return paths


def told(name, paths, **options):
    """Scores, signature and warnings; the gold standard comes first."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        score = clineval.score(name, paths[1], paths[0], **options)
    return dict(score), str(score.signature), [str(each.message) for each in caught]


def joined(value):
    return ",".join(value) if isinstance(value, tuple) else value


def plain(document):
    """What a document holds; a set of codes is one string in Parquet."""
    mentions = [
        replace(m, slots={n: joined(v) for n, v in m.slots.items()}).as_dict()
        for m in document.mentions
    ]
    relations = [relation.as_dict() for relation in document.relations]  # equivalences among them
    return document.id, document.text, document.language, relations, mentions


@pytest.mark.parametrize("name", each(MODULES, FAST))
def test_parquet_is_scored_as_json_lines_are(name, tmp_path):
    sides = demo(name)
    lines, tables = (written(name, sides, tmp_path, form) for form in FORMATS)
    for config in find_challenge(name).task.configs:
        if find_challenge(name).kind_of(config).in_columns:
            assert told(name, tables, config=config) == told(name, lines, config=config)
    assert told(name, reversed_rows(tables))[0] == told(name, lines)[0]


@pytest.mark.parametrize("name", each(MODULES, FAST))
def test_the_sides_may_have_no_document_in_common(name, tmp_path):
    gold, found = demo(name)
    sides = gold[:1], [replace(of, language="es") for of in found if of.id != gold[0].id][:1]
    lines, tables = (written(name, sides, tmp_path, form) for form in FORMATS)
    for protocol in find_challenge(name).protocols:
        expected = told_or_refused(name, sides, protocol)
        for paths in (tables, lines):
            assert told_or_refused(name, paths, protocol) == expected


def told_or_refused(name, paths, protocol):
    """What is told; or the error, where a released program stops at a document of one side."""
    try:
        return told(name, paths, protocol=protocol)[:2]
    except InputError as error:
        assert protocol == "official"
        return str(error)


def reversed_rows(paths):
    """The same with the predictions in another order, so that names join the tables."""
    gold, found = paths
    table = pq.read_table(found)
    pq.write_table(table.take(np.arange(len(table))[::-1]), found)
    return gold, found


@pytest.mark.parametrize("name", each(MODULES, FAST))
def test_parquet_gives_back_what_was_written(name, tmp_path):
    sides = demo(name)
    for documents, path in zip(sides, written(name, sides, tmp_path, "parquet"), strict=True):
        assert list(map(plain, read(path, name))) == list(map(plain, documents))


@pytest.mark.parametrize("name", each(MODULES, FAST))
def test_a_system_that_found_nothing_has_a_valid_file(name, tmp_path):
    gold, _ = demo(name)
    nothing = [Document(each.id, text=each.text) for each in gold]
    lines, tables = (written(name, (gold, nothing), tmp_path, form) for form in FORMATS)
    assert told(name, tables) == told(name, lines)
    known = {"id": [each.id for each in gold], "text": [each.text for each in gold]}
    pq.write_table(pa.table({**known, "mentions": [[] for _ in gold]}), tables[1])  # of no type
    assert told(name, tables)[0] == told(name, lines)[0]


def test_a_file_without_mentions_is_written_without_a_module(tmp_path):
    empty = '{"id": "caso-01", "mentions": []}\n'
    (tmp_path / "e.jsonl").write_text(empty)
    gold = '{"id": "caso-01", "mentions": [{"spans": [[0, 4]], "label": "ENFERMEDAD"}]}\n'
    (tmp_path / "g.jsonl").write_text(gold)
    for side in "eg":
        done = invoke(["convert", tmp_path / f"{side}.jsonl", tmp_path / f"{side}.parquet"])
        assert done.exit_code == 0, done.output
    files = tmp_path / "g.parquet", tmp_path / "e.parquet"
    done = invoke(["score", "distemist22", *files, "--config", "ner", "--format", "json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["scores"]["strict_f1"] == 0


def test_relations_and_cues_of_documents_come_back(tmp_path):
    mentions = [
        Mention([(0, 4)], slots={"label": "Drug"}, id="T1", coded=False),
        Mention([(5, 9), (11, 12)], slots={"label": "Dosage"}, id="T2", coded=False),
        Mention(
            [(5, 9)], slots={"label": "Reason"}, cues={"negation": [(0, 2), (3, 4)]}, coded=False
        ),
    ]
    documents = [
        Document("a", mentions, "Some milk, x", [Relation("Dosage-Drug", "T2", "T1")], "en"),
        Document("b"),
    ]
    write(documents, tmp_path / "a.parquet", "parquet")
    assert list(map(plain, read(tmp_path / "a.parquet", "clinical_spans"))) == list(
        map(plain, documents)
    )


TEXT = "Ana vive en Madrid"
NAME = "meddocan19"
FIRST = [{"spans": [[0, 3]], "label": "NOMBRE_SUJETO_ASISTENCIA"}]
PARTS = [{"spans": [[0, 3]], "label": "TERRITORIO"}, {"spans": [[4, 8]], "label": "TERRITORIO"}]
BOTH = [{"spans": [[0, 8]], "label": "TERRITORIO"}]


def merged(*given, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clineval.count(NAME, *given, config="spans", **options).score()["merged_tp"]


def test_texts_of_one_table_are_those_of_both_columns():
    rows = {"gold": [BOTH, []], "tagger": [PARTS, []], "text": [TEXT.replace(" ", "-"), TEXT]}
    table = pa.table({"id": ["a", "b"], **rows})
    sides = [clineval.Column(table, side) for side in ("tagger", "gold")]
    assert merged(*sides) == 1
    assert merged(*sides, batch_size=1) == 1
    assert merged(*sides, jobs=2, batch_size=1) == 1
    without = table.drop_columns(["text"])
    assert merged(*(clineval.Column(without, side) for side in ("tagger", "gold"))) == 0


def test_texts_of_a_dataset_are_read():
    datasets = pytest.importorskip("datasets")
    rows = {"references": [BOTH], "predictions": [PARTS], "text": [TEXT.replace(" ", "-")]}
    dataset = datasets.Dataset.from_dict(rows)
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputWarning)
        counts = clineval.count_dataset(dataset, NAME, config="spans")
    assert counts.score()["merged_tp"] == 1


def test_texts_that_are_none_are_refused():
    table = pa.table({"mentions": [BOTH], "text": [7]})
    with pytest.raises(clineval.InputError, match="text: expected strings, got a column of int64"):
        clineval.count(NAME, clineval.Column(table), clineval.Column(table))


def test_documents_as_structs_have_texts_and_relations():
    drugs = {
        "mentions": [
            {"id": "1", "spans": [[0, 4]], "label": "Drug"},
            {"id": "2", "spans": [[5, 9]], "label": "Dosage"},
        ],
        "relations": [{"label": "Dosage-Drug", "from": "2", "to": "1"}],
    }
    table = pa.table({"gold": [drugs], "tagger": [{**drugs, "relations": []}]})
    sides = [clineval.Column(table, side) for side in ("tagger", "gold")]
    score = clineval.score("n2c2_2018_track2", *sides)
    assert score["relations_micro_strict_fn"] == 1
    texts = pa.table({"gold": [{"mentions": BOTH, "text": TEXT.replace(" ", "-")}],
                      "tagger": [{"mentions": PARTS, "text": TEXT.replace(" ", "-")}]})  # fmt: skip
    assert merged(*(clineval.Column(texts, side) for side in ("tagger", "gold"))) == 1


def problem_of(act):
    try:
        act()
    except clineval.InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", MODULES)
def test_no_class_of_the_inside_is_in_an_error(name, tmp_path):
    documents = [Document("a", [Mention([(0, 4)], slots={"label": "X"}, coded=False)])]
    write(documents, tmp_path / "a.parquet", "parquet")
    for config in find_challenge(name).task.configs:
        files = [tmp_path / "a.parquet"] * 2
        assert "Arrow" not in problem_of(lambda: told(name, files, config=config))  # noqa: B023


@pytest.mark.parametrize("fields", [[], ["text"], ["text", "relations"]])
def test_a_column_of_objects_without_mentions_holds_none(fields):
    kind = pa.struct([(name, pa.string()) for name in fields])
    assert not holds_mentions(kind)
    table = pa.table({"mentions": pa.array([dict.fromkeys(fields, "x")], kind)})
    with pytest.raises(InputError, match="references"):
        clineval.score("clinical_spans", table["mentions"], table["mentions"])
