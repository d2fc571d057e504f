"""n2c2 2018 Track 2: the definition, laws, and what is refused."""

from itertools import pairwise

import laws
import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from plain import n2c2_2018_track2_script as script
from thorough import fewer

import clineval
from clineval import InputWarning
from clineval.challenges.n2c2_2018_track2 import definition as plain
from clineval.challenges.n2c2_2018_track2 import official
from clineval.evaluation.analysis.agreement import agree
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.analysis.mistakes import confuse, count_mistakes, find_frequent

NAME = "n2c2_2018_track2"
CASES = DATA / "oracle" / NAME / "cases"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")

# Section 2.8 of the notes beside the oracle: tp, fp, fn by the definition.
SPEC = {
    "q01_spare_prediction": {"l": (1, 1, 0)},
    "q02_duplicate_prediction": {"s": (1, 0, 0), "l": (1, 0, 0)},
    "q03a_order": {"l": (2, 1, 0)},
    "q03b_order": {"l": (2, 1, 0)},
    "q03c_order": {"l": (2, 1, 0)},
    "q03d_order_by_file_not_id": {"l": (2, 1, 0)},
    "q04_one_prediction_two_golds": {"l": (1, 0, 1)},
    "q05_duplicate_gold_copy": {"s": (1, 0, 0), "l": (1, 0, 0)},
    "q06_overlapping_gold_copy": {"s": (2, 0, 0), "l": (2, 0, 0)},
    "q07a_discontiguous_hull_strict": {"s": (0, 1, 1), "l": (1, 0, 0)},
    "q07b_discontiguous_gap": {"l": (0, 1, 1)},
    "q07c_discontiguous_three": {"s": (0, 1, 1)},
    "q07d_fragments_unordered": {"s": (1, 1, 1), "l": (2, 0, 0)},
    "q08a_four_fragments": {"s": (1, 1, 1), "l": (2, 0, 0)},
    "q08b_four_fragments_first": {"s": (0, 1, 1), "l": (1, 0, 0)},
    "q08c_four_fragments_both": {"s": (2, 0, 0), "l": (2, 0, 0)},
    "q10b_id_blank": None,
    "q10c_negative_fn": None,
    "q14_empty_documents": {"macro": 1.0},
    "q14b_macro_relations": {"relations macro": 1.0},
    "q15_files_on_one_side": {"s": (1, 1, 2)},
    "q16_no_common_file": {"s": (0, 1, 1)},
    "q17_relation_swapped": {"rs": (0, 1, 1)},
    "q17b_relation_roles_by_position": {"rs": (1, 0, 0)},
    "q19_relation_argument_type": {"rs": (0, 1, 1)},
    "q20_relation_lenient": {"rs": (0, 1, 1), "rl": (1, 0, 0)},
    "q21a_relation_duplicate_prediction": {"rs": (1, 0, 0)},
    "q21b_relation_duplicate_gold": {"rs": (1, 0, 0)},
    "q21c_relation_unmatched_argument": {"l": (2, 1, 0), "rl": (1, 0, 0)},
    "q23a_touching": {"l": (0, 1, 1)},
    "q23b_one_character": {"l": (1, 0, 0)},
    "q25_crlf": {"s": (2, 0, 0)},
    "q26_bom": {"s": (2, 0, 0)},
    "q28_other_lines": None,
    "q31_lone_cr": {"s": (2, 0, 0)},
    **dict.fromkeys(
        (
            "q08d_one_offset", "q09a_no_text_column", "q09b_empty_text_column", "q09c_four_columns",
            "q09d_no_text_first", "q09e_any_T", "q10a_id_twice", "q11_type_outside",
            "q12_type_case", "q18a_relation_missing_argument", "q18b_relation_argument_event",
            "q18c_relation_bad_columns", "q18d_relation_blanks", "q18e_any_R",
            "q18f_relation_no_colon", "q22_relation_type_outside", "q22c_relation_argument_names",
            "q24a_zero_length_same", "q24b_zero_length_inside", "q24c_reversed",
            "q27a_two_blanks_between", "q27b_two_blanks_after_type", "q27c_integer_syntax",
        )
    ),
}  # fmt: skip
PREFIXES = {
    "s": "concepts_micro_strict",
    "l": "concepts_micro_lenient",
    "rs": "relations_micro_strict",
    "rl": "relations_micro_lenient",
}


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


@pytest.mark.parametrize("case", SPEC)
def test_the_definition_decides_the_quirks(case):
    sides = CASES / case / "system", CASES / case / "gold"
    if SPEC[case] is None:
        message = laws.refuses(lambda: score(*sides), ".ann:")
        assert "a.ann" in message
        return
    result = score(*sides)
    for name, expected in SPEC[case].items():
        if "macro" in name:
            kind = "relations" if name.startswith("relations") else "concepts"
            assert result[f"{kind}_macro_strict_f1"] == expected
        else:
            found = tuple(result[f"{PREFIXES[name]}_{v}"] for v in ("tp", "fp", "fn"))
            assert found == expected, name


def test_what_one_side_has_alone_is_warned_about():
    sides = CASES / "q15_files_on_one_side" / "system", CASES / "q15_files_on_one_side" / "gold"
    with pytest.warns(InputWarning, match="2 documents have no predictions.*b, c"):
        score(*sides)


starts = st.integers(0, 8)
span = st.builds(lambda start, size: [start, start + size], starts, st.integers(1, 4))


def disjoint(spans):
    spans = sorted(spans)
    return all(a[1] <= b[0] for a, b in pairwise(spans))


spans = st.lists(span, min_size=1, max_size=3).filter(disjoint)


@st.composite
def documents(draw, some=plain.CONCEPTS[:2], related=plain.RELATIONS[:2]):
    drawn = draw(st.lists(st.tuples(st.sampled_from(some), spans), max_size=6))
    mentions = [{"id": f"T{k}", "label": a, "spans": b} for k, (a, b) in enumerate(drawn)]
    ends = st.integers(0, max(len(mentions) - 1, 0))
    arcs = draw(st.lists(st.tuples(st.sampled_from(related), ends, ends), max_size=6))
    relations = [{"label": n, "from": f"T{a}", "to": f"T{b}"} for n, a, b in arcs if a != b]
    return {"mentions": mentions, "relations": relations if mentions else []}


corpora = st.lists(st.tuples(documents(), documents()), min_size=1, max_size=3)


@pytest.mark.parametrize("protocol", ["spec", "official"])
@given(corpora)
def test_a_plain_scorer_agrees(protocol, corpus):
    golds, systems = map(list, zip(*corpus, strict=True))
    found = score(systems, golds, protocol=protocol)
    official = {"count": script.count, "all_documents": True} if protocol == "official" else {}
    expected = {}
    for kind in plain.LABELS:
        expected |= plain.score(corpus, kind, **official)
    assert set(expected) <= set(found)
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, rel=0, abs=1e-12), key


def mixed(document, seed):
    """The same annotations in another order, with other ids."""
    order = laws.shuffled([list(range(len(document["mentions"])))], seed)[0]
    names = {document["mentions"][at]["id"]: f"X{place}" for place, at in enumerate(order)}
    mentions = [document["mentions"][at] for at in order]
    relations = laws.shuffled([document["relations"]], seed)[0]
    return {
        "mentions": [{**m, "id": names[m["id"]], "spans": m["spans"][::-1]} for m in mentions],
        "relations": [{**r, "from": names[r["from"]], "to": names[r["to"]]} for r in relations],
    }


@given(corpora, st.integers(0, 99))
def test_laws(corpus, seed):
    golds, systems = map(list, zip(*corpus, strict=True))
    again = score([mixed(d, seed) for d in systems], [mixed(d, seed + 1) for d in golds])
    assert again == score(systems, golds)
    laws.order_of_documents_does_not_matter(score, systems, golds, seed, near=1e-12)
    prefixes = [*PREFIXES.values(), "drug_lenient", "strength_drug_strict"]
    laws.swapping_sides_swaps_precision_and_recall(score, systems, golds, prefixes)
    for kind in plain.LABELS:
        names = (f"{kind}_micro_strict", f"{kind}_micro_lenient")
        laws.strict_is_at_most_relaxed(score, systems, golds, *names)
    laws.scores_are_flat_numbers(score(systems, golds))


@given(corpora)
def test_counts_add_up_and_survive(corpus):
    golds, systems = map(list, zip(*corpus, strict=True))
    count = lambda *sides: clineval.count(NAME, *sides)  # noqa: E731
    laws.counts_survive_json(count, systems, golds)
    whole = count(systems, golds)
    parts = [count([s], [g]) for s, g in zip(systems, golds, strict=True)]
    added = parts[0]
    for part in parts[1:]:
        added += part
    assert {k: pytest.approx(v) for k, v in added.totals.items()} == whole.totals


@given(documents())
def test_a_copy_is_perfect(document):
    result = score([document], [document])
    for kind, name in (("concepts", "mentions"), ("relations", "relations")):
        for mode in ("strict", "lenient"):
            wanted = 1.0 if document[name] else 0.0
            assert result[f"{kind}_micro_{mode}_f1"] == wanted
            assert result[f"{kind}_macro_{mode}_f1"] == wanted


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("config", ["default", "concepts", "relations"])
@fewer(0.3)
@given(corpora)
def test_outcomes_are_what_was_counted(protocol, config, corpus):
    golds, systems = map(list, zip(*corpus, strict=True))
    evaluation = clineval.evaluate(NAME, systems, golds, config=config, protocol=protocol)
    outcomes = evaluation.outcomes
    for match in outcomes.matches.values():
        for column in match.columns:
            assert len(match.rows(column)) == evaluation.counts.totals[column], column
    rows = outcomes.matches[outcomes.widest]
    assert sorted(rows.gold[rows.gold >= 0].tolist()) == list(range(len(outcomes.gold)))
    by = break_down(outcomes, "label").values
    for label, scores in by.items():
        kind = "relations" if "-" in label else "concepts"
        key = f"{label.lower().replace('-', '_')}_lenient_tp"
        assert scores[f"{kind}_micro_lenient_tp"] == scores[key] == evaluation.counts.totals[key]


def test_blocks_change_nothing(monkeypatch):
    case = DATA / "oracle" / NAME / "random_03_overlap"
    whole = clineval.evaluate(NAME, case / "system", case / "gold")
    blocks = type(whole.corpus).blocks
    monkeypatch.setattr(type(whole.corpus), "blocks", lambda corpus: blocks(corpus, 2))
    parts = clineval.evaluate(NAME, case / "system", case / "gold")
    assert len(parts.pairings) > 1
    assert parts.counts == whole.counts
    for name, match in whole.outcomes.matches.items():
        other = parts.outcomes.matches[name]
        rows = [set(zip(m.gold, m.prediction, strict=True)) for m in (match, other)]
        assert rows[0] == rows[1], name


GOLD = {
    "mentions": [
        {"id": "T1", "spans": [[0, 7]], "label": "Drug"},
        {"id": "T2", "spans": [[8, 14]], "label": "Strength"},
        {"id": "T3", "spans": [[20, 26]], "label": "ADE"},
    ],
    "relations": [
        {"label": "Strength-Drug", "from": "T2", "to": "T1"},
        {"label": "ADE-Drug", "from": "T3", "to": "T1"},
    ],
}
FOUND = {
    "mentions": [*GOLD["mentions"][:2], {"id": "T3", "spans": [[20, 25]], "label": "Reason"}],
    "relations": [GOLD["relations"][0], {"label": "Reason-Drug", "from": "T3", "to": "T1"}],
}


def test_errors_and_confusion_know_concepts_and_relations():
    outcomes = clineval.evaluate(NAME, [FOUND], [GOLD]).outcomes
    assert count_mistakes(outcomes) == {
        "right": 3, "boundary": 0, "label": 0, "both": 2, "spurious": 0, "missed": 0, "displaced": 0
    }  # fmt: skip
    found = {(m.kind, m.gold, m.prediction) for m in find_frequent(outcomes)}
    assert found == {("both", "ADE", "Reason"), ("both", "ADE-Drug", "Reason-Drug")}
    confusion = confuse(outcomes, "label")
    assert len(confusion.outcomes("ADE-Drug", "Reason-Drug")) == 1
    relations = clineval.evaluate(NAME, [FOUND], [GOLD], config="relations").outcomes
    assert (len(relations.gold), len(relations.prediction)) == (2, 2)
    assert relations.gold.text_of_spans(0) == "8-14,0-7"


def test_agreement_confidence_and_comparison():
    [agreement] = agree(NAME, {"a": [GOLD, GOLD], "b": [FOUND, GOLD]})
    assert agreement.slots["label"].pairs == 10
    assert agreement.slots["label"].agreement == 0.8
    result = score([FOUND, GOLD], [GOLD, GOLD], confidence=0.9, n_resamples=50)
    assert result["relations_micro_strict_f1_low"] <= result["relations_micro_strict_f1"] == 0.75
    comparison = clineval.compare(NAME, {"a": [FOUND, GOLD], "b": [GOLD, GOLD]}, [GOLD, GOLD])
    [differences] = comparison.differences.values()
    assert differences["relations_micro_strict_f1"].p == 1.0


@pytest.mark.parametrize(("kind", "what"), [("concepts", "mentions"), ("relations", "relations")])
def test_the_official_matcher_names_a_document_with_too_many_pairs(kind, what, monkeypatch):
    """Pairs count before types do, and copies count once."""
    monkeypatch.setattr(official, "MOST_PAIRS", 3)
    labels = ("Drug", "ADE")
    heads = [{"id": f"H{k}", "spans": [[0, 5 + k]], "label": labels[k]} for k in (0, 1)]
    tails = [{"id": f"T{k}", "spans": [[9 * k, 9 * k + 1]], "label": "Form"} for k in (1, 2)]
    arcs = [{"label": "Form-Drug", "from": "H0", "to": f"T{k}"} for k in (1, 2)]
    mentions = [*heads, {**heads[0], "id": "C"}] if kind == "concepts" else [heads[0], *tails]
    full = {"mentions": mentions, "relations": [] if kind == "concepts" else arcs}
    options = {"protocol": "official", "config": kind}
    message = f"document 0: gold and predicted {what} overlap in more than 4,000,000 pairs"
    laws.refuses(lambda: score([full], [full], **options), message)
    monkeypatch.setattr(official, "MOST_PAIRS", 4)
    assert score([full], [full], **options)[f"{kind}_micro_lenient_tp"] == 2


@pytest.mark.parametrize("module", [NAME, "ehealthkd20"])
def test_any_order_of_lines_has_the_same_pairs_of_any_class(module):
    """Relations of other labels, each on two words of its own, from the last to the first."""
    drug, other = ("ADE-Drug", "Reason-Drug") if module == NAME else ("causes", "entails")
    mentions = [
        {"id": f"T{k}", "spans": [[3 * k, 3 * k + 2]], "label": label}
        for k, label in enumerate(("Drug" if module == NAME else "Concept",) * 8)
    ]
    arcs = [{"from": f"T{2 * k}", "to": f"T{2 * k + 1}"} for k in range(4)]
    sides = [
        {
            "mentions": mentions,
            "relations": [{"label": label, **arc} for arc in arcs[::step]],
        }
        for label, step in ((drug, -1), (other, 1))
    ]
    outcomes = clineval.evaluate(module, sides[:1], sides[1:], protocol="official").outcomes
    kinds = count_mistakes(outcomes)
    assert (kinds["right"], kinds["label"], kinds["both"]) == (8, 4, 0)


def test_signatures_know_relations_where_they_are_scored():
    without = {**GOLD, "relations": []}
    for config, same in (("concepts", True), ("relations", False), ("default", False)):
        refs = [
            clineval.count(NAME, [GOLD], [gold], config=config).references
            for gold in (GOLD, without)
        ]
        assert (refs[0] == refs[1]) == same


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"id": "T1", "spans": [[8, 14]], "label": "drug"}, ("mention 3", "label")),
        ({"id": "T1", "spans": [[8, 14]], "label": "Drug"}, ("same 'id'",)),
        ({"id": "T9", "spans": [[8, 8]], "label": "Drug"}, ("mention 3", "end is not after")),
        ({"id": "T9", "spans": [[8, 12]]}, ("mention 3", "'label' is missing")),
    ],
)
def test_bad_mentions_are_refused(change, parts):
    bad = {**GOLD, "mentions": [*GOLD["mentions"], change]}
    laws.refuses(lambda: score([bad], [GOLD]), "predictions, document 0", *parts)
