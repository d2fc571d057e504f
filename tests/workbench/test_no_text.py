"""A page without texts has no word of a note, also not in its compressed data.

A canary stands in every field of every kind of annotation, but for names of documents, which pages
show.
"""

import json
import re

import pytest
from canary import GOOD, NOTE, SECRET, everywhere
from decoded_pages import decode_page
from outside import install
from processes import run_clineval
from thorough import each_module

from clineval import InputError
from clineval.results.registry import find_challenge
from clineval.workbench import build_workbench
from clineval.workbench.app import Request, write_report

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
RECORDS = ("mediqa_oe25", "mediqa_synur26")
RUN = {"clefehealth13_task3": {"query": ["q"], "docid": ["d"], "score": [1], "rel": [1]}}
CODES = {
    ("codiesp20", "D"): "gold_D.tsv",
    ("livingner22", "app"): "gold_app.tsv",
    ("medprocner23", "index"): "gold_index.tsv",
    ("cantemist20", "coding"): "gold_coding.tsv",
}


def says(bench):
    """Whether the canary is in what a page and its table of measures hold, in any case."""
    return SECRET.lower() in (decode_page(bench.to_html()) + bench.measures).lower()


def leaks(module, gold, found, **options):
    """Whether the page of two sides has the canary; not if the input is refused."""
    try:
        bench = build_workbench(module, gold, {"system": found}, with_text=False, **options)
    except InputError:
        return False
    return says(bench)


@each_module()
@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_words_in_any_field(name, protocol):
    if protocol not in find_challenge(name).protocols:
        pytest.skip("there is no such protocol")
    for good in filter(None, (GOOD[name], RUN.get(name))):
        for bad in everywhere(good, NOTE):
            for sides in ((good, bad), (bad, bad)):
                assert not leaks(name, *sides, protocol=protocol), bad


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("name", RECORDS)
def test_a_single_word_of_a_record(name, protocol):
    """Which may be a patient's as well as several."""
    for bad in everywhere(GOOD[name], SECRET):
        for sides in ((GOOD[name], bad), (bad, GOOD[name])):
            assert not leaks(name, *sides, protocol=protocol), bad


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize(("name", "config"), CODES)
def test_words_in_place_of_a_code(name, config, protocol, tmp_path):
    challenge = find_challenge(name)
    gold = challenge.task.corpora / CODES[name, config]
    needed = {"codes": challenge.task.corpora / "codes.tsv"} if name == "cantemist20" else {}
    first, second, *others = gold.read_text("utf-8").splitlines()
    for at in range(1, second.count("\t") + 1):
        cells = second.split("\t")
        cells[at] = NOTE
        found = tmp_path / gold.name
        found.write_text("\n".join([first, "\t".join(cells), *others]) + "\n", "utf-8")
        options = {"config": config, "protocol": protocol, **needed}
        assert not leaks(name, gold, found, **options)
        assert not leaks(name, found, gold, **options)


OUTSIDE = """
from clineval import Challenge, Field, Records, Task
FIELDS = (
    Field("drug", "label", required=True), Field("form", "closed", ("tablet", "eye drops")),
    Field("dose", "number"), Field("said", "value"), Field("turns", "set"), Field("why", "words"),
)
CHALLENGE = Challenge(
    Task("given_drugs", "Drugs", "https://example.org"),
    {"spec": Records(FIELDS, {"same": ("drug", "form", "said", "turns", "why")})},
)
"""


def test_records_of_a_challenge_from_outside(tmp_path):
    """Codes, numbers, declared values and what is equal are shown all the same."""
    record = {"drug": "N02BE01", "form": "eye drops", "dose": 5, "said": [1, 2], "turns": [3]}
    words = {**record, "drug": NOTE, "said": NOTE, "turns": [NOTE], "why": SECRET}
    with install(tmp_path, given_drugs=OUTSIDE):
        sides = [[record, words, {**words, "why": NOTE}]], {"system": [[record, words]]}
        bench = build_workbench("given_drugs", *sides, with_text=False)
    assert not says(bench)
    (columns,) = (modes["records"] for modes in bench.tables["systems"])
    shown = [json.loads(each) for each in columns["gold"]]
    hidden = "text 1 (33 characters withheld)"
    assert shown[0] == ["N02BE01", "eye drops", "[1, 2]", "3", ""]
    assert [hidden, "eye drops", hidden] == shown[1][:3] == shown[2][:3]
    assert columns["gold"][:2] == columns["system"][:2]
    assert shown[1][4] != shown[2][4], "texts that differ look different"


def test_a_slot_s_name_of_several_words_is_in_no_error():
    mention = {"spans": [[4, 15]], "label": "Drug", NOTE: "some words"}
    with pytest.raises(InputError, match="could be words of a note") as caught:
        build_workbench("clinical_spans", [[mention]], {"a": [[mention]]}, with_text=False)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("name", RECORDS)
def test_the_command_writes_no_word_of_the_demo(name, tmp_path):
    """Nor do the table of measures beside the page, and the app."""
    challenge = find_challenge(name)
    folder = challenge.task.corpora
    gold, found = folder / challenge.demo.gold, folder / challenge.demo.systems["model"]
    page, measures = tmp_path / "page.html", tmp_path / "measures.csv"
    run_clineval("report", name, gold, found, "--no-text", "-o", page, "--store-measures", measures)
    request = Request(name, "default", "spec", {"gold": gold, "system": found}, with_text=False)
    app = write_report(request, tmp_path)
    parts = [decode_page(each.read_text("utf-8")) for each in (page, app.report)]
    parts += [each.read_text("utf-8") for each in (measures, app.measures)]
    texts = set(re.findall(r'"(\w[^"\\]* [^"\\]*\w)\\?"', gold.read_text("utf-8")))
    assert len(texts) > 10, texts
    for text in texts:
        assert not any(text.lower() in part.lower() for part in parts), text
