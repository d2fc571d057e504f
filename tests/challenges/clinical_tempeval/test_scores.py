"""Clinical TempEval: the definition, laws, and lists of outcomes."""

import random
from itertools import pairwise

import laws
import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from thorough import fewer

import clineval
from clineval.challenges.clinical_tempeval import definition as plain
from clineval.evaluation.analysis.mistakes import confuse, list_reasonings

NAME = "clinical_tempeval"
VALUES = {"doctimerel": ("BEFORE", "AFTER"), "type": ("N/A", "ASPECTUAL"), "polarity": ("POS", "")}
PREFIXES = ("event_span", "timex3_class", "event_all", "links_as_written", "event_overlap")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


spans = st.sampled_from(
    [[[0, 2]], [[2, 4]], [[4, 7]], [[1, 3]], [[5, 9]], [[0, 2], [4, 7]], [[8, 9]]]
)


@st.composite
def documents(draw):
    """Entities at few places, also several at one, and links with cycles."""
    mentions = []
    for number in range(draw(st.integers(0, 6))):
        label = draw(st.sampled_from(("EVENT", "EVENT", "TIMEX3", "SECTIONTIME")))
        values = {"class": draw(st.sampled_from(("DATE", "SET", "")))}
        if label == "EVENT":
            values = {name: draw(st.sampled_from(known)) for name, known in VALUES.items()}
        mention = {"id": f"T{number}", "label": label, "spans": draw(spans)}
        mentions.append({**mention, **{name: value for name, value in values.items() if value}})
    ends = st.integers(0, max(len(mentions) - 1, 0))
    labels = st.sampled_from(("CONTAINS", "CONTAINS", "CONTAINS", "BEFORE"))
    drawn = draw(st.lists(st.tuples(labels, ends, ends), max_size=10)) if mentions else []
    relations = [{"label": label, "from": f"T{a}", "to": f"T{b}"} for label, a, b in drawn]
    return {"mentions": mentions, "relations": relations}


corpora = st.lists(st.tuples(documents(), documents()), min_size=1, max_size=3)


@given(corpora)
def test_a_plain_scorer_agrees(corpus):
    golds, systems = map(list, zip(*corpus, strict=True))
    found, expected = score(systems, golds), plain.count(golds, systems)
    assert {key: found[key] for key in expected} == expected


def make_corpus(seed, ends, links):
    """A document with links anywhere, so that there are large cycles."""
    chance = random.Random(seed)
    sides = []
    for _ in range(2):
        mentions = [
            {"id": f"T{at}", "label": "EVENT", "spans": [[2 * at, 2 * at + 1]]}
            for at in range(ends)
        ]
        pairs = [chance.sample(range(ends), 2) for _ in range(links)]
        pairs = [sorted(pair) if chance.random() < 0.9 else pair for pair in pairs]
        relations = [{"label": "CONTAINS", "from": f"T{a}", "to": f"T{b}"} for a, b in pairs]
        sides.append({"mentions": mentions, "relations": relations})
    return sides


@pytest.mark.parametrize("seed", range(12))
def test_a_plain_scorer_agrees_on_many_links(seed):
    gold, system = make_corpus(seed, ends=12, links=14)
    found, expected = score([system], [gold]), plain.count([gold], [system])
    assert {key: found[key] for key in expected} == expected


def mixed(document, seed):
    """The same annotations in another order, with other ids and orders of fragments."""
    order = laws.shuffled([list(range(len(document["mentions"])))], seed)[0]
    names = {document["mentions"][at]["id"]: f"X{place}" for place, at in enumerate(order)}
    mentions = [document["mentions"][at] for at in order]
    return {
        "mentions": [{**m, "id": names[m["id"]], "spans": m["spans"][::-1]} for m in mentions],
        "relations": [
            {**r, "from": names[r["from"]], "to": names[r["to"]]}
            for r in laws.shuffled([document["relations"]], seed)[0]
        ],
    }


@given(corpora, st.integers(0, 99))
def test_laws(corpus, seed):
    golds, systems = map(list, zip(*corpus, strict=True))
    again = score([mixed(d, seed) for d in systems], [mixed(d, seed + 1) for d in golds])
    assert again == score(systems, golds)
    laws.order_of_documents_does_not_matter(score, systems, golds, seed, near=1e-12)
    laws.swapping_sides_swaps_precision_and_recall(score, systems, golds, PREFIXES)
    there, back = score(systems, golds), score(golds, systems)
    for name in ("links", "links_written"):
        assert there[f"{name}_precision"] == back[f"{name}_recall"]
    for label in ("event", "timex3"):
        laws.strict_is_at_most_relaxed(score, systems, golds, f"{label}_span", f"{label}_overlap")
    laws.scores_are_flat_numbers(there)


@fewer(0.3)
@given(corpora)
def test_counts_add_up_and_survive(corpus):
    golds, systems = map(list, zip(*corpus, strict=True))
    for protocol in ("spec", "official"):
        count = lambda *sides, p=protocol: clineval.count(NAME, *sides, protocol=p)  # noqa: E731
        laws.counts_survive_json(count, systems, golds)
        laws.counts_of_parts_add_up(count, systems, golds)


@given(documents())
def test_a_copy_is_perfect(document):
    result = score([document], [document])
    labels = {mention["label"] for mention in document["mentions"]}
    for label in ("EVENT", "TIMEX3"):
        assert result[f"{label.lower()}_all_f1"] == float(label in labels)
    linked = any(link["label"] == "CONTAINS" for link in document["relations"])
    for name in ("links", "links_written", "links_as_written"):
        assert result[f"{name}_f1"] == float(linked)


@given(corpora)
def test_the_protocols_agree_on_spans_and_on_links_without_cycles(corpus):
    golds, systems = map(list, zip(*corpus, strict=True))
    spec, official = (score(systems, golds, protocol=of) for of in ("spec", "official"))
    names = ["event_span", "timex3_span", "links_as_written", "event_all", "timex3_all"]
    for name in names:
        for verdict in ("tp", "fp", "fn"):
            assert spec[f"{name}_{verdict}"] == official[f"{name}_{verdict}"], name


@pytest.mark.parametrize("seed", range(6))
def test_the_protocols_agree_on_closures_without_cycles(seed):
    sides = make_corpus(seed, ends=12, links=14)
    for side in sides:
        for link in side["relations"]:
            ends = sorted((link["from"], link["to"]))
            link["from"], link["to"] = ends
    spec, official = (score(sides[1:], sides[:1], protocol=of) for of in ("spec", "official"))
    for key in ("links_written_tp", "links_written_fp", "links_written_gold_tp"):
        assert spec[key] == official[key]


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("config", ["default", "entities", "links"])
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


@given(corpora)
def test_every_path_and_every_cycle_is_made_of_links(corpus):
    """Each step begins where the last one ends, is a link of its side, and leads to the end."""
    golds, systems = map(list, zip(*corpus, strict=True))
    outcomes = clineval.evaluate(NAME, systems, golds).outcomes
    sides = {"gold": golds, "predicted": systems}
    for reasoning in list_reasonings(outcomes):
        inferred = reasoning.kind == "right by inference"
        other = "predicted" if (reasoning.side == "gold") == inferred else "gold"
        document = sides[other][int(reasoning.document)]
        places = {
            mention["id"]: ",".join(f"{a}-{b}" for a, b in sorted(mention["spans"]))
            for mention in document["mentions"]
        }
        links = {
            (places[link["from"]], places[link["to"]])
            for link in document["relations"]
            if link["label"] == "CONTAINS"
        }
        chain = [(step.source, step.target) for step in reasoning.chain]
        assert chain
        assert links.issuperset(chain)
        assert all(one[1] == two[0] for one, two in pairwise(chain))
        start, end = reasoning.link.source, reasoning.link.target
        assert chain[0][0] == start
        assert chain[-1][1] == (end if inferred else start)


def test_blocks_change_nothing(monkeypatch):
    gold, system = zip(*(make_corpus(seed, ends=8, links=9) for seed in range(5)), strict=True)
    whole = clineval.evaluate(NAME, list(system), list(gold))
    blocks = type(whole.corpus).blocks
    monkeypatch.setattr(type(whole.corpus), "blocks", lambda corpus: blocks(corpus, 2))
    parts = clineval.evaluate(NAME, list(system), list(gold))
    assert len(parts.pairings) > 1
    assert parts.counts == whole.counts


def test_confusions_know_the_properties():
    case = DATA / "oracle" / NAME / "cases" / "a08_same_span_other_property"
    outcomes = clineval.evaluate(NAME, case / "system", case / "gold", config="entities").outcomes
    assert "POS" in confuse(outcomes, "polarity").values


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"id": "T1", "spans": [[8, 8]], "label": "EVENT"}, ("mention 0", "end is not after")),
        ({"id": "T1", "spans": [[8, 9]]}, ("mention 0", "'label' is missing")),
        ({"id": "T1", "spans": [[8, 9]], "label": "EVENT", "tense": "x"}, ("mention 0", "tense")),
    ],
)
def test_bad_mentions_are_refused(change, parts):
    bad = {"mentions": [change], "relations": []}
    laws.refuses(lambda: score([bad], [bad]), "document 0", *parts)


def test_other_labels_of_links_are_counted():
    mentions = [
        {"id": name, "spans": [[at, at + 1]], "label": "EVENT"} for at, name in enumerate("ab")
    ]
    document = {"mentions": mentions, "relations": [{"label": "CONTAIN", "from": "a", "to": "b"}]}
    with pytest.warns(clineval.InputWarning, match="1 relation has a label that THYME does not"):
        assert score([document], [document])["links_written_tp"] == 0


def test_a_document_with_a_thousand_ends():
    """In one chain, and in one cycle; more is refused."""
    mentions = [{"id": f"T{n}", "spans": [[n, n + 1]], "label": "EVENT"} for n in range(1001)]
    steps = [{"label": "CONTAINS", "from": f"T{n}", "to": f"T{n + 1}"} for n in range(1000)]
    whole = {"mentions": mentions[:1000], "relations": steps[:999]}
    ends = {"label": "CONTAINS", "from": "T0", "to": "T999"}
    assert score([{**whole, "relations": [ends]}], [whole])["links_written_precision"] == 1
    cycle = {**whole, "relations": [*steps[:999], {**ends, "from": "T999", "to": "T0"}]}
    assert score([whole], [cycle])["links_written_recall"] == 0.999
    more = {"mentions": mentions, "relations": steps}
    laws.refuses(lambda: score([more], [more]), "1,001 ends of links, expected at most 1,000")
