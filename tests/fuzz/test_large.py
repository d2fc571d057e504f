"""Large files: what a line, a document or a problem costs must not grow with how many there are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clineval.registry import NAMES, find_challenge
from fuzz.contract import SIZE, keep, share
from fuzz.mutations import large_texts
from fuzz.test_python import ONE_PLACE, files_of, score, validate
from fuzz.test_readers import READERS, good_of

TESTS = len(NAMES) + len(READERS)


@pytest.mark.parametrize("name", NAMES)
@share("large", TESTS, each=2, few=4, suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_every_challenge(name, data, place):
    own, predicted = files_of(name)[1]
    path = place / own
    path.write_bytes(data.draw(large_texts(predicted, SIZE)))
    protocol = data.draw(st.sampled_from(sorted(find_challenge(name).protocols)))
    keep(lambda: score(name, path, path, protocol=protocol))
    keep(lambda: validate(name, path))


@pytest.mark.parametrize("what", READERS)
@share("large", TESTS, each=2, few=4, suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_every_reader(what, data, place):
    reader = READERS[what]
    path = place / reader.path
    path.write_bytes(data.draw(large_texts(good_of(what), SIZE)))
    keep(lambda: reader.read(path))
