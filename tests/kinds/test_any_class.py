"""A class is compared between mentions that overlap, whatever their class, in every module."""

import sys
from dataclasses import fields, replace

import pytest
from conftest import DATA
from demos import arguments_of
from hypothesis import given, settings
from hypothesis import strategies as st

from clineval import Document, Mention
from clineval.evaluation.analysis.agreement import agree
from clineval.evaluation.analysis.mistakes import count_mistakes
from clineval.evaluation.evaluate import evaluate
from clineval.kinds.mentions.kind import SpanKind
from clineval.kinds.mentions.labelled import pair_lenient, pair_strict
from clineval.kinds.mentions.outcomes import ANY_CLASS
from clineval.protocols.labelled_spans import LabelledSpans
from clineval.results.registry import NAMES, find_challenge

LISTED = [name for name in NAMES if find_challenge(name).steps.listed]
LABELS = {
    "clinical_spans": ("label", "Wound", "Device", {}),
    "i2b2_2014_deid": ("label", "DATE", "AGE", {}),
    "meddocan19": ("label", "FECHAS", "HOSPITAL", {}),
    "symptemist23": ("label", "SINTOMA", "OTRO", {}),
    "multicardioner24": ("label", "ENFERMEDAD", "FARMACO", {}),
    "toxhabits25": ("label", "Tobacco", "Drug", {}),
    "multiclinai26": ("label", "DISEASE", "SYMPTOM", {}),
    "medprocner23": ("label", "PROCEDIMIENTO", "OTRO", {}),
    "pharmaconer19": ("label", "PROTEINAS", "NORMALIZABLES", {}),
    "n2c2_2018_track2": ("label", "Drug", "ADE", {"config": "concepts"}),
    "chemu20": ("label", "SOLVENT", "TIME", {"config": "entities"}),
    "n2c2_2022_cmed": ("label", "Disposition", "Undetermined", {}),
    "bc5cdr": ("label", "Chemical", "Disease", {"config": "mentions"}),
    "ehealthkd20": ("label", "Concept", "Action", {"config": "taskA"}),
    "i2b2_2010": ("label", "present", "absent", {"config": "assertions"}),
    "semeval15_task14": ("cui", "C0000001", "C0000002", {}),
    "clefehealth13_task1": ("cui", "C0000001", "C0000002", {"config": "task1b"}),
}
TEXT = "one1 two2 thr3 fou4 fiv5."


def documents_of(slot, *mentions):
    """A document for each mention; ``(start, end, class)``."""
    return [
        Document(f"d{at}", [Mention.from_dict({"spans": [[start, end]], slot: value})], TEXT)
        for at, (start, end, value) in enumerate(mentions)
    ]


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("module", LABELS)
def test_kappa_of_the_class_is_that_of_a_hand(module, protocol):
    """A A, A B, B B, B B, one missed: 3 of 4; by chance (2 * 1 + 2 * 3) / 16; kappa 0.5."""
    slot, a, b, options = LABELS[module]
    if protocol not in find_challenge(module).protocols:
        return
    one = documents_of(slot, (0, 4, a), (5, 9, a), (10, 14, b), (15, 19, b), (20, 24, a))
    two = documents_of(slot, (0, 4, a), (5, 14, b), (10, 14, b), (15, 24, b), (0, 4, a))
    [found] = agree(module, {"one": one, "two": two}, protocol=protocol, **options)
    of = found.slots[slot]
    assert (of.pairs, of.agreement, of.kappa) == (4, 0.75, 0.5)
    kinds = count_mistakes(evaluate(module, two, one, protocol=protocol, **options).outcomes)
    assert list(kinds.values()) == [2, 1, 0, 1, 1, 1, 0]


def test_a_field_is_compared_with_what_overlaps_of_another():
    """The dose that is called a mode; a phrase of another entry stays what it is."""
    gold = ['m="aspirin" 1:1 1:1||do="100 mg" 1:2 1:3||mo="po" 1:4 1:4||f="nm"||du="nm"||r="nm"']
    found = ['m="aspirin" 1:1 1:1||do="nm"||mo="100 mg po" 1:2 1:4||f="nm"||du="nm"||r="nm"']
    outcomes = evaluate("i2b2_2009_medication", found, gold).outcomes
    assert count_mistakes(outcomes)["boundary"] == 1  # po, longer
    found = ['m="aspirin" 1:1 1:1||do="nm"||mo="100 mg" 1:2 1:3||f="nm"||du="nm"||r="nm"']
    gold = ['m="aspirin" 1:1 1:1||do="100 mg" 1:2 1:3||mo="nm"||f="nm"||du="nm"||r="nm"']
    outcomes = evaluate("i2b2_2009_medication", found, gold).outcomes
    assert list(count_mistakes(outcomes).values()) == [1, 0, 1, 0, 0, 0, 0]


def test_codes_are_compared_where_they_point_to_words(tmp_path):
    (tmp_path / "gold.tsv").write_text("a\tDIAGNOSTICO\tr10\tdolor\t3 8\n")
    (tmp_path / "found.tsv").write_text("a\t3 9\tDIAGNOSTICO\tr12\n")
    paths = tmp_path / "found.tsv", tmp_path / "gold.tsv"
    kinds = count_mistakes(evaluate("codiesp20", *paths, config="X").outcomes)
    assert (kinds["both"], kinds["spurious"], kinds["missed"]) == (1, 0, 0)


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_codes_of_documents_have_no_agreement_of_their_own():
    """Codes are paired because they are the same, so kappa would be 1 whatever is given."""
    [found] = agree("codiesp20", {"one": [["r10", "r11"]], "two": [["r10", "r12"]]}, config="D")
    assert "code" not in found.slots
    assert found.score["micro_f1"] == 0.5


@pytest.fixture(scope="module")
def trial():
    """The outside challenge of the manual, and one that pairs concepts of one type alone."""
    sys.path.insert(0, str(DATA / "outside"))
    try:
        import trial_concepts as module
    finally:
        sys.path.pop(0)

    class OfOneType(LabelledSpans):
        widest, any_class = "lenient", False

        def pair(self, block, _setup, /):
            strict = pair_strict(block, self.all_slots)
            return {"strict": strict, "lenient": pair_lenient(block, strict, self.slot)}

    given = {field.name: getattr(module.CHALLENGE.steps, field.name)
             for field in fields(LabelledSpans)}  # fmt: skip
    older = replace(module.CHALLENGE, protocols={"spec": OfOneType(**given)})
    return {"manual": module.CHALLENGE, "older": older}


CELLS = st.lists(
    st.tuples(st.sampled_from(["", "problem", "test"]), st.sampled_from(["", "problem", "test"]),
              st.booleans()),
    min_size=1, max_size=8,
)  # fmt: skip


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("form", ["manual", "older"])
@settings(max_examples=30, deadline=None)
@given(cells=CELLS)
def test_an_outside_challenge_has_the_kappa_of_the_definition(trial, form, cells):
    """In each ten characters at most one concept of either side, which overlap by one or more."""
    one, two = [], []
    for at, (left, right, same) in enumerate(cells):
        start = 10 * at
        one += [{"spans": [[start, start + 4]], "type": left}] if left else []
        end = start + 4 if same else start + 9
        two += [{"spans": [[end - 4 if same else start + 3, end]], "type": right}] if right else []
    both = [(left, right) for left, right, _ in cells if left and right]
    n, same = len(both), sum(left == right for left, right in both)
    chance = sum(left == right for left, _ in both for _, right in both)
    [found] = agree(trial[form], {"one": [one], "two": [two]})
    of = found.slots["type"]
    assert of.pairs == n
    assert of.agreement == (same / n if n else 0)
    if chance == n * n:
        assert of.kappa is None
    else:
        assert of.kappa == pytest.approx((same * n - chance) / (n * n - chance))


def places(side, row):
    return {
        (int(side.document[row]), character)
        for at in range(side.bounds[row], side.bounds[row + 1])
        for character in range(side.starts[at], side.ends[at])
    }


NOT_MENTIONS = {
    "i2b2_2009_medication",
    "clinais23_b2",
    "clinical_relations",
    "drugprot21",
    "chemprot17",
}
CONFIGS = {
    "i2b2_2010": "assertions",
    "n2c2_2018_track2": "concepts",
    "clinical_tempeval": "entities",
    "i2b2_2012_temporal": "entities",
    "ehealthkd20": "taskA",
    "chemu20": "entities",
}
"""Without relations, whose arguments are looked at one by one."""


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", sorted({*LISTED} - NOT_MENTIONS))
def test_nothing_that_is_left_alone_overlaps(name):
    (predicted, gold), options = arguments_of(name)
    config = CONFIGS.get(name, "default")
    outcomes = evaluate(name, predicted, gold, config=config, **options).outcomes
    match = outcomes.matches[outcomes.widest]
    golds = [places(outcomes.gold, g) for g in match.gold[match.prediction < 0]]
    for prediction in match.prediction[match.gold < 0]:
        found = places(outcomes.prediction, prediction)
        assert not any(found & gold for gold in golds)


def test_a_challenge_without_classes_has_no_further_match(trial):
    older = trial["older"]
    given = {field.name: getattr(older.steps, field.name) for field in fields(LabelledSpans)}
    without = type("Classless", (type(older.steps),), {"kind": SpanKind()})(**given)
    bare = replace(older, protocols={"spec": without})
    assert ANY_CLASS not in evaluate(bare, [[]], [[]]).outcomes.matches
    assert ANY_CLASS in evaluate(trial["older"], [[]], [[]]).outcomes.matches
