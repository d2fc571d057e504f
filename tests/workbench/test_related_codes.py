"""Pages of wrong codes with a hierarchy: what they hold is what ``clineval errors`` lists."""

import base64
import gzip
import json
import random
import re
from collections import Counter

import numpy as np
import pytest

from clineval.evaluation.analysis.mistakes import find_frequent
from clineval.evaluation.evaluate import evaluate
from clineval.workbench import build_workbench

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
RELATED = ("too general", "too specific", "sibling", "unrelated")
CODES = ["A", "A1", "A11", "A12", "A2", "B", "B1", "B11", "C"]
TREE = "code,parent\n" + "".join(f"{code},{code[:-1]}\n" for code in CODES)
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "x-key": True},
            "icd": {"type": "string", "x-compare": "code"},
            "more": {"type": "array", "items": {"type": "string", "x-compare": "code"}},
        },
    },
}
FIELDS = ["@list", "name", "icd", "more"]
TYPES = {
    "clinical_spans": "sign",
    "bc5cdr": "Disease",
    "ncbi_disease": "SpecificDisease",
    "medmentions": "T047",
    "gutbrainie26": "DDF",
}


def make_sides(module):
    """Documents of the gold standard and of two systems; most of their codes are neighbours."""
    chance = random.Random(f"54 {module}")
    return [[make_document(module, n, chance) for n in range(12)] for _ in range(3)]


def make_document(module, number, chance):
    codes = [chance.choice(CODES) for _ in range(chance.randint(2, 6))]
    if module == "clinical_records":
        names = chance.sample("abcdefg", len(codes))
        more = [chance.sample(CODES, chance.randint(0, 2)) for _ in codes]
        both = zip(names, codes, more, strict=True)
        records = [{"name": name, "icd": code, "more": others} for name, code, others in both]
        return {"id": str(number), "records": records}
    relations = [chance.sample(range(len(codes)), 2) for _ in range(chance.randint(0, 3))]
    return DOCUMENTS.get(module, make_items)(module, str(number), codes, relations, chance)


def make_spans(module, name, codes, _relations, chance):
    ends = [chance.choice([2, 3]) for _ in codes]
    mentions = [
        {"spans": [[4 * at, 4 * at + end]], "label": TYPES[module], "icd": code}
        for at, (code, end) in enumerate(zip(codes, ends, strict=True))
    ]
    return {"id": name, "mentions": mentions, "text": "abc " * 6}


def make_items(module, name, codes, relations, _chance):
    """Mentions with concepts; relations between a concept and another."""
    mentions = [
        {"spans": [[4 * at, 4 * at + 3]], "label": TYPES[module], "concepts": [code]}
        for at, code in enumerate(codes)
    ]
    document = {"id": name, "mentions": mentions, "text": "abc " * 6}
    if module == "bc5cdr":
        pairs = {(codes[a], codes[b]) for a, b in relations}
        document["relations"] = [{"label": "CID", "from": a, "to": b} for a, b in sorted(pairs)]
    return document


def make_related(module, name, codes, relations, _chance):
    mentions = [
        {"id": str(at), "spans": [[4 * at, 4 * at + 3]], "label": TYPES[module], "code": code}
        for at, code in enumerate(codes)
    ]
    ends = sorted({(str(a), str(b)) for a, b in relations})
    links = [{"label": "is linked to", "from": a, "to": b} for a, b in ends]
    return {"id": name, "text": "abc " * 6, "mentions": mentions, "relations": links}


DOCUMENTS = {"clinical_spans": make_spans, "gutbrainie26": make_related}
OPTIONS = {"clinical_spans": {"slots": "icd"}, "clinical_records": {"schema": json.dumps(SCHEMA)}}
MODULES = [*TYPES, "clinical_records"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    path = tmp_path_factory.mktemp("hierarchy") / "tree.csv"
    path.write_text(TREE)
    return path


def unpack(html, name):
    return gzip.decompress(base64.b64decode(re.search(rf'id="{name}">([^<]*)<', html)[1]))


def read_head(html):
    return json.loads(re.search(r'id="head">(.*?)</script>', html, re.DOTALL)[1])


def read_block(html, name):
    """The columns of numbers of a side."""
    data, at, columns = unpack(html, f"block-{name}"), 0, {}
    for column, kind, length in read_head(html)["layouts"][name]:
        width = int(re.search(r"\d+", kind)[0]) // 8
        dtype = f"<{'u' if kind[0] == 'U' else 'i'}{width}"
        columns[column] = np.frombuffer(data, dtype, length, at).tolist()
        at += length * width
    return columns


def read_mentions(html, at):
    """The wrong codes of a system on a page of mentions: kind, gold code, predicted code."""
    head, gold, own = read_head(html), read_block(html, "gold"), read_block(html, f"system{at}")
    slot = head["code_slot"]
    values = next(each["values"] for each in head["slots"] if each["name"] == slot)
    firsts = [np.cumsum([0, *side["mentions"]]).tolist() for side in (gold, own)]
    found = []
    for document, size in enumerate(own["mentions"]):
        for place in range(size):
            row = firsts[1][document] + place
            number, partner = own["relation"][row], own["related/codes/system"][row]
            if not number:
                continue
            code = None
            if partner > 1:
                away = partner - 2
                away = -(away + 1) // 2 if away % 2 else away // 2
                code = values[gold[f"slot/{slot}"][firsts[0][document] + place + away]]
            predicted = values[own[f"slot/{slot}"][row]]
            found.append((head["relations"][number - 1]["name"], code, predicted))
    return Counter(found)


def read_records(html, at):
    """The wrong codes of a system on a page of records: kind, document, and the paired records."""
    tables, kinds = json.loads(unpack(html, "tables")), read_head(html)["kinds"]
    assert tables["extra"]["fields"] == FIELDS
    items = tables["systems"][at]["records"]
    columns = (items[name] for name in ("kind", "document", "gold", "system"))
    return Counter(
        (kinds[kind]["name"], tables["documents"][document], *map(tuple, map(json.loads, sides)))
        for kind, document, *sides in zip(*columns, strict=True)
        if kinds[kind]["name"] in RELATED
    )


def list_records(outcomes):
    """The same of the rows that ``clineval errors`` counts."""
    match = outcomes.matches["near_misses"]
    documents = outcomes.documents_of(match)
    columns = [[outcomes.value(field, match, row) for row in range(len(match))] for field in FIELDS]
    values = [tuple(zip(*sides, strict=True)) for sides in zip(*columns, strict=True)]
    return Counter(
        (kind, outcomes.documents[documents[row]], *values[row])
        for kind, rows in match.reasons.items()
        for row in rows.nonzero()[0].tolist()
    )


@pytest.mark.parametrize("module", MODULES)
def test_a_page_holds_what_errors_lists(module, tree):
    gold, *systems = make_sides(module)
    options = {**OPTIONS.get(module, {}), "hierarchy": tree}
    named = dict(zip("AB", systems, strict=True))
    html = build_workbench(module, gold, named, **options).to_html()
    kinds_seen = Counter()
    for at, found in enumerate(systems):
        outcomes = evaluate(module, found, gold, **options).outcomes
        listed = Counter()
        for each in find_frequent(outcomes, 10**6):
            if each.kind in RELATED:
                kinds_seen[each.kind] += len(each)
                listed[(each.kind, each.gold, each.prediction)] += len(each)
        if module == "clinical_records":
            assert read_records(html, at) == (rows := list_records(outcomes))
            assert rows.total() == listed.total()
        else:
            assert read_mentions(html, at) == listed
    assert {*kinds_seen} == {*RELATED}
