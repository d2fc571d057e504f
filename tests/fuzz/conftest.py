"""Where the tests write, and what they say together at the end."""

import tempfile

import pytest
from canary import SECRET

from fuzz.contract import CALLS, TALLY


@pytest.fixture(autouse=True)
def quiet(tmp_path, monkeypatch, capfd):
    """Nothing is left in the folder of the moment or in that of temporary files, nor printed."""
    folders = [tmp_path / "here", tmp_path / "temporary"]
    for folder in folders:
        folder.mkdir()
    monkeypatch.chdir(folders[0])
    monkeypatch.setattr(tempfile, "tempdir", str(folders[1]))
    yield
    assert [path for folder in folders for path in folder.rglob("*")] == []
    assert not any(SECRET in said for said in capfd.readouterr())


@pytest.fixture
def place(tmp_path):
    """A folder for the files of one example after the other."""
    folder = tmp_path / "in"
    folder.mkdir()
    return folder


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """A worker sends its numbers to who started it."""
    sent = getattr(session.config, "workeroutput", None)
    if sent is not None:
        sent["fuzz"] = dict(TALLY)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Add up what workers sent; what was lost with one that died is a failure by itself."""
    sent = dict(getattr(node, "workeroutput", {}).get("fuzz", {}))
    slowest = max(TALLY["slowest"], sent.pop("slowest", 0))
    TALLY.update(sent)
    TALLY["slowest"] = slowest


def pytest_terminal_summary(terminalreporter):
    """One line of how much was tried."""
    if CALLS:
        findings = len(terminalreporter.getreports("failed") + terminalreporter.getreports("error"))
        calls = TALLY["result"] + TALLY["refused"]
        terminalreporter.write_line(
            f"{calls:,} calls: {TALLY['result']:,} gave a result, {TALLY['refused']:,} were "
            f"refused; the slowest took {TALLY['slowest'] / 1000:.2f} s; {findings} findings"
        )
