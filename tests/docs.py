"""Docs of the demo corpora, and mentions that are hard to keep apart."""

from functools import lru_cache
from pathlib import Path

import spacy
from conftest import ROOT
from hypothesis import strategies as st

from spacy_clin import read_docs
from spacy_clin.guards import get_document_name

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
NOTES = CHALLENGES / "semeval15_task14" / "demo" / "text"
TEXT = "The left atrium is mildly dilated and moderately enlarged."
HARD = {
    "T1": {"spans": [[4, 15], [26, 33]], "cui": "C1", "negation": "yes"},
    "T2": {"spans": [[4, 15], [49, 57]], "cui": "C2", "body_location": ["C7", "C8"]},
    "T3": {"spans": [[26, 33]], "cui": "C3"},
    "T4": {"spans": [[26, 33]], "cui": None, "negation": "yes"},
    "T5": {"spans": [[9, 12]], "cui": "C4"},
}
"""Shared fragments, the same offsets with other codes, and less than a token."""

CORPORA = {
    "semeval15_task14": ("gold", "tagger", NOTES),
    "clefehealth13_task1": ("gold.pipe", "tagger.pipe", NOTES),
    "clefehealth13_task2": ("gold.pipe", "first_sense.pipe", NOTES),
    "i2b2_2009_medication": (
        "gold",
        "tagger",
        CHALLENGES / "i2b2_2009_medication" / "demo" / "records",
    ),
    "clinais23_b2": ("gold.json", "tagger.json", None),
}


@lru_cache
def blank(language="en"):
    return spacy.blank(language)


def blank_doc(text=TEXT, language="en"):
    return blank(language).make_doc(text)


def demo_docs(challenge):
    """Gold and predicted Docs of a demo corpus, one for one."""
    gold, system, text = CORPORA[challenge]
    make_doc = blank().make_doc
    sides = []
    for file, side in ((gold, "references"), (system, "predictions")):
        path = Path(CHALLENGES / challenge / "demo" / file)
        docs = read_docs(path, make_doc, challenge, text=text, side=side)
        sides.append({get_document_name(doc): doc for doc in docs})
    names = sorted(sides[0].keys() & sides[1].keys())
    return [[side[name] for name in names] for side in sides]


texts = st.text(st.sampled_from("ab .,-\n\té😀"), min_size=1, max_size=40)


@st.composite
def annotated_texts(draw):
    """A text and mentions anywhere in it."""
    text = draw(texts)
    mentions = []
    for _ in range(draw(st.integers(0, 4))):
        points = sorted(
            draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=6, unique=True))
            if len(text) > 1
            else [0, 1]
        )
        spans = [[a, b] for a, b in zip(points[::2], points[1::2], strict=False)]
        mention = {"spans": spans, "cui": draw(st.sampled_from(["C1", "C2", None]))}
        if draw(st.booleans()):
            mention["negation"] = draw(st.sampled_from(["no", "yes"]))
        mentions.append(mention)
    return text, mentions
