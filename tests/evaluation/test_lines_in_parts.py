"""JSON Lines are counted in parts, with the counts, the errors and the warnings of one part."""

import json
import random
import tracemalloc
import warnings

import numpy as np
import pytest
from demos import arguments_of
from thorough import each_case

import clineval
from clineval.evaluation.counting.count import why_at_once
from clineval.evaluation.counting.sources import cut
from clineval.evaluation.evaluate import make_setup
from clineval.evaluation.inputs import open_inputs
from clineval.formats.line_index import index_lines, pair_parts
from clineval.results.registry import NAMES, find_challenge

SPANS, LABELS = "clinical_spans", ["Drug", "ADE"]


def written(path):
    """Whether a demo is a file of JSON Lines."""
    return path.suffix == ".jsonl"


CASES = [
    (name, protocol)
    for name in NAMES
    if all(map(written, arguments_of(name)[0]))
    for protocol in find_challenge(name).protocols
]


def same(counts, whole):
    assert counts == whole
    assert np.array_equal(counts.table.view(np.int64), whole.table.view(np.int64))
    assert str(counts.score().signature) == str(whole.score().signature)


@pytest.fixture
def at_once():
    """Count without parts."""

    def count(name, found, gold, **options):
        return clineval.evaluate(name, found, gold, **options).counts

    return count


def lines_of(sizes, label="Drug", **further):
    """A document for each size, with as many mentions."""
    return [
        {
            "id": f"note-{number}",
            "mentions": [{"spans": [[9 * k, 9 * k + 5]], "label": label} for k in range(size)],
            **further,
        }
        for number, size in enumerate(sizes)
    ]


def write(path, lines, ends="\n"):
    path.write_text("".join(json.dumps(line) + ends for line in lines), newline="")
    return str(path)


@pytest.mark.parametrize(("name", "protocol"), each_case(CASES))
@pytest.mark.parametrize("way", ["in order", "shuffled", "one less", "one more"])
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_demos_in_parts(name, protocol, way, tmp_path, at_once):
    (found, gold), options = arguments_of(name)
    lines = {
        side: path.read_text().splitlines(keepends=True)
        for side, path in (("f", found), ("g", gold))
    }
    if way != "in order":
        random.Random(1).shuffle(lines["f"])
    if way.startswith("one"):
        lines["f" if way == "one less" else "g"].pop()
    for side, held in lines.items():
        (tmp_path / f"{side}.jsonl").write_text("".join(held))
    paths = [str(tmp_path / f"{side}.jsonl") for side in "fg"]
    whole = at_once(name, *paths, protocol=protocol, **options)
    same(clineval.count(name, *paths, protocol=protocol, batch_size=2, jobs=1, **options), whole)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_parts_of_any_size_in_any_number_of_processes(size, jobs, tmp_path, at_once):
    gold = lines_of([3, 0, 2, 1, 4, 2, 0, 5])
    found = random.Random(2).sample(lines_of([2, 1, 2, 0, 4, 4, 1, 5], text="Fever: none"), 8)
    paths = write(tmp_path / "f.jsonl", found, "\r\n\n"), write(tmp_path / "g.jsonl", gold)
    counts = clineval.count(SPANS, *paths, labels=LABELS, batch_size=size, jobs=jobs)
    same(counts, at_once(SPANS, *paths, labels=LABELS))
    assert counts.documents == tuple(line["id"] for line in gold)


def test_lines_are_paired_in_the_order_of_the_gold_standard(tmp_path):
    gold = write(tmp_path / "g.jsonl", lines_of([1] * 5))
    found = write(tmp_path / "f.jsonl", lines_of([1] * 6)[::-1])
    sides = [index_lines(tmp_path / name) for name in ("g.jsonl", "f.jsonl")]
    parts = [[side.table[:, 2].tolist() for side in pair] for pair in pair_parts(*sides, 2)]
    assert parts == [[[1, 2], [5, 6]], [[3, 4], [3, 4]], [[5], [1, 2]]]
    assert [gold, found] == [str(side.lines.source) for side in sides]


def test_memory_of_the_index(tmp_path):
    path = tmp_path / "g.jsonl"
    write(path, lines_of([1] * 20_000))
    index_lines(path)  # imports what it needs
    tracemalloc.start()
    index = index_lines(path)
    held, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(index.keys) == 20_000
    assert held < 40 * 20_000
    assert most < 100 * 20_000


BROKEN = [
    ('{"id": "note-4", "mentions": [{"spans": [[9, 4]], "label": "Drug"}]}', "fragment 9-4"),
    ('{"id": "note-4", "mentions": 3}', "expected a list"),
    ('{"id": "note-4", "mentions": [{"spans": [[0, 4]]}]}', "'label' is missing"),
    ('{"id": "note-4", "mentions": [], "id": "note-4"}', "the key id occurs twice"),
    ('{"id": "note-4", "mentions": [', "expected one JSON object on the line"),
    ('{"id": "note-2", "mentions": []}', "has the same 'id' as"),
    ('{"mentions": []}', "expected a string 'id'"),
]


@pytest.mark.parametrize(("line", "problem"), BROKEN)
@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_are_those_of_one_part(line, problem, jobs, tmp_path, at_once):
    gold = write(tmp_path / "g.jsonl", lines_of([1] * 7))
    lines = list(map(json.dumps, lines_of([1] * 7)))
    lines[4] = line
    (tmp_path / "f.jsonl").write_text("\n\n".join(lines))
    found = str(tmp_path / "f.jsonl")
    with pytest.raises(clineval.InputError, match=problem) as whole:
        at_once(SPANS, found, gold, labels=LABELS)
    with pytest.raises(clineval.InputError) as in_parts:
        clineval.count(SPANS, found, gold, labels=LABELS, batch_size=2, jobs=jobs)
    assert str(in_parts.value) == str(whole.value)
    assert "f.jsonl:9" in str(whole.value)


@pytest.mark.parametrize(("line", "problem"), BROKEN[:5])
@pytest.mark.parametrize("size", [2, None])
def test_documents_that_cannot_be_counted_are_left_out(line, problem, size, tmp_path):
    gold = write(tmp_path / "g.jsonl", lines_of([1] * 7))
    lines = list(map(json.dumps, lines_of([1] * 7)[::-1]))
    lines[2] = line
    (tmp_path / "f.jsonl").write_text("\n\n".join(lines))
    listed, found = tmp_path / "left_out.jsonl", str(tmp_path / "f.jsonl")
    options = {"labels": LABELS, "batch_size": size, "keep_going": listed}
    with pytest.warns(clineval.InputWarning, match="1 document cannot be counted"):
        counts = clineval.count(SPANS, found, gold, **options)
    assert counts.documents == tuple(f"note-{k}" for k in (0, 1, 2, 3, 5, 6))
    assert counts.settings["left_out"] == "1"
    [left_out] = map(json.loads, listed.read_text().splitlines())
    assert left_out["document"] == "note-4"
    assert "f.jsonl:5" in left_out["problem"]
    assert problem in left_out["problem"]


def test_warnings_name_documents_once_and_in_order(tmp_path):
    gold = write(tmp_path / "g.jsonl", lines_of([1] * 7))
    found = write(tmp_path / "f.jsonl", lines_of([1] * 3, label="Other")[::-1])
    heard = []
    for size in (1, 2, 100):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            clineval.count(SPANS, found, gold, labels=LABELS, batch_size=size, jobs=1)
        heard.append(sorted(str(each.message) for each in caught))
    assert heard[0] == heard[1] == heard[2]
    assert any(said.endswith(": note-3, note-4, note-5, note-6") for said in heard[0])


@pytest.mark.parametrize("case", ["names in another case", "the same file", "texts"])
def test_what_cannot_be_paired_line_by_line(case, tmp_path, at_once):
    gold = lines_of([1, 2, 3, 0])
    name, options, found = "semeval15_task14", {}, gold
    if case == "names in another case":
        found = [{**line, "id": line["id"].upper()} for line in gold]
    for line in gold:
        line["mentions"] = [{"spans": m["spans"], "cui": None} for m in line["mentions"]]
    found = [{**line, "mentions": g["mentions"]} for line, g in zip(found, gold, strict=True)]
    paths = write(tmp_path / "f.jsonl", found), write(tmp_path / "g.jsonl", gold)
    if case == "the same file":
        paths = paths[1:] * 2
    same(clineval.count(name, *paths, batch_size=2, **options), at_once(name, *paths, **options))


@pytest.mark.parametrize("case", ["too large", "not readable"])
def test_files_that_cannot_be_read(case, tmp_path, at_once, monkeypatch):
    gold = write(tmp_path / "g.jsonl", lines_of([1] * 4))
    if case == "too large":
        monkeypatch.setenv("CLINEVAL_MAX_BYTES", "100")
    else:
        monkeypatch.setattr("os.open", _refuse)
        monkeypatch.setattr("pathlib.Path.open", _refuse)
    with pytest.raises(clineval.InputError) as whole:
        at_once(SPANS, gold, gold, labels=LABELS)
    with pytest.raises(clineval.InputError) as in_parts:
        clineval.count(SPANS, gold, gold, labels=LABELS, batch_size=2)
    assert str(in_parts.value) == str(whole.value)


def _refuse(*_, **__):
    raise PermissionError(13, "Permission denied")


def test_a_file_that_is_removed_while_it_is_counted(tmp_path):
    write(tmp_path / "g.jsonl", lines_of([1] * 4))
    lines = index_lines(tmp_path / "g.jsonl").lines
    (tmp_path / "g.jsonl").unlink()
    with pytest.raises(clineval.InputError, match=r"g\.jsonl: cannot be read"):
        lines.read()


@pytest.mark.parametrize("size", [1, 10])
def test_names_that_differ_only_in_an_ending(size, tmp_path):
    """They ended in a traceback of NumPy."""
    lines = [
        {**line, "id": name} for line, name in zip(lines_of([1, 2]), ("a", "a.txt"), strict=True)
    ]
    gold = write(tmp_path / "g.jsonl", lines)
    counts = clineval.count(SPANS, gold, gold, batch_size=size)
    assert counts.documents == ("a", "a.txt")
    assert counts.totals["strict_tp"] == 3


def test_small_files_are_read_at_once(tmp_path):
    paths = [write(tmp_path / f"{side}.jsonl", lines_of([1] * 9)) for side in "gf"]
    setup = make_setup(SPANS, labels=LABELS)
    inputs = open_inputs(paths[0], paths[1:], setup)
    assert cut(inputs, setup, None, lists=False) is None
    assert cut(inputs, setup, 4, lists=False).documents == 9
    assert why_at_once(setup, inputs) == ""


def labelled(*labels):
    """A document for each string of labels, one mention for each letter."""
    return [
        {
            "id": f"note-{number}",
            "mentions": [
                {"spans": [[9 * k, 9 * k + 5]], "label": label} for k, label in enumerate(each)
            ],
        }
        for number, each in enumerate(labels)
    ]


UNLIKE = {
    "labels of one part": (["Ab", "a", "", "c"], ["b", "bA", "c", "c"]),
    "a label that only predictions have": (["a", "b", "a", "b"], ["z", "a", "y", "z"]),
    "labels of one side of a part": (["a", "b", "c", "d"], ["d", "c", "b", "a"]),
    "no labels": (["", "", ""], ["", "", ""]),
    "no labels in a part": (["", "", "a", "b"], ["", "", "b", "b"]),
}


@pytest.mark.parametrize("case", UNLIKE)
@pytest.mark.parametrize("further", [{}, {"tokens": True}, {"weighted": True, "beta": 2}])
@pytest.mark.parametrize("size", [1, 2])
def test_labels_of_parts_are_united(case, further, size, tmp_path, at_once):
    names = {"A": "a b", "a": "Drug", "b": "ADE", "c": "Ähm", "d": "d", "y": "Y", "z": "Z"}
    sides = [labelled(*([names[key] for key in each] for each in side)) for side in UNLIKE[case]]
    if further.get("tokens"):
        for line in (*sides[0], *sides[1]):
            line["text"] = "words of " * 9
    paths = write(tmp_path / "f.jsonl", sides[1]), write(tmp_path / "g.jsonl", sides[0])
    heard = []
    for ways in ({"batch_size": size, "jobs": 1}, {"batch_size": size, "jobs": 2}, {}):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            counts = (
                clineval.count(SPANS, *paths, **further, **ways)
                if ways
                else at_once(SPANS, *paths, **further)
            )
        heard.append((counts, [str(each.message) for each in caught]))
    for counts, said in heard[:2]:
        same(counts, heard[2][0])
        assert said == heard[2][1]
        assert counts.score().as_dict() == heard[2][0].score().as_dict()


def test_scored_slots_that_a_part_lacks(tmp_path, at_once):
    """No document may be left out because it lacks a slot."""
    lines = labelled(["a"], ["b"], ["c"])
    lines[1]["mentions"][0]["negated"] = True
    gold, options = write(tmp_path / "g.jsonl", lines), {"slots": ["negated"]}
    same(
        clineval.count(SPANS, gold, gold, batch_size=1, **options),
        at_once(SPANS, gold, gold, **options),
    )
    going = {"keep_going": tmp_path / "left_out.jsonl", **options}
    with pytest.raises(clineval.InputError, match=r"Pass labels=\[...\]"):
        clineval.count(SPANS, gold, gold, batch_size=1, **going)


def test_labels_of_parts_that_share_a_key_are_an_error(tmp_path):
    gold = write(tmp_path / "g.jsonl", labelled(["Drug"], ["drug"], ["ADE"]))
    with pytest.raises(clineval.InputError, match="would be called 'drug' in the results"):
        clineval.count(SPANS, gold, gold, batch_size=1)


def test_labels_of_documents_that_are_left_out(tmp_path):
    lines = labelled(["a"], ["b"], ["c"], ["d"])
    lines[1]["mentions"][0]["spans"] = [[9, 4]]
    gold, listed = write(tmp_path / "g.jsonl", lines), tmp_path / "left_out.jsonl"
    with pytest.warns(clineval.InputWarning, match="1 document cannot be counted"):
        counts = clineval.count(SPANS, gold, gold, batch_size=2, keep_going=listed)
    assert counts.settings["labels"] == "a+c+d"
    assert counts.score()["macro_strict_f1"] == 1


@pytest.mark.parametrize("options", [{}, {"symmetric": ["near"]}])
@pytest.mark.parametrize("size", [1, 2])
def test_types_of_relations_of_parts_are_united(options, size, tmp_path, at_once):
    sides = []
    for types in (["causes", "near", "causes", "treats"], ["near", "near", "worsens", "causes"]):
        lines = lines_of([2] * len(types))
        for line, name in zip(lines, types, strict=True):
            for number, mention in enumerate(line["mentions"]):
                mention["id"] = f"T{number}"
            line["relations"] = [{"label": name, "from": "T0", "to": "T1"}]
        sides.append(write(tmp_path / f"{len(sides)}.jsonl", lines))
    heard = []
    for count, ways in ((clineval.count, {"batch_size": size}), (at_once, {})):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            counts = count("clinical_relations", sides[1], sides[0], **ways, **options)
        heard.append((counts, [str(each.message) for each in caught]))
    same(heard[0][0], heard[1][0])
    assert heard[0][1] == heard[1][1] != []
