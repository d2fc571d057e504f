"""What lies in a directory and is not read, and names that differ only in case, are said once."""

import json
import shutil
import warnings

import pytest
from demos import arguments_of

import clineval
from clineval import InputWarning
from clineval.formats.checking import find_problems
from clineval.results.registry import NAMES, find_challenge

FOLDERS = [name for name in NAMES if arguments_of(name)[0][1].is_dir()]
CASES = [(name, protocol) for name in FOLDERS for protocol in find_challenge(name).protocols]


def told(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        call()
    return sorted({str(warning.message) for warning in caught})


@pytest.fixture
def crowded(tmp_path):
    """A demo's gold standard with a folder and lines of JSON among its files."""

    def crowd(name):
        _, options = arguments_of(name)
        gold = shutil.copytree(arguments_of(name)[0][1], tmp_path / "gold")
        for folder in ("more", ".git"):
            (gold / folder).mkdir()
        (gold / "b.jsonl").write_text('{"id": "b", "mentions": []}\n')
        return gold, options

    return crowd


WORDS = [
    "gold: not read: b.jsonl, beside files of another format",
    "gold: not read: more, which are not files",
]
IN_FOLDERS = {"clinical_tempeval": ["gold: not read: b.jsonl, more, which hold no annotations"]}
"""The words where each document has a folder of its own."""


@pytest.mark.parametrize("size", [None, 1])
@pytest.mark.parametrize(("name", "protocol"), CASES)
def test_what_is_not_read_is_said(name, protocol, size, crowded):
    """Also of documents that are counted one by one."""
    gold, options = crowded(name)
    asked = {"protocol": protocol, "batch_size": size, **options}
    said = told(lambda: clineval.score(name, gold, gold, **asked))
    assert [line for line in said if "not read" in line] == IN_FOLDERS.get(name, WORDS)


@pytest.mark.parametrize("name", FOLDERS)
def test_validation_says_so_too(name, crowded):
    gold, _ = crowded(name)
    said = told(lambda: list(find_problems(find_challenge(name), [gold])))
    assert [line for line in said if "not read" in line] == IN_FOLDERS.get(name, WORDS)


@pytest.mark.parametrize("name", FOLDERS)
def test_a_directory_with_own_files_is_no_json_lines(name, crowded):
    """It was, wherever the own files were no ``.pipe``; then every document was missing."""
    gold, options = crowded(name)
    before = arguments_of(name)[0][1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        counts = clineval.count(name, gold, before, **options)
    assert counts.documents == clineval.count(name, before, before, **options).documents


def mention(name):
    return {"spans": [[0, 4]], "label": "FECHAS"} if name == "meddocan19" else {
        "spans": [[0, 4]], "cui": "C1"
    }  # fmt: skip


@pytest.mark.parametrize("name", ["meddocan19", "clefehealth13_task1"])
def test_names_that_differ_in_case_only(name, tmp_path):
    path = tmp_path / "a.jsonl"
    lines = ({"id": id_, "mentions": [mention(name)]} for id_ in ("Note-1", "b", "note-1"))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    told_all = told(lambda: clineval.score(name, path, path))
    [said] = [line for line in told_all if "case" in line]
    assert said.startswith("2 documents have names that differ only in case, and count as")
    assert said.endswith("Note-1, note-1")


def test_a_system_that_writes_names_in_another_case(tmp_path):
    paths = [tmp_path / "gold.jsonl", tmp_path / "found.jsonl"]
    for path, name in zip(paths, ("Note", "note"), strict=True):
        path.write_text(json.dumps({"id": name, "mentions": []}) + "\n")
    said = told(lambda: clineval.score("clefehealth13_task1", *paths))
    assert said[0].startswith("1 document has no predictions")
    assert said[2].startswith("2 documents have names that differ only in case")


def test_names_that_count_as_one_where_case_does_not_matter():
    """Case does not matter in pipe files, whose documents are then one."""
    text = "A.txt|1-2|C1|\nb.txt|1-2|C1|\na.txt|3-4|C2|\n"
    said = told(lambda: clineval.score("semeval15_task14", text, text, config="task1"))
    assert said == [
        f"{side}: names of documents that differ only in case count as one: a.txt"
        for side in ("predictions", "references")
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        counts = clineval.count("semeval15_task14", text, text, config="task1")
    assert counts.documents == ("A.txt", "b.txt")
