"""Line ends and headers: no reader of lines loses rows, whatever the files end their lines with."""

import re
import shutil
import warnings

import pytest
from commands import invoke
from demos import OTHER_FILES, arguments_of
from thorough import each_module, thorough

import clineval
from clineval import InputError
from clineval.evaluation.adjudication.decisions import read_remarks
from clineval.formats.checking import find_problems
from clineval.results.registry import find_challenge

WORDS = ("Quarrow", "Marnok")
"""Words of a note, which no message may hold."""
ENDS = {
    "each": lambda content: content.replace(b"\n", b"\r"),
    "the first": lambda content: content.replace(b"\n", b"\r", 1),
    "one in the middle": lambda content: (
        re.sub(rb"\n(?=.)", b"\r", content[: len(content) // 2][::-1], count=1)[::-1]
        + content[len(content) // 2 :]
    ),
}
"""Which line feeds become carriage returns."""


def rewrite(source, folder, change):
    """A copy of a file, or of a folder, whose annotations are changed, not its texts."""
    target = folder / source.name
    if source.is_file():
        target.write_bytes(change(source.read_bytes()))
        return target
    shutil.copytree(source, target)
    for file in target.rglob("*"):
        if file.is_file() and file.suffix != ".txt":
            file.write_bytes(change(file.read_bytes()))
    return target


def score(name, given, options):
    """What a corpus scores, or the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return clineval.score(name, *given, **options).as_dict()
        except InputError as error:
            return error


@each_module()
@pytest.mark.parametrize(
    "ends", [pytest.param(of, marks=[thorough] * (of != "each")) for of in ENDS]
)
def test_carriage_returns_end_lines_or_are_refused(name, ends, tmp_path):
    given, options = arguments_of(name)
    sides = [tmp_path / "predictions", tmp_path / "references"]
    for side in sides:
        side.mkdir()
    changed = [rewrite(*of, ENDS[ends]) for of in zip(given, sides, strict=True)]
    for protocol in find_challenge(name).protocols:
        asked = {**options, "protocol": protocol}
        found = score(name, changed, asked)
        if isinstance(found, InputError):
            assert re.search(r"[^:]:\d+$", found.where), found
        else:
            assert repr(found) == repr(score(name, given, asked))
            before, after = (
                [p.message for p in find_problems(find_challenge(name), [path])]
                for path in (given[0], changed[0])
            )
            assert protocol != "spec" or after == before


TABLES = [
    ("distemist-2022", "distemist22", ["-s", "norm"]),
    ("livingner-2022", "livingner22", ["-s", "norm"]),
    ("toxhabits-2025", "toxhabits25", ["-s", "ner"]),
]


@pytest.mark.parametrize(("command", "name", "task"), TABLES)
def test_libraries_that_join_tables_read_carriage_returns_as_line_ends(
    command, name, task, tmp_path
):
    (found, gold), _ = arguments_of(name)
    printed = []
    for ends in ("each", None):
        folder = tmp_path / str(ends)
        folder.mkdir()
        given = rewrite(found, folder, ENDS[ends] if ends else lambda content: content)
        result = invoke(["official", command, "-g", gold, "-p", given, *task])
        assert result.exit_code == 0, result.output
        printed.append(result.stdout.replace(str(folder), ""))
    assert printed[0] == printed[1]


def test_a_header_with_data_is_refused(tmp_path):
    head = "filename\tlabel\tstart_span\tend_span\ttext"
    row = f"caso-01\tPROCEDIMIENTO\t3\t9\t{WORDS[0]}"
    good = tmp_path / "good.tsv"
    good.write_text(f"{head}\n{row}\n")
    for at, data in enumerate((f" {row}", f"\t{row}", f"\r{row}\n{row}", f"\t{row}\t{row}")):
        bad = tmp_path / f"bad{at}.tsv"
        bad.write_text(f"{head}{data}\n")
        for protocol in ("spec", *(["official"] if "\r" not in data else [])):  # pandas' line ends
            for sides in ((bad, good), (good, bad)):
                with pytest.raises(InputError) as caught:
                    clineval.score("medprocner23", *sides, protocol=protocol)
                assert WORDS[0] not in str(caught.value)
                assert protocol == "official" or f"bad{at}.tsv:1" in str(caught.value)
        [problem] = find_problems(find_challenge("medprocner23"), [bad])
        assert "header" in problem.message
        assert WORDS[0] not in str(problem)


@pytest.mark.parametrize(
    "name", ["medprocner23", "symptemist23", "multicardioner24", "multiclinai26"]
)
def test_a_row_behind_the_header_is_refused_where_others_follow(name, tmp_path):
    (found, gold), _ = arguments_of(name)
    bad = rewrite(found, tmp_path, lambda content: content.replace(b"\n", b"\t", 1))
    for protocol in ("spec", "official"):
        for sides in ((bad, gold), (gold, bad)):
            error = score(name, sides, {"protocol": protocol})
            assert isinstance(error, InputError)
            assert f"{bad.name}:" in error.where


def test_further_columns_of_a_table_without_rows_are_taken(tmp_path):
    path = tmp_path / "none.tsv"
    path.write_text("filename\tann_id\tlabel\tstart_span\tend_span\ttext\tis_composite\n")
    assert not list(find_problems(find_challenge("medprocner23"), [path]))


@pytest.mark.parametrize("right", ["filename", "label", "text"])
def test_no_cell_of_a_bad_header_is_printed(right, tmp_path):
    path = tmp_path / "bad.tsv"
    rows = "".join(f"caso-01\tPROCEDIMIENTO\t3\t9\t{word}\r" for word in WORDS)
    path.write_bytes(f"{right}\tetiqueta\tstart_spam\tend_span\ttexto\t{rows}".encode())
    for protocol in ("spec", "official"):
        error = score("medprocner23", [path, path], {"protocol": protocol})
        assert isinstance(error, InputError)
        assert f"got {right}" in str(error) or protocol == "official"
        assert not [word for word in (*WORDS, "etiqueta", "caso") if word in str(error)]
    assert not [word for word in WORDS if word in invoke(["validate", "medprocner23", path]).output]


def test_a_doubled_column_stops_a_library_as_pandas_renames_it(tmp_path):
    path = tmp_path / "twice.tsv"
    path.write_text("filename\tlabel\toff0\toff1\tspan\tspan\nd\tENFERMEDAD\t1\t2\tx\tx\n")
    result = invoke(["official", "distemist-2022", "-g", path, "-p", path, "-s", "ner"])
    assert "expected one of the headers" in str(result.exception)


def test_remarks_with_carriage_returns_are_read(tmp_path):
    lines = ["document,side,spans,class,decision", "a,gold,1-2,Drug,", "b,gold,1-2,Drug,"]
    path = tmp_path / "remarks.csv"
    path.write_bytes("\r".join(lines).encode())
    assert read_remarks(path).undecided == 2
    path.write_text("\n".join([*lines, "c,gold,1-2,Drug,,left over"]))
    with pytest.raises(InputError, match=r"remarks.csv:4: expected 5 cells"):
        read_remarks(path)


@pytest.mark.parametrize("name", ["semeval15_task14", "n2c2_2018_track2", "clinical_spans"])
@pytest.mark.parametrize("ends", ENDS)
def test_a_gold_standard_with_carriage_returns_is_not_corrected(name, ends, tmp_path):
    """A line of it would be the whole file, and go with the mention that is wrong."""
    (_, gold), _ = arguments_of(name)
    changed = rewrite(gold, tmp_path, ENDS[ends])
    remarks = tmp_path / "remarks.csv"
    remarks.write_text("document,side,spans,class,decision\nx,gold,0-3,x,gold wrong\n")
    result = invoke(
        ["adjudicate", changed, remarks, "--module", name, "-o", tmp_path / "corrected"]
    )
    assert re.search(r":\d+: a carriage return without a line feed", str(result.exception))
    assert not (tmp_path / "corrected").exists()


def test_other_layouts_read_carriage_returns_too(tmp_path):
    for name, configs in OTHER_FILES.items():
        corpora = find_challenge(name).task.corpora
        for at, path in enumerate(sorted(corpora.glob("*_*.tsv"))):
            folder = tmp_path / f"{name}{at}"
            folder.mkdir()
            changed = rewrite(path, folder, ENDS["each"])
            with_feeds, with_returns = (
                [p.message for p in find_problems(find_challenge(name), [each])]
                for each in (path, changed)
            )
            assert with_returns == with_feeds, (configs, path)
