"""Bytes in compressed blocks are what they were, wherever they are read."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clineval import InputError
from clineval.base.kept import Kept

CONTENT = b"".join(b'{"id": "%d"}\n' % number for number in range(20_000))


class Slow(BytesIO):
    """Returns few bytes at a time, as pipes do."""

    def read(self, size=-1):
        return super().read(min(size, 1000))


@pytest.mark.parametrize("stream", [BytesIO, Slow])
@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, len(CONTENT)])
def test_whole(stream, size):
    kept = Kept.of(stream(CONTENT[:size]), size, "x")
    assert kept.size == size
    assert kept.read() == CONTENT[:size]
    assert [*kept.open()] == [*BytesIO(CONTENT[:size])]


@given(st.lists(st.tuples(*[st.integers(0, len(CONTENT))] * 2), min_size=1))
def test_ranges(ranges):
    ordered = [tuple(sorted(each)) for each in ranges]
    kept = Kept.of(BytesIO(CONTENT), len(CONTENT), "x").only(ordered)
    assert [kept.read(*each) for each in ordered] == [CONTENT[slice(*each)] for each in ordered]


def test_limit():
    with pytest.raises(InputError, match="x: larger than 9 bytes"):
        Kept.of(BytesIO(CONTENT), 9, "x")
