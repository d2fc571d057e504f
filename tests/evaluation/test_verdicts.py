"""Agreement of verdicts: classes, codes and records; scales, the human ceiling, and bad input."""

import csv
import json
import random

import krippendorff
import laws
import numpy as np
import pytest
from demos import arguments_of
from processes import run_clineval
from sklearn.metrics import cohen_kappa_score

import clineval
from clineval.evaluation.analysis.agreement import agree

MODULES = ("clinical_classes", "n2c2_2018_track1", "i2b2_2008_obesity", "clinical_codes",
           "codiesp20", "clinical_records", "mediqa_synur26")  # fmt: skip
ANNA = ["no", "mild", "severe", "no", "mild", "severe", "no", "mild", None, "no"]
BEN = ["no", "mild", "mild", "no", "no", "severe", "no", "mild", "no", "no"]
EVA = ["no", "severe", "severe", "no", "mild", "severe", "mild", "mild", "no", None]
JUDGE = ["no", "mild", "severe", "mild", "severe", "severe", "no", "no", "no", "no"]
PEOPLE = {"anna": ANNA, "ben": BEN, "eva": EVA}
SCALE = "no,mild,severe"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def number(*lists):
    scale = SCALE.split(",")
    rows = [[np.nan if a is None else scale.index(a) for a in answers] for answers in lists]
    return np.array(rows, float)


def test_classes_of_two_are_compared_where_both_answered():
    [pair] = clineval.agreement("clinical_classes", {"a": ANNA, "b": BEN}, scale=SCALE).pairs
    [(_, found)] = pair.slots.items()
    assert (found.pairs, found.missing) == (9, 1)
    left, right = number(ANNA, BEN)[:, [answer is not None for answer in ANNA]]
    weights = {"kappa": None, "linear_kappa": "linear", "quadratic_kappa": "quadratic"}
    for name, how in weights.items():
        assert found[name] == pytest.approx(cohen_kappa_score(left, right, weights=how))
    for name, level in (("alpha", "nominal"), ("ordinal_alpha", "ordinal")):
        theirs = krippendorff.alpha(number(ANNA, BEN), level_of_measurement=level)
        assert found[name] == pytest.approx(theirs)
        low, high = found.bounds(name)
        assert low < found[name] < high


def test_alpha_of_three_uses_every_answer():
    [(_, found)] = clineval.agreement(
        "clinical_classes", PEOPLE, scale=SCALE
    ).together.slots.items()
    assert (found.units, found.missing) == (10, 2)
    for name, level in (("alpha", "nominal"), ("ordinal_alpha", "ordinal")):
        theirs = krippendorff.alpha(number(*PEOPLE.values()), level_of_measurement=level)
        assert found[name] == pytest.approx(theirs)


def test_a_class_that_one_annotator_alone_uses_is_an_answer():
    one, two = ["a", "b", "a", "b"], ["a", "b", "a", "c"]
    for pair in ({"x": one, "y": two}, {"y": two, "x": one}):
        [found] = agree("clinical_classes", pair)
        assert found.slots["answer"].pairs == 4
        assert found.slots["answer"].agreement == 0.75


def test_codes_are_present_or_absent():
    one, two = [["I10", "E11"], ["I10"], [], ["J45"]], [["I10"], ["I10"], ["E11"], ["J45"]]
    [found] = agree("clinical_codes", {"a": one, "b": two})
    assert {name: of.pairs for name, of in found.slots.items()} == {
        "all codes": 12, "i10": 4, "e11": 4, "j45": 4,
    }  # fmt: skip
    cells = [[code in of for of in side for code in ("I10", "E11", "J45")] for side in (one, two)]
    assert found.slots["all codes"].kappa == pytest.approx(cohen_kappa_score(*cells))
    assert found.slots["e11"].kappa == pytest.approx(-1 / 3)  # agreement .5, chance .625
    theirs = krippendorff.alpha(np.array(cells, int), level_of_measurement="nominal")
    assert found.slots["all codes"].alpha == pytest.approx(theirs)


def test_codes_of_three_annotators():
    codes = [[["A"], ["B"], []], [["A"], ["A"], []], [["A", "B"], ["B"], ["A"]]]
    found = clineval.agreement("clinical_codes", dict(zip("xyz", codes, strict=True)))
    cells = [[code in of for of in side for code in "AB"] for side in codes]
    theirs = krippendorff.alpha(np.array(cells, int), level_of_measurement="nominal")
    assert found.together.slots["all codes"]["alpha"] == pytest.approx(theirs)
    assert found.together.slots["all codes"].units == 6


def test_several_answers_are_present_or_absent():
    one, two = [["a", "b"], ["a"]], [["a"], ["a"]]
    [found] = agree("clinical_classes", {"x": one, "y": two})
    assert {name.split()[-1] for name in found.slots} == {"classes", "a", "b"}


def test_fields_without_a_value_are_missing():
    grade = {"type": "string", "enum": ["low", "high"]}
    schema = {"type": "object", "properties": {"grade": grade, "site": {"type": "string"}}}
    one = [{"grade": "low", "site": "arm"}, {"grade": "high"}, {"grade": "low", "site": "leg"}]
    two = [{"grade": "low"}, {"grade": "high"}, {"grade": "high", "site": "leg"}]
    annotators = {"a": [[each] for each in one], "b": [[each] for each in two]}
    [found] = agree("clinical_records", annotators, schema=schema, scale="low,high")
    assert (found.slots["site"].pairs, found.slots["site"].missing) == (1, 1)
    assert found.slots["site"].alpha is None
    assert found.slots["grade"].pairs == 3
    assert found.slots["grade"]["linear_kappa"] == pytest.approx(0.4)


DRUGS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "drug": {"type": "string", "x-key": True},
            "route": {"type": "string"},
            "grade": {"type": "string", "enum": ["low", "high"]},
        },
    },
}


def make_people(seed, people=3, documents=8):
    """Records that the drug identifies in a document, in any order, with and without values."""
    chance = random.Random(seed)
    values = {"route": ["oral", "iv", None], "grade": ["low", "high", None]}

    def annotate():
        drugs = [drug for drug in "abcd" if chance.random() < 0.7]
        chance.shuffle(drugs)
        return [
            {"drug": drug, **{name: chance.choice(of) for name, of in values.items()}}
            for drug in drugs
        ]

    return {name: [annotate() for _ in range(documents)] for name in "xyzw"[:people]}


@pytest.mark.parametrize("people", [3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_fields_of_records_of_several_annotators(seed, people):
    annotators = make_people(seed, people)
    found = clineval.agreement("clinical_records", annotators, schema=DRUGS, scale="low,high")
    keys = [(at, drug) for at in range(8) for drug in "abcd"]
    for field, levels in {"route": ("nominal",), "grade": ("nominal", "ordinal")}.items():
        answers = {"oral": 0, "iv": 1, "low": 0, "high": 1, None: np.nan}
        told = [
            {(at, each["drug"]): answers[each[field]] for at, of in enumerate(own) for each in of}
            for own in annotators.values()
        ]
        table = np.array([[of.get(key, np.nan) for key in keys] for of in told])
        of = found.together.slots[field]
        answered = (~np.isnan(table)).sum(axis=0)
        assert of.units == (answered >= 2).sum()
        assert of.missing == ((answered > 0) & (answered < people)).sum()
        for level in levels:
            name = "alpha" if level == "nominal" else "ordinal_alpha"
            theirs = krippendorff.alpha(table, level_of_measurement=level)
            assert of[name] == pytest.approx(theirs)
            low, high = of.bounds(name)
            assert low <= of[name] <= high
    assert found.together.slots["drug"]["alpha"] == 1
    assert "x, y, z" in repr(found)


def test_a_unit_has_one_record_of_each_annotator():
    """The second record of z is paired with that of y, whose unit has the other record of z."""
    schema = {"type": "array", "items": {"type": "object", "properties": {
        "drug": {"type": "string"}, "route": {"type": "string"},
    }}}  # fmt: skip
    x = [[{"drug": "a", "route": "iv"}], [{"drug": "b", "route": "oral"}]]
    y = [[{"drug": "a", "route": "oral"}], [{"drug": "b", "route": "oral"}]]
    z = [[{"drug": "a", "route": "iv"}, {"drug": "a", "route": "oral"}], []]
    people = {"x": x, "y": y, "z": z}
    found = clineval.agreement("clinical_records", people, schema=schema).together
    # units of route: x iv, y oral, z iv; z oral alone; x oral, y oral
    theirs = krippendorff.alpha(
        np.array([[0, np.nan, 1], [1, np.nan, 1], [0, 1, np.nan]]), level_of_measurement="nominal"
    )
    assert found.slots["route"]["alpha"] == pytest.approx(theirs)
    assert (found.slots["route"].units, found.slots["route"].missing) == (2, 2)


def test_people_stand_beside_a_system():
    found = clineval.agreement("clinical_classes", PEOPLE, system={"judge": JUDGE}, scale=SCALE)
    value = {(p.first, p.second): p.slots["answer"].kappa for p in found.pairs}
    human = [kappa for (_, second), kappa in value.items() if second != "judge"]
    judged = [value[name, "judge"] for name in PEOPLE]
    whole = found.ceiling.whole["answer", "kappa"]
    assert whole.people.value == pytest.approx(np.mean(human))
    assert whole.system.value == pytest.approx(np.mean(judged))
    difference, (low, high) = whole.difference
    assert difference == pytest.approx(np.mean(judged) - np.mean(human))
    assert low < difference < high
    ben = found.ceiling.left_out["ben"]["answer", "kappa"]
    assert ben.people.value == pytest.approx((value["anna", "ben"] + value["ben", "eva"]) / 2)
    assert ben.system.value == pytest.approx((value["anna", "judge"] + value["eva", "judge"]) / 2)
    scores = [p.score["accuracy"] for p in found.pairs if p.second == "judge"]
    assert found.ceiling.whole["", "accuracy"].system.value == pytest.approx(np.mean(scores))
    assert [(p.first, p.second) for p in found.pairs if p.second != "judge"] == [
        ("anna", "ben"), ("anna", "eva"), ("ben", "eva"),
    ]  # fmt: skip
    assert "People with each other, and judge with people" in repr(found)


def test_the_ceiling_holds_for_mentions_and_unnamed_documents():
    (system, gold), options = arguments_of("clinical_spans")
    people = {"a": gold, "b": system}
    found = clineval.agreement("clinical_spans", people, system={"s": system}, **options)
    assert found.together is None
    assert found.ceiling.whole["", "strict_f1"].people.value == found.pairs[0].score["strict_f1"]


@pytest.mark.parametrize("name", MODULES)
def test_every_notation_shows_verdicts(name, tmp_path):
    (system, gold), options = arguments_of(name)
    words = [word for option, path in options.items() for word in (f"--{option}", path)]
    [pair] = agree(name, {"gold": gold, "found": system}, **options)
    question, of = next((q, of) for q, of in pair.slots.items() if of.ac1 is not None)
    for notation in ("table", "latex", "markdown"):
        out = run_clineval("agreement", name, gold, system, *words, "--format", notation).stdout
        assert "AC1" in out
    shown = run_clineval("agreement", name, gold, system, *words, "--format", "json").stdout
    [shown] = json.loads(shown)["pairs"]
    assert shown["slots"][question]["ac1"] == of.ac1
    out = run_clineval("agreement", name, gold, system, *words, "--format", "csv").stdout
    rows = csv.DictReader(out.splitlines())
    [row] = [r for r in rows if (r["question"], r["measure"]) == (question, "ac1")]
    assert float(row["value"]) == of.ac1
    picture = tmp_path / "agreement.svg"
    run_clineval("agreement", name, gold, system, *words, "--plot", picture)
    assert picture.stat().st_size


def write(folder, name, answers):
    path = folder / f"{name}.csv"
    lines = [f"{at},{answer or ''}" for at, answer in enumerate(answers)]
    path.write_text("\n".join(["id,pain", *lines]) + "\n")
    return path


def test_the_command_prints_the_ceiling(tmp_path):
    paths = [write(tmp_path, name, of) for name, of in {**PEOPLE, "judge": JUDGE}.items()]
    words = ("agreement", "clinical_classes", *paths[:3], "--system", paths[3], "--scale", SCALE)
    expected = clineval.agreement(
        "clinical_classes", PEOPLE, system={"judge": JUDGE}, scale=SCALE
    ).ceiling
    data = json.loads(run_clineval(*words, "--format", "json").stdout)
    for key in ("kappa", "quadratic_kappa"):
        shown, beside = data["ceiling"]["whole"]["pain"][key], expected.whole["answer", key]
        assert shown["people"] == pytest.approx(beside.people.value)
        assert (shown["difference_low"], shown["difference_high"]) == beside.difference[1]
    assert [*data["ceiling"]["left_out"]] == ["anna", "ben", "eva"]
    assert data["together"]["slots"]["pain"]["undefined"] == []
    lines = run_clineval(*words, "--format", "csv").stdout
    assert "judge minus people,pain,kappa," in lines
    out = run_clineval(*words).stdout
    assert "Each person with the other people, and judge with the same people" in out


def test_hostile_input_is_explained(tmp_path):
    anna, ben = (write(tmp_path, name, PEOPLE[name]) for name in ("anna", "ben"))
    other = tmp_path / "other.csv"
    other.write_text("id,pain\nx,no\ny,mild\n")
    cases = {
        ("agreement", "clinical_classes", anna): "at least two annotators, got 1",
        ("agreement", "clinical_classes", anna, "--system", ben): "at least two annotators, got 1",
        ("agreement", "clinical_classes", anna, other): "no document in common",
        ("agreement", "clinical_classes", anna, ben, "--system", other): "no document in common",
    }
    pair = ("agreement", "clinical_classes", anna, ben, "--scale")
    cases[*pair, "no,mild"] = "List all answers to a question"
    cases[*pair, "no,mild,severe,sevre"] = "Did you mean severe?"
    cases[*pair, "no"] = "at least two answers"
    cases[*pair, "no,mild,,severe"] = "at least two answers"
    cases[*pair, "no,mild,No"] = "occurs twice"
    for words, message in cases.items():
        assert message in run_clineval(*words, status=2).stderr, words
    codes, scale = {"a": [["A"]], "b": [["A"]]}, ["low", "high"]
    laws.refuses(
        lambda: clineval.agreement("clinical_codes", codes, scale=scale), "orders no question"
    )
    for system in ({}, {"a": ANNA, "b": BEN}, ANNA):
        laws.refuses(lambda s=system: clineval.agreement("clinical_classes", PEOPLE, system=s),
                     "expected one system")  # fmt: skip
    laws.refuses(lambda: clineval.agreement("clinical_classes", PEOPLE, system={"ben": BEN}),
                 "also the name of an annotator")  # fmt: skip
