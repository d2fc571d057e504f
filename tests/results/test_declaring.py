"""What cannot be scored is rejected when it is declared, with what was expected."""

import pytest

import clineval
from clineval import (
    Argument,
    Challenge,
    CodeSets,
    Configurations,
    Events,
    Field,
    FittingRecords,
    InputError,
    LabelledSpans,
    Records,
    Slot,
    Task,
)
from clineval.kinds.mentions.measures import Accuracy, Spans
from clineval.results.formulas import Formula

FORMULA = Formula("rate", lambda _: 1, ("Rates", "all", "rate"))
DRUG = Field("drug", "label")
STATUS = Argument("Status", ("done",))


def declare(*protocols, **task):
    named = dict(zip(("spec", "official"), protocols, strict=False))
    return Challenge(Task("own", "Own", "https://example.org", **task), named)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: LabelledSpans(("A",), ("relaxed",)), "unknown match 'relaxed', expected one of"),
        (lambda: LabelledSpans(("A",), ("strct",)), "Did you mean strict?"),
        (lambda: LabelledSpans(("A",), ("strict", "strict")), "strict occurs twice"),
        (lambda: LabelledSpans(("A",), ()), "matches: expected at least one"),
        (lambda: LabelledSpans(("A",), "strict"), "matches: expected a tuple of words"),
        (lambda: LabelledSpans(("A", "A")), "labels: A occurs twice"),
        (lambda: LabelledSpans(("ADE", "ade")), "labels: ADE, ade are too similar"),
        (lambda: LabelledSpans(("--",)), "labels: expected a word"),
        (lambda: LabelledSpans("WOUND"), "labels: expected a tuple of words, got 'WOUND'"),
        (lambda: LabelledSpans(("A",), label="spans"), "'spans' is reserved"),
        (lambda: LabelledSpans(("A",), label="text"), "'text' is reserved"),
        (lambda: LabelledSpans(("A",), label="id"), "'id' is reserved"),
        (lambda: LabelledSpans(("A",), label="cues"), "'cues' is reserved"),
        (lambda: LabelledSpans(("A",), slots=(Slot("label", "free"),)), "label occurs twice"),
        (lambda: LabelledSpans(("A",), slots=("negated",)), "expected objects of the class Slot"),
        (lambda: LabelledSpans(("A",), scores=(FORMULA,)), r"Challenge\(measures=Measures.of"),
        (lambda: LabelledSpans(("A",), scores=(Spans("relaxed"),)), "unknown match 'relaxed'"),
        (
            lambda: LabelledSpans(("A",), scores=(Accuracy(Slot("x", "free"), "near"),)),
            "unknown match 'near'",
        ),
        (lambda: Slot("x", "closd", ("a",)), "unknown kind 'closd'"),
        (lambda: Slot("x", "closed"), "expected at least one word"),
        (lambda: Slot("x", "closed", "ab"), "values: expected a tuple of words"),
        (lambda: Slot("x", "closed", ("a", "A")), "a, A are too similar"),
        (lambda: CodeSets("reader"), "files: expected a function, got 'reader'"),
        (lambda: CodeSets(fold=None), "fold: expected a function, got None"),
        (lambda: CodeSets(scores=("micro",)), "scores: expected objects of the class Measure"),
        (lambda: Records((DRUG,), {"same": ("dose",)}), "unknown field 'dose', expected one of"),
        (lambda: Records((DRUG,), {"same": "drug"}), "match 'same': expected a tuple"),
        (lambda: Records((DRUG, DRUG), {"same": ("drug",)}), "drug occurs twice"),
        (lambda: Records((DRUG,), {}), "expected at least one kind of match"),
        (lambda: Records((DRUG,), {"same": ("drug",)}, row="dose"), "unknown field 'dose'"),
        (lambda: FittingRecords((DRUG,), by=("dose",)), "unknown field 'dose'"),
        (lambda: FittingRecords((DRUG,)), "by: expected at least one"),
        (lambda: Field("drug", "lable"), "unknown kind 'lable'"),
        (lambda: Field("drug", "closed"), "values: expected at least one"),
        (lambda: Events({}), "events: expected at least one"),
        (lambda: Events({"Start": (), "start": ()}), "Start, start are too similar"),
        (lambda: Events({"Start": ("Status",)}), "expected objects of the class Argument"),
        (lambda: Events({"Start": (STATUS, STATUS)}), "Status occurs twice"),
        (declare, "expected at least one protocol, got none"),
        (lambda: declare("strict"), "protocols: expected objects of the class Protocol or"),
        (
            lambda: declare(Configurations(LabelledSpans(("A",)), {"coded": CodeSets()})),
            "unknown configuration 'coded', expected one of default",
        ),
    ],
)  # fmt: skip
def test_a_declaration_that_cannot_be_scored_says_what_was_expected(make, problem):
    with pytest.raises(InputError, match=problem):
        make()


def test_a_subclass_may_know_other_kinds_of_match():
    class Near(LabelledSpans):
        def pair(self, block, setup, /):
            found = super().pair(block, setup)
            return {**found, "near": found["lenient"]}

    challenge = declare(Near(("A",), ("near",)))
    gold, found = ([[{"spans": [[0, end]], "label": "A"}]] for end in (4, 5))
    assert clineval.score(challenge, found, gold)["near_f1"] == 1


def test_closed_fields_are_folded_like_their_values():
    kind = Field("kind", "closed", ("Lab", "Imaging"), fold=str.lower)
    assert (kind.read("LAB"), kind.take("biopsy")) == ("lab", "(invalid)")


def test_a_configuration_has_its_own_scores_checks_and_page():
    """In one table, by configuration; the first score of each ranks systems in it."""
    steps = Configurations(LabelledSpans(("A",)), {"coded": CodeSets(label="label")})
    challenge = declare(steps, configs={"default": "spans", "coded": "codes"})
    assert challenge.measures.headline == ("strict_f1", "micro_f1")
    assert challenge.measures.rank_by("coded") == ("micro_f1",)
    assert challenge.measures.rank_by("default") == ("strict_f1",)
    assert {*challenge.faces.pages} == {"coded"}
    score = clineval.score(challenge, [["I10"]], [["I10"]], config="coded")
    assert [key for key in score if key.endswith("_f1")] == ["micro_f1"]
