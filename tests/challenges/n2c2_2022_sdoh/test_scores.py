"""n2c2 2022 Track 2: the definition, laws, and what is refused."""

import json
from functools import partial
from itertools import pairwise

import laws
import numpy as np
import pytest
from commands import invoke
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from plain import n2c2_2022_sdoh_script as script
from thorough import fewer

import clineval
from clineval import InputWarning
from clineval.challenges.n2c2_2022_sdoh import definition as plain
from clineval.definitions.events import count_events, pair_events
from clineval.definitions.rates import divide
from clineval.evaluation.convert import read, write
from clineval.results.registry import find_challenge

NAME = "n2c2_2022_sdoh"
CASES = DATA / "oracle" / NAME / "cases"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
USUAL = {"trigger": "overlap", "span": "exact", "labeled": "label"}
OTHER = [
    {"trigger": "exact", "span": "overlap", "labeled": "exact"},
    {"trigger": "min_dist", "span": "exact", "labeled": "overlap"},
]

# Section 3 of the notes beside the oracle: tp, fp, fn by the definition; None where it is refused.
SPEC = {
    "e01_identical": {"overall": (3, 0, 0)},
    "e03_trigger_touch": {"trigger": (0, 1, 1)},
    "e11a_greedy_order": {"trigger": (2, 0, 0)},
    "e11b_greedy_other_order": {"trigger": (2, 0, 0)},
    "e11c_order_of_E_not_T": {"trigger": (2, 0, 0)},
    "e13_repeat_predicted": {"trigger": (1, 1, 0)},
    "e14_repeat_gold": {"trigger": (1, 0, 1)},
    "e15_shared_argument": {"overall": (4, 0, 0), "labelled": (2, 0, 0)},
    "e20_attribute_name_ignored": {"labelled": (1, 0, 0)},
    "e22_value_on_trigger": {"overall": (1, 0, 0)},
    "e28_discontiguous_hull": {"span": (0, 1, 1)},
    "e29_three_fragments_line_breaks": {"trigger": (1, 0, 0)},
    "e33_T_without_event": {"overall": (3, 0, 0)},
    "e35_hash_and_R": {"overall": (3, 0, 0)},
    "e50_label_twice": {"labelled": (1, 0, 1)},
    **dict.fromkeys(
        (
            "e21_value_on_span_argument", "e23_value_on_event",
            "e25_two_values_crash", "e27_attribute_without_value_crash",
            "e31_event_without_trigger_T_crash", "e32_event_argument_is_event_crash",
            "e36_T_id_twice_crash", "e37_E_id_twice", "e39_unknown_types",
            "e44_zero_length_trigger", "e45_first_is_trigger",
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
        assert (run.exit_code, "a.ann:" in run.stdout) == (2, True)
        return
    result = score(*sides)
    for row, expected in SPEC[case].items():
        assert tuple(result[f"{row}_{v}"] for v in ("tp", "fp", "fn")) == expected, row


def test_among_the_largest_pairings_the_one_with_most_right_arguments_counts():
    case = CASES / "e12_same_trigger_two_events"
    assert score(case / "system", case / "gold")["overall_fn"] == 0
    assert score(case / "system", case / "gold", protocol="official")["overall_fn"] > 0


def test_documents_on_one_side_are_warned_about():
    case = CASES / "e38_document_missing_crash"
    with pytest.warns(InputWarning, match="no predictions"):
        found = score(case / "system", case / "gold")
    assert found["overall_fn"] == 3


def disjoint(spans):
    return all(a[1] <= b[0] for a, b in pairwise(sorted(spans)))


VALUES = ["none", "past"]
span = st.builds(lambda at, size: [at, at + size], st.integers(0, 8), st.integers(1, 5))
spans = st.lists(span, min_size=1, max_size=2).filter(disjoint).map(sorted)
valued = st.fixed_dictionaries(
    {"label": st.just("StatusTime"), "spans": spans},
    optional={"value": st.sampled_from(VALUES)},
)
placed = st.fixed_dictionaries({"label": st.sampled_from(plain.SPANS[:2]), "spans": spans})
events = st.fixed_dictionaries(
    {
        "label": st.sampled_from(["Alcohol", "Drug"]),
        "spans": spans,
        "arguments": st.lists(valued | placed, max_size=3),
    }
)
documents = st.lists(events, max_size=3)
corpora = st.lists(st.tuples(documents, documents), min_size=1, max_size=2)


def sides_of(corpus):
    return [[{"events": document} for document in side] for side in zip(*corpus, strict=True)]


@fewer(0.5)
@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("criteria", [USUAL, *OTHER])
@given(corpora)
def test_a_plain_scorer_agrees(protocol, criteria, corpus):
    golds, systems = sides_of(corpus)
    found = score(systems, golds, protocol=protocol, **criteria)
    pair = script.pair_events if protocol == "official" else pair_events
    expected = count_events(corpus, plain.VALUED, criteria, pair)
    for row, counts in expected.items():
        if f"{row}_tp" in found:
            assert tuple(found[f"{row}_{v}"] for v in ("tp", "fp", "fn")) == counts, row
            tp, fp, fn = counts
            assert found[f"{row}_f1"] == pytest.approx(divide(2 * tp, 2 * tp + fp + fn))


def mixed(documents, seed):
    """The same events and arguments in another order."""
    events = laws.shuffled([document["events"] for document in documents], seed)
    return [
        {"events": [{**e, "arguments": laws.shuffled([e["arguments"]], seed)[0]} for e in of]}
        for of in events
    ]


@given(corpora, st.integers(0, 99))
def test_laws(corpus, seed):
    golds, systems = sides_of(corpus)
    whole = score(systems, golds)
    assert score(mixed(systems, seed), mixed(golds, seed + 1)) == whole
    laws.hold_for_the_engine(score, lambda *s: clineval.count(NAME, *s), (golds, systems), seed)
    prefixes = ["overall", "trigger", "labelled", "span", "alcohol_amount", "drug_statustime_none"]
    laws.swapping_sides_swaps_precision_and_recall(score, systems, golds, prefixes)
    laws.scores_are_flat_numbers(whole)
    for verdict in ("tp", "fp", "fn"):
        parts = [whole[f"{row}_{verdict}"] for row in ("trigger", "labelled", "span")]
        assert sum(parts) == whole[f"overall_{verdict}"]
    official = score(systems, golds, protocol="official")
    if all(len(unit["spans"]) == 1 for side in (golds, systems) for document in side
           for event in document["events"] for unit in (event, *event["arguments"])):  # fmt: skip
        assert official["trigger_tp"] <= whole["trigger_tp"]


@given(documents.filter(bool))
def test_a_copy_is_perfect(document):
    laws.perfect_predictions_score_one(score, [{"events": document}], ["overall_f1", "trigger_f1"])


@pytest.mark.parametrize("protocol", ["spec", "official"])
@given(corpora)
def test_outcomes_are_what_was_counted(protocol, corpus):
    golds, systems = sides_of(corpus)
    evaluation = clineval.evaluate(NAME, systems, golds, protocol=protocol)
    outcomes, totals = evaluation.outcomes, evaluation.counts.totals
    columns = {c: len(m.rows(c)) for m in outcomes.matches.values() for c in m.columns}
    assert columns == dict(totals)
    rows = outcomes.matches[outcomes.widest]
    assert sorted(rows.gold[rows.gold >= 0].tolist()) == list(range(len(outcomes.gold)))


def test_blocks_change_nothing(monkeypatch):
    case = DATA / "oracle" / NAME / "random_03_overlap"
    whole = clineval.evaluate(NAME, case / "system", case / "gold")
    blocks = type(whole.corpus).blocks
    monkeypatch.setattr(type(whole.corpus), "blocks", lambda corpus: blocks(corpus, 2))
    parts = clineval.evaluate(NAME, case / "system", case / "gold")
    assert len(parts.pairings) > 1
    assert parts.counts == whole.counts


STATUS = {"label": "StatusTime", "value": "current"}
EVENT = {"label": "Tobacco", "spans": [[0, 6]], "arguments": [STATUS]}


def test_json_lines_hold_events_or_mentions_with_relations(tmp_path):
    (tmp_path / "nested.jsonl").write_text(
        '{"id": "a", "events": [{"label": "Tobacco", "spans": [[0, 6]], "arguments": '
        '[{"label": "StatusTime", "value": "current"}]}]}\n'
    )
    (tmp_path / "flat.jsonl").write_text(
        '{"id": "a", "mentions": [{"id": "1", "label": "Tobacco", "spans": [[0, 6]]}, '
        '{"id": "2", "label": "StatusTime", "spans": [[0, 6]], "value": "current"}], '
        '"relations": [{"label": "Status", "from": "1", "to": "2"}]}\n'
    )
    result = score(tmp_path / "nested.jsonl", tmp_path / "flat.jsonl")
    assert (result["overall_f1"], result["tobacco_statustime_current_tp"]) == (1.0, 1)
    (tmp_path / "bad.jsonl").write_text('{"id": "a", "events": [{"label": "Wine", "spans": []}]}\n')
    laws.refuses(
        lambda: score(tmp_path / "bad.jsonl", tmp_path / "flat.jsonl"), "bad.jsonl:1, event 0"
    )


@pytest.mark.parametrize(
    ("bad", "parts"),
    [
        ({**EVENT, "label": "tobacco"}, ("event 0", "label: expected one of Alcohol")),
        ({**EVENT, "trigger": "x"}, ("event 0", "unknown", "expected arguments")),
        ({"label": "Drug"}, ("event 0", "'spans' is missing")),
        ({**EVENT, "arguments": [{"label": "Amount"}]}, ("argument 0", "'spans' is missing")),
        ({**EVENT, "arguments": [{"label": "Tobacco"}]}, ("argument 0", "label: expected one of")),
        ({**EVENT, "arguments": STATUS}, ("event 0", "expected a list of arguments")),
        ("Tobacco", ("event 0", "expected a dict")),
    ],
)
def test_bad_events_are_refused(bad, parts):
    laws.refuses(
        lambda: score([{"events": [bad]}], [{"events": []}]), "predictions, document 0", *parts
    )


def test_what_is_written_to_brat_is_what_is_scored(tmp_path):
    demo = find_challenge(NAME).task.corpora
    sides = []
    for side in ("tagger", "gold"):
        documents = read(demo / side, NAME, texts=demo / "text")
        write(documents, tmp_path / side, "brat", NAME)
        sides.append(tmp_path / side)
    assert score(*sides) == score(demo / "tagger", demo / "gold")


@pytest.mark.parametrize("label", [None, 7, [], {}, ["Drug"], np.arange(3)])
def test_a_label_is_a_word(label):
    event = {"label": label, "spans": [[4, 15]]}
    status = {"label": "Drug", "spans": [[4, 15]], "arguments": [{"label": label, "value": "none"}]}
    for place, found in (("event 0", event), ("event 0, argument 0", status)):
        call = partial(clineval.score, NAME, [{"events": [found]}], [{"events": []}])
        laws.refuses(call, f"{place}: label: expected one of")


UNUSED = ["T1\tTobacco 0 6\tsmoker", "T2\tStatusTime 7 10\tnow", "T3\tAmount 11 15\tmuch",
          "A1\tStatusTimeVal T2 current"]  # fmt: skip
MENTIONS = [
    {"id": "1", "spans": [[0, 6]], "label": "Tobacco"},
    {"id": "2", "spans": [[7, 10]], "label": "StatusTime", "value": "current"},
    {"id": "3", "spans": [[11, 15]], "label": "Amount"},
]


def unused_files(folder, form):
    """A trigger and two arguments that no event has, in each of two documents."""
    if form == "brat":
        (folder / "a").mkdir()
        for name in "ab":
            (folder / "a" / f"{name}.ann").write_text("\n".join([*UNUSED, ""]))
            (folder / "a" / f"{name}.txt").write_text("smoker now much")
        return folder / "a"
    lines = [json.dumps({"id": name, "mentions": MENTIONS}) for name in "ab"]
    (folder / "a.jsonl").write_text("\n".join([*lines, ""]))
    if form == "parquet":
        write(read(folder / "a.jsonl", NAME), folder / "a.parquet", form, NAME)
    return folder / f"a.{form}"


@pytest.mark.parametrize("form", ["brat", "jsonl", "parquet"])
def test_arguments_without_an_event_are_counted_once(tmp_path, form, run):
    path = unused_files(tmp_path, form)
    done = run("score", NAME, path, path)
    for side in ("references", "predictions"):
        told = f"{side}: 4 arguments belong to no event and do not count"
        assert done.stderr.count(told) == 1
        assert (f"{side}: 2 triggers belong to no event" in done.stderr) == (form == "brat")


@pytest.mark.parametrize("form", ["brat", "jsonl"])
def test_validate_counts_arguments_without_an_event_once(tmp_path, form, run):
    done = run("validate", NAME, unused_files(tmp_path, form))
    assert done.stderr.count("argument") == 1
    assert "4 arguments belong to no event and do not count" in done.stderr


def test_relations_that_begin_at_no_trigger_are_counted():
    ends = [("1", "2"), ("1", "3"), ("2", "3")]
    relations = [{"label": "Any", "from": a, "to": b} for a, b in ends]
    document = {"mentions": MENTIONS, "relations": relations}
    told = "1 relation does not begin at a trigger and does not count"
    with pytest.warns(InputWarning, match=told):
        score([document], [document])
