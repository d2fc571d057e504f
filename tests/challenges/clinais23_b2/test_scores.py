"""ClinAIS 2023: the released code's numbers, worked examples, segeval, laws."""

import json
import random
from decimal import Decimal
from functools import partial
from unittest.mock import patch

import laws
import numpy as np
import pytest
import segeval
from conftest import DATA, ROOT
from hypothesis import given
from hypothesis import strategies as st
from segeval.data.samples import HEARST_1997_STARGAZER, HYPOTHESIS_STARGAZER
from segeval.similarity.distance.multipleboundary import boundary_edit_distance
from segeval.similarity.weight import weight_a, weight_s, weight_t, weight_t_scale

import clineval
from clineval.challenges.clinais23_b2 import boundary_edits
from clineval.challenges.clinais23_b2 import definition as plain
from clineval.challenges.clinais23_b2.printed import format_report
from clineval.challenges.clinais23_b2.spec import LABELS
from clineval.challenges.clinais23_b2.weights import Weights
from clineval.evaluation.evaluate import evaluate
from clineval.results.registry import find_challenge

NAME = "clinais23_b2"
count = partial(clineval.count, NAME)
A, B, C = LABELS[:3]
KINDS = ("matches", "additions", "deletions", "substitutions", "transpositions")


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict(per_document=True)


def align(predictions, references, **options):
    [alignment] = evaluate(NAME, predictions, references, **options).pairings
    return alignment


def note(size, **places):
    """A note's labels; ``A=0, B=[5, 8]`` puts labels at tokens."""
    labels = [None] * size
    for name, at in places.items():
        for place in [at] if isinstance(at, int) else at:
            labels[place] = {"A": A, "B": B, "C": C}[name]
    return labels


@st.composite
def corpora(draw, notes=4, room=50, labels=LABELS[:4]):
    """References and predictions with many near misses, substitutions and swaps."""
    label = st.sampled_from(labels)
    references, predictions = [], []
    for _ in range(draw(st.integers(1, notes))):
        size = draw(st.integers(0, room))
        gold, found = [None] * size, [None] * size
        if size:
            place = st.integers(0, size - 1)
            boundaries = draw(st.dictionaries(place, label, max_size=10))
            for at, name in boundaries.items():
                gold[at] = name
                moved = at + draw(st.sampled_from([0, 0, 0, 1, -1, 2, 5, -7]))
                if 0 <= moved < size and draw(st.integers(0, 5)):
                    found[moved] = name if draw(st.integers(0, 3)) else draw(label)
            for at, name in draw(st.dictionaries(place, label, max_size=4)).items():
                found[at] = name
        references.append(gold)
        predictions.append(found)
    return references, predictions


class TestTheReleasedCode:
    @pytest.mark.parametrize("protocol", ["spec", "official"])
    def test_random_cases_agree(self, protocol):
        cases = json.loads((DATA / "oracle" / NAME / "random_cases.json").read_text())
        assert len(cases) == 50
        golds, found = [case["gold"] for case in cases], [case["pred"] for case in cases]
        result = score(found, golds, protocol=protocol)
        ours = [row["b2"] for row in result["per_document"]]
        assert ours == pytest.approx([case["b2"] for case in cases], abs=1e-12)
        weights = [sum(map(bool, gold)) for gold in golds]
        expected = np.average([case["b2"] for case in cases], weights=weights)
        assert result["b2"] == pytest.approx(expected, abs=1e-12)

    def test_the_sample_with_gold_in_the_prediction_file(self, shared_oracle):
        both = shared_oracle / NAME / "prediction.sample.json"
        assert score(both, both)["b2"] == pytest.approx(0.8375287259023526, abs=1e-12)

    def test_the_sample_with_a_separate_gold_file(self, shared_oracle):
        folder = shared_oracle / NAME
        result = score(folder / "prediction.sample.json", folder / "gold.sample.json")
        assert result["b2"] == pytest.approx(0.846381143003332, abs=1e-12)

    def test_the_edits_of_each_note_of_the_sample(self, shared_oracle):
        """The script has additions and deletions the wrong way round."""
        folder = shared_oracle / NAME
        both = folder / "prediction.sample.json"
        ours = json.loads(format_report(clineval.score(NAME, both, both)))
        theirs = json.loads((folder / "prediction.sample.evaluated.json").read_text())["scores"]
        assert list(ours) == list(theirs)
        assert list(ours["Scores per file"]) == list(theirs["Scores per file"])
        for name, expected in theirs["Scores per file"].items():
            got = ours["Scores per file"][name]
            assert got["B2"] == pytest.approx(expected["B2"], abs=1e-12)
            statistics, swapped = got["Statistics"], expected["Statistics"]
            assert list(statistics) == list(swapped)
            swapped["additions"], swapped["deletions"] = swapped["deletions"], swapped["additions"]
            for kind in KINDS:
                assert statistics[kind] == swapped[kind], (name, kind)
            for kind in ("count_edits", "weighted_transpositions"):
                assert statistics[kind] == pytest.approx(swapped[kind], abs=1e-12)


GOLD = note(10, A=0, B=5)


class TestWorkedExamples:
    """Vectors of the released code: notes/official_scorers.md, section 3."""

    @pytest.mark.parametrize(
        ("found", "gold", "expected"),
        [
            (note(10, A=0), GOLD, 0.7483267872689288),
            (GOLD, note(10, A=0), 0.7483267872689288),
            (note(10, A=0, C=5), GOLD, 0.35),
            (note(10, B=0), note(10, A=0), 0.0),
            (note(10), note(10, A=0), 0.4966535745378575),
            (note(30, A=0), note(30, A=[0, 20], C=10), 0.6508580422741445),
            (note(12, B=3, A=8), note(12, A=3, B=8), 0.0),
        ],
        ids=["missed", "spurious", "substituted", "wrong type", "empty", "insertion", "swapped"],
    )
    def test_edits(self, found, gold, expected):
        assert score([found], [gold])["b2"] == pytest.approx(expected, abs=1e-12)

    @pytest.mark.parametrize(
        ("displacement", "expected"),
        [
            (1, 1.0), (2, 1.0), (3, 0.9753695), (5, 0.9668940), (10, 0.9301148),
            (15, 0.8679245), (20, 0.7980581), (38, 0.7087339), (39, 0.7080706), (40, 0.6508580),
        ],
    )  # fmt: skip
    def test_displacements(self, displacement, expected):
        found = note(60, A=0, B=5 + displacement)
        assert score([found], [note(60, A=0, B=5)])["b2"] == pytest.approx(expected, abs=5e-8)

    def test_a_displacement_of_n_t_is_two_misses(self):
        gold, at_most, beyond = note(60, A=0, B=5), note(60, A=0, B=44), note(60, A=0, B=45)
        assert score([at_most], [gold])["transpositions"] == 1
        result = score([beyond], [gold])
        assert [result[kind] for kind in KINDS] == [1, 1, 1, 0, 0]

    @pytest.mark.parametrize(("moved", "weight"), [(1, 0.0548828), (2, 0.0627589), (40, 0.6788714)])
    def test_the_published_text_s_reach_and_small_moves(self, moved, weight):
        """M = T = 1: 1 - w / (1 + 1 + 1 - w), with the published weights."""
        found, gold = note(60, A=0, B=5 + moved), note(60, A=0, B=5)
        result = score([found], [gold], n_t=41, weights={"transposition_free": 0})
        assert result["b2"] == pytest.approx(1 - weight / (3 - weight), abs=5e-8)

    def test_where_the_code_departs_from_the_text_is_said(self):
        said = find_challenge("clinais23_b2").task.specification
        card = (ROOT / "hub_cards" / "clinais23_b2" / "README.md").read_text("utf-8")
        for text in (said, card):
            assert "n_t - 1 = 39" in text
            assert "1 or 2 tokens is free" in text

    def test_two_sections_in_the_wrong_order_are_two_substitutions(self):
        result = score([note(12, B=3, A=8)], [note(12, A=3, B=8)])
        assert [result[kind] for kind in KINDS] == [0, 0, 0, 2, 0]

    def test_weights_of_misses(self):
        expected = [
            0.5033464, 1.0474259, 1.9034121, 3.4621172, 4.8814353, 5.9799214, 6.9968113, 7.9995064
        ]  # fmt: skip
        assert Weights().of_misses(np.arange(1, 9)) == pytest.approx(expected, abs=5e-8)

    def test_weights_of_displacements(self):
        expected = {
            2: 0, 3: 0.0721151, 4: 0.0831670, 5: 0.0961353, 10: 0.1959609, 15: 0.35,
            20: 0.5040391, 30: 0.6517161, 39: 0.6778916, 40: 0.6788714,
        }  # fmt: skip
        ours = Weights().of_displacements(np.array(list(expected)))
        assert ours == pytest.approx(list(expected.values()), abs=5e-8)


class TestEdits:
    def test_each_edit_says_what_happened(self):
        gold = note(30, A=0, B=[5, 20], C=12)
        found = note(30, A=0, B=[9, 12], C=25)
        detail = align([found], [gold])[0]
        assert detail["matched"] == [{"position": 0, "label": A}]
        told = [
            tuple(edit[key] for key in ("kind", "position", "displacement", "gold", "prediction"))
            for edit in detail["edits"]
        ]
        assert told == [
            ("transposition", 5, 4, B, B),
            ("transposition", 12, 13, C, C),
            ("transposition", 20, -8, B, B),
        ]
        costs = [plain.of_displacement(d) for d in (4, 13, 8)]
        assert [edit["cost"] for edit in detail["edits"]] == pytest.approx(costs, abs=1e-12)

    def test_additions_are_missed_and_deletions_spurious(self):
        detail = align([note(9, B=4)], [note(9, A=0)], n_t=2)[0]
        assert [(edit["kind"], edit["gold"], edit["prediction"]) for edit in detail["edits"]] == [
            ("addition", A, None),
            ("deletion", None, B),
        ]

    def test_per_document_has_them(self):
        result = score([note(9, B=4)], [note(9, B=1)])
        [row] = result["per_document"]
        assert row["b2"] == result["b2"]
        assert row["edits"] == align([note(9, B=4)], [note(9, B=1)])[0]["edits"]

    @given(corpora(), st.sampled_from([1, 2, 5, 40]))
    def test_costs_add_up_to_the_score(self, corpus, n_t):
        golds, found = corpus
        for row in score(found, golds, n_t=n_t)["per_document"]:
            moved = [edit["cost"] for edit in row["edits"] if edit["kind"] == "transposition"]
            size = len(row["edits"]) + len(row["matched"]) + len(moved) - sum(moved)
            cost = sum(edit["cost"] for edit in row["edits"])
            expected = max(0, size - cost) / size if size else 1
            assert row["b2"] == pytest.approx(expected, abs=1e-12)
            assert row["matches"] == len(row["matched"])

    @given(corpora(), st.sampled_from([1, 2, 5, 40]))
    def test_they_are_those_of_the_plain_scorer(self, corpus, n_t):
        golds, found = corpus
        for gold, prediction, detail in zip(
            golds, found, align(found, golds, n_t=n_t), strict=True
        ):
            expected = plain.find_edits(prediction, gold, n_t)
            ours = {kind: [e for e in detail["edits"] if e["kind"] == kind] for kind in (
                "addition", "deletion", "substitution", "transposition")}  # fmt: skip
            assert [match["position"] for match in detail["matched"]] == expected.matches
            assert [(e["position"], e["gold"]) for e in ours["addition"]] == expected.missed
            assert [(e["position"], e["prediction"]) for e in ours["deletion"]] == expected.spurious
            assert [
                (e["position"], e["prediction"], e["gold"]) for e in ours["substitution"]
            ] == expected.substitutions
            assert sorted(
                (*sorted([e["position"], e["position"] + e["displacement"]]), e["gold"])
                for e in ours["transposition"]
            ) == sorted(expected.transpositions)

    @given(corpora(notes=6), st.sampled_from([1, 2, 5, 40]))
    def test_scores_are_those_of_the_plain_scorer(self, corpus, n_t):
        golds, found = corpus
        result = score(found, golds, n_t=n_t)
        for key, function in (("b2", plain.b2), ("b", plain.b)):
            expected = plain.mean(function, found, golds, n_t)
            assert result[key] == pytest.approx(expected, abs=1e-12)


@given(corpora(notes=2), st.sampled_from([5, 40]), st.integers(1, 5), st.integers(0, 2))
def test_edits_do_not_depend_on_the_parts_in_which_they_are_found(corpus, n_t, part, rounds):
    golds, found = corpus
    whole = score(found, golds, n_t=n_t)
    with (
        patch.object(boundary_edits, "_PART", part), patch.object(boundary_edits, "_ROUNDS", rounds)
    ):  # fmt: skip
        assert score(found, golds, n_t=n_t) == whole


def test_many_boundaries_that_could_all_be_transposed_are_refused():
    golds, found = (
        [[LABELS[0] if at % 2 == side else None for at in range(10_000)]] for side in (0, 1)
    )
    problem = "closer than n_t tokens in more than 4,000,000 pairs. Choose a smaller n_t"
    laws.refuses(lambda: score(found, golds, n_t=1000), "note 0: ", problem)
    assert score(found, golds, n_t=10)["transpositions"] == 5000


def sets_of(labels):
    """A note as segeval takes it: a set of integers at each position."""
    return tuple(frozenset([LABELS.index(label) + 1] if label else []) for label in labels)


def random_note(chance):
    size = chance.choice([30, 100, 300])
    gold, found = [None] * size, [None] * size
    for at in chance.sample(range(size), chance.randint(1, 14)):
        gold[at] = chance.choice(LABELS)
        moved = at + (chance.randint(-45, 45) if chance.random() < 0.4 else 0)
        if 0 <= moved < size and chance.random() < 0.9:
            found[moved] = gold[at] if chance.random() < 0.8 else chance.choice(LABELS)
    return gold, found


class TestSegeval:
    """The package of B's author; its types must be integers."""

    @pytest.mark.parametrize("n_t", [2, 40])
    def test_b_agrees_on_random_notes(self, n_t):
        chance = random.Random(20130)
        notes = [random_note(chance) for _ in range(300)]
        golds, found = [gold for gold, _ in notes], [prediction for _, prediction in notes]
        for kind, weigh in (("unweighted", weight_t), ("scaled", weight_t_scale)):
            rows = score(found, golds, n_t=n_t, b_weights=kind)["per_document"]
            for row, (gold, prediction) in zip(rows, notes, strict=True):
                expected = segeval.boundary_similarity(
                    sets_of(prediction), sets_of(gold),
                    boundary_format=segeval.BoundaryFormat.sets,
                    n_t=n_t, weight=(weight_a, weight_s, weigh),
                )  # fmt: skip
                assert row["b"] == pytest.approx(float(expected), abs=1e-12)

    @pytest.mark.parametrize("n_t", [2, 40])
    def test_edits_agree_on_random_notes(self, n_t):
        chance = random.Random(20131)
        notes = [random_note(chance) for _ in range(300)]
        details = align([found for _, found in notes], [gold for gold, _ in notes], n_t=n_t)
        number = {None: None, **{label: k + 1 for k, label in enumerate(LABELS)}}
        for detail, (gold, found) in zip(details, notes, strict=True):
            added, substituted, moved = boundary_edit_distance(
                sets_of(found), sets_of(gold), n_t=n_t
            )
            ours = {"a": [], "b": [], "substitution": [], "moved": []}
            for edit in detail["edits"]:
                left, right = number[edit["prediction"]], number[edit["gold"]]
                if edit["kind"] == "transposition":
                    ends = sorted([edit["position"], edit["position"] + edit["displacement"]])
                    ours["moved"].append((*ends, right))
                elif edit["kind"] == "substitution":
                    ours["substitution"].append((left, right))
                else:
                    ours["a" if right is None else "b"].append(left or right)
            for side in "ab":
                theirs = [addition.type for addition in added if addition.side == side]
                assert sorted(ours[side]) == sorted(theirs)
            assert sorted(ours["moved"]) == sorted(tuple(edit) for edit in moved)
            assert sorted(ours["substitution"]) == sorted(tuple(edit) for edit in substituted)

    @pytest.mark.parametrize(
        ("hypothesis", "reference", "published"),
        [
            ("h1", "1", 0.57142857), ("h2", "1", 0.38888888),
            ("h1", "2", 0.42857142), ("h2", "2", 0.33333333),
        ],
    )  # fmt: skip
    def test_stargazer(self, hypothesis, reference, published):
        """Figures in segeval's own tests (similarity/boundary_test.py, test_b_datasets)."""
        found = [self.boundaries(HYPOTHESIS_STARGAZER["stargazer"][hypothesis])]
        gold = [self.boundaries(HEARST_1997_STARGAZER["stargazer"][reference])]
        ours = score(found, gold, n_t=2, b_weights="scaled", labels=["boundary"])["b"]
        assert ours == pytest.approx(published, abs=1e-7)

    def test_all_pairs_of_stargazer_coders(self):
        coders = HEARST_1997_STARGAZER["stargazer"]
        for one in coders.values():
            for other in coders.values():
                expected = segeval.boundary_similarity(one, other)
                assert isinstance(expected, (Decimal, int))
                ours = score(
                    [self.boundaries(one)], [self.boundaries(other)],
                    n_t=2, b_weights="scaled", labels=["boundary"],
                )["b"]  # fmt: skip
                assert ours == pytest.approx(float(expected), abs=1e-12)

    @staticmethod
    def boundaries(masses):
        """Sizes of segments as labels of the places between units."""
        labels = [None] * (sum(masses) - 1)
        at = 0
        for mass in masses[:-1]:
            at += mass
            labels[at - 1] = "boundary"
        return labels


class TestLaws:
    @given(corpora())
    def test_identity_is_one(self, corpus):
        golds, _ = corpus
        result = score(golds, golds)
        assert (result["b2"], result["b"]) == (1.0, 1.0)
        assert result["matches"] == sum(label is not None for gold in golds for label in gold)

    @given(corpora(), st.integers(0, 99))
    def test_order_of_notes_does_not_matter(self, corpus, seed):
        golds, found = corpus
        laws.order_of_documents_does_not_matter(score, found, golds, seed)

    @given(corpora())
    def test_counts_add_up(self, corpus):
        golds, found = corpus
        laws.counts_of_parts_add_up(count, found, golds)
        laws.counts_survive_json(count, found, golds)

    @given(corpora())
    def test_sides_swapped_swap_additions_and_deletions(self, corpus):
        golds, found = corpus
        there, back = score(found, golds), score(golds, found)
        assert there["additions"] == back["deletions"]
        for one, other in zip(there["per_document"], back["per_document"], strict=True):
            assert one["b2"] == pytest.approx(other["b2"], abs=1e-12)

    @given(corpora())
    def test_scores_are_flat_numbers_from_0_to_1(self, corpus):
        golds, found = corpus
        result = score(found, golds)
        laws.scores_are_flat_numbers(result)
        assert list(result) == ["b2", "b", *KINDS, "n_documents", "signature", "per_document"]
        assert 0 <= result["b2"] <= 1
        assert 0 <= result["b"] <= 1

    @pytest.mark.parametrize("others", [{}, {"C": [0, 3]}], ids=["alone", "with matches"])
    def test_farther_never_scores_more(self, others):
        gold = note(60, B=10, **others)
        values = [score([note(60, B=10 + d, **others)], [gold])["b2"] for d in range(40)]
        assert values == sorted(values, reverse=True)
        assert values[2] == 1.0 > values[3]

    def test_a_note_without_boundaries_scores_one_and_weighs_nothing(self):
        """The released code stops with an error."""
        empty = note(8)
        assert score([empty], [empty])["b2"] == 1.0
        alone = score([note(10, A=0)], [GOLD])["b2"]
        assert score([note(10, A=0), empty], [GOLD, empty])["b2"] == alone

    def test_a_note_without_gold_boundary_weighs_nothing(self):
        alone = score([note(10, A=0)], [GOLD])["b2"]
        result = score([note(10, A=0), note(8, A=2)], [GOLD, note(8)])
        assert result["b2"] == alone
        assert result["deletions"] == 1

    def test_no_notes_at_all(self):
        result = score([], [])
        assert (result["b2"], result["n_documents"]) == (0.0, 0)


class TestOptions:
    def test_the_signature_tells_n_t_and_weights(self):
        changed = {"substitution": 1, "transposition_free": 0}
        signature = score([GOLD], [GOLD], n_t=10, weights=changed, b_weights="scaled")["signature"]
        assert "|n_t:10|weights:substitution=1.0,transposition_free=0.0|b:scaled|" in signature
        assert clineval.Signature.parse(signature).settings["n_t"] == "10"
        default = "clinais23_b2|default|protocol:spec|n_t:40|weights:clinais|b:unweighted|docs:1|"
        assert score([GOLD], [GOLD])["signature"].startswith(default)

    def test_weights_change_the_score(self):
        found = note(10, A=0, C=5)
        assert score([found], [GOLD], weights={"substitution": 0.5})["b2"] == 0.75

    def test_weights_out_of_range_give_zero_and_no_nonsense(self):
        heavy = Weights(transposition_base=5)
        assert score([note(10, B=9)], [note(10, B=1)], weights=heavy)["b2"] == 0.0
        rewarding = Weights(addition_base=0)
        assert score([note(10)], [note(10, B=1)], weights=rewarding)["b2"] == 1.0

    def test_weights_from_a_file(self, tmp_path):
        path = tmp_path / "weights.json"
        path.write_text('{"substitution": 0.5}')
        assert score([note(10, A=0, C=5)], [GOLD], weights=str(path))["b2"] == 0.75

    def test_other_labels_are_accepted_when_named(self):
        found, gold = ["anamnesis", None, "plan"], ["anamnesis", None, None]
        result = score([found], [gold], labels=["anamnesis", "plan"])
        assert (result["matches"], result["deletions"]) == (1, 1)

    def test_the_digest_of_references_depends_on_positions_and_labels_only(self):
        def refs(gold, found=None, **options):
            return clineval.score(NAME, [found or gold], [gold], **options).counts.references

        assert refs(GOLD) == refs(GOLD, note(10)) == refs(GOLD, labels=LABELS[::-1])
        assert len({refs(GOLD), refs(note(10, A=0, B=6)), refs(note(10, A=0, C=5))}) == 3
