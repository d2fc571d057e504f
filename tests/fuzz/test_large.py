"""Large files: what a line, a document or a problem costs must not grow with how many there are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from thorough import each_module

from clineval.results.registry import NAMES, find_challenge
from fuzz.contract import SIZE, keep, share
from fuzz.mutations import large_texts
from fuzz.test_python import ONE_PLACE, files_of, score, validate
from fuzz.test_readers import READERS, good_of

TESTS = len(NAMES) + len(READERS)


@each_module()
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


TEXT = "a " * 25_000
SPANS = [(2 * (at % 50), len(TEXT) - at) for at in range(700)]
XML = "<deIdi2b2><TEXT><![CDATA[{}]]></TEXT><TAGS>{}</TAGS></deIdi2b2>"
TAG = '<DATE id="P{}" start="{}" end="{}" text="x" TYPE="DATE" comment="" />'
LONG = {
    "i2b2_2014_deid": (
        "a.xml",
        XML.format(TEXT, "\n".join(TAG.format(at, *span) for at, span in enumerate(SPANS))),
    ),
    "ehealthkd20": (
        "a.ann",
        "".join(f"T{at}\tConcept {start} {end}\tx\n" for at, (start, end) in enumerate(SPANS, 1)),
    ),
}


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("name", LONG)
def test_long_mentions_that_overlap(name, protocol, place):
    """Their words or tokens are many times those of the text."""
    own, content = LONG[name]
    (place / own).write_text(content)
    if name == "ehealthkd20":
        (place / "a.txt").write_text(TEXT)
    keep(lambda: score(name, place / own, place / own, protocol=protocol))


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("name", ["meddocan19", "pharmaconer19", "ehealthkd20"])
@pytest.mark.parametrize("offset", [999_999_999, 2**31, 2**63, 10**30])
@pytest.mark.parametrize("offsets", ["0 {}", "{} 5"])
def test_offsets_far_from_any_note(name, protocol, offset, offsets, place):
    own, good = files_of(name)[1]
    label = good.split("\t")[1].split()[0]
    (place / own).write_text(f"T1\t{label} {offsets.format(offset)}\tx\n")
    keep(lambda: score(name, place / own, place / own, protocol=protocol))
