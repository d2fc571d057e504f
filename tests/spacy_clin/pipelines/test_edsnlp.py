"""edsnlp itself; see 'make test-spacy38'."""

import pytest
import spacy
from needs import need

edsnlp = need("edsnlp", "spacy38")

import edsnlp.pipes as eds

from spacy_clin import score_docs, set_mentions, to_inputs, write_docs

TEXT = "Pas de fièvre. Le patient aurait un diabète. Sa mère a un cancer."
GOLD = [
    {"spans": [[7, 13]], "cui": None, "negation": "yes"},
    {"spans": [[36, 43]], "cui": None, "uncertainty": "yes"},
    {"spans": [[58, 64]], "cui": None, "subject": "family_member"},
]


@pytest.fixture(scope="module")
def nlp():
    nlp = edsnlp.blank("eds")
    nlp.add_pipe(eds.sentences())
    nlp.add_pipe(eds.normalizer())
    nlp.add_pipe(eds.matcher(terms={"DIS": ["fièvre", "diabète", "cancer"]}, attr="LOWER"))
    for name in ("negation", "hypothesis", "family"):
        nlp.add_pipe(f"eds.{name}")
    return nlp


@pytest.fixture
def gold():
    doc = spacy.blank("fr").make_doc(TEXT)
    set_mentions(doc, GOLD)
    return doc


def test_qualifiers_become_slots(nlp):
    [found] = to_inputs([nlp(TEXT)], getter="edsnlp")
    defaults = {"negation": "no", "uncertainty": "no", "subject": "patient"}
    assert found == [{**defaults, **mention} for mention in GOLD]


def test_docs_of_a_pipeline_that_is_no_language_are_scored(nlp, gold):
    """Its tokens differ from those of the gold Doc; characters are what counts."""
    pred = nlp(TEXT)
    assert not isinstance(nlp, spacy.Language)
    with pytest.warns(UserWarning, match="does not read course"):
        score = score_docs([gold], [pred], pred="edsnlp")
    assert (score["strict_f1"], score["weighted_accuracy"]) == (1.0, 1.0)


def test_docs_are_written_for_the_command_line(nlp, tmp_path):
    write_docs([nlp(TEXT)], tmp_path, getter="edsnlp", names=["note.txt"])
    lines = (tmp_path / "note.pipe").read_text().splitlines()
    assert [line.split("|")[1:4] for line in lines] == [
        ["7-13", "CUI-less", "yes"],
        ["36-43", "CUI-less", "no"],
        ["58-64", "CUI-less", "no"],
    ]


def test_components_work_beside_those_of_edsnlp():
    from spacy.training import Example

    nlp = spacy.blank("fr")
    nlp.add_pipe("eds.sentences")
    nlp.add_pipe("eds.matcher", config={"terms": {"DIS": ["fièvre"]}})
    nlp.add_pipe("eds.negation")
    nlp.add_pipe("clin_converter", config={"getter": {"preset": "edsnlp", "slots": {
        "uncertainty": None, "subject": None}}})  # fmt: skip
    nlp.add_pipe("clin_semeval15_task14")
    gold = nlp.make_doc("Pas de fièvre.")
    set_mentions(gold, GOLD[:1])
    assert nlp.evaluate([Example(nlp.make_doc("Pas de fièvre."), gold)])["s15_f_x_wa"] == 1.0


def test_sections_are_scored():
    text = "Antécédents :\nHTA.\nConclusion :\nSortie."
    nlp = edsnlp.blank("eds")
    nlp.add_pipe(eds.normalizer())
    nlp.add_pipe(eds.sections())
    pred = nlp(text)
    found = [(span.label_, span.start_char) for span in pred.spans["sections"]]
    assert found, "the pipeline found no sections"
    labels = {label: "EVOLUTION" for label, _ in found}
    notes = to_inputs(
        [pred], "clinais23_b2", getter={"preset": "edsnlp", "labels": labels}, names=["note"]
    )
    assert [section["start"] for section in notes[0]["sections"]] == [at for _, at in found]
