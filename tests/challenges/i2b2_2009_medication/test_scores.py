"""The i2b2 2009 medication challenge: worked examples, laws, subsets, evaluation sets."""

import json
import tempfile
import warnings
from pathlib import Path

import laws
import pytest
from entry_strategies import TEXT, corpora
from hypothesis import given
from hypothesis import strategies as st
from plain import i2b2_2009_medication_script as script

import clineval
from clineval.challenges.i2b2_2009_medication import definition as plain
from clineval.challenges.i2b2_2009_medication.levels import DIRECTIONS
from clineval.evaluation.evaluate import evaluate_systems, make_setup
from clineval.formats.entry_lines import read_entries, write_entries
from clineval.kinds.entries.entry import FIELD_NAMES, FIELDS, Entry

NAME = "i2b2_2009_medication"
PRF = ("precision", "recall", "f1")

GOLD = """\
m="caltrate plus d" 5:1 5:3||do="one tab" 5:4 5:5||mo="nm"||f="b.i.d." 5:7 5:7||du="nm"||r="nm"
m="lantus" 6:1 6:1||do="7 units" 6:2 6:3||mo="sc" 6:4 6:4||f="q.p.m" 6:5 6:5||du="nm"||r="nm"
m="novolog" 7:1 7:1||do="4 units/4 units/5 units" 7:2 7:5||mo="sc" 7:6 7:6||f="t.i.d." 7:7 7:7
m="imdur" 8:1 8:1||do="30 mg" 8:2 8:3||mo="nm"||f="b.i.d." 8:4 8:4||du="nm"||r="nm"
"""
FOUND = """\
m="caltrate plus d" 5:1 5:3 || do="one" 5:4 5:4 || mo="p.o" 5:6 5:6 || f="b.i.d." 5:7 5:7 || du="nm"
m="lantus 7" 6:1 6:2 || do="units" 6:3 6:3 || mo="nm" || f="q.p.m" 6:5 6:5 || du="nm" || r="nm"
m="novolog" 7:1 7:1 || do="4 units/4 units/5 units" 7:2 7:5 || mo="sc" 7:6 7:6 || f="t.i.d." 7:7 7:7
"""


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


def score_texts(predictions, references, **options):
    records = [TEXT] * len(references)
    return score(predictions, references, records=records, **options)


def count_texts(predictions, references):
    records = [TEXT] * len(references)
    return clineval.count(NAME, predictions, references, records=records)


def entry(ln="list", **fields):
    """An entry from offsets such as ``m="5:1 5:3"``."""
    cells = [f'{tag}="x" {offsets}' for tag, offsets in fields.items()]
    return "||".join([*cells, f'ln="{ln}"']) + "\n"


def numbers(scores, name, level="system"):
    return tuple(scores[f"{name}_{level}_{measure}"] for measure in PRF[:2])


class TestWorkedExampleOfTheSeed:
    """Its "units 6:2 6:3" stands for 6:3 6:3, as its own vertical list shows."""

    RESULT = score([FOUND], [GOLD])

    def test_horizontal_entry_1(self):
        result = score([FOUND.splitlines()[0]], [GOLD.splitlines()[0]])
        assert numbers(result, "exact_horizontal") == (2 / 4, 2 / 3)
        assert numbers(result, "inexact_horizontal") == (5 / 6, 5 / 6)

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("exact_vertical_medication", (2 / 3, 2 / 4)),
            ("exact_vertical_dosage", (1 / 3, 1 / 4)),
            ("exact_vertical_mode", (1 / 2, 1 / 2)),
            ("inexact_vertical_medication", (5 / 6, 5 / 6)),
            ("inexact_vertical_dosage", (6 / 6, 6 / 10)),
            ("inexact_vertical_mode", (1 / 2, 1 / 2)),
        ],
    )
    def test_vertical(self, name, expected):
        assert numbers(self.RESULT, name) == expected
        assert numbers(self.RESULT, name, "patient") == expected

    def test_the_typo_of_the_sample_output_would_give_another_dosage(self):
        typo = FOUND.replace('"units" 6:3 6:3', '"7 units" 6:2 6:3')
        assert numbers(score([typo], [GOLD]), "exact_vertical_dosage") == (2 / 3, 2 / 4)


class TestAlignment:
    """Spec: entries with equal medications first, then those whose medications overlap."""

    GOLD = entry(m="5:1 5:2")

    @pytest.mark.parametrize("spurious", ["5:1 5:1", "5:2 5:2", "5:0 5:2"])
    def test_an_exact_entry_is_not_taken_by_a_spurious_one(self, spurious):
        result = score([self.GOLD + entry(m=spurious)], [self.GOLD])
        assert numbers(result, "exact_horizontal") == (1 / 2, 1)

    def test_nor_by_one_that_shares_more(self):
        gold = entry(m="5:1 5:2", do="5:3 5:9")
        result = score([self.GOLD + entry(m="5:1 5:1", do="5:3 5:9")], [gold])
        assert numbers(result, "inexact_horizontal") == (2 / 10, 2 / 9)

    def test_of_overlapping_medications_the_best_pair_comes_first(self):
        """The first system entry shares one token of two with the gold entry, the other both."""
        result = score([entry(m="5:0 5:1") + entry(m="5:1 5:3")], [self.GOLD])
        assert numbers(result, "inexact_horizontal") == (2 / 5, 1)

    def test_of_equal_pairs_that_of_the_first_system_entry_comes_first(self):
        """Both share one token with the gold entry; the first one agrees in the dosage."""
        gold = entry(m="5:1 5:2", do="6:0 6:0")
        first, second = entry(m="5:0 5:1", do="6:0 6:0"), entry(m="5:2 5:3", do="6:0 6:0")
        for found in (first + second, second + first):
            result = score([found], [gold + entry(m="5:2 5:2", do="7:0 7:0")])
            assert numbers(result, "inexact_horizontal") == (3 / 6, 3 / 5)


class TestAgainstThePlainScorers:
    @given(corpora())
    def test_spec(self, corpus):
        result = score_texts(*corpus)
        expected = plain.score(*corpus, [TEXT] * len(corpus[0]))
        assert {key: result[key] for key in expected} == pytest.approx(expected, abs=1e-12)
        assert set(result) - set(expected) == {"signature"}

    @given(corpora(records=1, most=9))
    def test_spec_with_many_rivals(self, corpus):
        expected = plain.score(*corpus, [TEXT])
        result = score_texts(*corpus)
        assert {key: result[key] for key in expected} == pytest.approx(expected, abs=1e-12)

    @given(st.one_of(corpora(), corpora(records=1, most=6)))
    def test_official(self, corpus):
        system, gold = (
            {str(k): [_as_offsets(e) for e in entries] for k, entries in enumerate(side)}
            for side in corpus
        )
        lengths = [line.count(" ") + 1 for line in TEXT.split("\n")]
        expected = script.score(gold, system, dict.fromkeys(gold, lengths))
        result = score_texts(*corpus, protocol="official")
        for (match, direction, *place), values in expected.items():
            if direction == "counts":
                continue
            level, tag = place
            name = f"{match}_{direction}"
            name += "" if tag == "X" else f"_{FIELD_NAMES[FIELDS.index(tag)]}"
            ours = [result[f"{name}_{level}_{measure}"] for measure in ("f1", *PRF[:2])]
            assert ours == pytest.approx(values, abs=1e-12 if level == "patient" else 5.001e-5)

    @given(corpora(), st.lists(st.sampled_from(("sys", "gold")), max_size=2))
    def test_spec_with_records_of_one_side(self, corpus, alone):
        """The last records of the corpus are on the sides named, the others on both."""
        alone = alone[: len(corpus[1]) - 1]
        kept = ["sys gold"] * (len(corpus[1]) - len(alone)) + alone
        found, gold = (
            [entries if name in sides else None for entries, sides in zip(side, kept, strict=True)]
            for name, side in zip(("sys", "gold"), corpus, strict=True)
        )
        expected = plain.score([entries or [] for entries in found], gold, [TEXT] * len(kept))
        result = score_files(found, gold)
        assert {key: result[key] for key in expected} == pytest.approx(expected, abs=1e-12)


def score_files(predictions, references):
    """Score directories; a side has no file of a record that is None."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", clineval.InputWarning)
        paths = []
        for name, side in (("sys", predictions), ("gold", references)):
            paths.append(Path(folder, name))
            objects = {
                str(number): [Entry.from_dict(entry) for entry in entries]
                for number, entries in enumerate(side)
                if entries is not None
            }
            write_entries(objects, paths[-1])
        texts = {str(number): TEXT for number in range(len(references))}
        return score(*paths, records=texts)


def _as_offsets(entry):
    return {
        tag: [tuple(offset) for offset in entry[tag]["offsets"]] for tag in FIELDS if entry[tag]
    }


class TestLaws:
    @given(corpora(), st.integers(0, 1000))
    def test_order_of_entries_does_not_matter(self, corpus, seed):
        laws.order_of_units_does_not_matter(score_texts, *corpus, seed)

    @given(corpora(), st.integers(0, 1000))
    def test_order_of_records_does_not_matter(self, corpus, seed):
        laws.order_of_documents_does_not_matter(score_texts, *corpus, seed)

    @given(corpora())
    def test_vertical_precision_and_recall_swap_with_the_sides(self, corpus):
        there, back = score_texts(*corpus), score_texts(*corpus[::-1])
        for key in there:
            if "_vertical_" in key and key.endswith("_precision"):
                stem = key.removesuffix("precision")
                assert there[key] == back[f"{stem}recall"]
                assert there[f"{stem}f1"] == pytest.approx(back[f"{stem}f1"], abs=1e-12)

    @given(corpora().filter(lambda corpus: any(corpus[1])))
    def test_a_perfect_system_scores_one(self, corpus):
        fields = {tag for record in corpus[1] for e in record for tag in FIELDS if e[tag]}
        names = [f"vertical_{FIELD_NAMES[FIELDS.index(tag)]}" for tag in fields]
        keys = [
            f"{match}_{name}_{level}_{measure}"
            for match in ("exact", "inexact")
            for name in ("horizontal", "vertical_all", *names)
            for level in ("system", "patient")
            for measure in PRF
        ]
        laws.perfect_predictions_score_one(score_texts, corpus[1], keys)

    @given(corpora())
    def test_counts_of_parts_add_up(self, corpus):
        laws.counts_of_parts_add_up(count_texts, *corpus)

    @given(corpora())
    def test_counts_survive_json(self, corpus):
        laws.counts_survive_json(count_texts, *corpus)

    @pytest.mark.parametrize("protocol", ["spec", "official"])
    @pytest.mark.parametrize("sides", [([], []), ([[]], [[]]), ([FOUND], [""]), ([""], [GOLD])])
    def test_nothing_to_find_or_found_gives_flat_numbers(self, sides, protocol):
        result = score(*sides, protocol=protocol)
        laws.scores_are_flat_numbers(result)
        assert len(result) == 2 + 2 * len(DIRECTIONS) * 2 * 3

    @given(corpora())
    def test_each_document_has_its_own_scores(self, corpus):
        rows = count_texts(*corpus).score().per_document
        for row, found, gold in zip(rows, *corpus, strict=True):
            alone = score_texts([found], [gold])
            shared = {key: row[key] for key in row if key != "document"}
            assert shared == {key: alone[key] for key in shared}


class TestSubset:
    SIDES = (
        [entry(m="1:0 1:0", ln="list") + entry(m="2:0 2:0", ln="narrative")],
        [entry(m="1:0 1:0", ln="list") + entry(m="3:0 3:0", ln="narrative")],
    )

    @pytest.mark.parametrize(("subset", "f1"), [(None, 0.5), ("list", 1.0), ("narrative", 0.0)])
    def test_restricts_both_sides(self, subset, f1):
        result = score(*self.SIDES, subset=subset)
        assert result["exact_horizontal_system_f1"] == f1
        assert f"|subset:{subset or 'all'}|" in result["signature"]

    @given(corpora(), st.sampled_from(["list", "narrative"]))
    def test_is_what_scoring_these_entries_alone_gives(self, corpus, subset):
        part = [[[e for e in record if e["ln"] == subset] for record in side] for side in corpus]
        whole, alone = score_texts(*corpus, subset=subset), score_texts(*part)
        del whole["signature"], alone["signature"]
        assert whole == alone

    def test_needs_to_know_where_an_entry_is_from(self):
        silent = ['m="x" 1:1 1:1\n']
        laws.refuses(
            lambda: score(silent, silent, subset="list"), "references, record 0:1", "ln is missing"
        )
        laws.refuses(lambda: score(silent, silent, subset="prose"), "'prose'", "list, narrative")


class TestEvaluationSets:
    RIGHT, WRONG = entry(m="1:0 1:0"), entry(m="2:0 2:0")
    SIDES = [RIGHT, RIGHT, WRONG, RIGHT], [RIGHT] * 4
    KEY = "exact_horizontal_system_f1"

    def test_are_scored_each_and_averaged(self):
        result = score(*self.SIDES, evaluation_sets=["A", "B", "B", "C"])
        assert [result[f"set_{s}_{self.KEY}"] for s in "abc"] == [1.0, 0.5, 1.0]
        assert result[f"sets_mean_{self.KEY}"] == pytest.approx((1 + 0.5 + 1) / 3)
        assert result[self.KEY] == 0.75

    def test_a_set_without_a_record_is_left_out_of_the_mean(self):
        result = score(*self.SIDES, evaluation_sets=["A", "A", "B", "B"])
        assert result[f"set_c_{self.KEY}"] == 0
        assert result[f"sets_mean_{self.KEY}"] == pytest.approx((1 + 0.5) / 2)

    def test_can_be_a_mapping_or_a_file(self, tmp_path):
        sets = {"0": "A", "1": "B", "2": "B", "3": "C"}
        (tmp_path / "sets.json").write_text(json.dumps(sets))
        by_list = score(*self.SIDES, evaluation_sets=[*sets.values()])
        assert score(*self.SIDES, evaluation_sets=sets) == by_list
        assert score(*self.SIDES, evaluation_sets=tmp_path / "sets.json") == by_list
        assert score(*self.SIDES, evaluation_sets=str(tmp_path / "sets.json")) == by_list

    def test_all_keys_are_there_for_each_set_and_the_mean(self):
        plain_keys = score(*self.SIDES).keys() - {"n_documents", "signature"}
        result = score(*self.SIDES, evaluation_sets=["A", "B", "B", "C"])
        for prefix in ("", "set_a_", "set_b_", "set_c_", "sets_mean_"):
            assert {prefix + key for key in plain_keys} <= result.keys()

    def test_of_all_records_give_the_scores_of_the_corpus(self):
        result = score(*self.SIDES, evaluation_sets=["B"] * 4)
        assert result[f"set_b_{self.KEY}"] == result[f"sets_mean_{self.KEY}"] == result[self.KEY]

    def test_warn_of_records_without_set_and_sets_without_record(self):
        with pytest.warns(clineval.InputWarning, match="1 record is in no evaluation set: 3"):
            score(*self.SIDES, evaluation_sets={"0": "A", "1": "A", "2": "A"})
        with pytest.warns(clineval.InputWarning, match="missing from the data: 17"):
            score(*self.SIDES, evaluation_sets={**dict.fromkeys("0123", "A"), "17": "A"})

    @pytest.mark.parametrize(
        ("sets", "said"),
        [
            (["A"], "expected 4 sets"),
            (["A", "B", "C", "D"], "record 3: expected one of the sets A, B, C, got 'D'"),
            (7, "expected a mapping from record name to set, got 7"),
            ("no/such/file.json", "cannot be read"),
        ],
    )
    def test_that_cannot_be_read_are_refused(self, sets, said):
        laws.refuses(lambda: score(*self.SIDES, evaluation_sets=sets), said)

    def test_in_a_broken_file_are_refused(self, tmp_path):
        (tmp_path / "sets.json").write_text("{")
        laws.refuses(
            lambda: score(*self.SIDES, evaluation_sets=tmp_path / "sets.json"), "expected JSON"
        )


class TestFormsOfInput:
    def test_text_dicts_objects_and_json_score_alike(self):
        gold, found = read_entries(GOLD)[""], read_entries(FOUND)[""]
        expected = score([FOUND], [GOLD])
        dicts = [[e.as_dict() for e in side] for side in (found, gold)]
        assert score([found], [gold]) == expected
        assert score([dicts[0]], [dicts[1]]) == expected
        assert score([json.dumps(dicts[0])], [json.dumps(dicts[1])]) == expected
        assert score(FOUND, GOLD) == expected
        assert [Entry.from_dict(e) for e in dicts[1]] == gold

    def test_records_change_nothing_where_no_field_crosses_lines(self):
        text = "\n".join(["a b c d e f g h i"] * 9)
        expected, known = score([FOUND], [GOLD]), score([FOUND], [GOLD], records=[text])
        assert "|tokens:offsets|" in expected.pop("signature")
        assert "|tokens:records|" in known.pop("signature")
        assert known == expected

    def test_text_case_and_genre_are_not_compared(self):
        gold, found = ['m="Aspirin" 1:2 1:3||ln="list"'], ['m="other" 1:2 1:3||ln="narrative"']
        assert score(found, gold)["exact_horizontal_patient_f1"] == 1


def test_records_are_read_once_however_many_systems_there_are():
    asked = []

    class Records(dict):
        def get(self, name, default=None):
            asked.append(name)
            return super().get(name, default)

    lasix = {"m": {"text": "lasix daily", "offsets": [[1, 1, 2, 0]]}}
    systems = {"same": [[lasix], []], "none": [[], []]}
    records = Records({"0": "on lasix\ndaily", "1": "nothing"})
    evaluations = evaluate_systems(make_setup(NAME, records=records), systems, [[lasix], []])
    assert asked == ["0", "1"]
    f1 = [e.score()["inexact_horizontal_system_f1"] for e in evaluations.values()]
    assert f1 == [1.0, 0.0]
