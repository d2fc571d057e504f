"""Documents in which very many mentions overlap: the same pairs, in bounded memory, or an error."""

import subprocess
import sys
from contextlib import ExitStack
from unittest.mock import patch

import laws
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain import clefehealth13_task1 as plain_clef
from plain import semeval15_task14 as plain
from strategies import corpora
from thorough import thorough

import clineval
from clineval.mentions import overlap, pairing
from clineval.mentions.batches import MOST_PAIRS

MODULES = ("semeval15_task14", "clefehealth13_task1")
PROTOCOLS = ("spec", "official")
MANY = 3000
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def in_small_parts(at_once, few, rounds):
    """As if memory held a handful of pairs, so that small corpora go the way of large ones."""
    stack = ExitStack()
    for module, name, value in (
        (overlap, "AT_ONCE", at_once), (pairing, "AT_ONCE", at_once),
        (pairing, "_MANY", few), (pairing, "_FEW", few), (pairing, "_ROUNDS", rounds),
    ):  # fmt: skip
        stack.enter_context(patch.object(module, name, value))
    stack.enter_context(patch("clineval.mentions.batches.AT_ONCE", at_once))
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
        expected = plain.score(predictions, references, lambda *_: 1.0)
        for prefix in ("strict", "relaxed", "span"):
            for kind in ("tp", "fp", "fn"):
                assert semeval[f"{prefix}_{kind}"] == expected[f"{prefix}_{kind}"]
        expected = plain_clef.spec(*bare)
        assert {key: clef[key] for key in expected} == pytest.approx(expected, abs=1e-12)


def document(side, many=MANY):
    """Mentions each inside the one before, all over the middle; gold ends one character later."""
    last = 4 * many
    return [{"spans": [[k, last - k - (side == "found")]], "cui": "C1"} for k in range(many)]


RUN = """
import resource, sys, warnings
warnings.simplefilter("ignore")
sys.path[:0] = [{tests!r}, {core!r}]
import clineval
from test_dense_documents import document
gold, found = [document("gold")], [document("found")]
score = clineval.score({module!r}, found, gold, protocol={protocol!r})
kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(score[{key!r} + "_tp"], score[{key!r} + "_fp"], score[{key!r} + "_fn"], kilobytes)
"""


@thorough
@pytest.mark.parametrize(
    ("module", "protocol", "key", "expected"),
    [
        ("semeval15_task14", "spec", "relaxed", [MANY, 0, 0]),
        # the first gold mention in byte order collects them all
        ("semeval15_task14", "official", "relaxed", [1, MANY - 1, MANY - 1]),
        ("clefehealth13_task1", "spec", "overlap", [MANY, 0, 0]),
        ("clefehealth13_task1", "official", "overlap", [MANY, 0, 0]),
    ],
)
def test_three_thousand_mentions_that_all_overlap_take_less_than_a_gigabyte(
    module, protocol, key, expected, request
):
    tests = request.config.rootpath / "tests"
    program = RUN.format(
        tests=str(tests), core=str(tests / "core"), module=module, protocol=protocol, key=key
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    *counts, kilobytes = map(int, run.stdout.split())
    assert counts == expected
    assert kilobytes < 1e6


@pytest.mark.parametrize(
    ("module", "protocol"),
    [(MODULES[0], "spec"), (MODULES[0], "official"), (MODULES[1], "spec")],
)
def test_a_document_with_too_many_pairs_is_named(module, protocol):
    many = 5000

    def named(name, mentions):
        return clineval.Document(name, map(clineval.Mention.from_dict, mentions))

    few = named("a", [{"spans": [[0, 4]], "cui": "C1"}])
    gold = [few, named("b.txt", document("gold", many))]
    found = [named("b.txt", document("found", many)), few]
    laws.refuses(
        lambda: clineval.score(module, found, gold, protocol=protocol),
        "document b.txt: 5,000 gold and 5,000 predicted mentions overlap in 25,000,000 pairs",
        f"at most {MOST_PAIRS:,}",
    )


def test_a_span_with_too_many_mentions_is_named():
    gold, found = (
        [[{"spans": [[0, 4]], "cui": f"{side}{k}"} for k in range(5000)]] for side in "AB"
    )
    laws.refuses(
        lambda: clineval.score(MODULES[0], found, gold),
        "document 0: 5,000 gold and 5,000 predicted mentions overlap in 25,000,000 pairs",
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
