"""medspaCy itself; see 'make test-spacy37'."""

import pytest
import spacy
from needs import need

medspacy = need("medspacy", "spacy37")

from medspacy.target_matcher import TargetRule

from clineval import InputError
from spacy_clin import score_docs, set_mentions, to_inputs, write_docbin

TEXT = "No fever. Mother with diabetes. Possible pneumonia. Return if rash occurs. Has cough."
GOLD = [
    {"spans": [[3, 8]], "cui": None, "negation": "yes"},
    {"spans": [[22, 30]], "cui": None, "subject": "family_member"},
    {"spans": [[41, 50]], "cui": None, "uncertainty": "yes"},
    {"spans": [[62, 66]], "cui": None, "conditional": "true"},
    {"spans": [[79, 84]], "cui": None},
]


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("medspacy_pyrush")
    matcher = nlp.add_pipe("medspacy_target_matcher")
    matcher.add(
        [TargetRule(w, "PROBLEM") for w in ("fever", "diabetes", "pneumonia", "rash", "cough")]
    )
    nlp.add_pipe("medspacy_context")
    return nlp


def test_context_becomes_slots(nlp):
    [found] = to_inputs([nlp(TEXT)], getter="medspacy")
    defaults = {"negation": "no", "uncertainty": "no", "conditional": "false", "subject": "patient"}
    assert found == [{**defaults, **mention} for mention in GOLD]


def test_docs_that_cannot_be_copied_are_scored(nlp, tmp_path):
    gold, pred = nlp.make_doc(TEXT), nlp(TEXT)
    set_mentions(gold, GOLD)
    with pytest.raises(NotImplementedError):
        pred.copy()
    with pytest.raises(InputError, match="target_rule"):
        write_docbin([pred], tmp_path / "pred.spacy")
    with pytest.warns(UserWarning, match="does not read course"):
        score = score_docs([gold], [pred], pred="medspacy")
    assert (score["strict_f1"], score["weighted_accuracy"]) == (1.0, 1.0)


def test_the_pipeline_converts_by_itself_and_keeps_its_findings_without_user_data(nlp, tmp_path):
    from spacy.tokens import DocBin

    nlp.add_pipe("clin_converter", config={"getter": "medspacy"})
    try:
        doc = nlp(TEXT)
    finally:
        nlp.remove_pipe("clin_converter")
    write_docbin([doc], tmp_path / "a.spacy", user_data=False)
    [kept] = DocBin().from_disk(tmp_path / "a.spacy").get_docs(spacy.blank("en").vocab)
    assert to_inputs([kept]) == to_inputs([doc])
    gold = nlp.make_doc(TEXT)
    set_mentions(gold, GOLD)
    assert score_docs([gold], [kept])["f1_x_weighted_accuracy"] == 1.0


def test_sections_are_read():
    nlp = spacy.blank("en")
    nlp.add_pipe("medspacy_sectionizer")
    text = "Past Medical History: HTN.\n\nAllergies: none."
    doc = nlp(text)
    labels = {"past_medical_history": "PAST_MEDICAL_HISTORY", "allergy": ""}
    [note] = to_inputs([doc], "clinais23_b2", getter={"preset": "medspacy", "labels": labels})
    [section] = note["sections"]
    assert (section["start"], section["label"]) == (0, "PAST_MEDICAL_HISTORY")
    assert text[: section["end"]].startswith("Past Medical History: HTN.")


def test_this_runs_on_the_spacy_that_medspacy_needs():
    import sys

    expected = "3.7." if sys.version_info < (3, 12) else "3."
    assert spacy.__version__.startswith(expected)
