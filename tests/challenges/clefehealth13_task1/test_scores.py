"""ShARe/CLEF 2013 Task 1: the script's outputs, both protocols, laws."""

import json

import laws
import pytest
from commands import invoke
from conftest import DATA
from definitions import as_documents
from hypothesis import given
from hypothesis import strategies as st
from plain import clefehealth13_task1_script as script
from strategies import corpora
from thorough import thorough

import clineval
from clineval.challenges.clefehealth13_task1 import CHALLENGE
from clineval.challenges.clefehealth13_task1 import definition as plain
from clineval.challenges.clefehealth13_task1.spec import SLOTS
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.analysis.mistakes import count_mistakes
from clineval.evaluation.evaluate import evaluate
from clineval.formats import jsonl
from clineval.formats.checking import find_problems

NAME = "clefehealth13_task1"
ORACLE = DATA / "oracle" / NAME
CASES = sorted(path.parent for path in ORACLE.glob("**/official.taskA.out"))
ONES = [
    *(
        f"{prefix}_{key}"
        for prefix in ("exact", "overlap")
        for key in ("precision", "recall", "f1")
    ),
    *("strict_accuracy", "relaxed_accuracy"),
]
REFUSED = {
    "odd": ("d.pipe:1", "offsets in pairs start||end, got 3 offsets"),
    "unordered": ("d.pipe:1", "offset 10 follows 40"),
}


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


def count(predictions, references, **options):
    return clineval.count(NAME, predictions, references, **options)


def mention(*spans, cui="C1", **slots):
    return {"spans": [list(span) for span in spans], "cui": cui, **slots}


def both(predicted, gold, key):
    """One score under both protocols, from text in the lab's format."""
    return [score(predicted, gold, protocol=protocol)[key] for protocol in ("spec", "official")]


def line(*offsets, cui="C1", document="d"):
    return "||".join([document, "Disease_Disorder", cui, *map(str, offsets)]) + "\n"


class TestTheReleasedScript:
    @pytest.mark.filterwarnings("ignore::clineval.InputWarning")
    @pytest.mark.parametrize("task", ["A", "B", "1a", "1b"])
    @pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
    def test_its_files_are_written_byte_for_byte(self, case, task, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        letter = {"1a": "A", "1b": "B"}.get(task, task)
        status, _, written = (case / f"official.task{letter}.out").read_text().partition("\n")
        arguments = ["official", "clefehealth13-task1", "-n", "x", "-r", "2", "-t", task, "-a"]
        sides = ["-input", str(case / "pred"), "-gold", str(case / "gold")]
        result = invoke([*arguments, *sides])
        file = tmp_path / f"x.2.{task}.add"
        if status == "rc=0":
            assert result.exit_code == 0
            assert file.read_bytes() == written.encode()
        else:
            assert not file.exists()
            assert isinstance(result.exception, clineval.InputError)
            assert all(part in str(result.exception) for part in REFUSED[case.name])

    def test_every_refused_case_is_known(self):
        refused = {c.name for c in CASES if "rc=25" in (c / "official.taskA.out").read_text()}
        assert refused == set(REFUSED)

    def test_without_additional_annotations_the_file_says_so(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        arguments = ["official", "clefehealth13-task1", "-n", "x", "-r", "1", "-t", "1a"]
        sides = ["-input", str(CASES[0] / "pred"), "-gold", str(CASES[0] / "gold")]
        assert invoke([*arguments, *sides]).exit_code == 0
        assert [path.name for path in tmp_path.iterdir()] == ["x.1.1a.noadd"]


class TestAgainstThePlainScorer:
    @given(corpora(SLOTS))
    def test_spec(self, corpus):
        references, predictions = corpus
        result = score(predictions, references)
        signature, documents = result.pop("signature"), result.pop("n_documents")
        assert documents == len(references)
        expected = plain.score_documents(*map(as_documents, corpus))
        assert result == pytest.approx(expected, abs=1e-12)
        assert signature.startswith(f"{NAME}|default|protocol:spec|docs:")

    @given(corpora(SLOTS, documents=1, most=12, room=14))
    def test_spec_with_dense_overlaps(self, corpus):
        references, predictions = corpus
        result = score(predictions, references)
        expected = plain.score_documents(*map(as_documents, corpus))
        assert {key: result[key] for key in expected} == pytest.approx(expected, abs=1e-12)

    @pytest.mark.filterwarnings("ignore::clineval.InputWarning")
    @given(st.data())
    def test_official(self, data):
        offsets = st.lists(st.integers(0, 14), min_size=2, max_size=6).map(sorted)
        lines = st.builds(
            _written,
            st.sampled_from(["d", "D", "e"]),
            offsets.filter(lambda points: len(points) % 2 == 0),
            st.sampled_from(["C1", "c1", "C2", "CUI-less", "CUIless"]),
            st.sampled_from(["", "", "0"]),
            st.sampled_from(["", "", "\r"]),
        )
        sides = ["".join(data.draw(st.lists(lines, min_size=1, max_size=12))) for _ in range(2)]
        result = score(*sides, protocol="official")
        expected = script.score(*sides)
        assert {key: result[key] for key in expected} == expected


def _written(document, offsets, code, zero, end):
    cells = [document, "T", code, f"{zero}{offsets[0]}", *map(str, offsets[1:])]
    return "||".join(cells) + end + "\n"


class TestProtocols:
    """Each declared difference, on an input on which the results differ."""

    def test_overlapping_mentions(self):
        gold, found = line(0, 100), line(0, 10) + line(20, 30) + line(40, 50)
        assert both(found, gold, "overlap_tp") == [1, 3]
        assert both(gold, found, "overlap_fn") == [2, 0]

    def test_repeated_spans(self):
        gold, found = line(10, 20), line(10, 20, cui="C9") + line(10, 20) + line(10, 20, cui="C8")
        assert both(found, gold, "exact_fp") == [0, 0]
        assert both(found, gold, "correct") == [1, 0]
        assert both(gold, found, "strict_total") == [3, 1]

    def test_spelling_of_offsets(self):
        assert both(line("010", 20), line(10, 20), "exact_tp") == [1, 0]
        assert both(line(10, "20\r"), line(10, 20), "exact_tp") == [1, 0]
        assert both(line(10, "20\r"), line(10, 20), "overlap_tp") == [1, 1]

    def test_order_of_fragments(self):
        gold, found = line(10, 20, 30, 40), line(30, 40, 10, 20)
        assert score(found, gold)["exact_tp"] == 1
        laws.refuses(lambda: score(found, gold, protocol="official"), "<string>:1", "increasing")

    def test_empty_fragments(self):
        gold, found = line(10, 20), line(15, 15)
        laws.refuses(lambda: score(found, gold), "<string>:1", "fragment 15-15")
        assert score(found, gold, protocol="official")["overlap_tp"] == 1

    def test_spelling_of_cui_less(self):
        assert both(line(1, 2, cui="CUIless"), line(1, 2, cui="CUI-less"), "correct") == [1, 0]

    def test_names_of_files(self, tmp_path):
        for side in ("gold", "pred"):
            (tmp_path / side).mkdir()
        (tmp_path / "gold" / "all").write_text(line(10, 20))
        (tmp_path / "pred" / "x").write_text(line(10, 20))
        sides = tmp_path / "pred", tmp_path / "gold"
        laws.refuses(lambda: score(*sides), "gold", "'.pipe'", "1 file with other names")
        with pytest.warns(clineval.InputWarning) as caught:
            assert score(*sides, protocol="official")["exact_fn"] == 1
        assert any("nothing is read" in str(warning.message) for warning in caught)

    def test_each_declared_difference_has_a_test(self):
        tests = {name.removeprefix("test_").replace("_", " ") for name in dir(TestProtocols)}
        rules = {d.rule.replace("-", " ").lower() for d in CHALLENGE.differences}
        assert {rule.removesuffix(" in a directory") for rule in rules} <= tests

    def test_touching_spans_do_not_overlap_in_either(self):
        assert both(line(20, 25), line(10, 20), "overlap_tp") == [0, 0]


class TestLaws:
    @given(corpora(SLOTS), st.integers(0, 1000))
    def test_order_of_mentions_does_not_matter(self, corpus, seed):
        laws.order_of_units_does_not_matter(score, *corpus, seed)

    @thorough
    @given(corpora(SLOTS), st.integers(0, 1000))
    def test_order_of_documents_does_not_matter(self, corpus, seed):
        laws.order_of_documents_does_not_matter(score, *corpus, seed)

    @given(corpora(SLOTS))
    def test_swapping_sides_swaps_precision_and_recall_of_exact_matches(self, corpus):
        laws.swapping_sides_swaps_precision_and_recall(score, *corpus, ["exact"])

    @given(corpora(SLOTS).filter(lambda corpus: any(corpus[0])))
    def test_perfect_predictions_score_one(self, corpus):
        laws.perfect_predictions_score_one(score, corpus[0], ONES)

    @given(corpora(SLOTS))
    def test_exact_is_at_most_overlap(self, corpus):
        laws.strict_is_at_most_relaxed(score, *corpus, "exact", "overlap")

    @thorough
    @given(corpora(SLOTS), st.sampled_from(["spec", "official"]))
    def test_counts_of_documents_add_up(self, corpus, protocol):
        laws.counts_of_parts_add_up(lambda *sides: count(*sides, protocol=protocol), *corpus)

    @thorough
    @given(corpora(SLOTS))
    def test_counts_survive_json(self, corpus):
        laws.counts_survive_json(count, *corpus)

    @given(corpora(SLOTS), st.sampled_from(sorted(CHALLENGE.task.configs)))
    def test_keys_never_depend_on_the_data(self, corpus, config):
        result = score(*corpus, config=config)
        laws.scores_are_flat_numbers(result)
        assert set(result) == set(score([[]], [[]], config=config))

    @given(corpora(SLOTS), st.sampled_from(["spec", "official"]))
    def test_configs_together_are_the_default(self, corpus, protocol):
        whole = score(*corpus, protocol=protocol)
        parts = [score(*corpus, config=c, protocol=protocol) for c in ("task1a", "task1b")]
        signatures = [part.pop("signature") for part in parts]
        assert len(set(signatures)) == 2
        assert {**parts[0], **parts[1], "signature": whole["signature"]} == whole


TWO_CODES = [[mention((4, 15), cui="C1"), mention((4, 15), cui="C2"), mention((20, 25))]]
ONE_CODE = [[mention((4, 15), cui="C2"), mention((20, 25))]]


class TestDistinctSpans:
    """Task 1a counts a span once, whatever its codes; Task 1b each of its codes."""

    @pytest.mark.parametrize("config", ["default", "task1a"])
    def test_a_span_with_two_codes_is_one_span(self, config):
        for found, gold in ((ONE_CODE, TWO_CODES), (TWO_CODES, ONE_CODE)):
            result = score(found, gold, config=config)
            for prefix in ("exact", "overlap"):
                counts = [result[f"{prefix}_{kind}"] for kind in ("f1", "tp", "fp", "fn")]
                assert counts == [1.0, 2, 0, 0]

    @pytest.mark.parametrize("config", ["default", "task1b"])
    def test_and_two_mentions_where_codes_count(self, config):
        result = score(ONE_CODE, TWO_CODES, config=config)
        assert (result["correct"], result["strict_total"], result["relaxed_total"]) == (2, 3, 2)

    @pytest.mark.parametrize("config", ["default", "task1b"])
    def test_each_code_that_is_given_for_a_span_counts(self, config):
        """The lab's document: the total is all named entities with strictly correct span."""
        gold = [[mention((0, 5)), mention((9, 12), cui="C2")]]
        ten = [[mention(span, cui=f"C{k}") for span in ((0, 5), (9, 12)) for k in range(1, 11)]]
        result = score([[*ten[0], mention((0, 4))]], gold, config=config)
        assert (result["correct"], result["relaxed_total"]) == (2, 20)
        assert (result["strict_accuracy"], result["relaxed_accuracy"]) == (1.0, 0.1)

    def test_a_surplus_code_counts_in_the_group_of_its_span(self):
        found = [[mention((0, 5), cui=f"C{k}") for k in (1, 2, 3)]]
        outcomes = evaluate(NAME, found, [[mention((0, 5))]]).outcomes
        groups = break_down(outcomes, "code").values
        counted = {name: (of["correct"], of["relaxed_total"]) for name, of in groups.items()}
        assert counted == {"c1": (1, 3), "c2": (0, 0), "c3": (0, 0)}

    @given(corpora(SLOTS, most=8, room=12), st.sampled_from(["default", "task1a"]))
    def test_codes_say_nothing_of_spans(self, corpus, config):
        bare = [[[{**m, "cui": None} for m in d] for d in side] for side in corpus]
        left, right = (
            {key: value for key, value in score(found, gold, config=config).items()
             if key.startswith(("exact", "overlap"))}
            for gold, found in (corpus, bare)
        )  # fmt: skip
        assert left == right

    @given(corpora(SLOTS, most=8, room=12), st.sampled_from(sorted(CHALLENGE.task.configs)))
    def test_outcomes_and_errors_agree_with_the_counts(self, corpus, config):
        references, predictions = corpus
        outcomes = evaluate(NAME, predictions, references, config=config).outcomes
        totals = count(predictions, references, config=config).totals
        told = {}
        for match in outcomes.matches.values():
            told |= {column: len(match.rows(column)) for column in match.columns}
        assert told == totals
        kinds = count_mistakes(outcomes)
        paired = sum(kinds[kind] for kind in ("right", "boundary", "code", "both"))
        if config == "task1b":
            assert kinds["right"] == totals["correct"]
            assert paired + kinds["missed"] == totals["strict_total"]
        else:
            counts = [totals[f"overlap_{kind}"] for kind in ("tp", "fp", "fn")]
            assert [paired, kinds["spurious"], kinds["missed"]] == counts
            assert kinds["right"] + kinds["code"] == totals["exact_tp"]
        if config == "task1a":
            assert kinds["code"] == kinds["both"] == 0

    def test_of_the_codes_of_a_span_the_right_one_stands_for_it(self):
        gold = [[mention((0, 5), cui="C2")]]
        found = [[mention((0, 5), cui="C1"), mention((0, 5), cui="C2")]]
        assert count_mistakes(evaluate(NAME, found, gold).outcomes)["right"] == 1


class TestSemEval2014:
    """SemEval-2014 Task 7 has the same definitions; SemEval-2015 shares the pairing."""

    @given(corpora(SLOTS))
    def test_overlap_is_the_span_score_of_semeval_2015(self, corpus):
        """Where no span has several codes, so that none comes first for its code."""
        corpus = [[[{**m, "cui": "C1"} for m in document] for document in s] for s in corpus]
        ours, theirs = (clineval.score(name, *corpus) for name in (NAME, "semeval15_task14"))
        for kind in ("tp", "fp", "fn"):
            assert ours[f"overlap_{kind}"] == theirs[f"span_{kind}"]

    @given(corpora(SLOTS))
    def test_correct_is_the_strict_score_of_semeval_2015(self, corpus):
        ours, theirs = (clineval.score(name, *corpus) for name in (NAME, "semeval15_task14"))
        assert ours["correct"] == theirs["strict_tp"]

    @pytest.mark.parametrize("protocol", ["spec", "official"])
    @given(corpus=corpora())
    def test_documents_of_semeval_2015_are_taken_as_they_are(self, protocol, corpus):
        bare = [[[{k: m[k] for k in ("spans", "cui")} for m in d] for d in side] for side in corpus]
        expected = count(bare[1], bare[0], protocol=protocol)
        assert count(corpus[1], corpus[0], protocol=protocol) == expected
        written = [[json.dumps(d) for d in side] for side in corpus]
        assert count(written[1], written[0], protocol=protocol) == expected
        named = [
            [clineval.Document(str(at), map(clineval.Mention.from_dict, d))
             for at, d in enumerate(side)]
            for side in corpus
        ]  # fmt: skip
        assert count(named[1], named[0], protocol=protocol) == expected
        gold, found = ("".join(map(jsonl.format_document, side)) for side in named)
        assert count([*found.splitlines()], [*gold.splitlines()], protocol=protocol) == expected

    def test_other_slots_are_refused(self):
        wrong = [[mention((0, 5), negated="yes")]]
        laws.refuses(lambda: score(wrong, wrong), "unknown slot 'negated'", "negation")

    def test_they_have_no_problems_before_they_are_submitted(self, tmp_path):
        path = tmp_path / "a.jsonl"
        line = {"id": "a", "mentions": [mention((0, 5), negation="yes")]}
        path.write_text(json.dumps(line) + "\n")
        assert not [*find_problems(CHALLENGE, [path])]


class TestInput:
    def test_task_1a_needs_no_codes(self):
        spans = [[{"spans": [[0, 5]]}, {"spans": [[9, 12]]}]]
        assert score(spans, spans, config="task1a")["exact_f1"] == 1
        for config in ("default", "task1b"):
            laws.refuses(lambda: score(spans, spans, config=config), "'cui' is missing")  # noqa: B023

    def test_all_forms_of_input_score_alike(self, write_pipe):
        gold = [[mention((4, 15), (31, 38)), mention((50, 60), cui=None)], [mention((1, 9))]]
        found = [[mention((4, 15)), mention((50, 60), cui=None)], [mention((1, 9), cui="C2")]]
        expected = score(found, gold)
        written = {
            "gold": (line(4, 15, 31, 38) + line(50, 60, cui=""), line(1, 9, document="e")),
            "found": (
                line(4, 15) + line(50, 60, cui="cuiless"),
                line(1, 9, cui="c2", document="e"),
            ),
        }
        folders = {side: write_pipe(side, d=text[0], e=text[1]) for side, text in written.items()}
        forms = [
            [folders["found"], folders["gold"]],
            ["".join(written["found"]), "".join(written["gold"])],
            [list(written["found"]), list(written["gold"])],
            [
                [
                    clineval.Document(n, map(clineval.Mention.from_dict, m))
                    for n, m in zip("de", s, strict=True)
                ]
                for s in (found, gold)
            ],
        ]
        for form in forms:
            assert {**score(*form), "signature": ""} == {**expected, "signature": ""}

    def test_documents_are_paired_by_name_with_case(self):
        with pytest.warns(clineval.InputWarning) as caught:
            result = score(line(1, 5, document="A.txt"), line(1, 5, document="a.txt"))
        assert (result["exact_tp"], result["exact_fp"], result["exact_fn"]) == (0, 1, 1)
        assert "A.txt" in str(caught[1].message)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("d||T||C1||1\n", "got 4 columns"),
            (line(1, 2, 3), "got 3 offsets"),
            (line(1, "x"), "numbers of one to nine digits"),
            (line("1 2", 20), "numbers of one to nine digits"),
            (line(1, "2|3"), "numbers of one to nine digits"),
            (line(1, -2), "numbers of one to nine digits"),
            (line(5, 5), "fragment 5-5"),
            (line(9, 5), "fragment 9-5"),
            (line(1, 9, 5, 12), "overlap"),
            (line(1, 2, cui="C1 Smith"), "one code"),
            (line(1, 2, cui="C1,C2"), "one code"),
        ],
    )
    def test_bad_lines_are_named(self, text, said):
        good = line(30, 40)
        laws.refuses(lambda: score(good + "\n" + text, good), "<string>:3", said, text=["Smith"])
