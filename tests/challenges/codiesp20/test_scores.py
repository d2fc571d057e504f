"""CodiEsp 2020: worked examples, the plain scorer, laws, and what is refused."""

import json
from functools import partial

import laws
import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from plain import codiesp20_script as script

import clineval
from clineval.challenges.codiesp20 import definition as plain
from clineval.definitions.ranked_codes import ranked
from clineval.definitions.rates import add_rows
from clineval.evaluation.analysis.agreement import agree
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.analysis.mistakes import count_mistakes, find_frequent
from clineval.evaluation.evaluate import evaluate

NAME = "codiesp20"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
count = partial(clineval.count, NAME)
COUNTS = ("micro_tp", "micro_fp", "micro_fn")
CODES = ["a10", "A10 ", "b20.1", "B20.1", "c3", "d4", "e5", "f6"]
SPAN = st.integers(0, 60).flatmap(lambda s: st.tuples(st.just(s), st.integers(s + 1, s + 30)))
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


def places(documents):
    """Documents of (code, spans) as the core takes them."""
    return [[{"code": c, "spans": [list(s) for s in of]} for c, of in doc] for doc in documents]


def count_all(predictions, references):
    """Counts of codes without places."""
    sides = [[[(code, ()) for code in doc] for doc in side] for side in (references, predictions)]
    return add_rows([plain.count(*pair, places=False) for pair in zip(*sides, strict=True)])


CODE = st.sampled_from(CODES)


@st.composite
def sides(draw, unit=CODE):
    size = draw(st.integers(1, 5))
    document = st.lists(unit, max_size=8)
    side = st.lists(document, min_size=size, max_size=size)
    return draw(side), draw(side)


PLACED = st.tuples(st.sampled_from(CODES[:4]), st.lists(SPAN, min_size=1, max_size=3))


class TestThePlainScorer:
    @pytest.mark.parametrize("valid", [None, ["A10", "b20.1", "e5"]])
    @given(sides())
    def test_ranks_and_counts_agree(self, valid, both):
        found, gold = both
        result = score(found, gold, codes=valid, cutoffs=[1, 2, 5])
        for key, k in {"map": None, "map_at_1": 1, "map_at_2": 2, "map_at_5": 5}.items():
            assert result[key] == pytest.approx(
                ranked(zip(gold, found, strict=True), valid, k), abs=1e-12
            )
        kept = {code.lower() for code in valid or [c.strip() for c in CODES]}
        only = [[code for code in doc if code.strip().lower() in kept] for doc in found]
        assert tuple(result[key] for key in COUNTS) == count_all(only, gold)

    @given(sides(st.sampled_from([c.strip().lower() for c in CODES])))
    def test_the_scripts_average_agrees(self, both):
        found, gold = both
        result = score(found, gold, protocol="official")
        assert result["map"] == pytest.approx(script.ranked(found, gold), abs=1e-12)
        assert tuple(result[key] for key in COUNTS) == count_all(found, gold)

    @pytest.mark.parametrize("protocol", ["spec", "official"])
    @given(sides(PLACED))
    def test_places_agree(self, protocol, both):
        clean = [[[(c.strip().lower(), of) for c, of in doc] for doc in side] for side in both]
        found, gold = clean
        result = score(places(found), places(gold), config="X", protocol=protocol)
        near = script.is_near if protocol == "official" else plain.is_near
        rows = [plain.count(g, f, places=True, near=near) for f, g in zip(*clean, strict=True)]
        assert tuple(result[key] for key in COUNTS) == add_rows(rows)


class TestLaws:
    @given(sides(), st.integers(0, 9))
    def test_order_of_documents_does_not_matter(self, both, seed):
        laws.order_of_documents_does_not_matter(score, *both, seed, near=1e-12)

    @given(sides())
    def test_parts_add_up_and_survive_json(self, both):
        found, gold = both
        whole = count(found, gold)
        for cut in range(len(gold) + 1):
            joined = count(found[:cut], gold[:cut]) + count(found[cut:], gold[cut:])
            assert joined.totals == pytest.approx(whole.totals)
        laws.counts_survive_json(count, *both)

    @given(sides())
    def test_swapping_sides_swaps_precision_and_recall(self, both):
        laws.swapping_sides_swaps_precision_and_recall(score, *both, ["micro"])

    @given(sides().filter(lambda both: any(both[1])))
    def test_the_gold_standard_is_perfect(self, both):
        keys = ["map", "map_at_30", "micro_f1", "micro_precision"]
        laws.perfect_predictions_score_one(score, both[1], keys)

    @given(sides(PLACED))
    def test_places_never_add_right_codes(self, both):
        found, gold = map(places, both)
        right = score(found, gold, config="X")["micro_tp"]
        assert right <= score(found, gold)["micro_tp"]
        assert score(found, gold, config="X", protocol="official")["micro_tp"] <= right

    def test_scores_of_nothing_are_numbers(self):
        for protocol in ("spec", "official"):
            for config in ("default", "X"):
                laws.scores_are_flat_numbers(score([[]], [[]], config=config, protocol=protocol))

    @given(sides(), st.sampled_from(["zz", "c3"]))
    def test_a_code_after_the_last_right_one_does_not_change_map(self, both, code):
        found, gold = both
        longer = [[*doc, code] for doc in found]
        without = [[c for c in doc if c.strip().lower() != code] for doc in gold]
        assert score(longer, without)["map"] == pytest.approx(score(found, without)["map"])


class TestInput:
    def test_mappings_are_paired_by_name(self):
        gold = {"a": ["i10"], "b": ["j45"]}
        assert score({"b": ["j45"], "a": ["i10"]}, gold)["map"] == 1.0

    def test_files_and_lists_score_alike(self, tmp_path):
        (tmp_path / "g.tsv").write_text("a\tI10\r\nb\tj45\r\na\te11\r\n")
        (tmp_path / "p.tsv").write_text("\ufeffa\te11\n\nb\tx\nb\tj45\n")
        expected = score([["e11"], ["x", "j45"]], [["I10", "e11"], ["j45"]])
        assert score(tmp_path / "p.tsv", tmp_path / "g.tsv") == expected

    def test_strings_that_pandas_takes_for_something_else_are_strings(self):
        rows = "01\tnull\n1\t0010\n"
        assert score(rows, rows)["micro_tp"] == 2
        assert score("01\tnull\n", "1\tnull\n")["micro_tp"] == 0

    def test_parts_may_come_in_any_order(self):
        gold = "a\tD\ti10\tx\t130 140;100 110\n"
        assert score("a\t100 140\tD\tI10\n", gold, config="X")["micro_f1"] == 1.0
        several = "a\t135 140;100 104\tD\tI10\n"
        assert score(several, gold, config="X")["micro_f1"] == 1.0

    @pytest.mark.parametrize(
        ("text", "config", "said"),
        [
            ("a\ti10\tx\n", "default", "<string>:1: expected 2 columns"),
            ("a\ti10\nb\tno fever\n", "default", "<string>:2: code: expected a code"),
            ("a\t\n", "default", "<string>:1: code: expected a code"),
            ("\ti10\n", "default", "<string>:1: document: expected a name"),
            ("a\t10\tD\ti10\n", "X", "<string>:1: position: expected offsets such as 12 20"),
            ("a\t20 12\tD\ti10\n", "X", "<string>:1: position: expected every start before"),
            ("a\t12 99999999999\tD\ti10\n", "X", "position: expected every start before"),
            ("a\ti10\n", "X", "<string>:1: expected 4 columns"),
        ],
    )
    def test_bad_lines_are_refused_with_file_and_line(self, text, config, said):
        gold = "a\tD\ti10\tx\t1 2\n" if config == "X" else "a\ti10\n"
        laws.refuses(lambda: score(text, gold, config=config), said, text=["fever"])

    @pytest.mark.parametrize(
        ("found", "said"),
        [
            (3, "predictions: expected a list of codes for each document"),
            ([3], "predictions, document 0: expected a list of codes"),
            ([["a", 3]], "predictions, document 0, code 1: expected a code"),
            ([["no fever"]], "predictions, document 0, code 0: expected a code"),
            (["no fever"], "document 0: expected a list of codes in a string of JSON"),
            ([[], []], "expected as many predictions as references"),
            ({"": []}, "expected the name of a document"),
            ([[{"code": "a", "spans": [[3, 2]]}]], "whole numbers [start, end]"),
            ([[{"code": "a", "spans": 3}]], "spans: expected a list"),
        ],
    )
    def test_bad_lists_are_refused(self, found, said):
        laws.refuses(lambda: score(found, [["a"]]), said, text=["fever"])

    def test_in_x_places_are_missed(self):
        laws.refuses(lambda: score([["a"]], [[]], config="X"), "'spans' are missing")

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"codes": []}, "codes: expected a path or codes"),
            ({"codes": 3}, "codes: expected a path or codes"),
            ({"cutoffs": "0"}, "cutoffs: expected whole numbers from 1 on"),
            ({"cutoffs": ["5", "zero"]}, "such as 10,30, got 'zero'"),
            ({"cutoffs": [5, None]}, "such as 10,30, got None"),
            ({"cutoffs": []}, "cutoffs: expected whole numbers from 1 on"),
            ({"cutoffs": "many"}, "cutoffs: expected whole numbers from 1 on"),
            ({"chapters": {"a": 1}}, "chapters: expected a path, or code prefixes"),
            ({"chapters": "a\n\tb"}, "<string>:1: expected a code prefix"),
        ],
    )
    def test_bad_options_are_refused(self, options, said):
        laws.refuses(lambda: score([["a"]], [["a"]], **options), said)

    def test_what_is_dropped_is_told(self):
        with pytest.warns(clineval.InputWarning, match="^2 predicted codes are not in the list"):
            score([["a", "b", "c"]], [["a"]], codes=["a"])

    def test_valid_codes_of_a_directory(self, tmp_path):
        for name in "DP":
            (tmp_path / f"{name}.tsv").write_text(f"{name}1\tx\n")
        result = score([["d1", "p1", "q1"]], [["d1"]], codes=tmp_path)
        assert result["micro_fp"] == 1


GOLD = [[("i10", [(0, 9)]), ("j45", [(20, 29)])], [("i10", [(3, 7)])]]
FOUND = [[("i10", [(0, 9)]), ("j45", [(90, 99)]), ("e11", [(5, 9)])], []]


class TestWhatFollows:
    def test_errors_tell_codes_and_places_apart(self):
        outcomes = evaluate(NAME, places(FOUND), places(GOLD), config="X").outcomes
        kinds = {kind: n for kind, n in count_mistakes(outcomes).items() if n}
        assert kinds == {"right": 1, "boundary": 1, "spurious": 1, "missed": 1}
        listed = [(m.kind, m.gold, m.prediction) for m in find_frequent(outcomes)]
        assert listed == [
            ("boundary", "j45", "j45"), ("spurious", None, "e11"), ("missed", "i10", None),
        ]  # fmt: skip

    def test_groups_by_chapter_add_up(self):
        chapters = {"I": "Heart", "j": "Lungs", "j4": "Airways"}
        evaluation = evaluate(NAME, places(FOUND), places(GOLD), config="X", chapters=chapters)
        result = break_down(evaluation.outcomes, "slot:chapter")
        counts = {
            name: [int(result.counts[c][at]) for c in COUNTS]
            for at, name in enumerate(result.names)
        }
        assert counts == {"Heart": [1, 0, 1], "Airways": [0, 1, 1], "(no chapter)": [0, 1, 0]}
        plainly = evaluate(NAME, places(FOUND), places(GOLD), config="X")
        assert evaluation.counts == plainly.counts

    @pytest.mark.parametrize("by", ["length", "fragments", "section"])
    def test_codes_without_places_have_no_such_groups(self, by):
        outcomes = evaluate(NAME, [["a"]], [["a"]]).outcomes
        laws.refuses(
            lambda: break_down(outcomes, by, sections={}), f"grouping by {by} needs positions"
        )

    def test_codes_with_places_are_grouped_by_their_length(self):
        outcomes = evaluate(NAME, places(FOUND), places(GOLD), config="X").outcomes
        assert break_down(outcomes, "length").names == ("1 to 5 characters", "6 to 10 characters")

    def test_annotators_agree_in_codes(self):
        one, two = DEMO / "dictionary_D.tsv", DEMO / "classifier_D.tsv"
        [result] = agree(NAME, {"one": one, "two": two})
        assert result.score["micro_f1"] == score(two, one)["micro_f1"]
        assert "code" not in result.slots  # which are paired because they are equal

    def test_the_demo_has_the_codes_that_its_places_have(self):
        rows = [line.split("\t") for line in (DEMO / "gold_X.tsv").read_text("utf-8").splitlines()]
        for document, _, _, words, position in rows:
            text = (DEMO / "text" / f"{document}.txt").read_text("utf-8")
            parts = [tuple(map(int, part.split())) for part in position.split(";")]
            assert " ".join(text[start:end] for start, end in parts) == words
        gold = {(d, c) for d, _, c, *_ in rows}
        texts = [(DEMO / f"gold_{kind}.tsv").read_text("utf-8") for kind in "DP"]
        lists = [line for text in texts for line in text.splitlines()]
        assert {tuple(line.split()) for line in lists} == gold


def test_lists_may_come_as_json_as_processes_exchange_them():
    found, gold = [["a", "b"], []], [["b"], ["c"]]
    packed = [[json.dumps(document) for document in side] for side in (found, gold)]
    assert score(*packed) == score(found, gold)


def test_a_missing_code_is_none_to_be_found():
    """Gold codes that are missing do not count; found ones made the mean 2."""
    sides = "a\tx\na\t\n"
    score = clineval.score("codiesp20", sides, sides, protocol="official")
    assert score["map"] == score["map_at_30"] == 1.0


def test_positions_end_with_blanks_that_python_takes_for_such():
    """The program reads them with ``int``, which does not take each blank that ``strip`` takes."""
    sides = "a\tDIAGNOSTICO\tx\tw\t0 4\n", "a\t0 4{}\tDIAGNOSTICO\tx\n"
    run = partial(clineval.score, "codiesp20", config="X", protocol="official")
    for blank in (" ", "\u2003", "\x85"):
        assert run(sides[1].format(blank), sides[0])["micro_tp"] == 1
    laws.refuses(lambda: run(sides[1].format("\x1c"), sides[0]), "a position of two numbers")
