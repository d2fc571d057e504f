"""ChEMU 2020: the definition and the program against plain scorers, laws, and faces."""

from itertools import pairwise, product

import laws
import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from plain import chemu20_script as script
from pubtator_corpora import only_counts
from thorough import fewer

import clineval
from clineval import InputError, InputWarning
from clineval.challenges.chemu20 import definition as plain
from clineval.challenges.chemu20.edits import edit_distance
from clineval.challenges.chemu20.java_texts import hash_order

NAME = "chemu20"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


span = st.builds(lambda start, size: [start, start + size], st.integers(0, 9), st.integers(1, 5))


def disjoint(spans):
    return all(a[1] <= b[0] for a, b in pairwise(sorted(spans)))


spans = st.lists(span, min_size=1, max_size=2).filter(disjoint)
words = st.text("abc", min_size=1, max_size=7)


@st.composite
def documents(draw, most=7):
    labels = st.sampled_from(("SOLVENT", "TIME", "WORKUP"))
    drawn = draw(st.lists(st.tuples(labels, spans, words), max_size=most))
    numbers = draw(st.lists(st.integers(1, 200), min_size=most, max_size=most, unique=True))
    mentions = [
        {"id": f"T{number}", "label": label, "spans": places, "text": text}
        for number, (label, places, text) in zip(numbers, drawn, strict=False)
    ]
    ids = [of["id"] for of in mentions]
    if len(ids) < 2:
        return {"mentions": mentions, "relations": []}
    ends = st.tuples(st.sampled_from(ids), st.sampled_from(ids)).filter(lambda of: of[0] != of[1])
    links = draw(
        st.lists(st.tuples(st.sampled_from(plain.LABELS["relations"]), ends), max_size=most)
    )
    relations = [{"label": label, "from": one, "to": two} for label, (one, two) in links]
    return {"mentions": mentions, "relations": relations}


corpora = st.lists(st.tuples(documents(), documents()), min_size=1, max_size=3)
TYPES = ["exact", "any"]


@pytest.mark.parametrize("types", TYPES)
@given(corpora, st.sampled_from([0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0]))
def test_a_plain_scorer_agrees(types, corpus, threshold):
    golds, systems = map(list, zip(*corpus, strict=True))
    options = {"types": types, "threshold": threshold}
    found = score(systems, golds, **options)
    expected = only_counts(plain.score_documents(golds, systems, **options))
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize("types", TYPES)
@given(corpora, st.sampled_from([0.5, 0.6, 0.8, 0.9, 1.0]))
def test_a_plain_scorer_agrees_with_the_program_s_rules(types, corpus, threshold):
    golds, systems = map(list, zip(*corpus, strict=True))
    options = {"types": types, "threshold": threshold}
    found = score(systems, golds, protocol="official", **options)
    expected = script.count(golds, systems, **options)
    assert {key: found[key] for key in expected} == expected


@st.composite
def dense(draw):
    """Mentions that nearly all overlap, of one label."""
    starts = draw(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 6), words), max_size=5))
    mentions = [
        {"id": f"T{at}", "label": "TIME", "spans": [[start, start + size]], "text": text}
        for at, (start, size, text) in enumerate(starts)
    ]
    return {"mentions": mentions, "relations": []}


@given(dense(), dense())
def test_no_other_pairing_is_larger(gold, system):
    found = score([system], [gold])
    for kind, mode in product(plain.KINDS, plain.MODES):
        rows = plain.count([(gold, system)], kind, mode, find=script.largest_of_all)
        counts = tuple(found[f"{kind}_{mode}_{verdict}"] for verdict in ("tp", "fp", "fn"))
        assert counts == rows[None]


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


@pytest.mark.parametrize("types", TYPES)
@given(corpora, st.integers(0, 99))
def test_the_order_of_lines_and_ids_changes_nothing(types, corpus, seed):
    golds, systems = map(list, zip(*corpus, strict=True))
    again = [mixed(of, seed) for of in systems], [mixed(of, seed + 1) for of in golds]
    assert score(*again, types=types) == score(systems, golds, types=types)


@given(corpora, st.integers(0, 99))
def test_laws(corpus, seed):
    golds, systems = map(list, zip(*corpus, strict=True))
    laws.order_of_documents_does_not_matter(score, systems, golds, seed, near=1e-12)
    prefixes = [f"{kind}_{mode}" for kind in plain.KINDS for mode in plain.MODES]
    laws.swapping_sides_swaps_precision_and_recall(score, systems, golds, [*prefixes, "time_exact"])
    for kind in plain.KINDS:
        for narrow, wide in (("exact", "approx"), ("approx", "overlap")):
            laws.strict_is_at_most_relaxed(
                score, systems, golds, f"{kind}_{narrow}", f"{kind}_{wide}"
            )
    laws.scores_are_flat_numbers(score(systems, golds))
    count = lambda *sides: clineval.count(NAME, *sides)  # noqa: E731
    laws.counts_survive_json(count, systems, golds)


@given(documents())
def test_a_copy_is_perfect(document):
    result = score([document], [document])
    for kind, name in (("entities", "mentions"), ("relations", "relations")):
        wanted = 1.0 if document[name] else 0.0
        assert {result[f"{kind}_{mode}_f1"] for mode in plain.MODES} == {wanted}


@given(corpora)
def test_configurations_are_the_parts_of_the_whole(corpus):
    golds, systems = map(list, zip(*corpus, strict=True))
    whole = score(systems, golds)
    for kind in plain.KINDS:
        part = score(systems, golds, config=kind)
        for mode in plain.MODES:
            for key in ("precision", "recall", "f1", "tp", "fp", "fn"):
                assert part[f"{mode}_{key}"] == whole[f"{kind}_{mode}_{key}"]
            assert part[f"macro_{mode}_f1"] == whole[f"macro_{kind}_{mode}_f1"]


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("config", ["default", "entities", "relations"])
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


def test_blocks_change_nothing(monkeypatch):
    case = DATA / "oracle" / NAME / "random_03_overlap"
    for protocol in ("spec", "official"):
        sides = case / "system", case / "gold"
        whole = clineval.evaluate(NAME, *sides, protocol=protocol)
        blocks = type(whole.corpus).blocks
        with monkeypatch.context() as patch:
            patch.setattr(type(whole.corpus), "blocks", lambda of, blocks=blocks: blocks(of, 2))
            parts = clineval.evaluate(NAME, *sides, protocol=protocol)
        assert len(parts.pairings) > 1
        assert parts.counts == whole.counts


@given(st.text("abc", max_size=9), st.text("abc", max_size=9))
def test_the_edit_distance_is_that_of_the_table(one, other):
    assert edit_distance(one, other) == plain.distance(one, other)


@given(st.lists(st.integers(1, 400), unique=True, max_size=60))
def test_the_order_of_a_hash_table(numbers):
    keys = [f"T{number}" for number in numbers]
    assert [keys[at] for at in hash_order(keys)] == script.visit(keys)


GOLD = {"id": "a", "text": "in dry toluene", "mentions": [{"spans": [[3, 14]], "label": "SOLVENT"}]}
FOUND = {"id": "a", "mentions": [{"spans": [[4, 14]], "label": "SOLVENT"}]}


def test_words_are_those_of_the_note_if_mentions_have_none():
    found = score([FOUND], [GOLD])
    assert [found[f"entities_{mode}_tp"] for mode in plain.MODES] == [0, 1, 1]
    own = {**FOUND, "mentions": [{**FOUND["mentions"][0], "text": "water"}]}
    assert score([own], [GOLD])["entities_approx_tp"] == 0


def test_without_words_there_is_a_warning():
    gold = {key: value for key, value in GOLD.items() if key != "text"}
    with pytest.warns(InputWarning, match="2 mentions have neither words nor a note"):
        found = score([FOUND], [gold])
    assert [found[f"entities_{mode}_tp"] for mode in plain.MODES] == [0, 1, 0]
    with_notes = score([FOUND], [gold], texts={"a": GOLD["text"]})
    assert with_notes["entities_approx_tp"] == 1


@pytest.mark.parametrize("threshold", [0, 1.5, "high", None])
def test_a_threshold_is_a_share(threshold):
    with pytest.raises(InputError, match="threshold: expected a number above 0 and at most 1"):
        score([FOUND], [GOLD], threshold=threshold)


def test_the_signature_has_the_options_and_no_words():
    results = [
        clineval.score(NAME, [FOUND], [{**GOLD, "text": text}], threshold="0.7").signature
        for text in (GOLD["text"], "in wet toluene")
    ]
    assert "types:exact|threshold:0.7" in str(results[0])
    assert str(results[0]) == str(results[1])
