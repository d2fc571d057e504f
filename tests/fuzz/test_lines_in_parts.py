"""JSON Lines and tables in parts of any size: what they give at once, also in errors."""

import gzip
import json
from contextlib import nullcontext
from io import BytesIO
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import InputError
from clineval.base.files import reading_instead
from clineval.base.kept import Kept
from fuzz.contract import keep, share
from fuzz.mutations import mutated_lines, mutated_texts
from fuzz.test_python import ONE_PLACE

TEXT = "No fever.\nChest pain, aspirin."
MENTIONS = [
    {"id": "T1", "spans": [[3, 8]], "label": "Sign"},
    {"id": "T2", "spans": [[10, 15], [16, 20]], "label": "Drug"},
]
RELATION = {"label": "treats", "from": "T2", "to": "T1"}
EVENT = {"type": "Start", "spans": [[0, 2]], "arguments": []}
CONTENTS = {
    "clinical_spans": {"mentions": MENTIONS, "text": TEXT},
    "clinical_relations": {"mentions": MENTIONS, "relations": [RELATION], "text": TEXT},
    "clinical_events": {"mentions": MENTIONS, "relations": [RELATION]},
    "clinical_records": {"records": [{"drug": "aspirin", "dose": 1.5, "days": [1, 2]}]},
    "mediqa_synur26": {"observations": [{"id": "1", "name": "pain", "value": "yes"}]},
    "clinical_classes": {"smoking": "past", "sex": "f", "text": TEXT},
    "clinical_codes": {"codes": ["I10", {"code": "E11.9", "score": 1}]},
    "codiesp20": {"codes": ["i10", "e11.9"]},
}
"""A document of each kind of annotation, without its ``id``."""
OPTIONS = {
    "clinical_events": {"events": {"Drug": {"treats": []}}},
    "clinical_classes": {"classes": {"smoking": ["past", "no"], "sex": ["f", "m"]}},
}
"""Options without which everything is read at once; half of the examples have them."""
SPANS = "filename\tlabel\toff0\toff1\tspan\n" + "".join(
    f'{name}\tENFERMEDAD\t{at}\t9\tfever "\n' for name in ("a", '"b"', "c.txt") for at in range(2)
)
ANSWERS = 'id,text,smoking,sex\na,"x, ""y""\n\nz",past,f\nb,,no,m\nc,"\n",past,\nd,x,no,f\n'
CODES = 'id,code,score\na,E1,.5\na,E2,1\nb,"E1",\nc,E1,0\nd,E2.1,1\n'
TABLES = {
    "clinical_codes": ("csv", CODES),
    "clinical_classes": ("csv", ANSWERS),
    "distemist22": ("tsv", SPANS),
}
PLACES = ("file", "gz", "folder", "standard input", "file", "gz", "folder", "cut gz")


def lines_of(name):
    """Five documents as JSON Lines."""
    every = [{"id": f"d{number}", **CONTENTS[name]} for number in range(5)]
    return "\n".join(map(json.dumps, every))


def put(data, content, path, where):
    """Put bytes into a place; return the source, and what holds it."""
    if where == "file":
        path.write_bytes(content)
    elif where == "folder":
        path = path.with_suffix("")
        path.mkdir(exist_ok=True)
        cuts = sorted(data.draw(st.tuples(*[st.integers(0, len(content))] * 2)))
        ends = [0, *(content.find(b"\n", cut) + 1 for cut in cuts), len(content)]
        for at, (begin, end) in enumerate(pairwise(ends)):
            (path / f"part-{at}.jsonl").write_bytes(content[begin:end])
    elif where == "standard input":
        kept = Kept.of(BytesIO(content), 1 << 30, "standard input")
        return path.name, reading_instead({path.name: kept})
    else:
        packed = gzip.compress(content, 1)
        end = data.draw(st.integers(0, len(packed))) if where == "cut gz" else len(packed)
        path = path.with_suffix(".jsonl.gz")
        path.write_bytes(packed[:end])
    return path, nullcontext()


def outcome(call):
    """The counts, or the message of the error."""
    found = []

    def note():
        try:
            found.append(call().to_json())
        except InputError as error:
            found.append(str(error))
            raise

    keep(note)
    return found[-1]


@pytest.mark.parametrize("name", CONTENTS)
@share("lines in parts", len(CONTENTS) + len(TABLES), each=3, suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_lines_in_parts(name, data, place):
    good = lines_of(name)
    spoilt = data.draw(mutated_lines(good, noted=True)) if data.draw(st.booleans()) else None
    contents = [good.encode() if spoilt is None else spoilt, good.encode()]
    if data.draw(st.booleans()):
        contents[1] = b"\n".join(data.draw(st.permutations(contents[1].split(b"\n"))))
    if data.draw(st.booleans()):
        contents.reverse()
    options = OPTIONS.get(name, {}) if data.draw(st.booleans()) else {}
    sides, holding = zip(
        *(
            put(data, content, place / f"{side}.jsonl", data.draw(st.sampled_from(PLACES)))
            for side, content in zip(("found", "gold"), contents, strict=True)
        ),
        strict=True,
    )
    size = data.draw(st.integers(1, 5))
    with holding[0], holding[1]:
        judge_parts(name, sides, size, options, place)


def judge_parts(name, sides, size, options, place):
    """Both ways to count give the same, and documents can be left out."""
    in_parts = outcome(lambda: clineval.count(name, *sides, batch_size=size, **options))
    whole = outcome(lambda: clineval.evaluate(name, *sides, **options).counts)
    assert in_parts == whole
    left_out = {"keep_going": place / "left_out.json"}
    keep(lambda: clineval.count(name, *sides, batch_size=size, **left_out, **options))


@pytest.mark.parametrize("name", TABLES)
@share("lines in parts", len(CONTENTS) + len(TABLES), each=3, suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_tables_in_parts(name, data, place):
    ending, good = TABLES[name]
    spoilt = data.draw(mutated_texts(good, noted=True))
    sides = []
    for side, content in (("found", spoilt), ("gold", data.draw(st.sampled_from((good, spoilt))))):
        path = place / f"{side}.{ending}"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        sides.append(path)
    if data.draw(st.booleans()):
        sides.reverse()
    judge_parts(name, sides, data.draw(st.integers(1, 5)), OPTIONS.get(name, {}), place)
