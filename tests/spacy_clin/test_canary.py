"""Nothing of a note is in what spacy_clin says of input that it cannot read."""

import pytest
import spacy
from canary import CANARIES, GOOD, everywhere, watch
from spacy.tokens import Span

from clineval.results.registry import NAMES
from spacy_clin import score_docs, set_mentions, to_inputs
from spacy_clin.files import read_docs
from spacy_clin.medications import set_entries

NLP = spacy.blank("en")
TEXT = "No fever, but a cough that the patient has had for three weeks."


@pytest.fixture(params=CANARIES.values(), ids=CANARIES)
def canary(request):
    return request.param


@pytest.fixture
def flag():
    """An extension, whose name no other test has."""
    Span.set_extension("canary", default=None, force=True)
    yield "_.canary"
    Span.remove_extension("canary")


def test_annotation(canary):
    if "\ud800" in canary:
        pytest.skip("spaCy has no such strings")
    for bad in everywhere(GOOD["semeval15_task14"][0], canary):
        watch(lambda bad=bad: set_mentions(NLP(TEXT), bad))
    for bad in everywhere(GOOD["i2b2_2009_medication"][0], canary):
        watch(lambda bad=bad: set_entries(NLP(TEXT), bad))


@pytest.mark.parametrize("name", NAMES)
def test_getters_and_files(name, canary):
    doc = NLP(TEXT)
    set_mentions(doc, GOOD["semeval15_task14"][0], document="d")
    settings = ("mentions", "code", "sections", "medications", "entry", "genre", "unknown")
    for getter in (
        canary,
        [canary],
        *({setting: canary} for setting in settings),
        {"slots": {"negation": canary}},
        {"labels": {canary: canary}},
        {"attributes": {canary: 1}},
        {canary: 1},
    ):
        watch(lambda getter=getter: to_inputs([doc], name, getter=getter))
    watch(lambda: list(read_docs(canary, NLP.make_doc, name)))
    watch(lambda: list(read_docs(canary, NLP.make_doc, name, format=canary)))


def test_names_of_challenges_and_configurations(canary):
    doc = NLP(TEXT)
    set_mentions(doc, [], document="d")
    watch(lambda: to_inputs([doc], canary))
    watch(lambda: score_docs([doc], [doc], pred="clin", config=canary))


def test_values_of_extensions(canary, flag):
    doc = NLP(TEXT)
    doc.ents = [Span(doc, 1, 2, label="X", kb_id="C1")]
    for value in (canary, [canary], {canary}, {canary: 1}):
        doc.ents[0]._.canary = value
        for source in (flag, {"path": flag, "values": {"yes": "yes"}}):
            getter = {"mentions": "ents", "fragments": None, "slots": {"negation": source}}
            watch(lambda g=getter: score_docs([doc], [doc], gold=g, pred=g))
