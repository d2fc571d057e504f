"""Documents in which very many mentions overlap: the same pairs, in bounded memory, or an error."""

import subprocess
import sys
from contextlib import ExitStack
from unittest.mock import patch

import laws
import pytest
from definitions import as_documents
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora
from thorough import crossed, thorough

import clineval
from clineval.challenges.clefehealth13_task1 import definition as plain_clef
from clineval.challenges.semeval15_task14 import definition as plain
from clineval.kinds.mentions import batches, overlap, pairing

MODULES = ("semeval15_task14", "clefehealth13_task1")
PROTOCOLS = ("spec", "official")
MANY = 2000
LABELS = {
    "pharmaconer19": "PROTEINAS",
    "meddocan19": "PAIS",
    "i2b2_2010": "test",
    "i2b2_2014_deid": "DATE",
    "clinical_spans": "A",
    "n2c2_2018_track2": "Drug",
    "n2c2_2022_cmed": "Disposition",
}
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def in_small_parts(at_once, part, rounds):
    """As if memory held a handful of pairs, so that small corpora go the way of large ones."""
    stack = ExitStack()
    for module, name, value in (
        (overlap, "AT_ONCE", at_once), (pairing, "AT_ONCE", at_once),
        (batches, "AT_ONCE", at_once), (pairing, "_PART", part), (pairing, "_ROUNDS", rounds),
    ):  # fmt: skip
        stack.enter_context(patch.object(module, name, value))
    return stack


SIZES = st.tuples(st.integers(1, 60), st.integers(1, 30), st.integers(0, 3))
DENSE = st.one_of(corpora(documents=3, most=12, room=14), corpora(documents=1, most=20, room=40))


class TestParts:
    """However pairs are cut into parts, the counts are the same."""

    @pytest.mark.parametrize("protocol", PROTOCOLS)
    @given(DENSE, SIZES)
    def test_counts_do_not_depend_on_them(self, protocol, corpus, sizes):
        references, predictions = corpus
        bare = [
            [[{k: m[k] for k in ("spans", "cui")} for m in document] for document in side]
            for side in (predictions, references)
        ]
        for module, sides in zip(MODULES, ((predictions, references), bare), strict=True):
            whole = clineval.count(module, *sides, protocol=protocol)
            with in_small_parts(*sizes):
                parts = clineval.count(module, *sides, protocol=protocol)
            assert parts == whole

    @given(DENSE, SIZES)
    def test_they_are_those_of_the_plain_scorers(self, corpus, sizes):
        references, predictions = corpus
        bare = [
            [[{k: m[k] for k in ("spans", "cui")} for m in document] for document in side]
            for side in (predictions, references)
        ]
        with in_small_parts(*sizes):
            semeval = clineval.score(MODULES[0], predictions, references)
            clef = clineval.score(MODULES[1], *bare).as_dict()
        expected = plain.score_documents(*map(as_documents, (references, predictions)))
        for prefix in ("strict", "relaxed", "span"):
            for kind in ("tp", "fp", "fn"):
                assert semeval[f"{prefix}_{kind}"] == expected[f"{prefix}_{kind}"]
        expected = plain_clef.score_documents(*map(as_documents, reversed(bare)))
        assert {key: clef[key] for key in expected} == pytest.approx(expected, abs=1e-12)


SPANS = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), max_size=12)


@pytest.mark.parametrize("module", ["i2b2_2010", "n2c2_2018_track2"])
@given(SPANS, SPANS, SIZES)
def test_released_programs_compare_all_in_parts_too(module, gold, found, sizes):
    sides = [
        [
            [
                {"id": f"T{k}", "spans": [[a, a + n]], "label": LABELS[module]}
                for k, (a, n) in enumerate(side)
            ]
        ]
        for side in (found, gold)
    ]
    whole = clineval.count(module, *sides, protocol="official")
    with in_small_parts(*sizes):
        assert clineval.count(module, *sides, protocol="official") == whole


def document(module, side, many=MANY):
    """Mentions each inside the one before, all over the middle; gold ends one character later."""
    last = 4 * many
    label = {"label": LABELS[module]} if module in LABELS else {"cui": "C1"}
    name = ({"id": f"T{k}"} if module == "n2c2_2018_track2" else {} for k in range(many))
    return [
        {"spans": [[k, last - k - (side == "found")]], **label, **next(name)} for k in range(many)
    ]


RUN = """
import resource, sys, warnings
warnings.simplefilter("ignore")
sys.path[:0] = [{tests!r}, {own!r}]
import clineval
from test_dense_documents import document
gold, found = [document({module!r}, "gold")], [document({module!r}, "found")]
score = clineval.score({module!r}, found, gold, protocol={protocol!r})
kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(*(score[{key!r} + kind] for kind in ("_tp", "_fp", "_fn") if {key!r}), kilobytes)
"""


@thorough
@pytest.mark.parametrize(
    ("module", "protocol", "key", "expected"),
    [
        ("semeval15_task14", "spec", "relaxed", [MANY, 0, 0]),
        # the first gold mention in byte order collects them all
        ("semeval15_task14", "official", "relaxed", [1, MANY - 1, MANY - 1]),
        ("clefehealth13_task1", "spec", "overlap", [MANY, 0, 0]),
        ("clinical_spans", "spec", "lenient", [MANY, 0, 0]),
        ("i2b2_2010", "official", "concepts_overlap", [MANY, 0, 0]),
        ("i2b2_2014_deid", "spec", "", []),
        ("n2c2_2018_track2", "official", "", []),
    ],
)
def test_two_thousand_mentions_that_all_overlap_take_less_than_a_gigabyte(
    module, protocol, key, expected, request
):
    tests = request.config.rootpath / "tests"
    program = RUN.format(
        tests=str(tests), own=str(tests / "kinds"), module=module, protocol=protocol, key=key
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    *counts, kilobytes = map(int, run.stdout.split())
    assert counts == expected
    assert kilobytes < 1e6


TOO_MANY = "document b.txt: gold and predicted mentions overlap in more than 4,000,000 pairs"


@pytest.mark.parametrize(
    ("module", "protocol"),
    [
        ("semeval15_task14", "spec"),
        ("semeval15_task14", "official"),
        ("clefehealth13_task1", "spec"),
        *crossed([*LABELS], PROTOCOLS),
    ],
)
def test_a_document_with_too_many_pairs_is_named(module, protocol):
    if (module, protocol) == ("clinical_spans", "official"):
        pytest.skip("it has no script")

    def named(name, many, side):
        mentions = document(module, side, many)
        return clineval.Document(name, map(clineval.Mention.from_dict, mentions))

    gold = [named("a", 1, "gold"), named("b.txt", 2001, "gold")]
    found = [named("b.txt", 2001, "found"), named("a", 1, "gold")]
    laws.refuses(lambda: clineval.score(module, found, gold, protocol=protocol), TOO_MANY)


def test_a_span_with_too_many_mentions_is_named():
    gold, found = (
        [[{"spans": [[0, 4]], "cui": f"{side}{k}"} for k in range(2001)]] for side in "AB"
    )
    laws.refuses(
        lambda: clineval.score(MODULES[0], found, gold),
        "document 0: gold and predicted mentions overlap in more than 4,000,000 pairs",
    )
    assert clineval.score(MODULES[0], found, gold, protocol="official")["span_tp"] == 1


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("module", MODULES)
def test_one_mention_of_a_whole_document_makes_no_others_meet(module, protocol):
    """20,000 mentions a side that meet one by one, and a prediction that covers them."""
    gold, found = (
        [{"spans": [[10 * k, 10 * k + size]], "cui": "C1"} for k in range(20_000)]
        for size in (5, 6)
    )
    found.append({"spans": [[0, 200_001]], "cui": "C2"})
    score = clineval.score(module, [found], [gold], protocol=protocol)
    key = "relaxed" if module == MODULES[0] else "overlap"
    spurious = 0 if (module, protocol) == (MODULES[1], "official") else 1
    assert [score[f"{key}_{kind}"] for kind in ("fp", "fn")] == [spurious, 0]
