"""What holds for every input: a result in its range, or one line that says what is wrong."""

import gc
import io
import logging
import math
import os
import sys
import time
import traceback
import warnings
from collections import Counter
from contextlib import contextmanager, redirect_stderr, redirect_stdout

from canary import SECRET
from hypothesis import settings
from needs import ASKED

from clineval import InputError, InputWarning

CALLS = int(os.environ.get("CLINEVAL_FUZZ", "0"))
"""How many calls all tests make together; 0 for the short runs of ``make test`` and ``make
test-all``, the same each time."""
SHARES = {
    "objects": 0.12, "options": 0.09, "texts": 0.13, "files": 0.13, "counts": 0.07,
    "readers": 0.155, "commands": 0.05, "docs": 0.05, "pages": 0.01, "large": 0.005,
    "training": 0.02, "calls": 0.01, "grammars": 0.12, "lines": 0.03,
    "lines in parts": 0.04, "round trips": 0.02, "no text": 0.005, "stand-ins": 0.0006,
}  # fmt: skip
"""What each kind of test has of the calls; less where one takes longer."""
FEW = {"thorough": 60, "rest": 20}.get(ASKED, 8)
SIZE, SECONDS, BYTES = 100_000, 2.0 if CALLS else 60.0, 1 << 30
"""The most that an input of so many bytes takes of processor time, and of memory besides what is
held. The short run holds on any processor: it only ends what would never end.

What takes longer by the clock is tried once more by the processor's own time, so that neither other
processes count nor what a first call imports.
"""
OPEN = ("kappa", "roc_auc", "pr_auc")
"""Ends of the names of scores that the data need not define."""
PARTS = ("_f1", "_precision", "_recall", "accuracy", "map", "P_10")
LONGEST = 3000
_HELD = Counter()
TALLY = Counter()
"""How many calls gave a ``result`` and how many were ``refused``; ``slowest``, in milliseconds."""


def share(kind, tests, *, each=1, few=FEW, **others):
    """The examples of one of so many tests of a kind, of which each makes some calls."""
    many = math.ceil(CALLS * SHARES[kind] / tests / each)
    return settings(max_examples=many or few, derandomize=not CALLS, database=None, **others)


def keep(call):
    """Call, and judge what comes: a result, or an ``InputError`` of one line.

    Neither it, nor what is behind it, nor a warning, a log or what is printed has the canary.
    """
    result, error, caught, said = _watch(call)
    assert all(issubclass(warning.category, InputWarning) for warning in caught), caught
    messages = [str(warning.message) for warning in caught]
    if error is not None:
        messages.append(str(error))
        assert error.__cause__ is None
        assert error.__suppress_context__ or error.__context__ is None
        assert SECRET not in "".join(traceback.format_exception_only(error))  # the rest is our code
    for message in messages:
        judge_message(message)
    assert said == "", "a library prints nothing and logs nothing"
    assert gc.isenabled(), "who called still has cyclic garbage collected"
    return result


def _watch(call):
    said = io.StringIO()
    with measured(), warnings.catch_warnings(record=True) as caught, logged_to(said):
        warnings.simplefilter("always")
        result, error, seconds = _time(call, time.perf_counter)
        if seconds >= SECONDS:
            result, error, seconds = _time(call, time.process_time)
    TALLY["result" if error is None else "refused"] += 1
    note_time(seconds)
    return result, error, caught, said.getvalue()


def _time(call, clock):
    began = clock()
    try:
        result, error = call(), None
    except InputError as raised:
        result, error = None, raised
    return result, error, clock() - began


def note_time(seconds):
    """Judge how long a call took, and remember the longest."""
    TALLY["slowest"] = max(TALLY["slowest"], round(1000 * seconds))
    assert seconds < SECONDS


@contextmanager
def logged_to(stream):
    """What is printed and what is logged inside, with any name and of any level."""
    handler, root = logging.StreamHandler(stream), logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        with redirect_stdout(stream), redirect_stderr(stream):
            yield
    finally:
        root.setLevel(before)
        root.removeHandler(handler)


@contextmanager
def measured():
    """Judge how much memory is taken inside; far too much ends the call, not this process."""
    before = _HELD["most"] or _most_memory()
    with _limited():
        yield
    _HELD["most"] = _most_memory()  # which never falls, and takes its time to ask for
    assert _HELD["most"] - before < BYTES


@contextmanager
def _limited():
    """Refuse memory beyond eight times what a call may take, where the system can."""
    if not (CALLS and sys.platform == "linux"):
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (8 * BYTES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _most_memory():
    """Bytes that this process ever held at once; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def judge_message(message):
    """One line for people, without escapes and without a note."""
    assert message.isprintable(), repr(message)
    assert len(message) < LONGEST
    assert SECRET not in message


def judge_scores(scores, *, joined=False):
    """All are finite, and parts of a whole are between 0 and 1.

    A script that joins tables counts a repeated mention as several hits, and prints more than 1.
    Bounds of intervals are undefined all together: of a single document, or cluster. The data need
    not define kappa and areas.
    """
    lacking = {key for key, value in scores.items() if value is None and key.endswith(OPEN)}
    lacking |= {f"{key}_{end}" for key in lacking for end in ("low", "high")}
    bounds = {key for key in scores if key.endswith(("_low", "_high"))}
    undefined = {key for key, value in scores.items() if value is None}
    assert undefined - lacking in (set(), bounds - lacking), undefined
    for key, value in scores.items():
        if isinstance(value, str) or value is None:
            continue
        assert math.isfinite(value), key
        if key.endswith(PARTS):
            assert value >= -1e-9, key
            assert joined or value <= 1 + 1e-9, key
