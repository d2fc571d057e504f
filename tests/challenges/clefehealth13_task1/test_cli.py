"""The command line on ShARe/CLEF 2013, and ``clineval validate`` on all formats."""

import json

import pytest
from conftest import DATA, ROOT

import clineval
from clineval.cli.demo import can_show, list_demos
from clineval.results.registry import find_challenge

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
GOOD = {
    "semeval15_task14": [CHALLENGES / "semeval15_task14" / "demo" / "gold"],
    "clefehealth13_task1": [CHALLENGES / "clefehealth13_task1" / "demo"],
    "clefehealth13_task2": [CHALLENGES / "clefehealth13_task2" / "demo"],
    "clefehealth13_task3": [CHALLENGES / "clefehealth13_task3" / "demo"],
    "pharmaconer19": sorted((CHALLENGES / "pharmaconer19" / "demo").iterdir()),
    "meddocan19": [
        CHALLENGES / "meddocan19" / "demo" / "gold",
        CHALLENGES / "meddocan19" / "demo" / "tagger",
    ],
    "i2b2_2014_deid": [
        CHALLENGES / "i2b2_2014_deid" / "demo" / "gold",
        CHALLENGES / "i2b2_2014_deid" / "demo" / "tagger",
    ],
    "codiesp20": sorted((CHALLENGES / "codiesp20" / "demo").glob("[!c]*_[DPX].tsv")),
}


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("shown", [c for c in list_demos() if c.name.startswith("clef")], ids=str)
def test_scores_are_those_of_the_core(run, shown):
    folder = CHALLENGES / shown.name / "demo"
    for system in shown.demo.systems.values():
        sides = folder / shown.demo.gold, folder / system
        result = json.loads(run("score", shown.name, *sides, "--format", "json").stdout)
        assert result["scores"] == clineval.score(shown.name, *sides[::-1]).values
        assert (
            f"{result['scores']['n_documents']} documents"
            in run("score", shown.name, *sides).stdout
        )


def test_options_of_trec_eval_reach_the_core(run):
    folder = CHALLENGES / "clefehealth13_task3" / "demo"
    sides = folder / "qrels.txt", folder / "team.run2.txt"
    options = ["--measures", "map,P.7,9,ndcg", "--no-complete", "--relevance-level", "1"]
    result = run("score", "clefehealth13_task3", *sides, *options, "--format", "json")
    scores = json.loads(result.stdout)["scores"]
    assert list(scores) == ["num_q", "map", "P_7", "P_9", "ndcg", "n_documents"]
    assert scores["num_q"] == 7
    table = run("score", "clefehealth13_task3", *sides, *options).stdout
    assert "P_7" in table
    assert "other measures" in table


def test_runs_are_read_by_the_protocol_asked_for(run, tmp_path):
    folder = CHALLENGES / "clefehealth13_task3" / "demo"
    line = "# EXCEPTION in query demo4: IndriRunQuery.cpp(410): QueryThread::_runQuery Exception\n"
    (tmp_path / "odd.run").write_text((folder / "team.run1.txt").read_text() + line)
    sides = folder / "qrels.txt", "odd.run"
    refused = run("score", "clefehealth13_task3", *sides, status=2).stderr
    assert "begins with #" in refused
    assert "--protocol official" in refused
    result = run(
        "score", "clefehealth13_task3", *sides, "--protocol", "official", "--format", "json"
    )
    assert "1 topic of the run is not judged and does not count: #" in result.stderr
    given = json.loads(result.stdout)
    expected = clineval.score("clefehealth13_task3", folder / "team.run1.txt", folder / "qrels.txt")
    assert given["protocol"] == "official"
    assert given["scores"] == expected.values


def test_measures_of_trec_eval_10_are_refused_with_the_reason(run):
    folder = CHALLENGES / "clefehealth13_task3" / "demo"
    sides = folder / "qrels.txt", folder / "team.run1.txt"
    said = run("score", "clefehealth13_task3", *sides, "--measures", "map,rbp", status=2).stderr
    assert "'rbp' is a measure of trec_eval 10" in " ".join(said.split())


def test_official_refuses_what_the_script_refuses(run, tmp_path):
    case = DATA / "oracle" / "clefehealth13_task1" / "cases" / "odd"
    sides = ["-input", case / "pred", "-gold", case / "gold"]
    result = run("official", "clefehealth13-task1", "-n", "x", "-r", 1, "-t", "A", *sides, status=2)
    assert "pred/d.pipe:1: expected offsets in pairs" in result.stderr
    assert list(tmp_path.iterdir()) == []


class TestValidate:
    @pytest.mark.parametrize("module", GOOD)
    def test_good_files_have_no_problems(self, run, module):
        result = run("validate", module, *GOOD[module])
        assert result.stdout == ""
        assert "no problems" in result.stderr

    def problems(self, run, module, file, text, *options):
        """File, line and message of all problems, which are the same in both notations."""
        file.write_text(text)
        shown = run("validate", module, file, *options, status=2).stdout.splitlines()
        found = json.loads(run("validate", module, file, *options, "--json", status=2).stdout)
        assert found["metric"] == module
        assert len(shown) == len(found["problems"])
        for line, problem in zip(shown, found["problems"], strict=True):
            assert line.endswith(problem["problem"])
        return [(p["file"], p["line"], p["problem"]) for p in found["problems"]]

    def check(self, found, file, expected):
        assert [(name, line) for name, line, _ in found] == [(str(file), n) for n, _ in expected]
        for (*_, message), (_, part) in zip(found, expected, strict=True):
            assert part in message

    def test_semeval(self, run, tmp_path):
        slots = "no|NULL|patient|NULL|no|NULL|unmarked|NULL|unmarked|NULL|false|NULL|false|NULL"
        lines = [
            f"d.txt|10-20|C1|{slots}|NULL|NULL|",
            "d.txt|10-20|C1|no",
            "d.txt|30-40,10-20|C1",
            "d.txt|20-10|C1",
            "d.txt|1-9,5-12|C1|",
            "d.txt|ten|C 1",
            "",
            f"d.txt|1-2|C1|{slots.replace('no|', 'maybe|', 1)}|NULL|NULL",
            f"|1-2|C1|{slots}|John Smith|3-2",
        ]
        file = tmp_path / "a.pipe"
        found = self.problems(run, "semeval15_task14", file, "\n".join(lines))
        expected = [
            (2, "expected 19 columns, or 3 for Task 1, got 4"),
            (3, "fragment 10-20 follows 30-40"),
            (4, "fragment 20-10: the end is not after the start"),
            (5, "fragments 1-9 and 5-12 overlap"),
            (6, "column 2: expected spans"),
            (6, "column 3: expected a code"),
            (8, "negation: expected one of no, yes, got 'maybe'"),
            (9, "column 1"),
            (9, "column 18: body_location"),
            (9, "column 19: fragment 3-2"),
        ]
        self.check(found, file, expected)
        assert "Smith" not in str(found)

    def test_clef_task1(self, run, tmp_path):
        lines = ["d||T||C1||1||2", "d||T||C1||1", "d||T||C1||1||2||3", "d||T||C1,C2||5||9||1||2"]
        file = tmp_path / "a.pipe"
        found = self.problems(
            run, "clefehealth13_task1", file, "\n".join([*lines, "d||T||C1||a||2"])
        )
        expected = [
            (2, "got 4 columns"),
            (3, "got 3 offsets"),
            (4, "column 3: expected one code"),
            (4, "fragment 1-2 follows 5-9"),
            (5, "numbers of one to nine digits"),
        ]
        self.check(found, file, expected)

    def test_clef_task2(self, run, tmp_path):
        lines = ["d||T||C1,C2||1||2", "d||T||C3||1||2", "d||T||John Smith||5||9", "d||T||C1||9||9"]
        file = tmp_path / "a.pipe"
        found = self.problems(run, "clefehealth13_task2", file, "\n".join(lines))
        expected = [
            (2, "the line has the same abbreviation as line 1"),
            (3, "column 3: expected codes"),
            (4, "fragment 9-9"),
        ]
        self.check(found, file, expected)

    def test_json_lines(self, run, tmp_path):
        lines = [
            {"id": "a", "mentions": [{"spans": [[1, 2]], "cui": None}]},
            {"id": "b", "mentions": [{"spans": [[1, 2]], "cui": None}, {"spans": [[2, 1]]}]},
            {"mentions": []},
            {"id": "d"},
        ]
        file = tmp_path / "a.jsonl"
        text = "\n".join([*map(json.dumps, lines), "oops"])
        expected = [
            (2, "mention 1: 'cui' is missing"),
            (3, "'id'"),
            (4, "'mentions'"),
            (5, "JSON object"),
        ]
        for module in ("semeval15_task14", "clefehealth13_task1"):
            self.check(self.problems(run, module, file, text), file, expected)

    def test_runs(self, run, tmp_path):
        lines = [
            "q1 Q0 a 1 2.0 me", "q1 Q0 a 2 1.0 me", "q1 0 b 3 1.0 me", "q1 Q0 c x 1.0 me",
            "q1 Q0 d 5 inf me", "q1 Q0 e 6 0.5 you", "q1 Q0", "q1 Q0 f 7 0.9 me",
        ]  # fmt: skip
        file = tmp_path / "team.txt"
        found = self.problems(run, "clefehealth13_task3", file, "\n".join(lines))
        expected = [
            (2, "document a occurs twice in topic q1"),
            (3, "column 2"),
            (4, "column 4"),
            (5, "column 5"),
            (6, "column 6"),
            (7, "expected 6 columns (query q0 docid rank score system), got 2"),
            (8, "score is higher"),
        ]
        self.check(found, file, expected)

    def test_lines_that_are_no_results(self, run, tmp_path):
        lines = [
            "# EXCEPTION in query", "q1 Q0 a 1 2.0 me", "q1 Q0 b 2 1_0 me", "q1 Q0 c 3 1.0 me too",
            "\t../src/Q.cpp(890): Couldn't understand this query: NoViableAlt",
        ]  # fmt: skip
        file = tmp_path / "team.txt"
        found = self.problems(run, "clefehealth13_task3", file, "\n".join(lines))
        expected = [
            (1, "got a line that begins with #"),
            (3, "column 5: expected the score, a finite number"),
            (4, "got 7"),
            (5, "column 2"),
            (5, "column 4"),
            (5, "column 5"),
            (5, "column 6"),
        ]
        self.check(found, file, expected)

    def test_judgments(self, run, tmp_path):
        file = tmp_path / "qrels.txt"
        text = "q1 0 a 1\nq1 0 a 0\nq1 0 b 0.5\nq1 0 c\n# 0 a 1\nq1 0 d 128\nq2 0 a -1\n"
        found = self.problems(run, "clefehealth13_task3", file, text)
        expected = [
            (2, "occurs twice"),
            (3, "column 4"),
            (4, "got 3"),
            (5, "begins with #"),
            (6, "column 4: expected the relevance, a whole number from -127 to 127"),
            (0, "topic q2: all judgments are negative"),
        ]
        self.check(found, file, expected)

    @pytest.fixture
    def runs(self, tmp_path):
        def write(*numbers):
            for number in numbers:
                (tmp_path / f"team.run{number}.txt").write_text("q1 Q0 a 1 2.0 me\n")
            return sorted(tmp_path.glob("team.run*.txt"))

        return write

    def test_a_full_set_of_runs_keeps_the_lab_s_rules(self, run, runs):
        restricted = ["--restricted", 3, "--restricted", 5]
        result = run("validate", "clefehealth13_task3", *runs(*range(1, 8)), *restricted)
        assert result.stderr == "no problems\n"

    @pytest.mark.parametrize(
        ("numbers", "restricted", "said"),
        [
            ((2,), (2,), "run 1 is missing"),
            ((1, 8), (1,), "run 8: expected a number from 1 to 7"),
            ((1, "1b"), (1,), "has this number too"),
            ((1, 2, 3), (1,), "one of the runs 2-4 must use only title and description"),
            ((1, 2, 6), (2,), "one of the runs 5-7 must use only title and description"),
        ],
    )
    def test_broken_rules_are_problems(self, run, runs, numbers, restricted, said):
        options = [part for number in restricted for part in ("--restricted", number)]
        result = run("validate", "clefehealth13_task3", *runs(*numbers), *options, status=2)
        assert said in result.stdout
        assert result.stderr == "1 problem\n"

    def test_more_than_seven_runs_are_a_problem(self, run, tmp_path):
        files = [tmp_path / name for name in "abcdefgh"]
        for file in files:
            file.write_text("q1 Q0 a 1 2.0 me\n")
        result = run("validate", "clefehealth13_task3", *files, status=2)
        assert "expected at most 7 runs, got 8" in result.stdout

    def test_what_cannot_be_checked_is_said(self, run, runs, tmp_path):
        assert (
            "runs 2-4 cannot be checked"
            in run("validate", "clefehealth13_task3", *runs(1, 2)).stderr
        )
        (tmp_path / "me.txt").write_text("q1 Q0 a 1 2.0 me\n")
        said = run("validate", "clefehealth13_task3", "me.txt").stderr
        assert "rules on runs 1 to 7 cannot be checked" in said

    def test_files_that_cannot_be_read_are_problems(self, run, tmp_path):
        (tmp_path / "a.pipe").write_bytes(b"d||T||C1||1||2\n\xff\n")
        (tmp_path / "empty").mkdir()
        paths = ["a.pipe", "empty", "nowhere"]
        result = run("validate", "clefehealth13_task1", *paths, status=2)
        lines = result.stdout.splitlines()
        assert lines[0].startswith("a.pipe:2: byte 15 is not UTF-8")
        assert lines[1:] == [
            (
                "empty: expected files whose names contain '.pipe', got an empty directory. "
                "Give the directory with the annotations"
            ),
            "nowhere: no such file or directory",
        ]

    def test_options_of_another_challenge_are_refused(self, run):
        said = run("validate", "clefehealth13_task1", ".", "--restricted", 1, status=2).stderr
        assert "No such option" in said
        assert "--restricted" in said


class TestDemo:
    def test_all_are_shown_that_have_the_protocol(self, run):
        shown = {p: run("demo", "--protocol", p).stdout for p in ("spec", "official")}
        for part in ("Task 1b: spans and codes", "Task 2: codes of abb", "Task 3: retrieval"):
            assert part in shown["spec"]
        assert "Task 1b: spans and codes" in shown["official"]
        assert "Task 2: codes of abb" not in shown["official"]

    def test_what_needs_an_extra_is_left_out_without_it(self, monkeypatch):
        assert can_show(find_challenge("clefehealth13_task3"), "spec")
        monkeypatch.setattr("clineval.cli.demo.find_spec", lambda _: None)
        hidden = [known.name for known in list_demos() if not can_show(known, "spec")]
        assert hidden == ["clefehealth13_task3"]
