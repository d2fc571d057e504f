"""Files of every format that documents are converted from, and those that options name."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from canary import GOOD
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import Counts, answers
from clineval.challenges.bc5cdr.measures import SCHEME
from clineval.challenges.codiesp20.chapters import read_chapters
from clineval.challenges.pharmaconer19.indexing_tsv import read_side as read_indexing
from clineval.evaluation import convert as converting
from clineval.formats.delimited.code_tables import read_valid
from clineval.formats.given.item_sets import read_strictly
from clineval.formats.section_lines import read_sections
from clineval.hub.results import read_result
from clineval.results.registry import find_challenge
from clineval.stats.clusters import read_clusters
from clineval.workbench.code_names import read_names
from fuzz.contract import keep, share
from fuzz.mutations import mutated, mutated_texts
from fuzz.test_python import ONE_PLACE, files_of

SEMEVAL, CLINAIS, I2B2 = "semeval15_task14", "clinais23_b2", "i2b2_2009_medication"
BIOC = DATA / "oracle" / "bc5cdr" / "cases" / "x03_individual_only_id" / "gold.BioC.xml"
NOTE_TEXT = "No fever.\nChest pain.\n"
ANSWER = {
    "id": "d",
    "text": NOTE_TEXT,
    "answer": [{"text": "fever", "cui": "C1", "negation": "yes"}],
}
SECTIONS = {"id": "d", "sections": [{"start": 0, "end": 2, "label": "X"}]}


@dataclass(frozen=True)
class Reader:
    """What reads a file.

    Args:
        path: the file's name.
        good: what such a file holds.
        read: reads it, with whatever is beside it.
        noted: whether words of a note in it would be told from names.
    """

    path: str
    good: str
    read: Callable[[Path], object]
    noted: bool = True


def own(name, format_):
    """The demo corpus of a challenge, as a format that documents are converted from."""
    path, good = files_of(name)[0]
    return Reader(path, good, lambda path: converting.read_documents(path, format_))


def score(name, **options):
    return clineval.score(name, GOOD[name], GOOD[name], **options)


def options_file(name, option):
    challenge = find_challenge(name)
    return (challenge.task.corpora / challenge.demo.options[option]).read_text("utf-8")


def read_answers(path):
    gold = [clineval.Document("d", [clineval.Mention([(3, 8)], "C1")])]
    return answers.score(SEMEVAL, path, gold)


READERS = {
    "pipe": own(SEMEVAL, "pipe"),
    "clef": own("clefehealth13_task1", "clef"),
    "xml": own("i2b2_2014_deid", "xml"),
    "json lines": own("clinical_spans", "jsonl"),
    "brat": Reader(
        "a.ann",
        "T1\tDisorder 0 2;4 9\tNo\nA1\tNegation T1 yes\nN1\tReference T1 UMLS:C1\tC1\n"
        "R1\tof Arg1:T1 Arg2:T1\n#1\tNote T1\tx\n*\tEquiv T1 T1\nE1\tDisorder:T1\n",
        lambda path: converting.read_documents(path.parent, "brat"),
    ),
    "BioC": Reader(
        "a.xml", BIOC.read_text("utf-8"), lambda path: read_strictly(path, SCHEME, gold=True)
    ),
    "indexing": Reader("a.tsv", "a\t387517004\nb\tCHEBI:1\nb\t<null>\n", read_indexing),
    "sections": Reader("a.jsonl", json.dumps(SECTIONS), read_sections),
    "clusters": Reader("a.csv", 'document,cluster\n"a",1\nb,2\n', read_clusters, noted=False),
    "names": Reader("a.tsv", 'code\tname\nC1\tRash\n"C2"\tPain\n', read_names),
    "chapters": Reader("a.tsv", "a\tInfections\nb5\tNeoplasms\n", read_chapters),
    "codes": Reader("a.tsv", "a01.1\tCholera\nb02\tZoster\n", read_valid),
    "slot weights": Reader(
        "a.json",
        json.dumps({"negation": {"no": 0.1, "yes": 0.9}, "cui": 1.0}),
        lambda path: score(SEMEVAL, weights=path),
    ),
    "edit weights": Reader(
        "a.json",
        json.dumps({"substitution": 1.0, "addition": 0.5}),
        lambda path: score(CLINAIS, weights=path),
    ),
    "sets": Reader(
        "a.json",
        '{"0": "A", "1": "B"}',
        lambda path: score(I2B2, evaluation_sets=path),
        noted=False,
    ),
    "records": Reader(
        "0", NOTE_TEXT, lambda path: score(I2B2, records=path.parent, protocol="official")
    ),
    "notes": Reader(
        "0.txt", NOTE_TEXT, lambda path: score(SEMEVAL, texts=path.parent, overlap="word")
    ),
    "sentences": Reader(
        "0.ann", "T1\tS 0 3\tx\n", lambda path: score("meddocan19", sentences=path.parent)
    ),
    "answers": Reader("a.jsonl", json.dumps(ANSWER), read_answers),
    "result": Reader("a.json", '{"scores": {"f1": 0.5}, "signature": "s|t"}', read_result),
    "counts": Reader("a.json", "", Counts.load),
}  # fmt: skip


@cache
def good_of(what):
    if what == "counts":
        return clineval.count(SEMEVAL, GOOD[SEMEVAL], GOOD[SEMEVAL]).to_json()
    return READERS[what].good


@pytest.mark.parametrize("what", READERS)
@share("readers", len(READERS) + 1, suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_every_reader(what, data, place):
    reader = READERS[what]
    path = place / reader.path
    path.write_bytes(data.draw(mutated(reader.path, good_of(what), noted=reader.noted)))
    keep(lambda: reader.read(path))


@share("readers", len(READERS) + 1, suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_parquet(data, place):
    """Bytes of a table that are others than they were."""
    path = place / "a.parquet"
    converting.write_documents(
        [clineval.Document("d", [clineval.Mention([(0, 2)], "C1")])], path, "parquet"
    )
    good = path.read_bytes().decode("latin-1")
    path.write_bytes(
        data.draw(mutated_texts(good)).decode("utf-8", "replace").encode("latin-1", "replace")
    )
    keep(lambda: converting.read_documents(path, "parquet"))
    keep(lambda: clineval.score("semeval15_task14", path, path, config="task1"))
