"""Means over labels: of those that either side has, of which one without gold has F1 0."""

import warnings

import laws
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ratios import labels_of

import clineval
from clineval.results.registry import NAMES, find_challenge

NAME = "clinical_spans"
LABELS = ("Drug", "ADE", "Dose")


def m(label, at, **slots):
    return {"spans": [[at, at + 4]], "label": label, **slots}


def concepts(*labels):
    return {"mentions": [m(label, 10 * at, id=str(at)) for at, label in enumerate(labels)]}


def happening(*labels):
    """An event of each type."""
    spans = [[[5 * at, 5 * at + 4]] for at in range(len(labels))]
    return {"events": [{"label": of, "spans": at} for of, at in zip(labels, spans, strict=True)]}


def related(*labels):
    ends = ({"label": label, "from": "0", "to": str(at)} for at, label in enumerate(labels, 1))
    return {**concepts("problem", "treatment", "treatment"), "relations": list(ends)}


def chemicals(*labels):
    both = (m(label, 10 * at, concepts=[f"D00000{at}"]) for at, label in enumerate(labels))
    return {"mentions": list(both)}


def mentions(*labels):
    return [m(label, 10 * at) for at, label in enumerate(labels)]


CASES = [
    (NAME, mentions, ("Drug", "ADE"), ("strict", "lenient")),
    ("i2b2_2014_deid", mentions, ("DATE", "DOCTOR"), ("strict",)),
    ("meddocan19", mentions, ("FECHAS", "CALLE"), ("strict",)),
    ("multiclinai26", mentions, ("DISEASE", "SYMPTOM"), ("strict",)),
    ("toxhabits25", mentions, ("Tobacco", "Drug"), ("strict",)),
    ("pharmaconer19", mentions, ("PROTEINAS", "NORMALIZABLES"), ("strict",)),
    ("bc5cdr", chemicals, ("Disease", "Chemical"), ("mentions", "concepts")),
    ("chemu20", mentions, ("SOLVENT", "TIME"), ("entities_exact", "entities_overlap")),
    ("i2b2_2010", concepts, ("problem", "test"), ("concepts_strict", "concepts_lenient")),
    ("i2b2_2010", concepts, ("present", "absent"), ("assertions_strict",)),
    ("i2b2_2010", related, ("TrIP", "TrAP"), ("relations_strict",)),
    ("clinical_relations", related, ("CAUSES", "TREATS"), ("strict", "spans", "overlap")),
    ("clinical_events", happening, ("Start", "Stop"), ("overall", "trigger")),
]


def test_every_mean_over_labels_is_tried():
    """Those of n2c2 2018 and ArchEHR-QA are over documents; others have tests of their own."""
    told = {name for name in NAMES if "macro" in find_challenge(name).task.specification.lower()}
    others = {"n2c2_2018_track2", "n2c2_2022_cmed", "clinical_codes", "clinical_classes"}
    others |= {"n2c2_2018_track1", "i2b2_2006_smoking", "i2b2_2008_obesity", "i2b2_2014_risk"}
    others |= {"archehr_qa26", "icd_coding", "gutbrainie26", "drugprot21", "chemprot17"}
    assert told - others == {name for name, *_ in CASES}


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize(("name", "make", "labels", "means"), CASES)
def test_a_label_without_gold_has_f1_0_and_one_without_mentions_none(name, make, labels, means):
    gold, both = [make(labels[0])], [make(*labels)]
    wrong, missed, right = (
        clineval.score(name, *sides) for sides in ((both, gold), (gold, both), (gold, gold))
    )
    for mean in means:
        for measure in ("precision", "recall", "f1"):
            scores = [score[f"macro_{mean}_{measure}"] for score in (wrong, missed, right)]
            assert scores == [0.5, 0.5, 1], (mean, measure)
        rows = labels_of(name, mean, wrong.values)
        assert sum(wrong[f"{row}_fp"] for row in rows) == wrong[f"{mean}_fp"] == 1


@settings(max_examples=30)
@given(st.lists(st.lists(st.sampled_from(LABELS), max_size=4), min_size=2, max_size=2))
def test_every_prediction_counts_in_the_row_of_its_label(sides):
    found, gold = ([mentions(*labels)] for labels in sides)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        score = clineval.score(NAME, found, gold)
    there = set(sides[0]) | set(sides[1])
    assert {key.removesuffix("_strict_tp") for key in score.values if "_strict_tp" in key} == {
        label.lower() for label in there
    }
    for verdict in ("tp", "fp", "fn"):
        rows = [score[f"{label.lower()}_strict_{verdict}"] for label in there]
        assert sum(rows) == score[f"strict_{verdict}"]


def test_labels_that_no_gold_mention_has_are_told_once():
    gold = [mentions("Drug"), []]
    found = [mentions("Drug", "ADE", "Dose"), mentions("ADE")]
    with pytest.warns(clineval.InputWarning) as told:
        score = clineval.score(NAME, found, gold)
    [warning] = told
    assert "2 labels of predictions do not occur in the references" in str(warning.message)
    assert "ADE, Dose" in str(warning.message)
    assert "labels:ade+dose+drug|" in str(score.signature)
    assert score["macro_strict_f1"] == 1 / 3


def test_a_label_that_differs_in_spelling_only_is_refused():
    laws.refuses(
        lambda: clineval.score(NAME, [mentions("Wound_Care")], [mentions("Wound-Care")]),
        "'wound_care'",
        "Rename it",
    )


def test_systems_that_are_compared_have_the_same_labels():
    gold, first, second = ([mentions(*labels)] * 2 for labels in ("D", "DA", "DB"))
    first_warned, second_warned = (
        pytest.warns(clineval.InputWarning, match=f"^{name}: 1 label of predictions")
        for name in ("first", "second")
    )
    with first_warned, second_warned:
        found = clineval.compare(NAME, {"first": first, "second": second}, gold)
    for name, system in (("first", first), ("second", second)):
        with pytest.warns(clineval.InputWarning):
            alone = clineval.score(NAME, system, gold)
        assert found.scores[name]["macro_strict_f1"] == alone["macro_strict_f1"] == 1 / 2
    assert found.scores["first"]["b_strict_fp"] == 0
