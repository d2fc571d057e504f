"""A rule for two documents: any rows, counted, summed up and listed; wrong rows are named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import (
    Challenge,
    Classes,
    CodeSets,
    Formula,
    InputError,
    Item,
    LabelledSpans,
    Prf,
    RankedCodes,
    Relations,
    Rule,
    Task,
)

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
LABELS = ("WOUND", "DRESSING")
SPANS = LabelledSpans(LABELS)


def declare(match, of=SPANS, matches=("strict",), **options):
    task = Task("own_rule", "Own rule", "https://x.org/", definition="d", file=__file__)
    return Challenge(task, {"spec": Rule(match, of, matches, **options)})


def same(gold, predicted):
    """Equal items, once each: what LabelledSpans calls strict."""
    places = {item: at for at, item in enumerate(predicted)}
    pairs = {at: places[item] for at, item in enumerate(gold) if item in places}
    found = {*pairs.values()}
    return {
        "strict": [
            *((g, None, "fn") for g in range(len(gold)) if g not in pairs),
            *((None, p, "fp") for p in range(len(predicted)) if p not in found),
            *((g, p, "tp") for g, p in pairs.items()),
        ]
    }


spans = st.tuples(st.integers(0, 3), st.integers(1, 2), st.sampled_from(LABELS))
sides = st.lists(st.lists(spans, max_size=3), min_size=2, max_size=2)


def as_mentions(spans):
    return [{"spans": [[start, start + size]], "label": label} for start, size, label in spans]


@given(st.lists(sides, min_size=1, max_size=4))
def test_a_rule_of_equal_items_counts_what_labelled_spans_count(documents):
    golds, founds = ([as_mentions(side[at]) for side in documents] for at in (0, 1))
    ready = Challenge(
        Task("ready", "Ready", "https://x.org/", definition="d", file=__file__), {"spec": SPANS}
    )
    wanted = clineval.score(ready, founds, golds)
    score = clineval.score(declare(same, labels=LABELS), founds, golds)
    assert {key: wanted[key] for key in score} == dict(score)
    assert "dressing_strict_f1" in {key.lower() for key in score}


def test_rows_are_listed_and_grouped():
    gold = [as_mentions([(0, 2, "WOUND"), (4, 1, "DRESSING")]), as_mentions([(0, 1, "WOUND")])]
    found = [as_mentions([(0, 2, "WOUND"), (4, 1, "WOUND")]), []]
    outcomes = clineval.evaluate(declare(same), found, gold).outcomes
    match = outcomes.matches["strict"]
    assert [*zip(match.gold, match.prediction, strict=True)] == [(0, 0), (1, -1), (-1, 1), (2, -1)]
    assert [match.verdicts[at] for at in match.verdict] == ["tp", "fn", "fp", "fn"]
    assert outcomes.matches["any_class"].pairs == 2


def test_pairs_add_to_sums():
    def match(gold, predicted):
        credit = gold[0].share(predicted[0]) / gold[0].length
        return {"strict": [(0, 0, "tp", {"credit": credit})]}

    scores = (
        Prf("strict"),
        Formula("credit", lambda of: of["credit"], ("Credit", "all", "credit")),
    )
    challenge = declare(match, sums=("credit",), scores=scores)
    gold = [as_mentions([(0, 4, "WOUND")]), as_mentions([(2, 2, "WOUND")])]
    found = [as_mentions([(1, 9, "WOUND")]), as_mentions([(3, 5, "WOUND")])]
    score = clineval.score(challenge, found, gold)
    assert (score["credit"], score["strict_tp"]) == (0.75 + 0.5, 2)


def take_items(of, gold, found):
    """The items that a rule sees of one document."""
    seen = []

    def match(golds, founds):
        seen.extend([[*golds], [*founds]])
        return {}

    clineval.score(declare(match, of), [found], [gold])
    return seen


def test_items_are_codes_classes_mentions_and_relations_with_their_ends():
    assert take_items(CodeSets(), ["I10"], [])[0][0].label == "i10"
    [gold, _] = take_items(Classes(("NO", "YES"), ("pain", "itch")), {"pain": "YES"}, {})
    assert gold == [Item("YES", values={"question": "pain"})]
    mentions = [
        {"id": "a", "spans": [[0, 2], [5, 6]], "label": "Drug"},
        {"id": "b", "spans": [[8, 9]], "label": "Sign"},
    ]
    links = [{"label": "CAUSES", "from": "b", "to": "a"}]
    document = {"mentions": mentions, "relations": links}
    [relation], _ = take_items(Relations(("CAUSES",), ends="ids"), document, document)
    source, target = relation.ends
    assert (relation.label, source.id, target.id) == ("CAUSES", "b", "a")
    assert (source, target.spans) == (Item("Sign", ((8, 9),)), ((0, 2), (5, 6)))


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([(0, 5, "tp")], "there is no predicted item 5 among 1"),
        ([(-1, 0, "tp")], "there is no gold item -1 among 1"),
        ([(0, 0.0, "tp")], "expected the index of a predicted item or None, got 0.0"),
        ([("a", None, "fn")], "expected the index of a gold item or None, got 'a'"),
        ([(0, None, "tp")], "expected a pair"),
        ([(0, 0, ["tp"])], "one of tp, fp, fn, displaced"),
        ([(0, 0, "right")], "one of tp, fp, fn, displaced"),
        ([(None, None, "fn")], "an item on at least one side"),
        ([(0, 0)], "expected a gold index"),
        ([(0, None, "fn", {"credit": 1})], "only pairs add to sums"),
        ([(0, 0, "tp", {"other": 1})], "declared sums: credit"),
    ],
)
def test_wrong_rows_are_named(rows, problem):
    challenge = declare(lambda *_: {"strict": rows}, sums=("credit",))
    side = [as_mentions([(0, 2, "WOUND")])]
    with pytest.raises(InputError, match=problem) as caught:
        clineval.score(challenge, side, side)
    assert "match 'strict', row 1 of the rule" in str(caught.value)


def test_a_wrong_row_is_named_by_its_document_and_number():
    sides = [[], as_mentions([(0, 2, "WOUND")]), as_mentions([(0, 2, "WOUND"), (7, 2, "WOUND")])]
    gold = [{"id": name, "mentions": of} for name, of in zip("abc", sides, strict=True)]

    def match(golds, _):
        return {"strict": [(at, None, "fn") for at in (0, len(golds) - 1, 1)]}

    with pytest.raises(InputError) as caught:
        clineval.score(declare(match), [{**each, "mentions": []} for each in gold], gold)
    where = "document b, match 'strict', row 3 of the rule"
    assert str(caught.value).startswith(f"{where}: there is no gold item 1 among 1")


def test_other_kinds_of_match_are_refused():
    side = [as_mentions([(0, 2, "WOUND")])]
    with pytest.raises(InputError, match="a kind of match other than strict"):
        clineval.score(declare(lambda *_: {"lenient": []}), side, side)


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"match": "same"}, "match"),
        ({"of": "spans"}, "of"),
        ({"matches": ()}, "matches"),
        ({"scores": ("f1",)}, "scores"),
    ],
)
def test_declarations_are_checked(given, where):
    with pytest.raises(InputError, match=f"^{where}: "):
        Rule(**{"match": same, "of": SPANS, **given})


def test_everything_that_an_outside_file_needs_is_exported():
    wanted = (
        "Argument Averages Challenge Classes CodeSets Configurations Events Evidence "
        "EvidenceEntries EvidenceFiles Field FittingRecords Formula FoundClasses FoundEvents "
        "Item LabelledSpans Measures Option Prf RankedCodes Records RelatedSets Relations Rule "
        "ShapedRecords Slot Task TupleSets ratio"
    )
    assert {*wanted.split()} <= {*clineval.__all__}
    assert all(hasattr(clineval, name) for name in clineval.__all__)


def test_ranked_codes_are_ready_too():
    task = Task("ranks", "Ranks", "https://x.org/", definition="d", file=__file__)
    ranks = Challenge(task, {"spec": RankedCodes()})
    gold, found = [["A", "B"], ["C"]], [["x", "a", "b"], ["c", "y"]]
    score = clineval.score(ranks, found, gold, cutoffs="1,2")
    assert score["map"] == pytest.approx(((1 / 2 + 2 / 3) / 2 + 1) / 2)
    assert score["map_at_1"] == pytest.approx((0 + 1) / 2)
    first = Challenge(task, {"spec": RankedCodes(depth=2)})
    assert clineval.score(first, found, gold)["map"] == pytest.approx((1 / 2 / 2 + 1) / 2)
