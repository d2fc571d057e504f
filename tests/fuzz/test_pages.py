"""What is chosen, uploaded and pasted on a page: of the app, and of a Space."""

from canary import SECRET
from decoded_pages import decode_page
from hub.test_page_scoring import give
from hypothesis import given
from hypothesis import strategies as st
from thorough import each_module

from clineval.hub.page import Given, show_score
from clineval.results.registry import NAMES, find_challenge
from clineval.workbench.app import Request, list_choices, read_sides, resolve, write_report
from fuzz.contract import FEW, keep, share
from fuzz.mutations import WORDS, mutated
from fuzz.test_python import ONE_PLACE, as_text, files_of

pytestmark = each_module()
PATHS = (".", "..", "../..", "/", "/dev/null", "~", "gold/../..", "gold", "text", "absent")
TESTS = 2 * len(NAMES)


@share("pages", TESTS, few=min(10, FEW), suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_the_app(name, data, place, tmp_path_factory):
    own, good = files_of(name)[1]
    (place / own).write_bytes(data.draw(mutated(own, good)))
    folder, private = find_challenge(name).task.corpora, tmp_path_factory.mktemp("private")
    chosen = st.sampled_from([None, *list_choices(folder)[:20], *PATHS, *WORDS])
    uploaded = st.sampled_from([None, [], [str(place / own)], [str(place / own)] * 2])
    values = [data.draw(kind) for _ in range(4) for kind in (chosen, uploaded)]
    settings = data.draw(_settings(name))
    with_text = data.draw(st.booleans())

    def report():
        paths = dict(read_sides(name, values, folder, private))
        return write_report(Request(name, *settings, paths, with_text), private)

    result = keep(report)
    if result is not None and not with_text:
        assert SECRET.lower() not in decode_page(result.report.read_text("utf-8")).lower()


@share("pages", TESTS, few=min(10, FEW))
@given(data=st.data())
def test_a_space(name, data):
    challenge, sample, gold, system, options = give(name)
    own, good = files_of(name)[1]
    pasted = Given((), as_text(data.draw(mutated(own, good))))
    sides = data.draw(st.sampled_from([(gold, pasted), (pasted, system), (pasted, pasted)]))
    shown = keep(
        lambda: show_score(challenge, sample, *sides, options, *data.draw(_settings(name)))
    )
    assert 'id="result"' in shown or SECRET not in shown


def _settings(name):
    """A configuration and a protocol, which may be wrong."""
    challenge = find_challenge(name)
    words = st.sampled_from(WORDS)
    return st.tuples(
        *(
            st.sampled_from(sorted(of)) | words
            for of in (challenge.task.configs, challenge.protocols)
        )
    )


def test_nothing_outside_of_the_folder_is_chosen(name):
    folder = find_challenge(name).task.corpora
    for path in list_choices(folder):
        assert resolve(folder, path).is_relative_to(folder)
