"""Change the product in small ways and see whether the tests notice.

    make mutation                        # 300 mutants against the tests of "make test"
    make mutation COUNT=50 SEED=7 SUITE=thorough

First all tests run once under coverage, which tells which of them run which line (kept in
``.mutation`` for each commit). Then each mutant is written into a copy of the project, and the
tests that run the changed line run there, the quick ones first, until one fails: killed. A mutant
that no test notices within ``--seconds`` survives, and somebody has to look at it: it means the
same as before (equivalent), or a test is missing.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

import coverage
from mutants import Mutant, sample_mutants

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / ".mutation"
PLACES = [
    f"metrics/clineval/{folder}"
    for folder in ("kinds", "formats", "statistics", "evaluation/counting", "challenges")
]
PYTEST = [sys.executable, "-m", "pytest", "--ignore=tests/browser"]
NOT_COPIED = shutil.ignore_patterns(".*", "*.egg-info", "__pycache__", "dist", "build")


@dataclass(frozen=True, slots=True)
class TestMap:
    """Which tests run which lines, and how long each takes."""

    data: coverage.CoverageData
    seconds: dict[str, float]

    def find_tests(self, mutant: Mutant) -> list[str]:
        """List the tests that run a mutant's line, or its file where the line runs on import."""
        lines = self.data.contexts_by_lineno(str(ROOT / mutant.path))
        contexts = set(lines.get(mutant.line, ())) - {""}
        if not contexts:
            contexts = {name for names in lines.values() for name in names} - {""}
        tests = {context.rpartition("|")[0] for context in contexts}
        return sorted(tests & set(self.seconds), key=self._rank(tests))

    def _rank(self, tests: set[str]):
        """Sort by time, and one case of each test function before the second of any."""
        cases: dict[str, int] = {}
        ranks = {}
        for test in sorted(tests, key=lambda test: (self.seconds.get(test, 0.0), test)):
            function = test.partition("[")[0]
            cases[function] = cases.get(function, -1) + 1
            ranks[test] = (self.seconds.get(test, 0.0) * (1 + cases[function]), test)
        return ranks.__getitem__


def map_tests(suite: str, processes: int) -> TestMap:
    """Run all tests once under coverage, or take what an earlier run has found."""
    commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True)
    data = KEPT / f"{suite}-{commit.strip()}.coverage"
    durations = data.with_suffix(".json")
    if not durations.exists():
        KEPT.mkdir(exist_ok=True)
        config = KEPT / "coveragerc"  # the project's own adds branches and child processes
        config.write_text("[run]\nsource = clineval\n", encoding="utf-8")
        command = [*PYTEST, f"-n{processes}", "-q", "-p", "recorder"]
        command += ["--cov", "--cov-context=test", f"--cov-config={config}", "--cov-report="]
        places = {"COVERAGE_FILE": str(data), "CLINEVAL_SECONDS": str(durations)}
        subprocess.run(command, cwd=ROOT, env=environment(ROOT, suite) | places, check=False)
    found = coverage.CoverageData(str(data))
    found.read()
    return TestMap(found, json.loads(durations.read_text(encoding="utf-8")))


def environment(project: Path, suite: str) -> dict[str, str]:
    """Return an environment in which clineval is that of a folder, in child processes too."""
    asked = {"CLINEVAL_TESTS": suite} if suite == "thorough" else {}
    found = [project / "metrics", project, project / "tests" / "mutation"]
    shared = os.environ.get("CLINEVAL_SHARED", str(ROOT.parent / "shared"))
    return {
        **os.environ,
        **asked,
        "PYTHONPATH": os.pathsep.join(map(str, found)),
        "CLINEVAL_SHARED": shared,
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@contextmanager
def copied_project() -> Iterator[Path]:
    """Copy the project, so that no mutant is ever in the tree that people work on."""
    with tempfile.TemporaryDirectory(prefix="clineval-mutation-") as folder:
        copy = Path(folder) / "project"
        shutil.copytree(ROOT, copy, ignore=NOT_COPIED, symlinks=True)
        yield copy


def is_killed(mutant: Mutant, tests: list[str], suite: str, project: Path, seconds: float) -> bool:
    """Run tests with a mutant in place; a suite that no longer ends has noticed it, too."""
    file = project / mutant.path
    source = file.read_bytes()
    names = project / "tests.txt"
    names.write_text("\n".join(tests), encoding="utf-8")
    file.write_bytes(mutant.apply(source))
    command = [*PYTEST, "-x", "-q", "-n0", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(
            [*command, f"@{names}"],
            cwd=project,
            env=environment(project, suite),
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        file.write_bytes(source)
    return done.returncode != 0


def choose_tests(tests: list[str], known: dict[str, float], seconds: float) -> list[str]:
    """Take as many of the tests, in their order, as fit into the time."""
    chosen, spent = [], 0.0
    for test in tests:
        spent += known[test]
        if chosen and spent > seconds:
            break
        chosen.append(test)
    return chosen


def main() -> None:
    """Sample, run, and print what was killed and what survived."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=300, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="which of them")
    parser.add_argument("--suite", choices=["fast", "thorough"], default="fast")
    parser.add_argument("--seconds", type=float, default=60, help="of tests for one mutant")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", help="part of a path: mutants of these files alone")
    parser.add_argument("places", nargs="*", default=PLACES, help="folders that are mutated")
    asked = parser.parse_args()
    mutants = sample_mutants(ROOT, asked.places, asked.count, asked.seed)
    mutants = [mutant for mutant in mutants if not asked.only or asked.only in str(mutant.path)]
    known = map_tests(asked.suite, asked.processes)
    copies: Queue[Path] = Queue()

    def judge(mutant: Mutant) -> bool:
        tests = choose_tests(known.find_tests(mutant), known.seconds, asked.seconds)
        project = copies.get()
        try:
            killed = bool(tests) and is_killed(
                mutant, tests, asked.suite, project, 60 + 10 * asked.seconds
            )
        finally:
            copies.put(project)
        print("killed  " if killed else "SURVIVED", f"{len(tests):5} tests", mutant, flush=True)
        return killed

    with copied_project() as first, copied_project() as second:
        for project in (first, second):
            copies.put(project)
        with ThreadPoolExecutor(min(2, asked.processes)) as pool:
            killed = sum(pool.map(judge, mutants))
    print(f"{killed} killed, {len(mutants) - killed} survived, of {len(mutants)}")


if __name__ == "__main__":
    main()
