"""JSON Lines are counted in parts wherever they are: compressed, in folders, on standard input.

The counts, the errors and the warnings are those of one file that is read at once.
"""

import gzip
import json
import random
import warnings
from contextlib import ExitStack
from importlib import import_module
from io import BytesIO

import numpy as np
import pytest
from commands import invoke
from demos import arguments_of
from thorough import each_module

import clineval
from clineval.base.files import reading_instead
from clineval.base.kept import Kept
from clineval.evaluation.counting import workers
from clineval.evaluation.counting.sources import cut
from clineval.evaluation.evaluate import make_setup
from clineval.evaluation.inputs import open_inputs
from clineval.results.registry import find_challenge

SPANS = "clinical_spans"
LABELS = ["Drug", "ADE", "Sign"]


def documents_of(seed, number=11, order=None):
    """Documents with random mentions; some have texts, so that lines have all sizes."""
    drawn = random.Random(seed)
    documents = []
    for at in range(number):
        mentions = [
            {"spans": [[9 * k, 9 * k + drawn.choice((4, 5))]], "label": drawn.choice(LABELS)}
            for k in range(drawn.randrange(5))
        ]
        text = {"text": "f\u00e9ver " * drawn.randrange(3000)} if drawn.random() < 0.5 else {}
        documents.append({"id": f"note-{at}", "mentions": mentions, **text})
    if order is not None:
        random.Random(order).shuffle(documents)
    return [json.dumps(document, ensure_ascii=False) for document in documents]


class Places:
    """Put lines into any place.

    Args:
        folder: a folder for files.
        stack: ends what holds standard input.
    """

    def __init__(self, folder, stack):
        self.folder, self.stack = folder, stack

    def put(self, lines, side, place, ends="\n"):
        """Return the source."""
        path = self.folder / f"{side}.jsonl"
        if place in ("folder", "compressed folder"):
            path.mkdir()
            ending = ".gz" if place == "compressed folder" else ""
            for at, part in enumerate((lines[:4], lines[4:5], [], lines[5:])):
                # the last line of a file need not end
                self._write(path / f"part-{at}.jsonl{ending}", ends.join(part) + ends * (at % 2))
            return str(path)
        content = "".join(line + ends for line in lines)
        if place == "standard input":
            name = f"<{side}>.jsonl"
            kept = Kept.of(BytesIO(content.encode()), 1 << 30, name)
            self.stack.enter_context(reading_instead({name: kept}))
            return name
        path = path.with_suffix({"gz": ".jsonl.gz", "zst": ".jsonl.zst"}.get(place, ".jsonl"))
        self._write(path, content)
        return str(path)

    def _write(self, path, text):
        content = text.encode()
        if path.suffix == ".gz":
            content = gzip.compress(content)
        if path.suffix == ".zst":
            content = import_zstd().compress(content)
        path.write_bytes(content)


def import_zstd():
    try:
        return import_module("compression.zstd")
    except ImportError:
        return pytest.importorskip("backports.zstd")


@pytest.fixture
def places(tmp_path):
    with ExitStack() as stack:
        yield Places(tmp_path, stack)


PLACES = ["file", "gz", "folder", "compressed folder", "standard input"]


def hear(call, *arguments, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        counts = call(*arguments, **options)
    return counts, [str(each.message) for each in caught]


def at_once(name, found, gold, **options):
    return clineval.evaluate(name, found, gold, **options).counts


def same(counts, whole):
    assert counts == whole
    assert np.array_equal(counts.table.view(np.int64), whole.table.view(np.int64))
    assert counts.to_json() == whole.to_json()


def is_cut(name, found, gold, size, **options):
    setup = make_setup(name, **options)
    return cut(open_inputs(gold, [found], setup), setup, size, lists=False) is not None


def whole_of(tmp_path, lines, **options):
    """What one file of each side gives at once."""
    paths = []
    for side, of_side in lines.items():
        paths.append(tmp_path / f"whole-{side}.jsonl")
        paths[-1].write_text("\n".join(of_side), "utf-8")
    return hear(at_once, SPANS, *paths, **options)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("other", PLACES)
@pytest.mark.parametrize("jobs", [1, 2])
def test_places(place, other, jobs, places):
    lines = {"found": documents_of(1, order=3), "gold": documents_of(2)}
    sides = [
        places.put(lines[side], side, where)
        for side, where in zip(lines, (place, other), strict=True)
    ]
    assert is_cut(SPANS, *sides, jobs)
    counts, said = hear(clineval.count, SPANS, *sides, batch_size=jobs, jobs=jobs)
    whole, said_of_whole = whole_of(places.folder, lines)
    same(counts, whole)
    assert said == said_of_whole


@pytest.mark.parametrize("ends", ["\r\n", "\n\n", "\n \n"])
@pytest.mark.parametrize("place", PLACES)
def test_line_ends(place, ends, places, tmp_path):
    lines = {"found": documents_of(1), "gold": documents_of(2)}
    sides = [places.put(of_side, side, place, ends) for side, of_side in lines.items()]
    counts = clineval.count(SPANS, *sides, batch_size=2)
    same(counts, whole_of(tmp_path, lines)[0])


def test_files_whose_lines_end_in_carriage_returns(places, tmp_path):
    """Such a file is one line for bytes."""
    lines = {"found": documents_of(1), "gold": documents_of(2)}
    sides = [places.put(of_side, side, "folder", "\r") for side, of_side in lines.items()]
    same(clineval.count(SPANS, *sides, batch_size=2), whole_of(tmp_path, lines)[0])


def test_zst(places, tmp_path):
    lines = {"found": documents_of(1), "gold": documents_of(2)}
    sides = [places.put(of_side, side, "zst") for side, of_side in lines.items()]
    same(clineval.count(SPANS, *sides, batch_size=2), whole_of(tmp_path, lines)[0])


def test_zst_without_a_package_for_it(tmp_path, monkeypatch):
    def lack(name):
        raise ImportError(name)

    for module in ("packed", "errors"):
        monkeypatch.setattr(f"clineval.base.{module}.import_module", lack)
    (tmp_path / "a.jsonl.zst").write_bytes(b"(")
    with pytest.raises(clineval.InputError, match=r"Python 3\.14 or the package backports\.zstd"):
        clineval.count(SPANS, tmp_path / "a.jsonl.zst", tmp_path / "a.jsonl.zst")


BROKEN = [
    ('{"id": "note-9", "mentions": [{"spans": [[9, 4]], "label": "Drug"}]}', "fragment 9-4"),
    ('{"id": "note-9", "mentions": [], "id": "note-9"}', "the key id occurs twice"),
    ('{"id": "note-9", "mentions": [], "text": "\\ud800"}', "half of a surrogate pair"),
    ('{"id": "note-2", "mentions": []}', "has the same 'id' as"),
]
NUMBERS = {"folder": ("found.jsonl/part-3.jsonl", 9), "compressed folder": ("part-3.jsonl.gz", 9)}
"""The file and the line of the tenth document, with an empty line after each."""


@pytest.mark.parametrize(("line", "problem"), BROKEN)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("jobs", [1, 2])
def test_lines_in_errors(line, problem, place, jobs, places):
    lines = documents_of(1)
    lines[9] = line
    gold = places.put(documents_of(2), "gold", "file")
    found = places.put(lines, "found", place, "\n\n")
    with pytest.raises(clineval.InputError, match=problem) as raised:
        clineval.count(SPANS, found, gold, batch_size=2, jobs=jobs, labels=LABELS)
    file, number = NUMBERS.get(place, ("found", 19))
    assert file in raised.value.where
    assert raised.value.where.partition(",")[0].endswith(f":{number}")


@pytest.mark.parametrize(("line", "problem"), BROKEN[:3])
@pytest.mark.parametrize("place", PLACES)
def test_documents_that_are_left_out(line, problem, place, places, tmp_path):
    lines = documents_of(1)
    lines[9] = line
    gold = places.put(documents_of(2, order=4), "gold", place)
    found = places.put(lines, "found", place, "\n\n")
    listed = tmp_path / "left_out.jsonl"
    with pytest.warns(clineval.InputWarning, match="1 document cannot be counted"):
        counts = clineval.count(SPANS, found, gold, batch_size=3, keep_going=listed)
    assert len(counts) == 10
    [left_out] = map(json.loads, listed.read_text().splitlines())
    file, number = NUMBERS.get(place, ("found", 19))
    assert left_out["document"] == "note-9"
    assert f":{number}" in left_out["problem"]
    assert file in left_out["problem"]
    assert problem in left_out["problem"]


@pytest.mark.parametrize("place", ["gz", "compressed folder"])
def test_broken_files(place, places):
    gold = places.put(documents_of(2), "gold", "file")
    found = places.put(documents_of(1), "found", place)
    for path in places.folder.rglob("*.gz"):
        path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(clineval.InputError, match=r"\.gz: the compressed file is broken"):
        clineval.count(SPANS, found, gold, batch_size=2)


def test_compressed_files_are_limited_as_others_are(places, monkeypatch):
    found = places.put(documents_of(1), "found", "gz")
    monkeypatch.setenv("CLINEVAL_MAX_BYTES", "20000")
    with pytest.raises(clineval.InputError, match=r"found\.jsonl\.gz: larger than 20000 bytes"):
        clineval.count(SPANS, found, found, batch_size=2)


def test_compressed_files_are_not_written(places):
    with pytest.raises(clineval.InputError, match="compressed files can only be read"):
        clineval.write([], places.folder / "a.jsonl.gz", "jsonl")


@pytest.mark.parametrize("what", ["a folder in it", "another file in it", "a document twice"])
def test_folders_that_are_not_read_in_parts(what, places):
    gold = places.put(documents_of(2), "gold", "folder")
    path = places.folder / "gold.jsonl"
    if what == "a folder in it":
        (path / "more").mkdir()
    elif what == "another file in it":
        (path / "README.md").write_text("x")
    else:
        (path / "part-9.jsonl").write_text(documents_of(2)[0])
    if what != "a document twice":
        assert not is_cut(SPANS, gold, gold, 2)
    else:
        with pytest.raises(clineval.InputError, match=r"has the same 'id' as gold\.jsonl/part-0"):
            clineval.count(SPANS, gold, gold, batch_size=2)


def convert(name, path, target, *further):
    """Convert a side of a demo to JSON Lines."""
    done = invoke(["convert", path, target, "--module", name, *further])
    return done.exit_code == 0 and target.is_file()


COUNTING = import_module("clineval.evaluation.counting.count")
AT_ONCE = {
    ("archehr_qa26", "spec"), ("archehr_qa26", "official"),
    ("icd_coding", "caml"), ("icd_coding", "edin"),
    ("drugprot21", "official"), ("mediqa_synur26", "official"),
    ("clinical_classes", "spec"), ("clinical_events", "spec"),
}  # fmt: skip
"""Lines without an ``id``; protocols that sort documents, or compare neighbours; a program that
stops at empty lines; schemes that all documents determine.
"""
OTHERS = ("clefehealth13_task2",)
"""Challenges that write JSON Lines and do not read them."""


def refuse(*_):
    pytest.fail("read at once")


@each_module()
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_every_challenge(name, tmp_path, monkeypatch):
    """Tiny parts give the counts and warnings of one part, also in processes that start anew."""
    (found, gold), options = arguments_of(name)
    paths = [tmp_path / f"{side}.jsonl" for side in "fg"]
    predicted = ["--predicted"] if found == gold else []
    if name in OTHERS or not (
        convert(name, found, paths[0], *predicted) and convert(name, gold, paths[1])
    ):
        return  # this challenge has no JSON Lines
    lines = paths[0].read_text("utf-8").splitlines(keepends=True)
    paths[0].write_text("".join(lines[1:] + lines[:1]), "utf-8")
    for protocol in find_challenge(name).protocols:
        way = {"protocol": protocol, **options}
        whole = hear(at_once, name, *paths, **way)
        for method in ("fork", "spawn") if protocol == "spec" else ("fork",):
            monkeypatch.setattr(workers, "_start_method", lambda method=method: method)
            with monkeypatch.context() as patch:
                if (name, protocol) not in AT_ONCE:
                    patch.setattr(COUNTING, "evaluate_inputs", refuse)
                counts, said = hear(clineval.count, name, *paths, batch_size=1, jobs=2, **way)
            same(counts, whole[0])
            assert said == whole[1]


@pytest.mark.parametrize("place", ["file", "compressed folder"])
def test_sides_that_are_indexed_in_processes_of_their_own(place, places, tmp_path, monkeypatch):
    monkeypatch.setattr("clineval.evaluation.counting.sources._LARGE", 0)
    lines = {"found": documents_of(1, order=3), "gold": documents_of(2)}
    sides = [places.put(of_side, side, place) for side, of_side in lines.items()]
    counts = clineval.count(SPANS, *sides, batch_size=2, jobs=2)
    same(counts, whole_of(tmp_path, lines)[0])


def test_documents_whose_names_are_under_another_key(tmp_path):
    """Their ``id`` pairs other lines."""
    gold = [{"id": str(n), "note": f"n{n}", "smoking": "yes"} for n in range(4)]
    found = [{**line, "id": other["id"]} for line, other in zip(gold, gold[::-1], strict=True)]
    paths = []
    for side in (found, gold):
        paths.append(tmp_path / f"{len(paths)}.jsonl")
        paths[-1].write_text("\n".join(map(json.dumps, side)))
    options = {"id_column": "note", "label_column": "smoking", "classes": ["yes", "no"]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        counts = clineval.count("clinical_classes", *paths, batch_size=1, **options)
        same(counts, at_once("clinical_classes", *paths, **options))
    assert counts.documents == ("n0", "n1", "n2", "n3")
