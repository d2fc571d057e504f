"""Compressed tables are read as the tables are."""

import gzip
from importlib import import_module

import pytest
from demos import arguments_of

import clineval
from clineval.formats.checking import find_problems
from clineval.results.registry import find_challenge

TABLES = ["clinical_classes", "clinical_codes", "medprocner23", "codiesp20"]


def zstd():
    try:
        return import_module("compression.zstd")
    except ImportError:
        return import_module("backports.zstd")


PACK = {".gz": gzip.compress, ".zst": lambda content: zstd().compress(content)}


@pytest.mark.parametrize("ending", PACK)
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_tables(name, ending, tmp_path):
    sides, options = arguments_of(name)
    packed = []
    for path in sides:
        packed.append(tmp_path / f"{path.name}{ending}")
        packed[-1].write_bytes(PACK[ending](path.read_bytes()))
    scores = [clineval.score(name, *each, **options).as_dict() for each in (packed, sides)]
    assert scores[0] == scores[1]
    assert not list(find_problems(find_challenge(name), packed[1:]))


def test_tables_in_a_folder(tmp_path):
    [_, gold], options = arguments_of("clinical_classes")
    (tmp_path / f"{gold.name}.gz").write_bytes(gzip.compress(gold.read_bytes()))
    score = clineval.score("clinical_classes", tmp_path, gold, **options)
    assert score["accuracy"] == 1
