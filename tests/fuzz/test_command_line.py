"""Every command, on good, mutated and absent files: status 0, 1 or 2, and no half file."""

import shutil
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import pytest
from canary import NOTE, SECRET
from hypothesis import Phase, given
from hypothesis import strategies as st
from thorough import each_module
from typer.testing import CliRunner

from clineval import InputError, InputWarning
from clineval.results.registry import NAMES, find_challenge
from fuzz.command_lines import command_lines, program_for
from fuzz.contract import SECONDS, TALLY, judge_message, measured, note_time, share
from fuzz.mutations import mutated
from fuzz.test_python import ONE_PLACE, demo_sides, files_of
from fuzz.test_readers import READERS, good_of


class Corpora:
    """A demo with the canary at the end of its notes, made anew when a command has changed it.

    Args:
        name: the challenge.
        folder: where it is.
    """

    def __init__(self, name, folder):
        self._source, self._folder = find_challenge(name).task.corpora, folder
        self._made = None

    def whole(self):
        """Where it is, as it was made."""
        if self._made is None or self._look() != self._made:
            shutil.rmtree(self._folder, ignore_errors=True)
            shutil.copytree(self._source, self._folder)
            for note in self._folder.glob("*/*.txt"):
                note.write_text(f"{note.read_text('utf-8')}\n{NOTE}\n", "utf-8")
            self._made = self._look()
        return self._folder

    def _look(self):
        there = ((path, path.lstat()) for path in self._folder.rglob("*"))
        return {(path, found.st_mtime_ns, found.st_size) for path, found in there}


@dataclass(frozen=True)
class Done:
    """What a command did: its status, what it printed, and the error that the program prints."""

    status: int
    printed: str
    error: str


def run(name, words):
    with CliRunner().isolation() as (_, _, printed), warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # the program prints them
        status, error = 0, ""
        try:
            program_for(name).main(list(words), prog_name="clineval")
        except SystemExit as ended:
            status = ended.code or 0
        except InputError as refused:
            status, error = 2, str(refused)
        return Done(status, printed.getvalue().decode(), error)


@pytest.fixture
def corpora(name, tmp_path):
    return Corpora(name, tmp_path / "demo")


@each_module()
@share(  # to make a finding smaller takes too many runs
    "commands", len(NAMES), phases=[Phase.generate], suppress_health_check=ONE_PLACE
)
@given(data=st.data())
def test_every_command(name, data, corpora, place):
    files = draw_files(name, data, corpora.whole(), place)
    words = data.draw(command_lines(name, files))
    given_files = set(place.rglob("*"))
    try:
        judge(words, timed(name, words), place, given_files)
    finally:
        for path in (*place.iterdir(), *Path().iterdir()):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def draw_files(name, data, demo, place):
    """Gold standard and system; what is wrong, of the challenge and for an option; what is none."""
    own, good = files_of(name)[1]
    bad, other = place / f"bad-{own}", place / "other"
    bad.write_bytes(data.draw(mutated(own, good, noted=False)))
    what = data.draw(st.sampled_from(sorted(READERS)))
    other.write_bytes(data.draw(mutated(READERS[what].path, good_of(what), noted=False)))
    sides = [demo / path for path in demo_sides(name)]
    beside = data.draw(st.sampled_from(sorted(demo.iterdir())))
    return list(map(str, (*sides, bad, other, beside, place, place / "absent")))


def timed(name, words):
    with measured():
        began = time.process_time()
        done = run(name, words)
        seconds = time.process_time() - began
        if seconds >= SECONDS:
            began = time.process_time()
            run(name, words)
            seconds = time.process_time() - began
    TALLY["refused" if done.status == 2 else "result"] += 1
    note_time(seconds)
    return done


def judge(words, done, place, before):
    judge_message(done.error)
    assert done.status in (0, 1, 2), words
    assert "Traceback" not in done.printed
    assert "\x1b" not in done.printed
    assert SECRET not in done.printed
    written = [path for path in Path().rglob("*") if path.is_file()]
    assert not any(path.name.startswith(".clineval") for path in (*written, *place.rglob("*")))
    if words[0] != "convert" and (words[0] != "report" or "--no-text" in words):
        assert not any(SECRET.encode() in path.read_bytes() for path in written), words
    new = set(place.rglob("*")) - before
    assert new <= {place / "absent"} or "absent" in " ".join(words), words
