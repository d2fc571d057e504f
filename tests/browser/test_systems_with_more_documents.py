"""Reports of two systems of which only the second has a document that the gold standard lacks."""

import pytest
from demos import DOCUMENTS, arguments_of, lacking_a_document

from clineval.kinds.codes.kind import CodeKind
from clineval.results.registry import NAMES, find_challenge

GOLD_HAS_TEXTS = ("clinical_spans", "chemprot17", "gutbrainie26")
"""Challenges whose texts are in the gold standard, which lacks the document."""


@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_belong_together_and_the_document_is_shown(
    name, tmp_path, make_report, open_page
):
    gold, *systems = lacking_a_document(name, tmp_path)
    _, options = arguments_of(name)
    records = ["--text", options["records"]] if "records" in options else []
    apart = find_challenge(name).faces.notes_apart or name in GOLD_HAS_TEXTS
    texts = records or (["--no-text"] if apart else [])
    page = open_page(make_report(name, gold, *systems, *texts), "#sys=1")
    assert page.locator("#warning").is_hidden()
    more = [d for d in page.evaluate("corpus.documents") if DOCUMENTS[name].strip() in d]
    if name in ("clefehealth13_task3", "drugprot21"):
        assert (
            more == []
        )  # topics that were not judged, and documents that are not listed, do not count
        return
    page.goto(f"{page.url.split('#')[0]}#sys=1&doc={more[0]}")
    page.wait_for_function(
        "(d) => document.getElementById('document-name').textContent === d", arg=more[0]
    )
    if name != "clefehealth13_task2":  # abbreviations that are not in the gold standard, neither
        codes = isinstance(find_challenge(name).kind, CodeKind)
        said = "not in the gold standard" if codes else "spurious"
        assert said in page.locator("#detail-body").inner_text().lower()
