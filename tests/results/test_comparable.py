"""Which signatures are comparable: pairs that differ in each single field, groups, and files."""

import json
from dataclasses import replace

import pytest

import clineval
from clineval import InputError, Signature
from clineval.base.files import name_path
from clineval.results.comparabilities import group_comparable, lay_out
from clineval.results.registry import NAMES, find_challenge
from clineval.results.settings import GENERAL
from clineval.results.signed_files import read_signatures

SIGNATURE = Signature(
    "clinical_spans",
    "default",
    {
        "protocol": "spec",
        "labels": "A+B",
        "overlap": "character",
        "order": "position",
        "docs": "20",
        "refs": "e0d298",
        "bs": "1000",
        "v": "0.1.0",
    },
)
EXPECTED = {"no": False, "yes": True, "docs": True, "version": None}


def change(signature, **settings):
    return replace(signature, settings={**signature.settings, **settings})


def fields_of(name):
    own = find_challenge(name).own_settings
    return [pytest.param(name, each, id=f"{name}-{each.name}") for each in own]


class TestEachFieldAlone:
    @pytest.mark.parametrize("setting", GENERAL[2:], ids=lambda each: each.name)
    def test_general(self, setting):
        first, second = (change(SIGNATURE, **{setting.name: value}) for value in ("1", "2"))
        found = first.compare(second)
        assert found.comparable is EXPECTED[setting.may_differ]
        [field] = found.differing
        assert (field.name, field.first, field.second) == (setting.name, "1", "2")
        assert field.advice

    @pytest.mark.parametrize(
        ("name", "setting"), [case for name in NAMES for case in fields_of(name)]
    )
    def test_own(self, name, setting):
        signature = Signature(name, "default", {"protocol": "spec", "docs": "1"})
        first = change(signature, **{setting.name: "a"})
        for second in (change(signature, **{setting.name: "b"}), signature):
            found = first.compare(second)
            assert found.comparable is False
            [field] = found.differing
            assert setting.option in field.advice
            assert field.advice.endswith(" a") is bool(setting.option and setting.literal)

    def test_metric_and_configuration(self):
        for other in (
            replace(SIGNATURE, metric="semeval15_task14"),
            replace(SIGNATURE, config="negated"),
        ):
            assert SIGNATURE.compare(other).comparable is False

    def test_the_same(self):
        found = SIGNATURE.compare(SIGNATURE)
        assert found.comparable is True
        assert found.differing == ()

    def test_unknown_field(self):
        found = SIGNATURE.compare(change(SIGNATURE, novel="x"))
        assert found.comparable is None
        assert SIGNATURE.compare(change(SIGNATURE, novel="x", refs="f")).comparable is False

    def test_unknown_metric(self):
        other = replace(SIGNATURE, metric="of_another_package")
        assert other.compare(other).comparable is None

    def test_documents_matter_on_another_gold_standard(self):
        found = SIGNATURE.compare(change(SIGNATURE, docs="21", refs="ffffff"))
        assert [field.verdict for field in found.differing] == ["differs", "differs"]

    def test_an_option_that_only_one_has(self):
        [field] = SIGNATURE.compare(change(SIGNATURE, touching="yes")).differing
        assert (field.first, field.verdict) == ("", "differs")
        assert field.advice == "score both with the same --touching"
        [field] = SIGNATURE.compare(change(SIGNATURE, min_overlap="0.5")).differing
        assert field.advice == "score again without --min-overlap"


def test_order_of_the_two_changes_only_the_advice():
    first, second = SIGNATURE, change(SIGNATURE, overlap="word", bs="10", v="0.2.0")
    there, back = first.compare(second), second.compare(first)
    assert there.comparable is back.comparable is False
    assert [each.name for each in there.differing] == [each.name for each in back.differing]


def test_scores_of_the_package_are_comparable_with_themselves():
    gold = [[{"spans": [[0, 4]], "label": "A"}]] * 3
    scores = [
        clineval.score("clinical_spans", gold, gold, confidence=0.9, seed=seed) for seed in (1, 2)
    ]
    first, second = (score.signature for score in scores)
    assert first.compare(second).comparable is True
    word = clineval.score("clinical_spans", gold, gold, overlap="hull").signature
    assert first.compare(word).comparable is False


def test_groups():
    word = change(SIGNATURE, overlap="word")
    signatures = {"a": SIGNATURE, "b": word, "c": change(SIGNATURE, bs="10"), "d": word}
    assert group_comparable(signatures) == [["a", "c"], ["b", "d"]]
    sheet, comparable = lay_out(signatures)
    assert comparable is False
    data = sheet.data()
    assert data["groups"] == [["a", "c"], ["b", "d"]]
    assert {name: each["comparable"] for name, each in data["compared"].items()} == {
        "b": False,
        "c": True,
        "d": False,
    }


class TestFiles:
    def test_json_of_a_score(self, tmp_path):
        file = tmp_path / "a.json"
        file.write_text(json.dumps({"f1": 1.0, "signature": str(SIGNATURE)}), "utf-8")
        assert read_signatures([str(file)]) == {name_path(file): SIGNATURE}

    def test_several_in_a_file_are_numbered(self, tmp_path):
        file = tmp_path / "a.jsonl"
        others = [SIGNATURE, change(SIGNATURE, overlap="word")]
        file.write_text("\n".join(json.dumps({"signature": str(of)}) for of in others), "utf-8")
        assert read_signatures([str(file)]) == {
            f"{name_path(file)} #{number}": signature for number, signature in enumerate(others, 1)
        }

    @pytest.mark.parametrize("line", ["{}", "`{}`", "% {}", "{} "])
    def test_tables_for_people(self, tmp_path, line):
        file = tmp_path / "a.txt"
        file.write_text(f"F1 | 0.5 | x\n\n{line.format(SIGNATURE.naming('a/demo'))}\n", "utf-8")
        assert list(read_signatures([str(file)]).values()) == [SIGNATURE]

    def test_arguments_have_their_number(self):
        assert list(read_signatures([str(SIGNATURE), str(SIGNATURE)])) == ["1", "2"]

    def test_nothing_there(self, tmp_path):
        with pytest.raises(InputError, match="is neither a signature nor a file"):
            read_signatures([str(tmp_path / "none.json")])
        file = tmp_path / "empty.json"
        for content in (b"{}", b"", b"no signature", b"\xff"):
            file.write_bytes(content)
            with pytest.raises(InputError, match=r"contains no signature|not valid UTF-8"):
                read_signatures([str(file)])
        with pytest.raises(InputError, match="expected a signature such as"):
            read_signatures(["a|b|c"])


class TestCommand:
    def test_status_and_advice(self, run):
        word = change(SIGNATURE, overlap="word")
        for other, status in (
            (SIGNATURE, 0),
            (change(SIGNATURE, seed="2"), 0),
            (word, 1),
            (change(SIGNATURE, novel="1"), 2),
        ):
            assert run("comparable", str(SIGNATURE), str(other), status=status).returncode == status
        shown = run("comparable", str(SIGNATURE), str(word), status=1).stdout
        assert "2 results: not comparable" in shown
        assert "score again with --overlap character" in shown

    def test_results_of_score(self, run, tmp_path):
        gold = tmp_path / "gold.jsonl"
        gold.write_text('{"id": "a", "mentions": [{"spans": [[0, 3]], "label": "X"}]}\n', "utf-8")
        files = []
        for overlap in ("character", "hull"):
            scored = run(
                "score", "clinical_spans", gold, gold, "--overlap", overlap, "--format", "json"
            )
            files.append(tmp_path / f"{overlap}.json")
            files[-1].write_text(scored.stdout, "utf-8")
        told = json.loads(run("comparable", *files, "--format", "json", status=1).stdout)
        assert told["comparable"] is False
        assert told["groups"] == [[name_path(file)] for file in files]
        [differing] = told["compared"][name_path(files[1])]["differing"]
        assert differing["name"] == "overlap"

    def test_one_is_not_enough(self, run):
        said = run("comparable", str(SIGNATURE), status=2).stderr
        assert "expected two or more signatures" in said
