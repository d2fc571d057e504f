"""A plugin of pytest that writes down how long each test takes; see run.py."""

import json
import os
from pathlib import Path

import pytest

SECONDS = {}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Let coverage see what random examples run: a mutant may lie where only they come."""
    for item in items:
        item.own_markers[:] = [mark for mark in item.own_markers if mark.name != "no_cover"]


def pytest_runtest_logreport(report):
    SECONDS[report.nodeid] = SECONDS.get(report.nodeid, 0) + report.duration


def pytest_sessionfinish(session):
    if not hasattr(session.config, "workerinput"):  # the one that the workers report to
        Path(os.environ["CLINEVAL_SECONDS"]).write_text(json.dumps(SECONDS), encoding="utf-8")
