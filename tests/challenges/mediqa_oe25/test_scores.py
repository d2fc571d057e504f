"""MEDIQA-OE 2025 against a plain scorer that tries all pairings, and the laws."""

import json
from fractions import Fraction
from functools import partial

import laws
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.challenges.mediqa_oe25 import definition as plain
from clineval.evaluation.evaluate import evaluate

NAME = "mediqa_oe25"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
WORDS = st.lists(
    st.sampled_from(["knee", "x-ray", "Knee,", "now", "12.5", "125", "(mg)", "7-day", "day"]),
    max_size=4,
).map(" ".join)
ORDERS = st.builds(
    lambda kind, first, rest, reason, turns: {
        "order_type": kind, "description": f"{first} {rest}", "reason": reason,
        "provenance": turns,
    },
    st.sampled_from(["lab", "imaging"]), st.sampled_from(["knee", "lung"]), WORDS, WORDS,
    st.lists(st.integers(1, 4), max_size=3),
)  # fmt: skip
DOCUMENTS = st.lists(ORDERS, max_size=4)
CORPORA = st.integers(1, 3).flatmap(
    lambda size: st.tuples(*[st.lists(DOCUMENTS, min_size=size, max_size=size)] * 2)
)
COUNTED = ("match", "strict", "order_type")
SHARED = ("description", "reason", "provenance")


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


def count(predictions, references):
    return clineval.count(NAME, predictions, references)


@given(DOCUMENTS, DOCUMENTS)
def test_pairs_are_the_best_of_all_pairings(golds, found):
    worth, pairs, equal, _ = plain.sums(golds, found)
    result = score([found], [golds])
    assert result["match_tp"] == pairs
    assert result["order_type_tp"] == equal
    outcomes = evaluate(NAME, [found], [golds]).outcomes
    match = outcomes.matches["match"]
    rows = list(zip(match.gold[: match.pairs], match.prediction[: match.pairs], strict=True))
    judged = [plain.judge(golds[g], found[f]) for g, f in rows]
    assert tuple(sum((each[k] for each in judged), Fraction(0)) for k in range(4)) == worth[:4]


@given(DOCUMENTS, DOCUMENTS)
def test_shares_are_those_of_the_pairs(golds, found):
    match = evaluate(NAME, [found], [golds]).outcomes.matches["match"]
    rows = list(zip(match.gold[: match.pairs], match.prediction[: match.pairs], strict=True))
    result = score([found], [golds])
    for field in SHARED:
        words = [[plain.words(order, field) for order in side] for side in (golds, found)]
        means = []
        for side in (1, 0):
            shares = [
                Fraction((words[0][g] & words[1][f]).total(), own.total())
                for g, f in rows
                for own in [words[side][(g, f)[side]]]
                if own
            ]
            filled = sum(map(bool, words[side]))
            means.append(sum(shares, Fraction(0)) / filled if filled else 0)
        assert result[f"{field}_precision"] == pytest.approx(float(means[0]))
        assert result[f"{field}_recall"] == pytest.approx(float(means[1]))
        both = sum(means)
        f1 = float(2 * means[0] * means[1] / both) if both else 0
        assert result[f"{field}_f1"] == pytest.approx(f1)
    fields = ["order_type", *(f for f in SHARED if any(plain.words(o, f) for o in golds + found))]
    average = sum(result[f"{field}_f1"] for field in fields) / len(fields) if golds + found else 0
    assert result["average_f1"] == pytest.approx(average)


@given(CORPORA, st.integers(0, 99))
def test_laws(corpus, seed):
    references, predictions = corpus
    laws.order_of_documents_does_not_matter(score, predictions, references, seed, near=1e-12)
    laws.counts_survive_json(count, predictions, references)
    mixed = score(laws.shuffled(predictions, seed), laws.shuffled(references, seed + 1))
    ordered = score(predictions, references)
    assert mixed.pop("signature") == ordered.pop("signature")
    assert mixed == pytest.approx(ordered, rel=0, abs=1e-12)
    totals = count(predictions, references).totals
    for cut in range(len(references) + 1):
        parts = (slice(cut), slice(cut, None))
        sides = [count(predictions[part], references[part]).totals for part in parts]
        added = {name: sides[0][name] + sides[1][name] for name in totals}
        assert added == pytest.approx(totals, rel=0, abs=1e-12)
    if any(references):
        perfect = score(references, references)
        for name in (*COUNTED, "description", "average"):
            assert perfect[f"{name}_f1"] == 1


@given(CORPORA)
def test_swapping_sides_swaps_precision_and_recall(corpus):
    laws.swapping_sides_swaps_precision_and_recall(score, *corpus, ["match", "order_type"])


def test_forms_of_input(tmp_path):
    order = {"order_type": "lab", "description": "lipid panel", "provenance": [1]}
    text = str(order).replace("'", '"')
    files = {
        "a.json": '{\n"a": [ORDER]}',
        "b.jsonl": '{"id": "a", "orders": [ORDER]}\n',
        "c.json": '{"train": [{"id": "a", "expected_orders": [ORDER]}], "dev": []}',
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content.replace("ORDER", text))
    forms = [tmp_path / name for name in files] + [{"a": [order]}, [{"id": "a", "orders": [order]}]]
    for form in forms:
        for other in forms:
            assert score(form, other, part="train")["average_f1"] == 1
    laws.refuses(lambda: score(forms[0], forms[2]), "train, dev. Name one with part or --part")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": [],\n"b": x}', "a.json:2: expected JSON of documents"),
        ('{"a": {}}', "a.json, document a: expected an object with 'orders'"),
        ('{"a": [{"description": "x"}]}', "document a, record 1: order_type: expected one of"),
        ('{"a": [{"order_type": "lab", "description": "?!"}]}', "record 1: description: expected"),
        ('{"a": [{"order_type": "lab", "description": "x", "provenance": ["turn 1"]}]}',
         "record 1: provenance: expected a list of turns"),
        ('{"a": [{"order_type": "lab", "description": "x", "reason": []}]}',
         "record 1: reason: expected a text"),
        ("[1]", "a.json, document 1: expected an object with 'orders'"),
    ],
)  # fmt: skip
def test_a_bad_gold_standard_is_refused_with_its_place(tmp_path, text, said):
    path = tmp_path / "a.json"
    path.write_text(text)
    laws.refuses(lambda: clineval.score(NAME, {"a": []}, path), said)


def test_very_many_rivals_are_refused():
    orders = [{"order_type": "lab", "description": f"panel {at}"} for at in range(501)]
    reworded = [{"order_type": "lab", "description": f"panel no {at}"} for at in range(501)]
    call = partial(score, [reworded], [orders])
    laws.refuses(call, "document 0: more than 250,000 pairs", "Remove records that are repeated")


def test_a_turn_may_have_any_number_of_digits():
    order = {
        "order_type": "lab",
        "description": "x",
        "reason": "y",
        "provenance": ["0" + "9" * 5000],
    }
    same = {**order, "provenance": [" " + "9" * 5000]}
    assert clineval.score("mediqa_oe25", [[order]], [[same]])["provenance_f1"] == 1.0


def test_files_are_validated_part_by_part(tmp_path, run):
    def encounter(name, type_="lab"):
        orders = [{"order_type": type_, "description": "hemoglobin", "provenance": [1]}]
        return {"id": name, "expected_orders": orders}

    both, one = tmp_path / "both.json", tmp_path / "one.json"
    both.write_text(json.dumps({"train": [encounter("a")], "dev": [encounter("b", "none")]}))
    one.write_text(json.dumps({"test": [encounter("c")]}))
    assert "no problems" in run("validate", NAME, both, "--part", "train").stderr
    assert "order_type" in run("validate", NAME, both, "--part", "dev", status=2).stdout
    assert "Name one with part or --part" in run("validate", NAME, both, status=2).stdout + ""
    assert "no problems" in run("validate", NAME, one).stderr
    assert score(one, one)["average_f1"] == 1
