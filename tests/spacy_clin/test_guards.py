"""What goes wrong silently in spaCy is said, with a remedy."""

import laws
import pytest
import spacy
from docs import TEXT, blank_doc
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span
from spacy.training import Corpus, Example
from spacy.vocab import Vocab

from clineval import InputError, InputWarning
from spacy_clin import (
    register_extensions,
    score_docs,
    score_examples,
    set_mentions,
    to_inputs,
    write_docbin,
)
from spacy_clin.files import make_corpus

ENTS = {"mentions": "ents"}
FEVER = [{"spans": [[3, 8]], "cui": "C0015967"}]


def annotated(text="No fever.", **options):
    doc = blank_doc(text)
    set_mentions(doc, FEVER, **options)
    return doc


def store(tmp_path, *docs, user_data=False):
    stored = DocBin(store_user_data=user_data, docs=docs)
    stored.to_disk(tmp_path / "docs.spacy")
    return tmp_path / "docs.spacy"


def test_extensions_lost_by_a_docbin_are_told(tmp_path):
    register_extensions()
    doc = blank_doc("No fever.")
    doc.ents = [doc.char_span(3, 8, label="X")]
    doc.ents[0]._.clin_negation = "yes"
    read = lambda path: list(DocBin().from_disk(path).get_docs(spacy.blank("en").vocab))  # noqa: E731
    lost = read(store(tmp_path, doc))
    with pytest.warns(InputWarning, match="store_user_data=True"):
        assert "negation" not in to_inputs(lost, getter="spacy")[0][0]
    kept = read(store(tmp_path, doc, user_data=True))
    assert to_inputs(kept, getter="spacy")[0][0]["negation"] == "yes"


@pytest.mark.parametrize("option", [{"max_length": 3}, {"gold_preproc": True}])
def test_references_cut_up_by_spacys_reader_are_refused(tmp_path, option):
    """Cutting a reference up into sentences drops its span groups."""
    doc = annotated("No fever. No cough.")
    doc[0].is_sent_start = True
    doc[3].is_sent_start = True
    for token in doc:
        if token.i not in (0, 3):
            token.is_sent_start = False
    nlp = spacy.blank("en")
    examples = list(Corpus(store(tmp_path, doc), **option)(nlp)) or [
        Example(nlp.make_doc("No fever."), doc[:3].as_doc())
    ]
    laws.refuses(
        lambda: score_examples(examples, pred=ENTS, config="task1"),
        "no span group 'clin'",
        "gold_preproc",
    )


@pytest.mark.parametrize(
    ("text", "offset"),
    [("No cough.", 3), ("No  fever.", 3), ("No fever", 8), ("", 0), ("No fever. " * 30, 9)],
)
def test_other_texts_are_refused(text, offset):
    call = lambda: score_docs([annotated(document="note-1")], [annotated_with(text)])  # noqa: E731
    laws.refuses(call, "document note-1", f"offset {offset}", "gold.text", text=["fever", "cough"])


def annotated_with(text):
    doc = blank_doc(text)
    set_mentions(doc, [])
    return doc


def test_long_texts_that_are_shifted_are_refused():
    text = "No fever and no cough. " * 200
    for other in (text.replace("fever", "fevers", 1), text[1:], f" {text}"):
        laws.refuses(lambda: score_docs([annotated(text)], [annotated_with(other)]), "differ from")  # noqa: B023


@pytest.mark.parametrize("size", [1, 8, 32, 33, 64, 500])
def test_one_other_word_anywhere_in_a_text_of_any_length_is_refused(size):
    words = [f"w{number:03}" for number in range(size)]
    gold = annotated_with(" ".join(words))
    for at in range(0, size, max(1, size // 16)):
        others = [*words[:at], f"v{at:03}", *words[at + 1 :]]
        call = lambda: score_docs([gold], [annotated_with(" ".join(others))])  # noqa: B023, E731
        laws.refuses(call, f"differ from offset {5 * at} on", text=["w0", "v0"])


@pytest.mark.parametrize("size", [8, 33, 500])
def test_notes_that_were_swapped_are_refused(size):
    """Two notes of one template: as many words, as long, the same first, middle and last one."""
    notes = [[f"{kind}{number:03}" for number in range(size)] for kind in "ab"]
    for at in (0, size // 2, size - 1):
        notes[1][at] = notes[0][at]
    docs = [annotated_with(" ".join(words)) for words in notes]
    for doc in docs:
        set_mentions(doc, [{"spans": [[5, 9]], "cui": "C1"}])
    assert score_docs(docs, docs)["strict_f1"] == 1.0
    laws.refuses(lambda: score_docs(docs, docs[::-1]), "document 0", "differ from offset 5 on")


def test_a_blank_between_two_tokens_is_text():
    """Of these texts the tokens are the same, and as many characters."""
    texts = ["w " * 40 + "a- b", "w " * 40 + "a -b"]
    golds, preds = ([annotated_with(text)] for text in texts)
    laws.refuses(lambda: score_docs(golds, preds), "differ from offset 81 on")


def test_other_tokens_of_the_same_text_are_scored():
    """The texts must be the same, not what a tokenizer makes of them, nor the vocabulary."""
    text = "w " * 40 + "no left-sided weakness."
    gold, pred = blank_doc(text), split_at_blanks(text)
    assert len(gold) != len(pred)
    mention = [{"spans": [[83, 102]], "cui": "C1"}]
    for doc in (gold, pred):
        set_mentions(doc, mention)
    assert score_docs([gold], [pred])["strict_f1"] == 1.0


def split_at_blanks(text):
    words = text.split(" ")
    spaces = [True] * (len(words) - 1) + [False]
    return Doc(Vocab(), words=words, spaces=spaces)


def test_docs_of_words_alone_are_scored_and_the_signature_says_so():
    """Both sides have the same words, and so the same offsets; refused where they differ."""
    vocab = spacy.blank("en").vocab
    doc, same = (Doc(vocab, words=["No", "fever", "."]) for _ in range(2))
    text = blank_doc("No fever.")
    for each in (doc, same, text):
        set_mentions(each, [{"spans": [[3, 8]], "cui": "C1"}])
    score = score_docs([doc], [same])
    assert score["strict_f1"] == 1.0
    assert score.signature.settings["text"] == "words"
    assert "text" not in score_docs([text], [text]).signature.settings
    laws.refuses(lambda: score_docs([text], [doc]), "differ from offset 8", "words alone")
    laws.refuses(lambda: score_docs([doc], [doc, doc]), "as many")


def test_whitespace_only_docs_are_scored(tmp_path):
    nlp = spacy.blank("en")
    blank, note = blank_doc(" \n\n "), annotated()
    set_mentions(blank, [])
    path = store(tmp_path, blank, note)
    examples = list(make_corpus(path)(nlp))
    assert [example.text for example in examples] == [" \n\n ", "No fever."]
    score = score_examples(examples, pred=ENTS, config="task1")
    assert (score["strict_fn"], score["n_documents"]) == (1, 2)


def test_empty_docs_are_left_out_with_a_warning(tmp_path):
    empty = blank_doc("")
    set_mentions(empty, [])
    path = store(tmp_path, empty, annotated())
    with pytest.warns(InputWarning, match="1 empty document is left out"):
        assert len(list(make_corpus(path)(spacy.blank("en")))) == 1
    assert score_docs([empty], [empty])["n_documents"] == 1


def test_missing_groups_name_the_documents_and_the_way_out():
    gold, pred = annotated(document="note-1"), blank_doc("No fever.")
    laws.refuses(
        lambda: score_docs([gold], [pred]),
        "predictions", "1 of 1 documents", "no span group 'clin'", "pred='spacy'",
        "clin_converter",
    )  # fmt: skip
    pred.spans["sc"] = []
    laws.refuses(lambda: score_docs([pred], [gold]), "references", "groups: sc", "gold='spacy'")
    bare = [blank_doc("No fever."), blank_doc("No cough.")]
    laws.refuses(lambda: score_docs(bare, bare), "groups: none: documents 0, 1.")
    laws.refuses(
        lambda: score_docs([gold], [gold], gold="spacy", pred={"span_getter": "x"}), "note-1"
    )


def test_a_group_that_some_predictions_lack_is_told():
    golds = [annotated(), annotated()]
    with pytest.warns(InputWarning, match="1 of 2 documents has no span group 'clin'.*1"):
        score = score_docs(golds, [annotated(), blank_doc("No fever.")])
    assert score["strict_recall"] == 0.5
    with pytest.raises(InputError, match="references"):
        score_docs([annotated(), blank_doc("No fever.")], golds)


def test_repeated_and_unequal_names_of_documents_are_refused():
    docs = [annotated(document="note-1"), annotated(document="note-1")]
    laws.refuses(lambda: score_docs(docs, docs), "repeated document names: note-1")
    other = annotated(document="note-2")
    laws.refuses(lambda: score_docs(docs[:1], [other]), "note-1", "note-2", "same order")
    parts = ("predictions", "as many names as documents, got 2 and 1")
    laws.refuses(lambda: to_inputs([other], names=["note-1", "note-2"]), *parts)


def test_warnings_are_given_before_an_error_too():
    joined = annotated()
    joined.spans["clin"].attrs.clear()
    with (
        pytest.warns(InputWarning, match="document 0: the span group 'clin' has no attrs"),
        pytest.raises(InputError, match="references: 1 of 1 documents has no span group"),
    ):
        score_docs([blank_doc("No fever.")], [joined])


def test_other_numbers_of_documents_are_refused():
    laws.refuses(lambda: score_docs([annotated()], []), "as many predicted documents", "0 and 1")


def test_docs_that_cannot_be_written_name_the_extension(tmp_path):
    if not Span.has_extension("test_rule"):
        Span.set_extension("test_rule", default=None)
    doc = annotated()
    doc[0:1]._.test_rule = doc[1:2]
    register_extensions()
    doc[1:2]._.clin_negation = "yes"
    laws.refuses(
        lambda: write_docbin([doc], tmp_path / "a.spacy"), "test_rule", "score_docs", "user data"
    )
    write_docbin([doc], tmp_path / "a.spacy", user_data=False)
    [stored] = DocBin().from_disk(tmp_path / "a.spacy").get_docs(doc.vocab)
    assert to_inputs([stored]) == [FEVER]


def test_docs_that_cannot_be_sent_between_processes_are_told(tmp_path):
    from spacy_clin.cli import run_and_score

    if not Span.has_extension("test_rule"):
        Span.set_extension("test_rule", default=None)
    path = store(tmp_path, annotated(), annotated())
    nlp = spacy.blank("en")
    nlp.add_pipe("test_hold_spans")
    run = lambda number: run_and_score(nlp, path, pred=ENTS, config="task1", n_process=number)  # noqa: E731
    assert run(1)["strict_fn"] == 2
    laws.refuses(lambda: run(2), "from one process to another", "n_process=1")


@Language.component("test_hold_spans")
def hold_spans(doc):
    doc[1:2]._.test_rule = doc[0:1]
    return doc


def test_errors_of_a_component_stay_what_they_are(tmp_path):
    from spacy_clin.cli import run_and_score

    nlp = spacy.blank("en")
    nlp.add_pipe("test_break")
    with pytest.raises(ValueError, match="broken"):
        run_and_score(nlp, store(tmp_path, annotated()), pred=ENTS)


@Language.component("test_break")
def break_always(doc):  # noqa: ARG001
    raise ValueError("broken")


def test_attrs_that_tell_of_what_no_span_has_are_told():
    doc = annotated()
    doc.spans["clin"].attrs["mentions"]["T2"] = {"spans": [[0, 2]], "cui": "C9"}
    with pytest.warns(InputWarning, match="mentions without spans, .* left out: T2.*set_mentions"):
        assert to_inputs([doc]) == [FEVER]


def test_no_message_holds_text():
    """The texts of documents are never shown, whatever is wrong."""
    doc = blank_doc(TEXT)
    doc.ents = [doc.char_span(4, 15, label="X")]
    doc.spans["clin"] = [doc.char_span(4, 15, label="left atrium of the heart")]
    laws.refuses(lambda: to_inputs([doc]), "no id", text=["atrium"])
