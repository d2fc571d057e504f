"""Numbers of records within a tolerance: exact for the written digits, whatever pairs repeat."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clineval.kinds.records.numbers import Numbers

WRITTEN = st.sampled_from(["1", "1.0", "1.1", "1.2", "36.6", "36.7", "36.71", "-1", "1e400", ""])
places = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=30)


@given(
    written=st.lists(WRITTEN, min_size=5, max_size=5),
    places=places,
    tolerance=st.sampled_from([0, 0.1, 0.11]),
)
def test_pairs_are_near_as_fractions_are(written, places, tolerance):
    left, right = np.array(places, np.int32).reshape(-1, 2).T
    found = Numbers.of(written, tolerance).are_near(left, right)
    assert found.tolist() == [
        written[a] != "" != written[b]
        and abs(Fraction(written[a]) - Fraction(written[b])) <= Fraction(str(tolerance))
        for a, b in places
    ]
