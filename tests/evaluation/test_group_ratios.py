"""Of every row of a breakdown the ratios follow from its counts, and the counts add up."""

import pytest
from demos import OTHER_FILES, arguments_of
from hypothesis import given, settings
from labelled_corpora import corpora
from ratios import follow

import clineval
from clineval.evaluation.analysis.breakdown import break_down
from clineval.results.registry import NAMES, find_challenge

WAYS = [
    (name, config, protocol)
    for name in NAMES
    for challenge in [find_challenge(name)]
    if challenge.steps.listed
    for config in challenge.task.configs
    if config not in OTHER_FILES.get(name, ())
    for protocol in challenge.protocols
]
OF_LABELS = {
    "clinical_codes": {
        f"{mean}_{score}"
        for mean in ("macro", "macro_gold")
        for score in ("precision", "recall", "f1")
    }
}
OF_LABELS["icd_coding"] = {
    *OF_LABELS["clinical_codes"],
    "macro_accuracy",
    "micro_fpr",
    "macro_fpr",
    "exact_match",
    *(
        f"{key}_mullenbach"
        for key in (
            "exact_match",
            *(f"{m}_{s}" for m in ("micro", "macro") for s in ("precision", "recall", "f1", "fpr")),
        )
    ),
}
_SORTS = ("", "ner_", "nerd_", "mention_relations_", "concept_relations_")
OF_LABELS["gutbrainie26"] = {
    f"{sort}{mean}"
    for sort in _SORTS
    for mean in ("macro_precision", "macro_recall", "macro_f1", "mean_f1")
}
"""Scores of no counts; the module's own tests have them for each group."""
OF_PROTOCOLS = {
    "caml": {"micro_accuracy"},
    "edin": {"micro_precision", "micro_recall", "micro_f1"},
}
"""Scores that a protocol computes from other codes than the counts."""
OF_OFFICIAL = {
    "gutbrainie26": {
        f"{sort}micro_{score}" for sort in _SORTS for score in ("precision", "recall", "f1")
    }
}
"""Scores of a program over the labels that the gold standard of a group has."""
MUC = ("cor", "inc", "par", "mis", "spu", "possible", "actual")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def groupings(outcomes):
    yield "document"
    yield from (f"slot:{slot}" for slot in outcomes.gold.attributes)
    sides = outcomes.gold, outcomes.prediction
    if all((side.fragment_counts > 0).all() for side in sides):  # of which all have a place
        yield from ("length", "fragments")


def check_rows(evaluation, by):
    name, whole = evaluation.challenge.name, evaluation.counts
    absent = evaluation.setup.protocol == "official"
    others = OF_LABELS.get(name, set()) | OF_PROTOCOLS.get(evaluation.setup.protocol, set())
    others |= OF_OFFICIAL.get(name, set()) if absent else set()
    groups = break_down(evaluation.outcomes, by)
    counted = {key: values for key, values in groups.scores.items() if key.endswith(MUC)}
    for key, values in {**counted, **groups.counts}.items():
        assert values.sum() == pytest.approx(whole.totals[key]), key
    told = {**groups.counts, **groups.scores}
    for at, group in enumerate(groups.names):
        row = {key: values[at] for key, values in told.items()}
        for key in groups.scores:
            if key in others:
                continue
            expected = follow(name, key, row, absent=absent)
            assert expected or key in whole.columns, key
            assert expected == pytest.approx([row[key]] * len(expected)), (group, key)


@pytest.mark.parametrize(("name", "config", "protocol"), WAYS)
def test_the_ratios_of_a_row_are_those_of_its_counts(name, config, protocol):
    sides, options = arguments_of(name, 1)
    evaluation = clineval.evaluate(name, *sides, config=config, protocol=protocol, **options)
    for by in groupings(evaluation.outcomes):
        check_rows(evaluation, by)


@settings(max_examples=30)
@given(corpora())
def test_so_are_those_of_labels_that_are_taken_for_each_other(corpus):
    references, predictions = corpus
    evaluation = clineval.evaluate("clinical_spans", predictions, references)
    for by in ("slot:label", "document", "fragments", "length"):
        check_rows(evaluation, by)


def test_a_finding_taken_for_a_wound_counts_in_both_rows():
    """A made-up ward's notes: of 2 wounds one is found; 2 other predictions are wounds."""
    mention = lambda label, at: {"spans": [[at, at + 4]], "label": label}  # noqa: E731
    gold = [[mention("Wound", 0), mention("Wound", 10), mention("Finding", 20)]]
    found = [[mention("Wound", 0), mention("Wound", 20), mention("Wound", 30)]]
    groups = break_down(clineval.evaluate("clinical_spans", found, gold).outcomes, "label")
    wound, finding = (groups.values[name] for name in ("Wound", "Finding"))
    assert [wound[f"strict_{key}"] for key in ("tp", "fp", "fn")] == [1, 2, 1]
    assert wound["strict_f1"] == wound["wound_strict_f1"] == 2 / 5
    assert [finding[f"strict_{key}"] for key in ("tp", "fp", "fn", "inc")] == [0, 0, 1, 1]


@pytest.mark.parametrize(("name", "config", "protocol"), WAYS)
def test_rows_of_documents_are_the_documents_own_scores(name, config, protocol):
    """Also of means, which one protocol takes over all that there could be."""
    sides, options = arguments_of(name, 1)
    evaluation = clineval.evaluate(name, *sides, config=config, protocol=protocol, **options)
    counts, groups = evaluation.counts, break_down(evaluation.outcomes, "document")
    for at, document in enumerate(counts.documents):
        own = counts.take([at]).score().numbers
        told = groups.values.get(document, {})  # of a document with nothing in it there is no row
        both = told.keys() & own.keys()
        assert both or not told
        assert {key: told[key] for key in both} == pytest.approx({key: own[key] for key in both})
