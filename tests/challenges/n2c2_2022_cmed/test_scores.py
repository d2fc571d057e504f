"""n2c2 2022 Track 1: the definition, laws, and what is refused."""

from itertools import pairwise

import laws
import pytest
from commands import invoke
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from plain import n2c2_2022_cmed_script as script
from thorough import fewer

import clineval
from clineval import InputWarning
from clineval.challenges.n2c2_2022_cmed import definition as plain
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.convert import read, write
from clineval.results.registry import find_challenge

NAME = "n2c2_2022_cmed"
CASES = DATA / "oracle" / NAME / "cases"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")

# Section 3 of the notes beside the oracle: tp, fp, fn by the definition; None where it is refused.
SPEC = {
    "m04_t_type_ignored": {"drug_strict": (1, 0, 0)},
    "m05_overlap": {"events_lenient": (1, 0, 0)},
    "m06_touch": {"events_lenient": (0, 1, 1)},
    "m07_lenient_second_prediction_is_fp": {"events_lenient": (1, 1, 0)},
    "m09a_greedy_loses": {"events_lenient": (2, 0, 0)},
    "m09b_greedy_other_order": {"events_lenient": (2, 0, 0)},
    "m09c_greedy_gold_order": {"events_lenient": (2, 0, 0)},
    "m10_repeat_predicted": {"drug_strict": (1, 0, 0), "disposition_strict": (1, 0, 0)},
    "m12_two_events_one_span": {"drug_strict": (1, 0, 0), "events_strict": (2, 0, 0)},
    "m13_attributes_of_repeats": {"disposition_strict": (1, 0, 0), "action_strict": (1, 0, 0)},
    "m15_attribute_needs_event_type": {"action_lenient": (0, 1, 1)},
    "m17_combined_missing": {"combined_strict": (0, 1, 1), "action_strict": (1, 0, 0)},
    "m18b_combined_join_equal": {"combined_strict": (0, 1, 1)},
    "m19_no_attributes_no_combined": {"combined_strict": (0, 1, 0)},
    "m21_attribute_twice_equal": {"action_strict": (1, 0, 0)},
    "m33_discontiguous_hull": {"drug_strict": (0, 1, 1), "drug_lenient": (1, 0, 0)},
    "m34_four_fragments": {"drug_strict": (1, 1, 1), "drug_lenient": (2, 0, 0)},
    "m40_documents_on_one_side": {"drug_strict": (1, 1, 1)},
    "m46_case": {"action_strict": (0, 1, 1)},
    "m47_attribute_lenient_other_event": {"action_lenient": (0, 2, 2)},
    "m48_shared_span_attributes": {"actor_strict": (0, 2, 2), "combined_strict": (0, 2, 2)},
    "m49_A_before_E": {"action_strict": (1, 0, 0)},
    **dict.fromkeys(
        (
            "m20_attribute_twice", "m22_unknown_attribute_crash", "m23_attribute_on_T_crash",
            "m24_attribute_without_event_crash", "m25_attribute_no_value_crash",
            "m26_value_with_blank_crash", "m27_two_events_on_one_T_crash",
            "m28_event_id_twice_crash", "m29_event_with_argument_crash",
            "m30_event_without_T", "m31_event_type_outside", "m32_event_type_Drug",
            "m36_no_text_column", "m37_T_id_twice", "m38_lines_by_first_letter",
            "m39_line_with_E_crash", "m44_zero_length", "m45_zero_inside",
        )
    ),
}  # fmt: skip


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


@pytest.mark.parametrize("case", SPEC)
def test_the_definition_decides_the_quirks(case):
    sides = CASES / case / "system", CASES / case / "gold"
    if SPEC[case] is None:
        laws.refuses(lambda: score(*sides), ".ann:")
        run = invoke(["validate", NAME, *map(str, sides)])
        assert run.exit_code == 2
        assert "a.ann:" in run.stdout
        return
    result = score(*sides)
    for row, expected in SPEC[case].items():
        assert tuple(result[f"{row}_{v}"] for v in ("tp", "fp", "fn")) == expected, row


def test_means_leave_out_what_neither_side_has():
    sides = CASES / "m43_macro" / "system", CASES / "m43_macro" / "gold"
    found = score(*sides)
    rows = [found[f"{row.lower()}_strict_f1"] for row in plain.EVENTS
            if any(found[f"{row.lower()}_strict_{v}"] for v in ("tp", "fp", "fn"))]  # fmt: skip
    assert 0 < len(rows) < 3
    assert found["macro_events_strict_f1"] == pytest.approx(sum(rows) / len(rows))
    official = score(*sides, protocol="official")
    assert official["macro_events_strict_f1"] == pytest.approx(sum(rows) / 3)


def test_a_value_that_is_no_is_a_value_in_the_script():
    lines = ["T1\tDisposition 0 7\taspirin\nE1\tDisposition:T1\nA1\tNegation E1 no\n"]
    assert score(lines, lines, protocol="official")["combined_strict_f1"] == 1


def test_other_types_of_mentions_are_warned_about():
    sides = CASES / "m04_t_type_ignored" / "system", CASES / "m04_t_type_ignored" / "gold"
    with pytest.warns(InputWarning, match="1 mention has a type other than medication"):
        score(*sides)


span = st.builds(lambda at, size: [at, at + size], st.integers(0, 8), st.integers(1, 5))


def disjoint(spans):
    return all(a[1] <= b[0] for a, b in pairwise(sorted(spans)))


spans = st.lists(span, min_size=1, max_size=2).filter(disjoint)
events = st.fixed_dictionaries(
    {"spans": spans, "label": st.sampled_from((*plain.EVENTS[:2], "Drug"))},
    optional={"action": st.sampled_from(["Start", "Stop"]), "actor": st.sampled_from("ab")},
)
documents = st.lists(
    events.map(
        lambda m: m if m["label"] == "Disposition" else {k: m[k] for k in ("spans", "label")}
    ),
    max_size=4,
)
corpora = st.lists(st.tuples(documents, documents), min_size=1, max_size=3)


@fewer(0.5)
@pytest.mark.parametrize("protocol", ["spec", "official"])
@given(corpora)
def test_a_plain_scorer_agrees(protocol, corpus):
    golds, systems = map(list, zip(*corpus, strict=True))
    found = score(systems, golds, protocol=protocol)
    official = {"count": script.count, "every_row": True} if protocol == "official" else {}
    for key, value in plain.score(corpus, **official).items():
        assert found[key] == pytest.approx(value, rel=0, abs=1e-12), key


@given(corpora, st.integers(0, 99))
def test_laws(corpus, seed):
    golds, systems = map(list, zip(*corpus, strict=True))
    laws.order_of_units_does_not_matter(score, systems, golds, seed)
    laws.hold_for_the_engine(score, lambda *s: clineval.count(NAME, *s), (golds, systems), seed)
    prefixes = [f"{row}_{mode}" for row in plain.ROWS for mode in ("strict", "lenient")]
    laws.swapping_sides_swaps_precision_and_recall(score, systems, golds, prefixes)
    for row in ("drug", "events", "disposition"):
        laws.strict_is_at_most_relaxed(score, systems, golds, f"{row}_strict", f"{row}_lenient")
    laws.scores_are_flat_numbers(score(systems, golds))


@given(documents.filter(lambda document: any("action" in m for m in document)))
def test_a_copy_is_perfect(document):
    keys = ["drug_strict_f1", "events_lenient_f1", "combined_strict_f1", "macro_context_strict_f1"]
    laws.perfect_predictions_score_one(score, [document], keys)


@pytest.mark.parametrize("protocol", ["spec", "official"])
@given(corpora)
def test_outcomes_are_what_was_counted(protocol, corpus):
    golds, systems = map(list, zip(*corpus, strict=True))
    evaluation = clineval.evaluate(NAME, systems, golds, protocol=protocol)
    outcomes, totals = evaluation.outcomes, evaluation.counts.totals
    columns = {c: len(m.rows(c)) for m in outcomes.matches.values() for c in m.columns}
    assert columns == {key: totals[key] for key in columns}
    assert columns.keys() >= {f"{row}_lenient_tp" for row in plain.ROWS}
    by = break_down(outcomes, "label").values
    for label, scores in by.items():
        if label != "Drug":
            assert scores["events_lenient_tp"] == totals[f"{label.lower()}_lenient_tp"]


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


def test_what_is_written_to_brat_is_what_is_scored(tmp_path):
    """With a line for each event and the attributes of events, which the released script reads."""
    demo = find_challenge(NAME).task.corpora
    sides = []
    for side in ("tagger", "gold"):
        documents = read(demo / side, NAME, texts=demo / "text")
        write(documents, tmp_path / side, "brat", NAME)
        sides.append(tmp_path / side)
    for protocol in ("spec", "official"):
        expected = score(demo / "tagger", demo / "gold", protocol=protocol)
        assert score(*sides, protocol=protocol) == expected
    assert "E1\tDisposition:T1\n" in (tmp_path / "gold" / "demo-001.ann").read_text()
