"""What is put together from the parts of formats, and tables of types that nobody expects."""

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st
from thorough import KINDS, each_module, thorough

import clineval
from clineval import Counts
from fuzz.contract import FEW, keep, share
from fuzz.grammars import FORMATS, TEXT, columns, files, settings_of_counts
from fuzz.test_python import ONE_PLACE, counts_of, score, validate, ways

ARROW = ("semeval15_task14", "clefehealth13_task1", "meddocan19", "bc5cdr", "codiesp20")


def is_quick(name, path):
    """Of the formats that many challenges have, one of each kind of annotation stands for all."""
    return name in KINDS or not path.endswith((".ann", ".jsonl"))


@pytest.mark.parametrize(
    ("name", "path", "grammar"),
    [
        pytest.param(name, path, grammar, marks=[] if is_quick(name, path) else thorough)
        for name, path, *grammar in FORMATS
    ],
    ids=[f"{name}-{path}" for name, path, *_ in FORMATS],
)
@share("grammars", len(FORMATS) + 4, each=5, few=min(5, FEW), suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_every_format(name, path, grammar, data, place):
    """One file each for gold and predictions, scored, checked and read."""
    sides = []
    for side in ("gold", "found"):
        folder = place / side
        folder.mkdir(exist_ok=True)
        (folder / path).write_bytes(data.draw(files(name, *grammar)))
        if path == "a.ann":
            (folder / "a.txt").write_text(TEXT)
        sides.append(folder if path != "a.jsonl" else folder / path)
    gold, found = sides
    for way in ways(data, name):
        keep(lambda way=way: score(name, found, gold, **way))
    keep(lambda: score(name, gold, gold))
    keep(lambda: validate(name, found))
    keep(lambda: clineval.read(found, name))


@share("grammars", len(FORMATS) + 4, each=len(ARROW) + 1, suppress_health_check=ONE_PLACE)
@given(column=columns())
def test_tables(column, place):
    table = pa.table({"id": ["d"], "mentions": column})
    side = clineval.Column(table)
    for name in ARROW:
        keep(lambda name=name: score(name, side, side))
    path = place / "a.parquet"
    pa.parquet.write_table(table, path)
    keep(lambda: clineval.read(path, ARROW[0]))


@each_module()
@share("grammars", 2 * len(FORMATS), each=2, few=min(5, FEW))
@given(data=st.data())
def test_settings_of_counts(name, data):
    text = data.draw(settings_of_counts(counts_of(name)))
    keep(lambda: Counts.from_json(text).score().as_dict())
    keep(lambda: (Counts.from_json(text).score().protocol, str(Counts.from_json(text).score())))
