"""The commands and examples of every page, run in their order in a directory of the page's own."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT
from pages import CARDS, COMPARED, OWN, OWN_TESTS, PAGES, RUN, SITE, blocks_of, code_of, read
from processes import run_program
from thorough import KINDS, each

from clineval.cli.demo import copy_corpora

PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
# targets of make are looked up only: they make environments
PRELUDE = f'make() {{ command make --dry-run --directory "{ROOT}" "$@"; }}\n'
EXAMPLES = doctest.DocTestParser()
WIDE = {**os.environ, "COLUMNS": "120"}


SPECIAL = re.compile(r"[|><&;$*(){}~]|^(?!clineval )", re.MULTILINE)
"""What needs a shell: all but commands of clineval with plain words."""


def is_of_kinds(card):
    return Path(card).parent.name in KINDS


def run_commands(block, folder):
    lines = block.replace("\\\n", " ").strip()
    if not SPECIAL.search(lines):
        for line in lines.splitlines():
            run_program(*shlex.split(line), cwd=folder)
        return
    done = subprocess.run(
        ["bash", "-euxc", PRELUDE + block], cwd=folder, env={**os.environ, "PATH": PATH},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]


def run_session(block, folder):
    """Run each line after ``$`` and compare what it prints; a line of three dots stands for any."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        printed = run_program(*shlex.split(command), cwd=folder, env=WIDE).stdout
        printed = re.sub(r" +$", "", printed, flags=re.MULTILINE)
        assert doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS), printed


def run_examples(block, names, page):
    test = EXAMPLES.get_doctest(block, names, page, page, 0)
    said = []
    doctest.DocTestRunner().run(test, out=said.append, clear_globs=False)
    names.update(test.globs)
    assert not said, "".join(said)


@pytest.mark.parametrize(
    "page",
    each([*PAGES, *SITE], [p for p in [*PAGES, *SITE] if p not in CARDS or is_of_kinds(p)]),
)
@pytest.mark.filterwarnings("default::clineval.InputWarning")
@pytest.mark.usefixtures("extensions")
def test_they_run_and_print_what_they_say(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = blocks_of(page)
    if not any("--copy demo" in block for language, block in blocks if language != "pycon"):
        copy_corpora(tmp_path / "demo")
    names = {}
    for language, block in blocks:
        if language == "sh":
            run_commands(block, tmp_path)
        elif language == "console":
            run_session(block, tmp_path)
        elif language == "pycon":
            run_examples(block, names, page)


@pytest.mark.parametrize("page", [*PAGES, *SITE])
def test_every_block_is_run_somewhere(page):
    languages = {language for language, _ in blocks_of(page)}
    assert languages <= RUN | COMPARED | (OWN if page in OWN_TESTS else set())
    assert read(page).count("\n```") == 2 * len(blocks_of(page))
    assert read(page).count("\n>>> ") == sum(
        block.count("\n>>> ") + block.startswith(">>> ") for _, block in blocks_of(page)
    )


@pytest.mark.parametrize("page", OWN_TESTS)
def test_other_blocks_have_a_test_that_reads_the_page(page):
    for test in OWN_TESTS[page]:
        assert f'"{page}"' in (ROOT / test).read_text()


@pytest.mark.parametrize("page", CARDS)
def test_a_card_shows_python_and_the_command_line(page):
    assert len(EXAMPLES.get_examples("\n".join(code_of(page, "pycon")))) > 4
    assert "clineval score" in "\n".join(code_of(page, "sh"))
