"""The folders of runs that ended, were killed, or are somebody else's."""

import os
import stat
import subprocess
import sys
import tempfile

import pytest

from clineval.workbench.scratch import scratch_folder, sweep

RUN = """
import sys, tempfile
from clineval.workbench.scratch import scratch_folder
with scratch_folder() as folder:
    tempfile.NamedTemporaryFile(delete=False).close()
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The system's folder for temporary files."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def start():
    """Start a run; it prints the name of its folder."""
    processes = []

    def start():
        command = [sys.executable, "-c", RUN]
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        processes.append(subprocess.Popen(command, **streams))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def folder_of(run):
    return run.stdout.readline().strip()


def left(folder):
    return sorted(map(str, folder.iterdir()))


def test_a_folder_is_private_and_gone_at_the_end(folder):
    with scratch_folder() as own:
        assert left(folder) == [str(own)]
        assert stat.S_IMODE(own.stat().st_mode) == 0o700
        assert tempfile.gettempdir() == str(own)
        (own / "note").write_text("x")
    assert left(folder) == []
    assert tempfile.gettempdir() == str(folder)


def test_only_what_killed_runs_have_left_is_removed(folder, start):
    running, killed = start(), start()
    first, second = folder_of(running), folder_of(killed)
    assert left(folder) == sorted([first, second])
    killed.kill()
    killed.wait()
    sweep()
    assert left(folder) == [first]
    assert len(list(os.scandir(first))) == 2  # the lock, and a file
    running.communicate("")
    assert left(folder) == []


def test_what_may_be_somebody_else_s_stays(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    elsewhere.chmod(0o700)
    (elsewhere / "lock").touch()
    (elsewhere / "file").touch()
    (folder / "clineval-app-link").symlink_to(elsewhere)
    for name, mode in (("clineval-app-open", 0o755), ("clineval-other", 0o700)):
        (folder / name).mkdir(mode=mode)
        (folder / name).chmod(mode)
        (folder / name / "lock").touch()
    (folder / "clineval-app-file").touch()
    (folder / "clineval-app-unknown").mkdir(mode=0o700)
    (folder / "clineval-app-unknown" / "file").touch()  # no lock, so not made by a run
    before = left(folder)
    sweep()
    assert left(folder) == before
    assert len(list(elsewhere.iterdir())) == 2


def test_a_run_that_was_killed_at_once_leaves_nothing_for_good(folder):
    (folder / "clineval-app-empty").mkdir(mode=0o700)
    sweep()
    assert left(folder) == []


def test_runs_that_start_at_once_do_not_remove_each_other_s_folders(folder, start):
    runs = [start() for _ in range(8)]
    folders = sorted(map(folder_of, runs))
    assert left(folder) == folders
