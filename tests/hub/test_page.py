"""The page of every Space, in a real browser; ``make test-pages`` has Gradio and a Chromium."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from chromium import open_tab, press, serve
from environments import make_bare_python
from hub.spaces import clean, find_demo, read_excerpt
from needs import need
from processes import run_clineval

from clineval.hub.page import Given, Sample, score_given
from clineval.hub.spaces import build_space
from clineval.results.registry import NAMES, find_challenge
from clineval.results.tables import format_value

need("gradio", "pages")
expect = need("playwright.sync_api", "pages").expect

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    return make_bare_python(tmp_path_factory.mktemp("bare"))


@pytest.fixture(scope="module", params=NAMES)
def space(request, bare, tmp_path_factory):
    """Name and address of a Space's page, served where clineval is not installed."""
    folder = tmp_path_factory.mktemp(request.param) / request.param
    build_space(request.param, folder)
    home = folder.parent
    environment = clean(GRADIO_TEMP_DIR=str(home / "gradio"), HF_HOME=str(home / "home"))
    command, log = [bare, "app.py"], home / "log"
    with serve(command, folder=folder, log=log, environment=environment) as address:
        yield request.param, address


@pytest.fixture
def page(space, browser):
    """The page, opened; fails if the browser asks any other host or the console has an error."""
    hosts, errors = set(), []
    with open_tab(browser) as opened:
        opened.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))
        opened.on("websocket", lambda socket: hosts.add(urlsplit(socket.url).hostname))
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.goto(space[1])
        opened.wait_for_selector("body[data-ready]")
        yield opened
    assert hosts - {None} == {"127.0.0.1"}
    assert errors == []


def load(page):
    """Load the sample."""
    press(page.locator("#load"), page.locator(".file-preview tr.file"))


def score(page, wanted="#result"):
    """Score what is given; waits for the result, or for something else."""
    press(page.locator("#score"), page.locator(wanted))


def score_on_command_line(name):
    _, gold, system, options = find_demo(name)
    given = [word for key, path in options.items() for word in (f"--{key}", path)]
    return json.loads(run_clineval("score", name, gold, system, "--format", "json", *given).stdout)


def files_of(path):
    return [str(path)] if path.is_file() else sorted(map(str, path.iterdir()))


def upload(page, name):
    _, gold, system, options = find_demo(name)
    for side, path in {"gold": gold, "predictions": system, **options}.items():
        files = files_of(path)
        page.locator(f"#{side}-files input[type=file]").set_input_files(files)
        # Gradio shows every file once it has it
        shown = page.locator(f"#{side}-files .file-preview tr.file")
        expect(shown).to_have_count(len(files))


def paste(field, text):
    """Paste text as a user does, at once.

    ``fill`` types it, which takes Chromium a time that grows with the square of its lines: minutes
    for the thousands of a JSON file.
    """
    field.page.context.grant_permissions(["clipboard-write"])
    field.evaluate("(_, text) => navigator.clipboard.writeText(text)", text)
    field.press("ControlOrMeta+V")
    expect(field).to_have_value(text)


def read_cells(page):
    """Heading of table, row and column to the cell, for every table of scores."""
    return page.eval_on_selector_all(
        "#result table:not(#documents)",
        """tables => Object.fromEntries(tables.flatMap(table =>
            [...table.tBodies[0].rows].flatMap(row => [...row.cells].slice(1).map((cell, k) =>
                [[table.caption.innerText, row.cells[0].innerText, k].join("|"),
                 cell.innerText]))))""",
    )


def signature_line_of(printed):
    """The signature as people read it: the gold standard of a demo has a name."""
    named = f"\\1 ({printed['dataset']})"
    return re.sub(r"(\|refs:\w+)", named, printed["signature"])


def test_uploaded_files_score_as_on_the_command_line(page, space):
    name = space[0]
    upload(page, name)
    score(page)
    expected = score_on_command_line(name)
    scores = expected["scores"]
    grids = find_challenge(name).measures.grids
    named = {key for grid in grids for keys in grid.rows.values() for key in keys}
    others = {key: (key,) for key in scores.keys() - named - {"n_documents"}}
    cells = {
        f"{grid.title}|{heading}|{number}": format_value(scores[key])
        for grid in grids
        # the options decide on the rows of some tables; a row with a gap is left out of all
        for heading, keys in (grid.find(scores) if grid.find else grid.rows or others).items()
        if scores.keys() >= set(keys)
        for number, key in enumerate(keys)
    }
    assert len(cells) >= 2
    assert read_cells(page) == cells
    assert signature_line_of(expected) in page.locator("#result").inner_text()


def test_the_json_is_that_of_the_command_line(page, space):
    upload(page, space[0])
    page.locator("#score").scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    score(page)
    page.frame_locator("#workbench").locator("body[data-ready]").wait_for()
    assert page.evaluate("scrollY") == place  # the report does not scroll the page to itself
    with page.expect_download() as download:
        page.click("#download")
    data = json.loads(Path(download.value.path()).read_text("utf-8"))
    rows = data.pop("per_document")
    assert data == score_on_command_line(space[0])
    assert len(rows) == data["scores"]["n_documents"]
    assert page.locator("#documents tbody tr").count() == len(rows)


def test_the_sample_is_there_and_the_warning_too(page, space):
    assert "Do not upload patient data" in page.locator("#warning").inner_text()
    load(page)
    score(page)
    signature = signature_line_of(score_on_command_line(space[0]))
    assert signature in page.locator("#result").inner_text()


def test_pasted_text_scores_as_chosen(page, space):
    name = space[0]
    challenge = find_challenge(name)
    _, gold, system, _ = find_demo(name)
    texts = [read_excerpt(name, files_of(path)[0]) for path in (gold, system)]
    for side, text in zip(("gold", "predictions"), texts, strict=True):
        paste(page.locator(f"#{side}-text textarea"), text)
    # the demos of these are in the format of another configuration than the last one
    others = (
        "archehr_qa26",
        "cantemist20",
        "codiesp20",
        "i2b2_2010",
        "livingner22",
        "medprocner23",
        "pharmaconer19",
    )
    at = 0 if name in others else -1
    config, protocol = list(challenge.task.configs)[at], list(challenge.protocols)[-1]
    page.locator("#config input").click()
    page.get_by_role("option", name=f"{config}: {challenge.task.configs[config]}").click()
    page.locator(f"#protocol input[value={protocol}]").check()
    score(page)
    sample = Sample(gold.parent, gold.name, {"": system.name})
    sides = [Given((), text) for text in texts]
    [expected] = score_given(challenge, sample, *sides, {}, config, protocol).scores.values()
    said = page.locator("#result").inner_text()
    assert expected.signature_line in said
    assert f"|{config}|protocol:{protocol}|" in said
    assert all(format_value(value) in said for value in list(expected.values.values())[:3])


def test_every_error_can_be_seen(page, space):
    load(page)
    score(page)
    report = page.frame_locator("#workbench")
    report.locator("body[data-ready]").wait_for()
    assert report.locator("#warning").is_hidden()
    headline = report.locator("#headline").inner_text().split()
    assert headline
    for key, shown in zip(headline[::2], headline[1::2], strict=True):
        assert shown == format_value(score_on_command_line(space[0])["scores"][key])
    row = report.locator("#pairs .row, #items .row").first
    for _ in range(24):  # Gradio may put the frame in once more, which then begins anew
        report.locator("#tab-pairs, #tab-items").first.click()
        if row.is_visible():
            break
        page.wait_for_timeout(1000)
    row.click()
    assert report.locator("#detail-body table").count() > 0


def test_the_page_tells_where_the_protocols_differ(page, space):
    differences = find_challenge(space[0]).differences
    shown = page.locator("#differences")
    assert shown.count() == (1 if differences else 0)
    if differences:
        press(shown.get_by_role("button"), shown.get_by_text(differences[0].spec))


def test_a_narrow_window_scrolls_tables_only(page):
    page.set_viewport_size({"width": 390, "height": 844})
    load(page)
    score(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    scrolls = "e => [...e.querySelectorAll('table')].every(t => t.closest('.scores, .scroll'))"
    assert page.locator("#result").evaluate(scrolls)


def test_nothing_given_is_said_so(page):
    score(page, "#problem")
    assert "missing" in page.locator("#problem").inner_text()
