"""Averages over labels and documents, of any measure of any protocol."""

import random

import pytest

import clineval
from clineval import (
    Averages,
    Challenge,
    Classes,
    CodeSets,
    Configurations,
    Counts,
    Events,
    Formula,
    InputError,
    LabelledSpans,
    Measures,
    Prf,
    Relations,
    Rule,
    Task,
    ratio,
)
from clineval.evaluation.analysis.breakdown import break_down

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
LABELS = ("WOUND", "DRESSING", "ROOM")
ALL = ("macro", "weighted", "document")
SPANS = LabelledSpans(LABELS)
TASK = Task("averaged", "Averaged", "https://x.org/", definition="d", file=__file__)


def add(protocol, *averages):
    """A challenge of a protocol with averages beside its own scores."""
    return Challenge(TASK, {"spec": protocol}, Measures.of(*protocol.measures.each, *averages))


def as_mentions(spans):
    return [{"spans": [[start, start + 2]], "label": label} for start, label in spans]


GOLD = [
    as_mentions([(0, "WOUND"), (3, "WOUND"), (6, "DRESSING")]),
    as_mentions([(0, "WOUND")]),
    [],
    [],
]
FOUND = [
    as_mentions([(0, "WOUND"), (6, "DRESSING"), (9, "DRESSING")]),
    [],
    as_mentions([(0, "WOUND")]),
    [],
]
# WOUND: tp 1, fp 1, fn 2; DRESSING: tp 1, fp 1, fn 0; nobody has a ROOM, or anything in the last
# document. The others: tp 2, fp 1, fn 1; fn 1; fp 1
BY_HAND = {
    "macro_strict_precision": (1 / 2 + 1 / 2) / 2,
    "macro_strict_recall": (1 / 3 + 1) / 2,
    "macro_strict_f1": (2 / 5 + 2 / 3) / 2,
    "weighted_strict_precision": (3 / 2 + 1 / 2) / 4,
    "weighted_strict_recall": (3 / 3 + 1) / 4,
    "weighted_strict_f1": (3 * 2 / 5 + 2 / 3) / 4,
    "document_strict_precision": (2 / 3 + 0 + 0) / 3,
    "document_strict_recall": (2 / 3 + 0 + 0) / 3,
    "document_strict_f1": (4 / 6 + 0 + 0) / 3,
}


def same(gold, predicted):
    pairs = [
        (g, p, "tp")
        for g, one in enumerate(gold)
        for p, other in enumerate(predicted)
        if one == other
    ]
    lost = {*range(len(gold))} - {g for g, *_ in pairs}
    spurious = {*range(len(predicted))} - {p for _, p, _ in pairs}
    return {
        "strict": [*pairs, *((g, None, "fn") for g in lost), *((None, p, "fp") for p in spurious)]
    }


@pytest.mark.parametrize("protocol", [SPANS, Rule(same, SPANS, labels=LABELS)])
def test_averages_are_those_worked_out_by_hand(protocol):
    challenge = add(protocol, Averages(Prf("strict"), ALL, labels=LABELS))
    score = clineval.score(challenge, FOUND, GOLD)
    for key, wanted in BY_HAND.items():
        assert score[key] == pytest.approx(wanted, abs=1e-12), key


def test_they_are_shown_in_a_table_and_have_intervals():
    challenge = add(SPANS, Averages(Prf("strict"), ALL, labels=LABELS, main=True))
    assert challenge.measures.headline[1:] == tuple(f"{of}_strict_f1" for of in ALL)
    score = clineval.score(challenge, FOUND * 8, GOLD * 8, confidence=0.9, n_resamples=50)
    low, high = score.intervals["document_strict_f1"]
    assert low < score["document_strict_f1"] < high
    [table] = [of for of in score.tables if of.title == "Spans, averages"]
    assert [row[0] for row in table.rows][::2] == [f"strict, {of}" for of in ALL]
    assert table.columns == ("P", "R", "F1")


def test_counts_are_stored_added_and_counted_in_parts():
    challenge = add(SPANS, Averages(Prf("strict"), ALL, labels=LABELS))
    whole = clineval.count(challenge, FOUND, GOLD)
    parts = clineval.count(challenge, FOUND, GOLD, batch_size=1, jobs=1)
    assert parts.totals == whole.totals
    assert whole.totals["document_strict_documents"] == 3
    assert whole.score()["document_strict_f1"] == pytest.approx(4 / 6 / 3)
    assert (whole + parts).score()["document_strict_f1"] == pytest.approx(4 / 6 / 3)
    assert isinstance(whole, Counts)


def test_groups_of_labels_have_no_averages_over_documents():
    challenge = add(SPANS, Averages(Prf("strict"), ALL, labels=LABELS))
    outcomes = clineval.evaluate(challenge, FOUND, GOLD).outcomes
    values = break_down(outcomes, "label").values
    assert "document_strict_f1" not in values["WOUND"]
    assert values["WOUND"]["macro_strict_f1"] == values["WOUND"]["strict_f1"]


def draw(seed):
    drawn = random.Random(seed)
    sides = []
    for _ in range(2):
        documents = []
        for _ in range(12):
            chosen = drawn.sample(range(0, 12, 3), drawn.randint(0, 4))
            documents.append(as_mentions([(at, drawn.choice(LABELS)) for at in chosen]))
        sides.append(documents)
    return sides


def compute(tp, fp, fn):
    precision, recall = (tp / of if of else 0.0 for of in (tp + fp, tp + fn))
    return precision, recall, 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 0.0


def compare(gold, found):
    golds, predictions = ({(*m["spans"][0], m["label"]) for m in side} for side in (gold, found))
    return len(golds & predictions), len(predictions - golds), len(golds - predictions)


@pytest.mark.parametrize("seed", range(20))
def test_random_corpora_have_the_averages_of_plain_code(seed):
    gold, found = draw(seed)
    documents = [compare(*both) for both in zip(gold, found, strict=True)]
    labels = []
    for label in LABELS:
        some = [[[m for m in d if m["label"] == label] for d in side] for side in (gold, found)]
        each = [compare(*both) for both in zip(*some, strict=True)]
        labels.append(tuple(map(sum, zip(*each, strict=True))))
    groups = {
        "macro": [(compute(*of), 1) for of in labels if sum(of)],
        "weighted": [(compute(*of), of[0] + of[2]) for of in labels],
        "document": [(compute(*of), 1) for of in documents if sum(of)],
    }
    score = clineval.score(add(SPANS, Averages(Prf("strict"), ALL, labels=LABELS)), found, gold)
    for name, rows in groups.items():
        whole = sum(weight for _, weight in rows)
        for at, key in enumerate(("precision", "recall", "f1")):
            wanted = sum(scores[at] * weight for scores, weight in rows) / whole
            assert score[f"{name}_strict_{key}"] == pytest.approx(wanted, abs=1e-12)


def test_classes_have_the_same_averages_as_labels():
    """The mean over classes, and over documents, of which each has one question."""
    classes = Classes(("PAST", "NON"))
    score = clineval.score(
        add(classes, Averages(Prf("micro"), ("document",))),
        ["PAST", "NON", "PAST"],
        ["PAST", "PAST", "NON"],
    )
    assert score["document_micro_f1"] == pytest.approx(1 / 3)
    assert score["macro_f1"] == pytest.approx((1 / 2 + 0) / 2)
    assert score["weighted_f1"] == pytest.approx((2 * 1 / 2 + 0) / 3)


def test_sets_of_codes_have_averages_over_documents():
    score = clineval.score(
        add(CodeSets(), Averages(Prf("micro"), ("document",))), [["A", "B"], ["C"]], [["A"], ["D"]]
    )
    assert score["document_micro_precision"] == pytest.approx((1 / 2 + 0) / 2)
    assert score["document_micro_recall"] == pytest.approx((1 + 0) / 2)


def test_events_have_averages_over_their_types():
    events = Events({"Alcohol": (), "Drug": ()})
    challenge = add(events, Averages(Prf("trigger"), ALL, labels=("Alcohol", "Drug")))

    def document(*labels):
        spans = (([[3 * at, 3 * at + 2]], label) for at, label in enumerate(labels))
        return {"events": [{"spans": of, "label": label} for of, label in spans]}

    gold = [document("Alcohol", "Alcohol", "Drug"), document("Drug")]
    found = [document("Alcohol"), document("Drug")]
    score = clineval.score(challenge, found, gold)
    assert score["macro_trigger_recall"] == pytest.approx((1 / 2 + 1 / 2) / 2)
    assert score["document_trigger_recall"] == pytest.approx((1 / 3 + 1) / 2)


def test_relations_and_configurations_have_averages():
    links = Relations(("CAUSES", "TREATS"), ends="ids")
    own = Averages(Prf("relations"), ("macro", "document"), labels=links.labels)
    codes = Averages(Prf("micro"), ("document",))
    both = Configurations(links, {"codes": CodeSets()})
    task = Task(
        "two",
        "Two",
        "https://x.org/",
        definition="d",
        file=__file__,
        configs={"default": "a", "codes": "b"},
    )
    measures = Measures.of(*links.measures.each, own).with_configurations(
        {"codes": Measures.of(*CodeSets().measures.each, codes)}
    )
    challenge = Challenge(task, {"spec": both}, measures)
    mentions = [{"id": key, "label": "x", "spans": [[0, 1]]} for key in "ab"]
    link = {"label": "CAUSES", "from": "a", "to": "b"}
    document = {"mentions": mentions, "relations": [link]}
    score = clineval.score(challenge, [document, {"mentions": mentions}], [document, document])
    assert score["document_relations_recall"] == 0.5
    assert score["macro_relations_recall"] == 0.5
    score = clineval.score(challenge, [["A"]], [["A"]], config="codes")
    assert score["document_micro_f1"] == 1
    assert "document_relations_f1" not in score


def credit(gold, predicted):
    """Each gold item with the prediction at its place; the credit is what they share."""
    rows = [(at, at, "tp", {"credit": 0.5}) for at in range(min(len(gold), len(predicted)))]
    rows += [(at, None, "fn") for at in range(len(predicted), len(gold))]
    return {"partial": rows, "other": []}


def test_formulas_of_sums_have_averages_too():
    share = Formula(
        "credit_recall",
        lambda of: ratio(of["credit"], of["partial_tp"] + of["partial_fn"]),
        ("Credit", "all", "R"),
        main=True,
    )
    averages = Averages(share, ALL, labels=LABELS[:2], match="partial", main=True)
    rule = Rule(
        credit,
        SPANS,
        ("partial", "other"),
        labels=LABELS[:2],
        sums=("credit",),
        scores=(share, averages),
    )
    gold = [as_mentions([(0, "WOUND"), (3, "DRESSING")]), as_mentions([(0, "WOUND")])]
    found = [as_mentions([(0, "WOUND")]), as_mentions([(0, "WOUND")])]
    challenge = Challenge(TASK, {"spec": rule})
    score = clineval.score(challenge, found, gold)
    assert score["credit_recall"] == pytest.approx(1 / 3)
    assert score["macro_credit_recall"] == pytest.approx((1 / 2 + 0) / 2)
    assert score["weighted_credit_recall"] == pytest.approx((2 * 1 / 2 + 0) / 3)
    assert score["document_credit_recall"] == pytest.approx((0.5 / 2 + 0.5) / 2)
    assert challenge.measures.headline[1] == "macro_credit_recall"


def test_only_the_first_match_adds_to_sums():
    rule = Rule(
        lambda *_: {"lenient": [(0, 0, "tp", {"credit": 1})]},
        SPANS,
        ("strict", "lenient"),
        sums=("credit",),
    )
    with pytest.raises(InputError, match="first kind of match, 'strict', add to sums"):
        clineval.score(Challenge(TASK, {"spec": rule}), GOLD, GOLD)


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"measure": "strict"}, "measure"),
        ({"averages": ()}, "averages"),
        ({"averages": ("micro",)}, "average"),
        ({"labels": ()}, "labels"),
        ({"labels": ("A", "a")}, "labels"),
        ({"measure": Formula("x", lambda _: 0.0, ("a", "b", "c"))}, "match"),
    ],
)
def test_declarations_are_checked(given, where):
    with pytest.raises(InputError, match=where):
        Averages(**{"measure": Prf("strict"), "labels": LABELS, **given})


def test_labels_that_the_protocol_does_not_count_are_named():
    challenge = add(SPANS, Averages(Prf("strict"), labels=("GAUZE",)))
    with pytest.raises(InputError, match="does not count 'GAUZE' separately"):
        clineval.score(challenge, FOUND, GOLD).as_dict()
