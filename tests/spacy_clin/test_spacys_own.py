"""spaCy's own reader, converter and training: entities in files, Docs of words, slots to come."""

import pytest
import spacy
from docs import blank, blank_doc
from spacy.tokens import Doc, DocBin
from spacy.training import Corpus, Example

from clineval import InputError, InputWarning
from clineval.results.registry import find_challenge
from spacy_clin import kinds, read_docs, score_docs, set_mentions, write_docs
from spacy_clin.cli import run_and_score
from spacy_clin.files import make_corpus
from spacy_clin.kinds import find_annotation

TEXT = "The left atrium is dilated. No fever."
MENTIONS = [
    {"spans": [[4, 15], [19, 26]], "label": "Sign"},
    {"spans": [[9, 15]], "label": "Place"},
    {"spans": [[31, 36]], "label": "Sign"},
]
LEFT_OUT = (
    "1 of 3 mentions overlaps a longer one and is not in doc.ents, only in the span group 'clin'"
)
WORDS = [["no", "leg", "pain", "."], ["has", "fever", "-like", "chills"]]
FOUND = {"patterns": [{"label": "Sign", "pattern": "fever"}, {"label": "Sign", "pattern": "leg"}]}


def noted(mentions):
    doc = blank_doc(TEXT)
    set_mentions(doc, mentions)
    return doc


def read_as_spacy(path):
    return [example.reference for example in Corpus(path)(blank())]


def test_spacys_own_reader_has_entities(tmp_path):
    docs = [noted(MENTIONS), noted([])]
    with pytest.warns(InputWarning) as caught:
        write_docs(docs, tmp_path / "train.spacy", "clinical_spans")
    assert [str(each.message) for each in caught] == [
        LEFT_OUT,
        "1 discontiguous mention is in doc.ents from its first to its last character",
    ]
    first, second = read_as_spacy(tmp_path / "train.spacy")
    assert [(e.text, e.label_) for e in first.ents] == [
        ("left atrium is dilated", "Sign"),
        ("fever", "Sign"),
    ]
    assert not second.ents
    assert second.has_annotation("ENT_IOB")
    assert not docs[0].has_annotation("ENT_IOB")  # what is given is not changed
    back = [*read_docs(tmp_path / "train.spacy", blank().make_doc, "clinical_spans")]
    assert score_docs(docs, back, "clinical_spans")["strict_f1"] == 1


def test_spacys_own_components_learn_from_what_was_written(tmp_path):
    write_docs([noted(MENTIONS[2:])], tmp_path / "train.spacy", "clinical_spans")
    nlp = spacy.blank("en")
    nlp.add_pipe("ner")
    examples = list(Corpus(tmp_path / "train.spacy")(nlp))
    nlp.initialize(lambda: examples)
    assert nlp.get_pipe("ner").labels == ("Sign",)
    assert nlp.update(examples)["ner"] > 0


@pytest.mark.parametrize(
    ("entities", "texts"),
    [("none", []), ("fragments", ["left atrium", "dilated", "fever"])],
)
@pytest.mark.filterwarnings("ignore:.*not in doc.ents")
def test_what_becomes_an_entity_can_be_said(entities, texts, tmp_path):
    write_docs([noted(MENTIONS)], tmp_path / "a.spacy", "clinical_spans", entities=entities)
    [doc] = read_as_spacy(tmp_path / "a.spacy")
    assert [entity.text for entity in doc.ents] == texts


def test_entities_that_are_there_stay(tmp_path):
    docs = [noted(MENTIONS), noted(MENTIONS)]
    docs[0].ents = [docs[0].char_span(31, 36, label="OTHER")]
    docs[1].ents = []
    write_docs(docs, tmp_path / "a.spacy", "clinical_spans")
    assert [[e.label_ for e in doc.ents] for doc in read_as_spacy(tmp_path / "a.spacy")] == [
        ["OTHER"],
        [],
    ]


def as_converted(path):
    """A file as ``spacy convert`` makes it of words with tags, without the spaces between them."""
    stored = DocBin()
    for words in WORDS:
        doc = Doc(blank().vocab, words=words)
        doc.ents = [doc.char_span(3, 6, label="Sign")] if "leg" in words else []
        stored.add(doc)
    stored.to_disk(path)
    return path


def ruler(name="entity_ruler"):
    nlp = spacy.blank("en")
    nlp.add_pipe(name).add_patterns(FOUND["patterns"])
    return nlp


@pytest.mark.filterwarnings("ignore:.*no document holds a value of any extension")
def test_corpora_of_words_are_scored_wherever_docs_are(tmp_path):
    """By our reader and spaCy's; the words stay those of the file."""
    path = as_converted(tmp_path / "dev.spacy")
    nlp = ruler()
    how = {"gold": "spacy", "pred": "spacy"}
    scores = [run_and_score(nlp, path, "clinical_spans", **how)]
    for corpus in (make_corpus(path, challenge="clinical_spans"), Corpus(path)):
        examples = list(corpus(nlp))
        assert [[token.text for token in e.predicted] for e in examples] == WORDS
        golds = [example.reference for example in examples]
        preds = list(nlp.pipe(example.predicted for example in examples))
        scores.append(score_docs(golds, preds, "clinical_spans", **how))
    assert {(s["strict_tp"], s["strict_fp"], s["strict_fn"]) for s in scores} == {(1, 1, 0)}
    assert {score.signature.settings["text"] for score in scores} == {"words"}


@pytest.mark.filterwarnings("ignore:.*no document holds a value of any extension")
def test_a_component_scores_corpora_of_words_in_training(tmp_path):
    nlp = ruler()
    nlp.add_pipe(
        "clin_scorer", config={"challenge": "clinical_spans", "gold": "spacy", "pred": "spacy"}
    )
    examples = list(Corpus(as_converted(tmp_path / "dev.spacy"))(nlp))
    assert nlp.evaluate(examples)["cs_strict_f1"] == pytest.approx(2 / 3)


def test_slots_without_labels_are_scored_in_training():
    """The corpus is not known when the weights are checked; it is when it is scored."""
    nlp = spacy.blank("en")
    how = {"challenge": "clinical_spans", "options": {"slots": ["negated"]}}
    nlp.add_pipe("clin_scorer", config=how)
    nlp.initialize()
    mentions = [{**MENTIONS[2], "negated": True}]
    example = Example(noted(mentions), noted(mentions))
    assert nlp.evaluate([example])["cs_slots_f1"] == 1
    with pytest.raises(InputError, match="no mention has the slot 'negated'"):
        nlp.evaluate([Example(noted(MENTIONS), noted(MENTIONS))])


def test_names_of_columns_are_of_whole_words():
    names = find_annotation("clinical_spans").view.names
    assert names["strict_slots_f1"] == "slots_f1"
    assert names["boundary_f1"] == "boundary_f"
    assert names["strict_f1"] == "strict_f1"


def test_the_challenges_that_an_error_lists_are_supported(monkeypatch):
    """One of records has no Docs, and is not among those that have."""
    other = find_challenge("mediqa_synur26")
    monkeypatch.setattr(kinds, "find_challenge", lambda _: other)
    monkeypatch.setattr(kinds, "all_challenges", lambda: [other, find_challenge("meddocan19")])
    kinds._find_annotation.cache_clear()
    with pytest.raises(InputError, match=r"expected one of meddocan19$"):
        find_annotation("mediqa_synur26")
    kinds._find_annotation.cache_clear()
