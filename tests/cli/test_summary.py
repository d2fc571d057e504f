"""``clineval validate --summary``: what was read, in numbers; nothing of a note."""

import json
import re
from collections import Counter

import pytest
from canary import SECRET
from commands import invoke
from demos import arguments_of
from thorough import each_module

from clineval import Challenge, Classes, Task
from clineval.evaluation.gold import describe_gold
from clineval.evaluation.summary import summarize_files
from clineval.results.registry import find_challenge

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def summarize(module, *words):
    done = invoke(["validate", module, *words, "--summary", "--json"])
    assert done.exit_code == 0, done.output or done.exception
    return json.loads(done.stdout)["summary"]


def options_of(name, options):
    """The options of a demo on which reading depends, as words."""
    known = find_challenge(name).faces.validation_options
    flags = {option.name: option.flag or f"--{option.name}" for option in known}
    return [word for n, v in options.items() if n in flags for word in (flags[n], v)]


@each_module()
def test_every_kind_has_a_summary(name):
    """Documents as scores count them; all labels together are at most the annotations."""
    (predictions, gold), options = arguments_of(name)
    words = options_of(name, options)
    [alone] = summarize(name, gold, *words)
    first, second = summarize(name, gold, predictions, *words)
    assert first == alone
    assert first["documents"] == describe_gold(name, gold, **options).documents
    assert first["items"]
    for part in (first, second):
        assert 0 < part["annotated"] <= part["documents"]
        for items in part["items"].values():
            assert items["number"] > 0
            assert sum(items["labels"].values()) in (0, items["number"])
            for slot in items["slots"].values():
                assert slot["values"] <= slot["items"] <= items["number"]


class TestByHand:
    def test_spans_with_slots(self, tmp_path):
        documents = [
            ("a", [{"spans": [[0, 3]], "label": "Drug", "negated": True},
                   {"spans": [[4, 9]], "label": "Drug", "severity": "high"},
                   {"spans": [[4, 9], [11, 12]], "label": "ADE", "severity": "low"}]),
            ("b", []),
        ]  # fmt: skip
        lines = [json.dumps({"id": name, "mentions": held}) for name, held in documents]
        gold, found = tmp_path / "gold.jsonl", tmp_path / "found.jsonl"
        gold.write_text("\n".join(lines))
        found.write_text("\n".join([lines[0], lines[1].replace('"b"', '"c"')]))
        mentions = {
            "number": 3,
            "labels": {"ADE": 1, "Drug": 2},
            "slots": {
                "negated": {"items": 1, "values": 1}, "severity": {"items": 2, "values": 2},
            },
        }  # fmt: skip
        common = {"config": "default", "documents": 2, "annotated": 1,
                  "items": {"mentions": mentions}}  # fmt: skip
        first, second = summarize("clinical_spans", gold, found)
        assert first == {
            "file": f"{tmp_path.name}/gold.jsonl", **common, "only_here": [], "not_here": []
        }  # fmt: skip
        assert second == {
            "file": f"{tmp_path.name}/found.jsonl", **common, "only_here": ["c"], "not_here": ["b"]
        }  # fmt: skip
        shown = invoke(["validate", "clinical_spans", gold, found, "--summary"]).stdout
        for row in (
            "documents 2", "with annotations 1", "mentions 3", "Drug 2", "ADE 1",
            "with negated (1 value) 1", "with severity (2 values) 2", "documents only here 1",
            f"only in {tmp_path.name}/found.jsonl: c", f"not in {tmp_path.name}/found.jsonl: b",
        ):  # fmt: skip
            assert row in re.sub(" +", " ", shown)

    def test_relations(self, tmp_path):
        for side, last in (("gold", ""), ("found", "R2\tTREATS Arg1:T1 Arg2:T2\n")):
            (tmp_path / side).mkdir()
            lines = "T1\tDrug 0 7\taspirin\nT2\tSign 8 12\trash\nR1\tCAUSES Arg1:T1 Arg2:T2\n"
            (tmp_path / side / "a.ann").write_text(lines + last)
        first, second = summarize("clinical_relations", tmp_path / "gold", tmp_path / "found")
        mentions = {"number": 2, "labels": {"Drug": 1, "Sign": 1}, "slots": {}}
        one = {"number": 1, "labels": {"CAUSES": 1}, "slots": {}}
        two = {"number": 2, "labels": {"CAUSES": 1, "TREATS": 1}, "slots": {}}
        assert first["items"] == {"mentions": mentions, "relations": one}
        assert second["items"] == {"mentions": mentions, "relations": two}

    def test_events(self, tmp_path):
        (tmp_path / "a.ann").write_text(
            "T1\tTobacco 0 6\tSmokes\nT2\tStatusTime 0 6\tSmokes\nT3\tAmount 7 15\tone pack\n"
            "E1\tTobacco:T1 Status:T2 Amount:T3\nA1\tStatusTimeVal T2 current\n"
        )
        [found] = summarize("n2c2_2022_sdoh", tmp_path)
        assert found["items"]["triggers"]["labels"] == {"Tobacco": 1}
        arguments = found["items"]["arguments"]
        assert (arguments["number"], arguments["labels"]) == (2, {"Amount": 1, "StatusTime": 1})
        assert arguments["slots"]["value"] == {"items": 1, "values": 1}

    def test_codes(self, tmp_path):
        path = tmp_path / "codes.csv"
        path.write_text("id,code\na,I10\na,E11\nb,I10\n")
        [found] = summarize("clinical_codes", path)
        assert (found["documents"], found["annotated"]) == (2, 2)
        assert found["items"]["codes"]["labels"] == {"e11": 1, "i10": 2}

    def test_classes(self, tmp_path):
        task = Task("smoking", "Smoking", "https://example.org/", definition="", file="")
        challenge = Challenge(task, {"spec": Classes(("PAST", "NON"))})
        paths = tmp_path / "gold.csv", tmp_path / "found.csv"
        for path, rows in zip(paths, ("a,PAST\nb,NON\nc,NON\n", "a,NON\nb,NON\n"), strict=True):
            path.write_text(f"id,label\n{rows}")
        first, second = (each.describe() for each in summarize_files(challenge, paths))
        [items] = first["items"].values()
        assert (first["documents"], items["labels"]) == (3, {"PAST": 1, "NON": 2})
        [items] = second["items"].values()
        assert (second["documents"], items["labels"]) == (2, {"NON": 2})
        assert second["not_here"] == ["c"]

    def test_records(self, tmp_path):
        path = tmp_path / "a.jsonl"
        orders = [{"description": f"{SECRET} daily", "reason": SECRET, "order_type": "medication",
                   "provenance": [1]}, {"description": "x", "order_type": "lab"}]  # fmt: skip
        path.write_text(json.dumps({"id": "a", "records": orders}) + "\n")
        [found] = summarize("mediqa_oe25", path)
        records = found["items"]["records"]
        assert records["number"] == 2
        assert {name: use["items"] for name, use in records["slots"].items()} == {
            "description": 2, "order_type": 2, "provenance": 1, "reason": 1
        }  # fmt: skip
        assert SECRET not in json.dumps(found)

    def test_runs(self):
        (run, gold), _ = arguments_of("clefehealth13_task3")
        first, second = summarize("clefehealth13_task3", gold, run)
        rows = [line.split() for line in gold.read_text().splitlines()]
        ranked = first["items"]["ranked documents"]
        assert first["documents"] == len({row[0] for row in rows})
        assert ranked["labels"] == Counter(row[3] for row in rows)
        retrieved = [line.split()[0] for line in run.read_text().splitlines()]
        assert second["items"]["ranked documents"]["number"] == len(retrieved)
        assert second["documents"] == len({*retrieved})

    def test_sections_and_entries(self):
        (_, gold), _ = arguments_of("clinais23_b2")
        [found] = summarize("clinais23_b2", gold)
        assert found["documents"] == len(json.loads(gold.read_text("utf-8"))["annotated_entries"])
        (_, gold), options = arguments_of("i2b2_2009_medication")
        words = options_of("i2b2_2009_medication", options)
        [found] = summarize("i2b2_2009_medication", gold, *words)
        lines = "".join(path.read_text("utf-8") for path in gold.iterdir())
        names = {"m": "medication", "do": "dosage", "mo": "mode", "f": "frequency",
                 "du": "duration", "r": "reason"}  # fmt: skip
        written = re.findall(r'(\bm|\bdo|\bmo|\bf|\bdu|\br)="(?!nm")[^"]*"((?: \d+:\d+)+)', lines)
        expected = Counter(names[key] for key, _ in written)
        assert {*found["items"]["fields"]["labels"]} == {*expected}


def test_words_of_a_note_are_not_labels(tmp_path):
    path = tmp_path / "a.jsonl"
    held = [{"spans": [[0, 3]], "label": f"{SECRET} denies pain", "note": f"{SECRET} 71"}]
    path.write_text(json.dumps({"id": f"{SECRET} Ann", "mentions": held}))
    other = tmp_path / "b.jsonl"
    other.write_text(json.dumps({"id": "b", "mentions": []}))
    for words in ([], ["--json"]):
        done = invoke(["validate", "clinical_spans", path, other, "--summary", *words])
        assert done.exit_code == 0
        assert SECRET not in done.output
        assert "withheld" in done.output


def test_files_with_problems_have_none(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "mentions": [{}]}\n')
    done = invoke(["validate", "clinical_spans", path, "--summary", "--json"])
    assert done.exit_code == 2
    assert "summary" not in json.loads(done.stdout)


def test_files_of_two_configurations_are_summarized_alone():
    demo = find_challenge("cantemist20").task.corpora
    first, second = summarize("cantemist20", demo / "tagger", demo / "tagger_coding.tsv")
    assert (first["config"], second["config"]) == ("default", "coding")
    assert second["not_here"] == []


def test_words_with_tags(tmp_path):
    path = tmp_path / "a.conll"
    path.write_text("leg\tB-Part\npain\tB-Sign\n")
    [found] = summarize("clinical_spans", path)
    assert found["items"]["mentions"]["labels"] == {"Part": 1, "Sign": 1}
