"""Tables are counted in parts, with the counts, the errors and the warnings of one part."""

import gzip
import random
import re
import tracemalloc
import warnings

import numpy as np
import pytest
from demos import arguments_of
from thorough import each_case

import clineval
from clineval import InputError
from clineval.evaluation.counting.sources import cut
from clineval.evaluation.evaluate import make_setup
from clineval.evaluation.inputs import open_inputs
from clineval.formats.class_tables import ROWS
from clineval.formats.table_index import index_table
from clineval.results.registry import NAMES, find_challenge

CLASSES = {"smoking": ["past", "no"], "sex": ["f", "m"]}
KINDS = {
    "codes": ("clinical_codes", {}),
    "scores": ("clinical_codes", {}),
    "cells of codes": ("clinical_codes", {}),
    "classes": ("clinical_classes", {"classes": CLASSES}),
    "classes of one question": ("clinical_classes", {"classes": ["past", "no"]}),
    "several answers": ("clinical_classes", {"classes": CLASSES, "several": True}),
    "probabilities": ("clinical_classes", {"classes": CLASSES}),
    "an answer in each row": ("clinical_classes", {"classes": CLASSES}),
    "notes": ("clinical_classes", {"classes": CLASSES}),
    "spans": ("distemist22", {}),
    "linked spans": ("medprocner23", {"config": "norm"}),
    "indexing": ("medprocner23", {"config": "index"}),
}
NOTES = ('He said "no".', "one\ntwo\n\nthree, four", "f\u00e9ver;\tcough", 'x,"\r\n"', "5' 11\"")


TAB = "\t"
HEADERS = {
    "codes": "id,code",
    "scores": "other,code,Score,id",
    "cells of codes": "filename,codes",
    "classes of one question": "id,label",
    "several answers": "smoking,sex,Document",
    "probabilities": "id,sex,smoking=past,smoking=no",
    "an answer in each row": "id,question,answer",
    "classes": "id,text,smoking,sex,more",
    "notes": "id,text,smoking,sex,more",
    "spans": "filename,label,off0,off1,span",
    "linked spans": "filename,label,start_span,end_span,text,code",
    "indexing": "filename,label,start_span,end_span,text,code",
}
ANSWERS, SEXES = ("past", "no", ""), ("f", "m")


def rows_of(kind, seed, side, number=11):
    """A header, and the rows of each document, with random content."""
    drawn = random.Random(f"{kind} {seed}")
    if kind == "probabilities" and side == "gold":
        kind = "classes"
    draw = {"spans": draw_spans, "linked spans": draw_spans, "indexing": draw_spans}
    documents = [draw.get(kind, draw_row)(kind, drawn, at, side) for at in range(number)]
    return HEADERS[kind].split(","), documents


def draw_row(kind, drawn, at, side):
    name, some = f"note-{at}", drawn.randrange(1, 4)
    asked = drawn.choice(ANSWERS), drawn.choice(SEXES)
    if kind == "scores":  # only some documents have them
        score = drawn.choice((".25", ".75")) if side == "found" and at > 3 else ""
        return [("x", f"E{code}.1", score, name) for code in range(some)]
    if kind in ("classes", "notes"):
        text = drawn.choice(NOTES) if kind == "notes" else ""
        return [(name, text, "never" if side == "found" and some == 1 else asked[0], asked[1], "x")]
    rows = {
        "codes": [(name, f"E{drawn.randrange(3)}") for _ in range(some)],
        "cells of codes": [(name, drawn.choice(("", "E1", "E1;E2")))],
        "classes of one question": [(name, asked[0])],
        "several answers": [(asked[0], sex, name) for sex in SEXES[:some]],
        "probabilities": [(name, asked[1], *drawn.choice(((".25", ".75"), ("1", "0"))))],
        "an answer in each row": [(name, "sex", asked[1]), (name, "smoking", asked[0])],
    }
    return rows[kind]


def draw_spans(kind, drawn, at, _side):
    label = {"spans": "ENFERMEDAD"}.get(kind, "PROCEDIMIENTO")
    rows = [
        (f"n{at}.txt", label, str(9 * k), str(9 * k + 5), 'a "b', drawn.choice("123"))
        for k in range(drawn.randrange(1, 4))
    ]
    return [row[: HEADERS[kind].count(",") + 1] for row in rows]


def quote(cell):
    plain = not set(cell) & set('",;\t\r\n')
    return cell if plain else '"' + cell.replace('"', '""') + '"'


def write(folder, side, table, delimiter=",", **form):
    """Write a table; return its path."""
    ends, last = form.get("ends", "\n"), form.get("last", True)
    header, documents = table
    plain = header[0] == "filename" and len(header) > 2
    delimiter = "\t" if plain else delimiter
    rows = [header, *(row for document in documents for row in document)]
    lines = [delimiter.join(row if plain else map(quote, row)) for row in rows]
    content = (form.get("bom", "") + ends.join(lines) + ends * last).encode()
    packed = form.get("packed", False)
    path = folder / f"{side}.{'tsv' if delimiter == TAB else 'csv'}{'.gz' if packed else ''}"
    path.write_bytes(gzip.compress(content) if packed else content)
    return str(path)


def hear(call, *arguments, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        counts = call(*arguments, **options)
    return counts, [str(each.message) for each in caught]


def at_once(name, found, gold, **options):
    return clineval.evaluate(name, found, gold, **options).counts


def is_cut(name, found, gold, size, config="default", **options):
    setup = make_setup(name, config, **options)
    return cut(open_inputs(gold, [found], setup), setup, size, lists=False) is not None


def check(name, paths, size, jobs=1, **options):
    """Counts in parts are those at once; return the warnings of both."""
    assert is_cut(name, *paths, size, **options)
    counts, heard = hear(clineval.count, name, *paths, batch_size=size, jobs=jobs, **options)
    whole, expected = hear(at_once, name, *paths, **options)
    assert counts.to_json() == whole.to_json()
    assert np.array_equal(counts.table.view(np.int64), whole.table.view(np.int64))
    assert counts.score().as_dict() == whole.score().as_dict()
    assert counts.documents == whole.documents
    return heard, expected


def list_names(message):
    return sorted(re.split("[:,] ", message))


def list_demos():
    """Challenges whose demo is tables, and their configurations."""
    for name in NAMES:
        if all(path.suffix in (".csv", ".tsv") for path in arguments_of(name)[0]):
            yield from ((name, config) for config in find_challenge(name).task.configs)


@pytest.mark.parametrize(("name", "config"), each_case(list(list_demos())))
def test_demos(name, config):
    paths, options = arguments_of(name)
    heard = []
    for count, more in ((clineval.count, {"batch_size": 2}), (at_once, {})):
        try:
            counts, said = hear(count, name, *map(str, paths), config=config, **options, **more)
        except InputError as error:  # the demo lacks what the configuration needs
            heard.append(str(error))
        else:
            heard.append((counts.to_json(), sorted(said)))
    assert heard[0] == heard[1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("jobs", [1, 2])
def test_kinds(kind, size, jobs, tmp_path):
    name, options = KINDS[kind]
    paths = [write(tmp_path, side, rows_of(kind, side, side)) for side in ("found", "gold")]
    heard, expected = check(name, paths, size, jobs, **options)
    assert heard == expected


FORMS = {
    "semicolons": {"delimiter": ";"},
    "tabs": {"delimiter": TAB},
    "carriage returns": {"ends": "\r\n"},
    "byte order mark": {"bom": "\ufeff"},
    "no line end": {"last": False},
    "compressed": {"packed": True},
    "all": {"delimiter": ";", "ends": "\r\n", "bom": "\ufeff", "last": False, "packed": True},
}


@pytest.mark.parametrize("kind", ["codes", "notes", "spans"])
@pytest.mark.parametrize("form", FORMS)
def test_forms(kind, form, tmp_path):
    name, options = KINDS[kind]
    paths = [
        write(tmp_path, side, rows_of(kind, side, side), **FORMS[form])
        for side in ("found", "gold")
    ]
    heard, expected = check(name, paths, 2, **options)
    assert heard == expected


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", ["shuffled", "one less", "one more"])
def test_documents_in_another_order_or_on_one_side(kind, way, tmp_path):
    name, options = KINDS[kind]
    found, gold = (rows_of(kind, side, side) for side in ("found", "gold"))
    random.Random(3).shuffle(found[1])
    if way != "shuffled":
        (found if way == "one less" else gold)[1].pop(4)
    paths = [write(tmp_path, side, of) for side, of in (("found", found), ("gold", gold))]
    heard, expected = check(name, paths, 2, **options)
    # warnings, and the names in them, are in the order of the parts
    assert sorted(map(list_names, heard)) == sorted(map(list_names, expected))


def test_a_table_and_json_lines(tmp_path):
    gold = write(tmp_path, "gold", (["id", "code"], [[(f"d{at}", "E1")] for at in range(5)]))
    found = tmp_path / "found.jsonl"
    found.write_text("".join(f'{{"id": "d{at}", "codes": ["E{at}"]}}\n' for at in range(5)))
    check("clinical_codes", (str(found), gold), 2)


def test_blocks_that_end_anywhere(tmp_path, monkeypatch):
    paths = [write(tmp_path, side, rows_of("notes", side, side)) for side in ("found", "gold")]
    expected = index_table(paths[0], ROWS)
    for block in (1, 7, 50, 200):
        monkeypatch.setattr("clineval.formats.table_index._BLOCK", block)
        index = index_table(paths[0], ROWS)
        assert np.array_equal(index.lines.table, expected.lines.table)
        assert np.array_equal(index.keys, expected.keys)


def error_of(call, *arguments, **options):
    with pytest.raises(InputError) as caught:
        call(*arguments, **options)
    return str(caught.value)


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("kind", ["codes", "scores", "classes", "notes", "spans"])
@pytest.mark.parametrize("at", [0, 5, 10])
def test_errors_name_lines(kind, at, tmp_path):
    name, options = KINDS[kind]
    found, gold = (rows_of(kind, side, side) for side in ("found", "gold"))
    gold[1][at][0] = gold[1][at][0][:-1]
    paths = [write(tmp_path, side, of) for side, of in (("found", found), ("gold", gold))]
    message = error_of(clineval.count, name, *paths, batch_size=2, **options)
    assert message == error_of(at_once, name, *paths, **options)
    assert f"gold.{paths[1][-3:]}:" in message


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("kind", ["codes", "classes", "notes", "spans"])
def test_documents_with_errors_are_left_out(kind, tmp_path):
    name, options = KINDS[kind]
    found, gold = (rows_of(kind, side, side) for side in ("found", "gold"))
    good = found, ([*gold[0]], [[*of] for of in gold[1]])
    gold[1][7][0] = (*gold[1][7][0], "more")
    paths = [write(tmp_path, side, of) for side, of in (("found", found), ("gold", gold))]
    problem = error_of(at_once, name, *paths, **options)
    left_out = tmp_path / "left_out.jsonl"
    with pytest.warns(clineval.InputWarning, match="left out"):
        counts = clineval.count(name, *paths, batch_size=3, keep_going=left_out, jobs=1, **options)
    assert problem.partition(" (")[0] in left_out.read_text("utf-8")
    for of in good:
        del of[1][7]
    paths = [write(tmp_path, side, of) for side, of in zip(("found", "gold"), good, strict=True)]
    whole = at_once(name, *paths, **options)
    assert counts.documents == whole.documents
    assert np.array_equal(counts.table, whole.table)


TABLES_AT_ONCE = {
    "rows that are not adjacent": "id,code\na,E1\nb,E2\na,E3\n",
    "a row without a name": "id,code\na,E1\n,E2\n",
    "a short row": "code,id\nE1,a\nE2\n",
    "no name in the header": "note,code\na,E1\nb,E1\n",
    "an empty first line": "\nid,code\na,E1\nb,E1\n",
    "a header of two lines": 'id,code,"x\ny"\na,E1,\nb,E1,\n',
    "lines that end with carriage returns": "id,code\ra,E1\rb,E1\r",
    "a carriage return in a row": "id,code\na,E1\rb,E1\nc,E1\n",
    "unclosed quotes": 'id,code\na,E1\nb,"E1\n',
    "labels": "SUBJECT_ID,id,TEXT,LABELS\n1,a,x,E1\n1,b,x,E1\n",
    "nothing": "",
    "a header": "id,code",
    "not UTF-8": b"id,code\na,E1\n\xff,E1\n",
}


@pytest.mark.parametrize("why", TABLES_AT_ONCE)
def test_other_tables_are_read_at_once(why, tmp_path):
    path = tmp_path / "t.csv"
    text = TABLES_AT_ONCE[why]
    path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def outcome(call, **more):
        try:
            counts, heard = hear(call, "clinical_codes", str(path), str(path), **more)
        except InputError as error:
            return str(error)
        return counts.to_json(), heard

    assert outcome(clineval.count, batch_size=1) == outcome(at_once)


@pytest.mark.parametrize("classes", [None, CLASSES])
def test_classes_that_the_gold_standard_shows_are_read_at_once(classes, tmp_path):
    paths = [write(tmp_path, side, rows_of("classes", side, "gold")) for side in ("f", "g")]
    assert is_cut("clinical_classes", *paths, 2, classes=classes) == (classes is not None)


def test_official_protocols_read_tables_at_once(tmp_path):
    paths = [write(tmp_path, side, rows_of("spans", side, side)) for side in ("found", "gold")]
    setup = make_setup("distemist22", protocol="official")
    assert cut(open_inputs(paths[1], [paths[0]], setup), setup, 1, lists=False) is None


def test_memory_of_the_index(tmp_path):
    table = ["id", "sex"], [[(f"note-{at}", "f")] for at in range(20_000)]
    path = write(tmp_path, "gold", table)
    index_table(path, ROWS)  # imports what it needs
    tracemalloc.start()
    index = index_table(path, ROWS)
    held, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(index.keys) == 20_000
    assert held < 40 * 20_000
    assert most < 500 * 20_000  # a block
