"""i2b2 2012: the counts by the definition, from recorded results and small cases."""

import json
import random
import re

import pytest
from oracles import Oracle

import clineval
from clineval.challenges.i2b2_2012_temporal.values import Time, same_value

NAME = "i2b2_2012_temporal"
ORACLE = Oracle(NAME)
CORPORA = ORACLE.outputs("spec.json")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def links_of(score):
    keys = {"right_p": "links", "oc_p": "links_written", "oo": "links_as_written"}
    found = {name: score[f"{key}_tp"] for name, key in keys.items()}
    found |= {"right_r": score["links_gold_tp"], "oc_r": score["links_written_gold_tp"]}
    for side, (ending, lost) in {"gold": ("_gold", "fn"), "system": ("", "fp")}.items():
        for name, key in (("", "links"), ("_all", "links_written")):
            found[f"{side}{name}"] = score[f"{key}{ending}_tp"] + score[f"{key}{ending}_{lost}"]
    return found


def entities_of(score, label, names):
    key = label.lower()
    right = score[f"{key}_tp"]
    sizes = {"gold": right + score[f"{key}_fn"], "system": right + score[f"{key}_fp"]}
    accurate = {name: score[f"{key}_{name}_accuracy"] * right for name in names}
    return {**sizes, "right": right, "exact": score[f"{key}_exact_tp"], **accurate}


@pytest.mark.parametrize("recorded", CORPORA, ids=lambda path: path.parent.name)
def test_counts(recorded):
    expected = json.loads(recorded.read_text("utf-8"))
    gold, system = recorded.parent / "gold", recorded.parent / "system"
    score = clineval.score(NAME, system, gold)
    assert links_of(score) == expected["TLINK"]
    for label in ("EVENT", "TIMEX3"):
        names = expected[label].keys() - {"gold", "system", "right", "exact"}
        assert entities_of(score, label, names) == pytest.approx(expected[label])
    given = clineval.score(NAME, system, gold, config="links")
    assert links_of(given) == expected["TLINK given"]


def shuffle(text, seed):
    """Shuffle the lines of tags."""
    lines = text.splitlines(keepends=True)
    rows = [row for row, line in enumerate(lines) if re.match("<(EVENT|TIMEX3|TLINK)", line)]
    tags = [lines[row] for row in rows]
    random.Random(seed).shuffle(tags)
    for row, tag in zip(rows, tags, strict=True):
        lines[row] = tag
    return "".join(lines)


@pytest.mark.parametrize("recorded", CORPORA, ids=lambda path: path.parent.name)
def test_the_order_of_lines_does_not_matter(recorded):
    files = sorted((recorded.parent / "gold").iterdir())
    texts = [
        [(recorded.parent / side / file.name).read_text("utf-8") for file in files]
        for side in ("gold", "system")
    ]
    for config in ("default", "links"):
        expected = clineval.score(NAME, texts[1], texts[0], config=config).as_dict()
        for seed in range(3):
            gold, system = ([shuffle(text, seed) for text in side] for side in texts)
            assert clineval.score(NAME, system, gold, config=config).as_dict() == expected


@pytest.mark.parametrize(
    ("gold", "prediction", "right"),
    [
        (("DURATION", "P1D", "NA"), ("DURATION", "PT24H", "NA"), True),
        (("DURATION", "P03D", "NA"), ("DURATION", "P3D", "NA"), True),
        (("DURATION", "PT1M", "NA"), ("DURATION", "PT60S", "NA"), True),
        (("DURATION", "PT3M", "NA"), ("DURATION", "P3M", "NA"), False),
        (("DURATION", "P3D", "APPROX"), ("DURATION", "P5D", "NA"), True),
        (("DURATION", "P3D", "NA"), ("DURATION", "P6D", "APPROX"), False),
        (("FREQUENCY", "R2P1D", "NA"), ("FREQUENCY", "R2PT24H", "NA"), True),
        (("FREQUENCY", "R2P1D", "NA"), ("FREQUENCY", "RP12H", "NA"), False),
        (("DURATION", "P3D", "NA"), ("FREQUENCY", "P03D", "NA"), False),
        (("DURATION", "P", "MORE"), ("DURATION", "P", "NA"), True),
        (("DATE", "2001-03-04", "NA"), ("DATE", "2001-03-05", "APPROX"), False),
    ],
)
def test_values(gold, prediction, right):
    assert same_value(Time(*gold), Time(*prediction)) is right
