"""Figures to look at."""

import re

from docs import HARD, TEXT, blank_doc

from spacy_clin import render, set_mentions
from spacy_clin.rendering import _MentionRenderer


def doc_of(mentions, text=TEXT):
    doc = blank_doc(text)
    set_mentions(doc, mentions)
    return doc


def test_fragments_are_joined_on_one_line():
    """The dashes between fragments are as high as the bars of the fragments."""
    html = render(doc_of([HARD["T1"]]))
    tops = set(re.findall(r"top: (\d+)px; height: 4px", html))
    assert len(tops) == 1
    assert html.count("repeating-linear-gradient") == 2  # "is mildly"
    assert html.count("C1 negation=yes") == 2  # the label, and unseen the room that it takes


def test_bars_that_meet_are_on_different_lines():
    spans = [
        {"start_token": 0, "end_token": 5, "label": "a", "covered": {0, 4}},
        {"start_token": 1, "end_token": 3, "label": "b", "covered": {1, 2}},
        {"start_token": 3, "end_token": 6, "label": "c", "covered": {3, 4, 5}},
        {"start_token": 5, "end_token": 6, "label": "d", "covered": {5}},
    ]
    info = _MentionRenderer._assemble_per_token_info(list("abcdef"), spans)
    for token in info:
        slots = [entity["render_slot"] for entity in token["entities"]]
        assert len(set(slots)) == len(slots)
    assert {e["label"] for e in info[2]["entities"]} == {"GAP", "b"}


def test_gold_stands_beside_predicted():
    gold, pred = doc_of([HARD["T1"]]), blank_doc()
    pred.ents = [pred.char_span(4, 15, label="X", kb_id="C9")]
    html = render(gold, pred, getter={"mentions": "ents"}, page=True)
    assert html.index("<h3>gold</h3>") < html.index("C1 negation=yes")
    assert html.index("C1 negation=yes") < html.index("<h3>predicted</h3>") < html.index("C9")
    assert html.startswith("<!DOCTYPE html>")


def test_the_text_stands_as_it_is():
    """displaCy itself puts blanks between tokens."""
    text = "64-year-old:\n  no (more)  fever."
    html = render(doc_of([{"spans": [[3, 7], [15, 17]], "cui": "C1"}], text))
    bar = r'\n?<span style="background[^>]*>\n?(<span[^>]*>[^<]*</span>)?</span>\n?'
    unseen = r'<span style="display: block[^>]*>[^<]*</span>'
    shown = re.sub(f"{bar}|{unseen}|<[^>]*>", "", html)
    assert shown.strip("\n") == text


def test_words_between_fragments_are_not_bold():
    html = render(doc_of([HARD["T1"]]))
    weights = re.findall(r"font-weight: (\w+);", html)
    assert weights == ["bold", "bold", "normal", "normal", "bold"]


def test_codes_are_escaped():
    assert "<i>" not in render(doc_of([{"spans": [[4, 15]], "cui": "<i>"}]))


def test_texts_are_escaped():
    html = render(doc_of([{"spans": [[0, 3]], "cui": "C1"}], "<b>&"))
    assert "<b>" not in html
    assert "&lt;" in html


def test_slots_at_their_defaults_are_not_shown():
    slots = {"negation": "no", "body_location": ["NULL"], "severity": "severe"}
    html = render(doc_of([{"spans": [[4, 15]], "cui": None, **slots}]))
    assert "CUI-less severity=severe" in html
    assert "negation" not in html
    assert "body_location" not in html


def test_displacy_itself_shows_the_group():
    from spacy import displacy

    html = displacy.render(doc_of(HARD), style="span", options={"spans_key": "clin"})
    assert all(code in html for code in ("C1", "C2", "C3", "C4"))


def test_documents_without_mentions_are_shown():
    assert "atrium" in render(doc_of([]))
    assert render(doc_of([], " \n"))
