"""The evaluate module as its users know it: real evaluate, real processes."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import evaluate
import laws
import pytest
from conftest import ROOT

import clineval
from clineval.formats.delimited.pipe import SLOTS, format_document

NAME = "semeval15_task14"
GOLD = [
    [
        {"spans": [[4, 15], [31, 38]], "cui": "C0344720", "severity": "moderate"},
        {"spans": [[50, 58]], "cui": None, "body_location": ["C1", "C2"]},
    ],
    [],
    [{"spans": [[0, 9]], "cui": "C0032285", "negation": "yes"}],
]
FOUND = [[GOLD[0][0], {"spans": [[52, 58]], "cui": None}], [], [{"spans": [[0, 9]], "cui": "C1"}]]
EXPECTED = clineval.score(NAME, FOUND, GOLD).as_dict()


def as_documents(side):
    return [
        clineval.Document(f"d{number}", map(clineval.Mention.from_dict, document))
        for number, document in enumerate(side)
    ]


def as_strings(side):
    return [format_document(document, SLOTS) for document in as_documents(side)]


@pytest.mark.parametrize("form", [list, as_documents, as_strings])
def test_all_forms_of_input_score_alike(form):
    result = evaluate.load(NAME).compute(predictions=form(FOUND), references=form(GOLD))
    assert result == EXPECTED


def test_documents_can_be_added_one_by_one_and_in_batches():
    metric = evaluate.load(NAME)
    metric.add(prediction=FOUND[0], reference=GOLD[0])
    metric.add_batch(predictions=FOUND[1:2], references=GOLD[1:2])
    assert metric.compute(predictions=FOUND[2:], references=GOLD[2:]) == EXPECTED
    metric.add_batch(predictions=FOUND, references=GOLD)
    assert metric.compute() == EXPECTED


def test_nothing_stays_behind_after_an_error():
    metric = evaluate.load(NAME)
    bad = [[{"spans": [[9, 2]], "cui": None}]]
    laws.refuses(lambda: metric.compute(predictions=bad, references=bad), "fragment 9-2")
    assert metric.compute(predictions=FOUND, references=GOLD) == EXPECTED
    metric.add_batch(predictions=bad, references=bad)
    laws.refuses(metric.compute, "fragment 9-2")
    assert metric.compute(predictions=FOUND, references=GOLD) == EXPECTED


def test_what_is_missing_or_unknown_is_named():
    metric = evaluate.load(NAME)
    laws.refuses(metric.compute, "predictions are missing")
    laws.refuses(lambda: metric.compute(predictions=[]), "references are missing")
    laws.refuses(lambda: metric.add_batch(predictions=FOUND, references=GOLD[1:]), "3", "2")
    laws.refuses(lambda: metric.add(prediction=[], reference=[], text="Smith"), "text")
    laws.refuses(
        lambda: metric.compute(predictions=FOUND, references=GOLD, wieghts="share"),
        "'wieghts'", "protocol, overlap, texts, weights, confidence", "per_document",
    )  # fmt: skip
    laws.refuses(lambda: evaluate.load(NAME, "task3"), "'task3'", "task2b")


def test_configs_and_options_reach_the_core():
    metric = evaluate.load(NAME, "task1")
    options = {"protocol": "official", "per_document": True}
    result = metric.compute(predictions=FOUND, references=GOLD, **options)
    expected = clineval.score(NAME, FOUND, GOLD, config="task1", protocol="official")
    assert result == expected.as_dict(per_document=True)
    assert [row["document"] for row in result["per_document"]] == ["0", "1", "2"]


def test_numbers_only_are_for_loggers():
    metric = evaluate.load(NAME)
    numbers = metric.compute(predictions=FOUND, references=GOLD, numbers_only=True)
    assert numbers == {key: value for key, value in EXPECTED.items() if key != "signature"}
    assert "numbers_only" in metric.inputs_description


def test_combined_evaluations():
    combined = evaluate.combine([evaluate.load(NAME), evaluate.load(NAME, "task1")])
    combined.add_batch(predictions=FOUND[:1], references=GOLD[:1])
    combined.add(prediction=FOUND[1], reference=GOLD[1])
    combined.add(prediction=FOUND[2], reference=GOLD[2])
    result = combined.compute()
    assert result[f"{NAME}_0_strict_f1"] == result[f"{NAME}_1_strict_f1"] == EXPECTED["strict_f1"]
    by_name = evaluate.combine([NAME]).compute(predictions=FOUND, references=GOLD)
    assert by_name == EXPECTED


def test_nothing_is_written_to_disk(tmp_path):
    before = list(tmp_path.rglob("*"))
    metric = evaluate.load(NAME, cache_dir=str(tmp_path))
    known = {path for path in tmp_path.rglob("*") if path.is_file()}
    metric.add_batch(predictions=FOUND, references=GOLD)
    metric.compute()
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == known
    assert not [path for path in known if path.suffix == ".arrow"]
    assert before == []


def test_the_module_describes_itself():
    metric = evaluate.load(NAME)
    assert metric.name == NAME
    assert "body_location" in metric.inputs_description
    assert metric.features[0]["predictions"]
    assert "CUI-less" in metric.compute.__doc__


def run(code, cwd, python=(), **environment):
    return subprocess.run(
        [sys.executable, *python, "-c", textwrap.dedent(code)],
        cwd=cwd,
        env={**os.environ, "HF_EVALUATE_OFFLINE": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


PACKAGES = [*filter(None, sys.path), str(ROOT / "metrics")]
LOAD = f"import evaluate; print(evaluate.load({NAME!r}).name)"


class TestBareName:
    """In fresh interpreters, elsewhere, offline."""

    def test_it_works_with_no_import_of_ours(self, tmp_path):
        result = run(LOAD, tmp_path)
        assert result.stdout.strip() == NAME, result.stderr

    def test_it_is_switched_off(self, tmp_path):
        result = run(LOAD, tmp_path, CLINEVAL_AUTOLOAD="0", HF_HOME=str(tmp_path))
        assert "FileNotFoundError" in result.stderr

    def test_then_it_can_be_registered_or_loaded_explicitly(self, tmp_path):
        code = f"""
            import clineval.hf, evaluate
            print(clineval.hf.load({NAME!r}, "task1").config_name)
            clineval.hf.register(); clineval.hf.register()
            print(evaluate.load({NAME!r}).name)
        """
        result = run(code, tmp_path, CLINEVAL_AUTOLOAD="0")
        assert result.stdout.split() == ["task1", NAME], result.stderr

    def test_a_local_folder_of_that_name_wins(self, tmp_path):
        source = Path(clineval.hf.metric_path(NAME)).read_text()
        (tmp_path / NAME).mkdir()
        local = source.replace('"""The metric as', '"""My own, as')
        (tmp_path / NAME / f"{NAME}.py").write_text(local)
        result = run(f"import evaluate; print(evaluate.load({NAME!r}).__doc__)", tmp_path)
        assert "My own" in result.stdout, result.stderr

    def test_the_hook_imports_nothing_of_ours_before_evaluate(self, tmp_path):
        code = "import sys; print([m for m in sys.modules if m.startswith('clineval')])"
        assert run(code, tmp_path).stdout.strip() == "[]"

    def test_the_hook_waits_once_and_imports_no_other_module(self, tmp_path):
        code = """
            import sys
            print(sum(f.__name__ == "_Finder" for f in sys.meta_path if hasattr(f, "__name__")))
            del sys.modules["_clineval_autoload"]
            before = set(sys.modules)
            import _clineval_autoload
            print(*(set(sys.modules) - before))
        """
        assert run(code, tmp_path).stdout.split() == ["1", "_clineval_autoload"]

    @pytest.mark.thorough
    def test_the_start_file_of_python_3_15_does_what_the_pth_file_does(self, tmp_path):
        """Its lines are resolved and called, as site does there (PEP 829)."""
        hook = ROOT / "metrics" / "clineval" / "autoload"
        names = {path.stem for path in hook.iterdir() if path.suffix in (".pth", ".start")}
        assert names == {"clineval-autoload"}
        code = f"""
            import sys; from pathlib import Path; from pkgutil import resolve_name
            sys.path.append({str(hook)!r})
            lines = Path({str(hook / "clineval-autoload.start")!r}).read_text().splitlines()
            for _ in range(2):
                [resolve_name(line)() for line in lines if line and line[0] != "#"]
            sys.path[:0] = {PACKAGES!r}
            import evaluate; print(evaluate.load({NAME!r}).name)
        """
        assert run(code, tmp_path, python=("-S",)).stdout.split() == [NAME]

    @pytest.mark.thorough
    def test_without_site_only_the_explicit_way_works(self, tmp_path):
        paths = f"import sys; sys.path[:0] = {PACKAGES!r}; "
        result = run(paths + LOAD, tmp_path, python=("-S",), HF_HOME=str(tmp_path))
        assert "FileNotFoundError" in result.stderr
        explicit = f"import clineval.hf; print(clineval.hf.load({NAME!r}).name)"
        assert run(paths + explicit, tmp_path, python=("-S",)).stdout.split() == [NAME]

    def test_a_broken_clineval_does_not_break_evaluate(self, tmp_path):
        (tmp_path / "clineval").mkdir()
        (tmp_path / "clineval" / "__init__.py").write_text("raise RuntimeError('broken')")
        result = run("import evaluate; print(evaluate.__name__)", tmp_path)
        assert result.stdout.strip() == "evaluate"

    def test_an_unknown_name_is_refused_with_the_known_ones(self):
        laws.refuses(lambda: clineval.hf.metric_path("bleu"), NAME)
