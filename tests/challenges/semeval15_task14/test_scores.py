"""SemEval-2015 Task 14: worked examples, both protocols, laws."""

import itertools

import laws
import numpy as np
import pytest
from definitions import as_documents
from hypothesis import given
from hypothesis import strategies as st
from plain import semeval15_task14_script as script
from strategies import corpora

import clineval
from clineval.challenges.semeval15_task14 import CHALLENGE
from clineval.challenges.semeval15_task14 import definition as plain
from clineval.challenges.semeval15_task14.spec import SHARE_WEIGHTS, choose_weights
from clineval.evaluation.evaluate import count_block
from clineval.formats.delimited.pipe import SLOTS, format_document
from clineval.formats.given.mentions import read_side

NAME = "semeval15_task14"
PREFIXES = ("strict", "relaxed", "span")
ONES = [
    *(f"{prefix}_{key}" for prefix in PREFIXES for key in ("precision", "recall", "f1")),
    *("accuracy", "weighted_accuracy", "f1_x_accuracy", "f1_x_weighted_accuracy"),
    *(f"{slot.name}_{kind}accuracy" for slot in SLOTS for kind in ("", "weighted_")),
]
SPEC_WEIGHTS = choose_weights("share", None, CHALLENGE.steps.unlisted)
WEIGHTS = {slot.name: slot for slot in SLOTS}
TABLE = {**SHARE_WEIGHTS, "subject": {"patient": 0.05, "other": 0.95}}
"""The script's table without the value that it misspells."""


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


def count(predictions, references, **options):
    return clineval.count(NAME, predictions, references, **options)


def mention(*spans, cui="C1", **slots):
    return {"spans": [list(span) for span in spans], "cui": cui, **slots}


class TestWorkedExamplesOfTheSeed:
    def test_unweighted_accuracy_counts_equal_slots(self):
        """Example 1 has five slots, of which subject and uncertainty are wrong: 3/5.

        With the four slots that the example lacks right as well, 7 of 9.
        """
        gold = mention((0, 5), negation="yes", subject="family_member")
        found = mention((0, 5), negation="yes", uncertainty="yes")
        assert score([[found]], [[gold]])["accuracy"] == pytest.approx((3 + 4) / 9)

    def test_weighted_accuracy_of_example_1(self):
        """0.98 / 2.23 (printed as 0.4394 in the seed), with the prevalences of the example."""
        weights = {
            "negation": {"yes": 0.9},
            "subject": {"family_member": 0.95},
            "uncertainty": {"no": 0.3},
            "generic": {"false": 0.05},
            "conditional": {"false": 0.03},
            "course": {"unmarked": 0},
            "severity": {"unmarked": 0},
            "body_location": {"NULL": 0, "CUI": 0},
            "cui": 0,
        }
        gold = mention((0, 5), negation="yes", subject="family_member")
        found = mention((0, 5), negation="yes", uncertainty="yes")
        result = score([[found]], [[gold]], weights=weights)
        assert result["weighted_accuracy"] == pytest.approx(0.98 / 2.23, abs=1e-12)

    def test_task2b_example(self):
        """5 gold, 3 true positives, 5 false positives: P .375, R .6, F .4615."""
        gold = [mention((k, k + 5)) for k in (0, 10, 20, 30, 40)]
        spurious = [mention((k, k + 5)) for k in (100, 110, 120, 130, 140)]
        result = score([gold[:3] + spurious], [gold])
        assert result["span_precision"] == 0.375
        assert result["span_recall"] == 0.6
        assert result["span_f1"] == pytest.approx(6 / 13, abs=1e-12)

    def test_f1_times_accuracy(self):
        """Eq. 13 on the example's numbers: F 6/13, and accuracies whose mean is the factor."""
        gold = [mention((k, k + 5)) for k in (0, 10, 20, 30, 40)]
        found = [mention((0, 5), cui="C2"), mention((10, 15)), mention((20, 25), negation="yes")]
        spurious = [mention((k, k + 5)) for k in (100, 110, 120, 130, 140)]
        result = score([found + spurious], [gold])
        mean = (8 / 9 + 1 + 8 / 9) / 3
        assert result["accuracy"] == pytest.approx(mean, abs=1e-12)
        assert result["f1_x_accuracy"] == pytest.approx(6 / 13 * mean, abs=1e-12)


class TestAgainstThePlainScorer:
    @given(corpora())
    def test_spec(self, corpus):
        references, predictions = corpus
        expected = plain.score_documents(*map(as_documents, corpus))
        result = score(predictions, references)
        assert {key: result[key] for key in expected} == pytest.approx(expected, abs=1e-12)
        assert set(result) - set(expected) == {"signature", "n_documents"}

    @pytest.mark.parametrize("slot", SLOTS)
    def test_its_weights_are_those_of_the_table(self, slot):
        for value in (*slot.values, "x") if slot.values else ("null", "c0000001"):
            assert plain.weigh(slot.name, value) == SPEC_WEIGHTS.of(slot, value)

    @given(corpora(documents=1, most=12, room=14))
    def test_spec_with_dense_overlaps(self, corpus):
        references, predictions = corpus
        expected = plain.score_documents(*map(as_documents, corpus))
        result = score(predictions, references)
        for key in itertools.product(PREFIXES, ("tp", "fp", "fn")):
            assert result["_".join(key)] == expected["_".join(key)]
        assert result["accuracy"] == pytest.approx(expected["accuracy"], abs=1e-12)

    @pytest.mark.filterwarnings("ignore::clineval.InputWarning")
    @given(st.one_of(corpora(documents=2, most=10), corpora(documents=1, most=8, room=5)))
    def test_official(self, corpus):
        references, predictions = (_as_pipe(side) for side in corpus)
        weights = {**SHARE_WEIGHTS}
        expected, accuracy, weighted = script.score(
            "".join(predictions).splitlines(), "".join(references).splitlines(), weights
        )
        result = score(predictions, references, protocol="official")
        for prefix in PREFIXES:
            counts = tuple(result[f"{prefix}_{kind}"] for kind in ("tp", "fp", "fn"))
            assert counts == expected[prefix], prefix
        assert result["accuracy"] == pytest.approx(accuracy, abs=1e-12)
        assert result["weighted_accuracy"] == pytest.approx(weighted, abs=1e-12)


def _as_pipe(documents):
    return [
        format_document(
            clineval.Document(f"d{number}", map(clineval.Mention.from_dict, document)), SLOTS
        )
        for number, document in enumerate(documents)
    ]


class TestLaws:
    @given(corpora(), st.integers(0, 1000))
    def test_order_of_mentions_does_not_matter(self, corpus, seed):
        laws.order_of_units_does_not_matter(score, *corpus, seed)

    @given(corpora(), st.integers(0, 1000))
    def test_order_of_documents_does_not_matter(self, corpus, seed):
        laws.order_of_documents_does_not_matter(score, *corpus, seed)

    @given(corpora())
    def test_swapping_sides_swaps_precision_and_recall_of_exact_matches(self, corpus):
        laws.swapping_sides_swaps_precision_and_recall(score, *corpus, ["strict"])

    @given(corpora(most=1))
    def test_swapping_sides_swaps_precision_and_recall_where_nothing_competes(self, corpus):
        references, predictions = ([document[:1] for document in side] for side in corpus)
        laws.swapping_sides_swaps_precision_and_recall(score, predictions, references, PREFIXES)

    @given(corpora().filter(lambda corpus: any(corpus[0])))
    def test_perfect_predictions_score_one(self, corpus):
        laws.perfect_predictions_score_one(score, corpus[0], ONES)

    @given(corpora())
    def test_strict_is_at_most_relaxed(self, corpus):
        laws.strict_is_at_most_relaxed(score, *corpus, "strict", "relaxed")

    @pytest.mark.filterwarnings("ignore::clineval.InputWarning")
    @given(corpora(), st.sampled_from(["spec", "official"]))
    def test_counts_of_documents_add_up(self, corpus, protocol):
        laws.counts_of_parts_add_up(lambda *sides: count(*sides, protocol=protocol), *corpus)

    @given(corpora(documents=5), st.sampled_from(["spec", "official"]), st.integers(1, 3))
    @pytest.mark.filterwarnings("ignore::clineval.InputWarning")
    def test_a_corpus_is_counted_alike_in_blocks_of_any_size(self, corpus, protocol, size):
        setup = CHALLENGE.setup("default", protocol, {}).with_options(weights=SPEC_WEIGHTS)
        sides = [read_side(side, SLOTS, strict=True, side="") for side in corpus]
        whole = setup.steps.join(*sides, setup)

        def table(block):
            columns = count_block(block, setup.steps.pair(block, setup), setup)
            return np.column_stack([*columns.values()])

        parts = [table(block) for block in whole.blocks(size)]
        assert len(parts) == -(-len(corpus[0]) // size)
        assert np.array_equal(np.concatenate(parts), table(whole))

    @given(corpora())
    def test_counts_survive_json(self, corpus):
        laws.counts_survive_json(count, *corpus)

    @given(corpora())
    def test_an_exact_copy_counts_once(self, corpus):
        references, predictions = corpus
        doubled = [document * 2 for document in predictions]
        assert score(doubled, references) == score(predictions, references)

    @pytest.mark.filterwarnings("ignore:Task 2a gives the spans:clineval.InputWarning")
    @given(corpora(), st.sampled_from(sorted(CHALLENGE.task.configs)))
    def test_keys_never_depend_on_the_data(self, corpus, config):
        result = score(*corpus, config=config)
        laws.scores_are_flat_numbers(result)
        assert set(result) == set(score([[]], [[]], config=config))


class TestConfigs:
    @pytest.mark.filterwarnings("ignore:Task 2a gives the spans:clineval.InputWarning")
    def test_together_they_are_the_default(self):
        gold, found = [[mention((0, 5)), mention((9, 12))]], [[mention((0, 4)), mention((9, 12))]]
        parts = [score(found, gold, config=config) for config in ("task1", "task2a", "task2b")]
        whole = score(found, gold)
        for part in parts:
            part.pop("signature")
            assert part.items() <= whole.items()
        assert set().union(*parts) | {"signature"} == set(whole)

    @pytest.mark.filterwarnings("ignore:Task 2a gives the spans:clineval.InputWarning")
    def test_task2a_has_f1_below_one_only_if_predictions_are_missing(self):
        gold = [[mention((0, 5)), mention((9, 12))]]
        assert score(gold, gold, config="task2a")["span_f1"] == 1
        assert score([gold[0][:1]], gold, config="task2a")["span_f1"] == pytest.approx(2 / 3)


class TestWeights:
    def test_references_weigh_by_what_they_contain(self):
        """Three of four gold mentions are not negated: no weighs 1/4, yes 3/4."""
        gold = [[mention((k, k + 1), negation="yes" if k == 3 else "no") for k in range(4)]]
        found = [[mention((k, k + 1)) for k in range(4)]]
        result = score(found, gold, weights="references")
        assert result["negation_weighted_accuracy"] == pytest.approx(0.75 / 1.5)

    def test_a_value_never_seen_weighs_one(self):
        weights = choose_weights(dict(SHARE_WEIGHTS, subject={"patient": 0.5}), None, None)
        assert weights.of(WEIGHTS["subject"], "other") == 1.0

    def test_rare_subjects_that_the_table_forgets_weigh_as_rare_values(self):
        for subject in ("donor_other", "donor_family_member", "null"):
            assert SPEC_WEIGHTS.of(WEIGHTS["subject"], subject) == 0.95

    def test_files_of_prevalences_give_what_the_references_give(self, tmp_path):
        import json

        from clineval.challenges.semeval15_task14 import prevalence

        gold = [[mention((0, 2), negation="yes"), mention((3, 5), body_location="C9")]]
        found = [[mention((0, 2)), mention((3, 5))]]
        file = tmp_path / "weights.json"
        file.write_text(json.dumps(prevalence(gold)))
        left, right = (score(found, gold, weights=w) for w in ("references", file))
        left.pop("signature"), right.pop("signature")
        assert left == right

    def test_counts_of_different_references_do_not_add_up(self):
        one = count([[mention((0, 2))]], [[mention((0, 2))]], weights="references")
        two = count([[mention((0, 2))]], [[mention((0, 2), negation="yes")]], weights="references")
        laws.refuses(lambda: one + two, "weights", "clineval prevalence")


class TestSlotsThatWeighNothing:
    """All right and all wrong differ, whatever the weights."""

    GOLD = ((0, 5), (9, 12), (20, 25))

    def gold(self, **slots):
        return [[mention(span, **slots) for span in self.GOLD]]

    @pytest.mark.parametrize(("wrong", "expected"), [(0, 1.0), (1, 2 / 3), (3, 0.0)])
    def test_a_slot_that_never_varies_has_its_unweighted_accuracy(self, wrong, expected):
        found = [self.gold(negation="yes")[0][:wrong] + self.gold()[0][wrong:]]
        result = score(found, self.gold(), weights="references")
        assert result["negation_weighted_accuracy"] == result["negation_accuracy"] == expected
        assert result["subject_weighted_accuracy"] == 1.0

    def test_a_weight_of_zero_vanishes_beside_any_other(self):
        weights = dict(TABLE, negation={"no": 0, "yes": 1e-9})
        gold = [[mention((0, 5)), mention((9, 12), negation="yes")]]
        found = [[mention((0, 5), negation="yes"), mention((9, 12), negation="yes")]]
        assert score(found, gold, weights=weights)["negation_weighted_accuracy"] == 1.0
        assert score([found[0][::-1]], gold, weights=weights)["negation_accuracy"] == 0.5

    @pytest.mark.parametrize("protocol", ["spec", "official"])
    def test_a_disorder_whose_slots_all_weigh_nothing_has_its_unweighted_share(self, protocol):
        """Only the first disorder has a slot that weighs something, which is wrong."""
        zero = {name: dict.fromkeys(of, 0) for name, of in TABLE.items() if name != "cui"}
        weights = zero | {"cui": 0, "negation": {"no": 0, "yes": 0.5}}
        gold = [[mention((0, 5), negation="yes"), mention((9, 12)), mention((20, 25))]]
        found = [[mention((0, 5)), mention((9, 12)), mention((20, 25), cui="C2", subject="other")]]
        result = score(found, gold, weights=weights, protocol=protocol)
        assert result["weighted_accuracy"] == pytest.approx((0 + 1 + 7 / 9) / 3)

    def test_it_holds_for_the_pairs_at_hand_and_in_the_code_s_own_weight(self):
        """Values that would weigh something are in the table and not among the pairs."""
        weights = dict(TABLE, negation={"no": 0, "yes": 1}, cui=0)
        found = [[mention(span, cui="C2", negation="no") for span in self.GOLD]]
        result = score(found, self.gold(), weights=weights)
        assert result["negation_weighted_accuracy"] == 1.0
        assert result["cui_weighted_accuracy"] == result["cui_accuracy"] == 0.0
        # and in the accuracy of a pair it weighs nothing
        assert result["weighted_accuracy"] == 1.0

    @given(corpora(), st.sets(st.sampled_from([slot.name for slot in SLOTS])))
    def test_it_is_that_of_the_plain_scorer(self, corpus, weightless):
        references, predictions = corpus
        weights = {
            slot.name: 0.0 if slot.name == "cui" else dict.fromkeys(slot.values, 0.0)
            if slot.values else {"NULL": 0.0, "CUI": 0.0}
            for slot in SLOTS if slot.name in weightless
        }  # fmt: skip
        table = {**TABLE, **weights}
        ours = choose_weights(table, None, None)
        expected = plain.score_documents(
            *map(as_documents, corpus), weigh=lambda slot, value: ours.of(WEIGHTS[slot], value)
        )
        result = score(predictions, references, weights=table)
        assert {key: result[key] for key in expected} == pytest.approx(expected, abs=1e-12)

    @pytest.mark.parametrize(("found", "expected"), [("donor_other", 0.0), ("patient", 0.0)])
    def test_where_the_script_divides_by_zero_it_is_zero(self, found, expected):
        gold, found = ([mention((0, 5), subject=subject)] for subject in ("donor_other", found))
        result = score([found], [gold], protocol="official")
        assert result["subject_weighted_accuracy"] == expected


class TestGivenSpans:
    """Task 2a gives the spans."""

    @pytest.mark.parametrize("protocol", ["spec", "official"])
    @pytest.mark.parametrize(
        ("found", "missed", "other"),
        [
            ([(0, 5)], "2 disorders have", None),
            ([(0, 5), (9, 12), (20, 25), (30, 35)], None, "1 prediction is at another span"),
            ([(0, 5), (9, 13), (20, 25)], "1 disorder has", "1 prediction is at another span"),
            ([(9, 13), (20, 24)], "3 disorders have", "2 predictions are at other spans"),
        ],
    )
    def test_warnings_say_how_many_spans_differ(self, found, missed, other, protocol):
        gold = [[mention((0, 5)), mention((9, 12)), mention((20, 25))]]
        with pytest.warns(clineval.InputWarning) as caught:
            score([[*map(mention, found)]], gold, config="task2a", protocol=protocol)
        expected = [number for number in (missed, other) if number]
        for warning, number in zip(caught, expected, strict=True):
            assert f"gives the spans, but {number}" in str(warning.message)

    def test_each_disorder_has_a_prediction_of_its_own(self):
        gold = [[mention((0, 5)), mention((0, 5), cui="C2")]]
        with pytest.warns(clineval.InputWarning, match="1 disorder has") as caught:
            score([gold[0][:1]], gold, config="task2a")
        assert len(caught) == 1

    @pytest.mark.parametrize("config", ["default", "task2b", "task1"])
    def test_elsewhere_they_may(self, config):
        score([[mention((0, 5))]], [[mention((0, 4))]], config=config)

    def test_other_codes_and_slots_are_no_other_spans(self):
        gold = [[mention((0, 5), (9, 12)), mention((20, 25))]]
        found = [[mention((0, 5), (9, 12), cui="C2"), mention((20, 25), negation="yes")]]
        assert score(found, gold, config="task2a")["span_f1"] == 1


class TestWordOverlap:
    TEXT = "severe left-sided chest pain, radiating"

    def test_a_part_of_a_word_is_no_shared_word(self):
        gold, found = [[mention((18, 28))]], [[mention((15, 20))]]
        assert score(found, gold)["relaxed_f1"] == 1
        assert score(found, gold, overlap="word", texts=[self.TEXT])["relaxed_f1"] == 0

    def test_a_whole_shared_word_is_one(self):
        gold, found = [[mention((18, 28))]], [[mention((24, 39))]]
        assert score(found, gold, overlap="word", texts=[self.TEXT])["relaxed_f1"] == 1

    @given(corpora(documents=1, room=24))
    def test_it_equals_character_overlap_where_every_character_is_a_word(self, corpus):
        """Of mentions without gaps, whose order by length does not change with the blanks."""
        corpus = [[[m for m in document if len(m["spans"]) == 1] for document in side]
                  for side in corpus]  # fmt: skip
        spaced = [
            [
                {**m, "spans": [[2 * start, 2 * end - 1] for start, end in m["spans"]]}
                for m in document
            ]
            for side in corpus
            for document in side
        ]
        gold, found = spaced[:1], spaced[1:]
        by_word = score(found, gold, overlap="word", texts=["a " * 25])
        assert by_word["relaxed_tp"] == score(corpus[1], corpus[0])["relaxed_tp"]

    def test_it_needs_the_texts(self):
        gold = [[mention((0, 4))]]
        laws.refuses(lambda: score(gold, gold, overlap="word"), "texts=", "document 0")


def test_mentions_that_differ_in_slots_alone_are_counted_in_task2a():
    """Of one span and code there may be several: such a corpus ended in an IndexError."""
    one, two = {"spans": [[0, 3]], "cui": "C1"}, {"spans": [[0, 3]], "cui": "C1", "negation": "yes"}
    with pytest.warns(clineval.InputWarning, match="1 disorder has no prediction"):
        assert score([[one]], [[one, two]], config="task2a")["span_tp"] == 1
    assert score([[two, one]], [[one, two]], config="task2a")["accuracy"] == 1
