"""Where the tests' data are."""

import os
import signal
from functools import partial
from pathlib import Path

import pytest
from chromium import start_chromium
from hypothesis import HealthCheck, settings
from needs import ASKED, THOROUGH

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data"
SHARED = Path(os.environ.get("CLINEVAL_SHARED", ROOT.parent / "shared"))

# no tests, and what they import only some make targets install
collect_ignore = ["training/models.py", "training/worker.py"]

# what the tests start shall end by these signals, also where make runs in the background
for _signal in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(_signal) is signal.SIG_IGN:
        signal.signal(_signal, signal.default_int_handler)

# how long examples take and how many are thrown away says something of the machine, or of luck
settings.register_profile(
    "fast",
    max_examples=30,
    derandomize=True,  # a failure is of the change, and not of the day
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
        HealthCheck.large_base_example,
    ],
    print_blob=True,
)
settings.register_profile(
    "thorough", parent=settings.get_profile("fast"), max_examples=200, derandomize=False
)
# every change pays for these; the night has the others
settings.register_profile("rest", parent=settings.get_profile("thorough"), max_examples=60)
settings.load_profile(ASKED if THOROUGH else "fast")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path):
    """Look for examples in docstrings only where there are any: hardly a test has some."""
    found = yield
    if file_path.suffix == ".py" and ">>>" not in file_path.read_text("utf-8"):
        return [node for node in found if type(node) is pytest.Module]
    return found


def pytest_collection_modifyitems(config, items):
    """Leave out what is not asked for; coverage is that of the examples.

    What random examples reach is not the same in every run.
    """
    if left_out := [item for item in items if not _is_asked(item)]:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if _is_asked(item)]
    for item in items:
        if _is_random(item):
            item.add_marker("no_cover")


def _is_asked(item):
    """Tell whether the part of the tests that is asked for has this one."""
    slow = item.get_closest_marker("thorough")
    if ASKED == "rest":
        return slow or _is_random(item) or item.get_closest_marker("grows")
    return ASKED or not slow


def _is_random(item):
    return getattr(item.obj, "is_hypothesis_test", False)


@pytest.fixture
def extensions():
    """Extensions of Doc and Span that a test sets do not outlive it."""
    from spacy.tokens.underscore import Underscore

    known = dict(Underscore.span_extensions), dict(Underscore.doc_extensions)
    yield
    Underscore.span_extensions, Underscore.doc_extensions = known


@pytest.fixture(scope="session")
def shared_oracle() -> Path:
    """Other people's data with the released scripts' outputs; not part of the project."""
    folder = SHARED / "oracle"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not here: other people's data, not part of the project")
    return folder


@pytest.fixture
def write_pipe(tmp_path):
    """Write pipe text to a directory; returns its path."""

    def write(side, **files):
        folder = tmp_path / side
        folder.mkdir()
        for name, text in files.items():
            (folder / f"{name}.pipe").write_bytes(
                text if isinstance(text, bytes) else text.encode()
            )
        return folder

    return write


@pytest.fixture
def run(tmp_path):
    """Run the installed ``clineval`` in another directory; checks its exit status."""
    from processes import run_clineval  # which not all environments can import

    return partial(run_clineval, cwd=tmp_path)


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests."""
    with start_chromium() as chromium:
        yield chromium
