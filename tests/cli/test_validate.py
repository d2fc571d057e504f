"""``clineval validate`` of every challenge, and of i2b2 2009 and ClinAIS 2023 in full."""

import json
from functools import partial

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.formats.checking import find_problems
from clineval.results.registry import NAMES, find_challenge

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
CARDS = ROOT / "hub_cards"


@pytest.mark.parametrize("name", NAMES)
class TestEveryChallenge:
    def test_its_demo_has_no_problems(self, run, name):
        challenge = find_challenge(name)
        demo = challenge.demo
        sides = [CHALLENGES / name / "demo" / side for side in (demo.gold, *demo.systems.values())]
        options = [
            part
            for option in challenge.faces.validation_options
            if option.name in demo.options
            for part in (f"--{option.name}", CHALLENGES / name / "demo" / demo.options[option.name])
        ]
        result = run("validate", name, *sides, *options)
        assert result.stdout == ""
        assert result.stderr.endswith("no problems\n")

    def test_its_card_and_the_help_name_its_options(self, run, name):
        card = (CARDS / name / "README.md").read_text("utf-8")
        shown = run("validate", name, "--help").stdout
        assert f"clineval validate {name} " in card
        for option in find_challenge(name).faces.validation_options:
            flag = option.flag or f"--{option.name}"
            assert flag in shown
            assert f"`{flag}`" in card


def problems_of(name, *paths, **options):
    """Line and message of each problem; the files are those that were given."""
    found = list(find_problems(find_challenge(name), paths, **options))
    assert {problem.file for problem in found} <= set(map(str, paths))
    return [(problem.line, problem.message) for problem in found]


def check(found, expected):
    assert [line for line, _ in found] == [line for line, _ in expected]
    for (_, message), (_, part) in zip(found, expected, strict=True):
        assert part in message


BAD_LINES = {
    "m=x 1:0": "expected fields such as",
    'm="y" 1:0 1:1||do="z" 1:1': "do: expected offsets such as",
    'm="y" 9:0 9:0': "field m: there is no line 9, lines count from 1 to 3",
    'm="y" 1:3 1:2': "field m: the offsets end before they begin",
    'm="y" 1:3 1:90': "field m: token 90 is beyond the line",
    'm="nm"||do="x" 1:0 1:0': "the entry has no medication",
    'm="a" 1:0 1:0||m="a" 1:0 1:0': "m: the field occurs twice",
    'm="x" 1:0 1:3,1:2 1:4': "field m: two fragments overlap",
    'm="x" 1:0 1:0||ln="prose"': "ln: expected list or narrative",
    'm="x" 1:0 1:0||q="prose"': "unknown field 'q'",
}


class TestEntries:
    NAME = "i2b2_2009_medication"
    RECORD = "a b c d e f\ng h\n"
    GOOD = ('m="x" 1:0 1:0||ln="list"', 'm="y" 1:5 2:0||do="nm"', "", " ")

    @given(st.lists(st.sampled_from([*GOOD, *BAD_LINES]), max_size=12))
    def test_every_bad_line_is_a_problem_and_no_other(self, tmp_path_factory, lines):
        file = tmp_path_factory.mktemp("validated") / "17.i2b2.entries"
        file.write_text("\n".join(lines))
        expected = [(n, BAD_LINES[line]) for n, line in enumerate(lines, 1) if line in BAD_LINES]
        check(problems_of(self.NAME, file, records={"17": self.RECORD}), expected)

    def test_the_command_line_names_file_and_line(self, run, tmp_path):
        (tmp_path / "gold").mkdir()
        (tmp_path / "gold" / "17.i2b2.entries").write_text("\n".join([*self.GOOD, *BAD_LINES]))
        (tmp_path / "gold" / "18.i2b2.entries").write_text('m="kidney" 1:0 1:0\n')
        (tmp_path / "17.txt").write_text(self.RECORD)
        result = run("validate", self.NAME, "gold", "--records", ".", status=2)
        lines = result.stdout.splitlines()
        assert [line.split(": ")[0] for line in lines] == [
            f"gold/17.i2b2.entries:{number}" for number in range(5, 15)
        ]
        assert "so its offsets are not checked against a text: 18" in result.stderr
        assert result.stderr.endswith("10 problems\n")
        assert "kidney" not in result.stdout
        assert "/17.i2b2.entries:2: field m: the field crosses lines" in run(
            "validate", self.NAME, "gold", status=2
        ).stdout  # fmt: skip


def items(*labels):
    """The items of the boundary annotation, each of one character."""
    return [
        {"span": "x", "boundary": label, "start_offset": 2 * at, "end_offset": 2 * at + 1}
        for at, label in enumerate(labels)
    ]


def section(start, end, label="TREATMENT"):
    return {"segment": "x", "start_offset": start, "end_offset": end, "label": label}


def note(**annotations):
    """A note of ten tokens."""
    return {"note_text": "x " * 10, **annotations}


def sections(*given, side="prediction"):
    return note(section_annotation={side: list(given)})


BAD_SECTIONS = {
    (8, 8): "section 8-8: expected 0 <= start < end",
    (9, 10): "section 9-10 has no token",
    (-1, 2): "section -1-2: expected 0 <= start < end",
    (10, 30): "section 10-30 ends after the text, which has 20 characters",
    (10, 12, "kidney left"): "token 5 at 10-11: unknown label a string of 11 characters",
    (12, 14, 7): "token 6 at 12-13: unknown label 7",
}


class TestSections:
    NAME = "clinais23_b2"

    def found(self, folder, content, **options):
        file = folder / "team.json"
        file.write_text(json.dumps({"annotated_entries": content}))
        found = problems_of(self.NAME, file, **options)
        assert {line for line, _ in found} <= {0}
        assert "kidney" not in str(found)
        return [message for _, message in found]

    @given(
        st.lists(st.sampled_from([*BAD_SECTIONS]), unique=True),
        st.sampled_from(["gold", "prediction"]),
    )
    def test_every_bad_section_is_a_problem(self, tmp_path_factory, bad, side):
        first, last = section(0, 4), section(16, 19, "EVOLUTION")
        good = sections(first, last, side=side)
        spoilt = sections(first, *(section(*each) for each in bad), last, side=side)
        folder = tmp_path_factory.mktemp("validated")
        found = self.found(folder, {"a": good, "b": spoilt})
        assert len(found) == len(bad)
        for message, each in zip(found, bad, strict=True):
            assert message.startswith(f"note b: {BAD_SECTIONS[each]}")

    def test_sections_that_overlap(self, tmp_path):
        overlapping = sections(section(0, 4), section(8, 8), section(2, 8), section(6, 12))
        assert self.found(tmp_path, {"a": overlapping}) == [
            "note a: section 8-8: expected 0 <= start < end",
            "note a: sections 0-4 and 2-8 overlap",
            "note a: sections 2-8 and 6-12 overlap",
        ]

    def test_notes_and_items_of_another_shape(self, tmp_path):
        broken = [*items("TREATMENT", None), {"span": "kidney"}, "kidney left"]
        content = {
            "a": 7,
            "b": note(boundary_annotation={"prediction": broken}),
            "c": note(boundary_annotation={"prediction": items(None, "X", "TREATMENT", "Y")}),
            "d": sections({"label": "kidney"}, section(0, 2), section("0", 2)),
            "e": note(),
            "f": sections(section(0, 4)),
        }
        wanted = [
            "note a: expected an object, got 7",
            "note b: token 2: 'boundary' is missing",
            "note b: token 3: expected an object",
            "note c: token 1 at 2-3: unknown label 'X', expected one of",
            "note c: token 3 at 6-7: unknown label 'Y', expected one of",
            "note d: expected a section with start_offset, end_offset, label",
            "note d: expected an integer offset",
            "note e: no 'prediction' under",
        ]
        found = self.found(tmp_path, content)
        assert len(found) == len(wanted)
        for message, start in zip(found, wanted, strict=True):
            assert message.startswith(start)

    def test_labels_of_ones_own(self, run, tmp_path):
        content = {"a": sections(section(0, 4, "PLAN"))}
        assert self.found(tmp_path, content, labels=["PLAN"]) == []
        assert run("validate", self.NAME, "team.json", "--labels", "PLAN,X").stdout == ""
        said = run("validate", self.NAME, "team.json", status=2).stdout
        assert said.startswith("team.json: note a: token 0 at 0-1: unknown label 'PLAN'")

    def test_both_sides_in_one_file(self, tmp_path):
        both = note(boundary_annotation={"gold": items("X"), "prediction": items(None, "Y")})
        found = self.found(tmp_path, {"a": both})
        assert [message.split(",")[0] for message in found] == [
            "note a: token 0 at 0-1: unknown label 'X'",
            "note a: token 1: the references have no more tokens",
        ]

    def test_the_tokens_are_those_of_the_gold_standard(self, run, tmp_path):
        gold = {"a": note(boundary_annotation={"gold": items("TREATMENT", None)})}
        (tmp_path / "gold.json").write_text(json.dumps({"annotated_entries": gold}))
        content = {"a": note(boundary_annotation={"prediction": items("TREATMENT")})}
        assert self.found(tmp_path, content) == []
        said = run("validate", self.NAME, "team.json", "--gold", "gold.json", status=2).stdout
        assert "note a: token 1: the references have 2-3, the predictions no more tokens" in said
        without_text = {"a": {"section_annotation": {"prediction": [section(0, 1)]}}}
        [message] = self.found(tmp_path, without_text)
        assert message.startswith("note a: the sections come without the note's text")
        assert self.found(tmp_path, without_text, gold=tmp_path / "gold.json") == []

    def test_a_note_in_two_files_of_a_directory(self, run, tmp_path):
        folder = tmp_path / "team"
        folder.mkdir()
        for name in ("one.json", "two.json"):
            content = {"annotated_entries": {"a": sections(section(0, 4))}}
            (folder / name).write_text(json.dumps(content))
        said = run("validate", self.NAME, "team", status=2).stdout
        assert said == "team/two.json: note a is in more than one file\n"
        assert run("validate", self.NAME, "team/one.json", "team/two.json").stdout == ""

    @pytest.mark.parametrize(
        ("text", "line", "said"),
        [
            ('{"annotated_entries":\n {"a": }}', 2, "column 8: not JSON"),
            ('{"annotated_entries": {"a": 1, "a": 2}}', 0, "the key a occurs twice"),
            ("[]", 0, "expected an object with an object 'annotated_entries'"),
        ],
    )
    def test_files_of_another_shape(self, tmp_path, text, line, said):
        file = tmp_path / "team.json"
        file.write_text(text)
        check(problems_of(self.NAME, file), [(line, said)])


@pytest.mark.parametrize("side", ["rules", "tagger"])
def test_what_the_strict_reader_takes_has_no_problems(side):
    """And the other way round: the demo's fields cross lines, which needs the records."""
    name = "i2b2_2009_medication"
    sides, records = (
        (CHALLENGES / name / "demo" / side, CHALLENGES / name / "demo" / "gold"),
        CHALLENGES / name / "demo" / "records",
    )
    clineval.score(name, *sides, records=records)
    validate = partial(find_problems, find_challenge(name))
    assert list(validate(sides, records=records)) == []
    with pytest.raises(clineval.InputError, match="crosses lines"):
        clineval.score(name, *sides)
    assert list(validate(sides))
