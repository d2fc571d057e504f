"""What holds for every input: a result in its range, or one line that says what is wrong."""

import math
import os
import time
import warnings

from canary import SECRET
from hypothesis import settings

from clineval import InputError, InputWarning

CALLS = int(os.environ.get("CLINEVAL_FUZZ", "0"))
"""How many inputs each test draws; 0 for the short run of ``make test``, the same each time."""
FUZZ = settings(max_examples=CALLS or 50, derandomize=not CALLS, database=None)
SECONDS = 30.0
"""The most processor time a small input may take, on the slowest machine."""
SHARES = ("_f1", "_precision", "_recall", "accuracy", "map", "P_10")
LONGEST = 3000


def keep(call, *, told=True):
    """Call, and judge what comes: a result, or an ``InputError`` of one line.

    Args:
        call: what is tried.
        told: whether messages must be free of the canary; False where it stands in a name, which
            messages show.
    """
    began = time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result, error = call(), None
        except InputError as raised:
            result, error = None, raised
    assert time.process_time() - began < SECONDS
    said = [str(warning.message) for warning in caught]
    assert all(issubclass(warning.category, InputWarning) for warning in caught), said
    for message in said + ([str(error)] if error else []):
        judge_message(message, told=told)
    if error is not None:
        assert error.__cause__ is None
        assert error.__suppress_context__ or error.__context__ is None
    return result


def judge_message(message, *, told=True):
    """One line for people, without escapes and without a note."""
    assert message.isprintable(), repr(message)
    assert len(message) < LONGEST
    assert not told or SECRET not in message


def judge_scores(scores):
    """All are finite, and shares are between 0 and 1."""
    for key, value in scores.items():
        if isinstance(value, str):
            continue
        assert math.isfinite(value), key
        if key.endswith(SHARES):
            assert -1e-9 <= value <= 1 + 1e-9, key
