"""Pages of objects: without texts no word of a note is in them, with texts each note as it is."""

import base64
import gzip
import json
import re

from canary import GOOD, NOTE, SECRET, everywhere
from decoded_pages import decode_page
from hypothesis import given
from hypothesis import strategies as st
from thorough import each_module

from clineval.results.registry import NAMES, find_challenge
from clineval.results.views import MentionView
from clineval.workbench import build_workbench
from fuzz.contract import FEW, keep, share
from fuzz.mutations import mutated_objects
from fuzz.test_python import TOPICS

pytestmark = each_module()
TESTS = 2 * len(NAMES)
NOTES = (NOTE, "", f"{NOTE}\n", "a\rb\r\nc\u2028", "</script><!-- é 😀 \0\x1b", "x" * 9000)


CHUNK = re.compile(r'id="chunk-\d+">([^<]*)<')


def texts_in(html):
    """The notes that a page holds, in order."""
    packed = map(base64.b64decode, CHUNK.findall(html))
    return [text for chunk in packed for text in json.loads(gzip.decompress(chunk))]


def build(name, found, gold, **options):
    """A page, as long as the input can be scored."""
    return keep(lambda: build_workbench(name, gold, {"a": found}, **options).to_html())


@st.composite
def planted(draw, name):
    """Good input with the note in place of one of its parts, and perhaps with more that is wrong.

    Names are shown: those of documents, and of topics in a run.
    """
    good = GOOD[name]
    if name in TOPICS:
        return good
    with_note = list(everywhere(good, NOTE))[1:]
    changed = draw(st.sampled_from(with_note))
    return draw(mutated_objects(changed)) if draw(st.integers(0, 3)) == 0 else changed


@share("no text", TESTS, few=min(6, FEW))
@given(data=st.data())
def test_without_texts(name, data):
    challenge, good = find_challenge(name), GOOD[name]
    changed = data.draw(planted(name))
    sides = data.draw(st.sampled_from([(changed, good), (good, changed), (changed, changed)]))
    way = {
        "config": data.draw(st.sampled_from(sorted(challenge.task.configs))),
        "protocol": data.draw(st.sampled_from(sorted(challenge.protocols))),
    }
    notes = [NOTE] * len(good) if data.draw(st.booleans()) else None
    html = build(name, *sides, notes=notes, with_text=False, **way)
    assert html is None or SECRET.lower() not in decode_page(html).lower()


@share("no text", TESTS, few=min(3, FEW))
@given(data=st.data())
def test_with_texts(name, data):
    """Only mentions stand in notes; a page of anything else has none."""
    many = data.draw(st.integers(1, 3))
    notes = data.draw(st.lists(st.sampled_from(NOTES) | st.text(), min_size=many, max_size=many))
    if not isinstance(GOOD[name], list):
        return
    sides = GOOD[name] * many
    html = build(name, sides, sides, notes=notes)
    if html is not None and isinstance(find_challenge(name).faces.page, MentionView):
        assert texts_in(html) == notes
