"""A gold code that a hierarchy lacks is named with file and line, if the input has lines."""

import json

import pytest
from workbench.test_related_codes import MODULES, OPTIONS, TREE, make_sides

import clineval
from clineval import InputError
from clineval.formats.code_places import locate_code

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
LACKING = "\n".join(line for line in TREE.split("\n") if not line.startswith("B11,"))


@pytest.fixture
def tree(tmp_path):
    path = tmp_path / "tree.csv"
    path.write_text(LACKING)
    return path


@pytest.mark.parametrize("module", MODULES)
def test_json_lines(module, tree, tmp_path):
    gold, found, _ = make_sides(module)
    paths = [tmp_path / f"{name}.jsonl" for name in ("gold", "found")]
    for path, documents in zip(paths, (gold, found), strict=True):
        path.write_text("".join(json.dumps(document) + "\n" for document in documents))
    first = next(at for at, each in enumerate(gold, 1) if '"B11"' in json.dumps(each))
    options = {**OPTIONS.get(module, {}), "hierarchy": tree}
    with pytest.raises(InputError) as refused:
        clineval.score(module, paths[1], paths[0], **options)
    assert f"gold.jsonl:{first}, document {first - 1}: the code" in str(refused.value)
    with pytest.raises(InputError) as refused:  # lists have no lines
        clineval.score(module, found, gold, **options)
    assert str(refused.value).startswith("references, document ")


def test_brat(tree, tmp_path):
    folder = tmp_path / "gold"
    folder.mkdir()
    (folder / "n1.ann").write_text(
        "T1\tsign 0 3\tB11\nA1\ticd T1 A1\nT2\tsign 4 7\tfoo\nA2\ticd T2 B11\n"
    )
    (folder / "n1.txt").write_text("B11 foo bar\n")
    with pytest.raises(InputError, match=r"gold/n1.ann:4, document n1: the code 'B11'"):
        clineval.score("clinical_spans", folder, folder, slots="icd", hierarchy=tree)


def test_pubtator(tmp_path):
    path = tmp_path / "gold.PubTator"
    path.write_text(
        "1|t|D2 of D1.\n1|a|None.\n1\t0\t2\tD2\tSpecificDisease\tD1\n"
        "1\t6\t8\tD1\tSpecificDisease\tD1|D2\n\n"
    )
    hierarchy = {"D1": None}
    with pytest.raises(InputError, match=r"gold\.PubTator:4, document 1: the code 'MESH:D2'"):
        clineval.score("ncbi_disease", path, path, hierarchy=hierarchy)


def test_what_has_no_such_line_has_no_place(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id": "a", "text": "B11"}\n{"id": "b", "icd": "B11"\n')
    (tmp_path / "bytes").write_bytes(b"\xff\x00B11")
    assert locate_code(str(path), "a", "B11") == locate_code(str(path), "b", "B11") == ""
    assert (
        locate_code(str(tmp_path), "a", "B11")
        == locate_code(str(tmp_path / "none"), "a", "B11")
        == ""
    )
    assert locate_code("", "a", "B11") == ""
