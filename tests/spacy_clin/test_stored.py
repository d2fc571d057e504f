"""``.spacy`` files in the commands of clineval: they score what score_docs scores of their Docs."""

import gc
import json
import subprocess
import sys
import warnings
import zlib
from itertools import product

import laws
import pytest
import srsly
from commands import invoke
from docs import CORPORA, blank_doc, demo_docs
from spacy.tokens import Doc, Span

import clineval
from clineval.evaluation.evaluate import evaluate
from clineval.formats import stored
from clineval.results.registry import find_challenge
from spacy_clin import register_extensions, score_docs, set_mentions, write_docs
from spacy_clin.docbins import write_docbin


@pytest.fixture(scope="module", params=CORPORA)
def corpus(request, tmp_path_factory):
    """A demo's challenge, its Docs, and their files."""
    golds, preds = demo_docs(request.param)
    folder = tmp_path_factory.mktemp("docs")
    for name, docs in (("gold", golds), ("pred", preds), ("turned", preds[::-1])):
        write_docbin(docs, folder / f"{name}.spacy")
    return request.param, golds, preds, folder


def list_ways(challenge):
    described = find_challenge(challenge)
    configs = [
        config
        for config in described.task.configs
        if described.kind_of(config).in_columns or not described.faces.pages
    ]
    return product(configs, described.protocols)


def test_files_have_the_scores_of_their_docs(corpus):
    """At once, in parts, in processes, and in another order."""
    challenge, golds, preds, folder = corpus
    for config, protocol in list_ways(challenge):
        asked = {"config": config, "protocol": protocol}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", clineval.InputWarning)
            try:
                expected = score_docs(golds, preds, challenge, **asked)
            except clineval.InputError:
                continue
            gold, pred = folder / "gold.spacy", folder / "pred.spacy"
            scores = [
                clineval.score(challenge, pred, gold, **asked, **parts)
                for parts in ({}, {"batch_size": 2}, {"batch_size": 3, "jobs": 2})
            ]
            scores += [evaluate(challenge, pred, gold, **asked).score()]
            scores += [clineval.score(challenge, folder / "turned.spacy", gold, **asked)]
        for score in scores:
            assert dict(score.values) == dict(expected.values)
            assert score.signature == expected.signature
            assert score.counts.documents == expected.counts.documents
            assert (score.counts.table == expected.counts.table).all()


TEXTS = ("No fever and no rash.", "Fever.", "Pain.")


def annotate(text, mentions, name=None):
    doc = blank_doc(text)
    set_mentions(doc, mentions, document=name)
    return doc


def with_label(*fragments, label="SIGN"):
    return {"spans": list(map(list, fragments)), "label": label}


def make_side(*, named=True, missed=0):
    """Three Docs; the first mention has two fragments."""
    found = [[with_label((3, 8), (16, 20)), with_label((16, 20))], [with_label((0, 5))], []]
    found[0] = found[0][missed:]
    names = ("a", "b", "c") if named else (None,) * 3
    return list(map(annotate, TEXTS, found, names))


def write_sides(folder, gold, system, **more):
    for name, docs in {"gold": gold, "system": system, **more}.items():
        write_docbin(docs, folder / f"{name}.spacy")
    return folder / "gold.spacy", folder / "system.spacy"


def score_labels(gold, system, **settings):
    return clineval.score("clinical_spans", system, gold, **settings)


@pytest.mark.parametrize("named", [True, False])
def test_discontinuous_mentions_and_docs_without_names(named, tmp_path):
    gold, system = write_sides(tmp_path, make_side(named=named), make_side(named=named, missed=1))
    for score in (
        score_labels(gold, system),
        score_labels(gold, system, batch_size=1),
        evaluate("clinical_spans", system, gold).score(),
    ):
        assert (score["strict_tp"], score["strict_fn"]) == (2, 1)
        assert score.counts.documents == (("a", "b", "c") if named else ("0", "1", "2"))


def test_docs_without_names_on_one_side_are_paired_by_order(tmp_path):
    gold, system = write_sides(tmp_path, make_side(), make_side(named=False))
    lines = tmp_path / "gold.jsonl"
    write_docs(make_side(), lines, "clinical_spans", side="references")
    for score in (
        score_labels(gold, system),
        score_labels(gold, system, batch_size=2),
        score_labels(lines, system),
    ):
        assert (score["strict_f1"], score.counts.documents) == (1, ("a", "b", "c"))


def test_a_side_in_another_format(tmp_path):
    gold, system = write_sides(tmp_path, make_side(), make_side(missed=1)[::-1])
    lines = tmp_path / "gold.jsonl"
    write_docs(make_side(), lines, "clinical_spans", side="references")
    scores = [score_labels(gold, system), score_labels(lines, system)]
    assert scores[0].values == scores[1].values
    assert scores[0].signature == scores[1].signature


def test_directories_of_files(tmp_path):
    for side, missed in (("gold", 0), ("system", 1)):
        docs, folder = make_side(missed=missed), tmp_path / side
        (folder / "more").mkdir(parents=True)
        write_docbin(docs[:2], folder / "1.spacy")
        write_docbin(docs[2:], folder / "more" / "2.spacy")
        (folder / ".hidden").write_text("x")
    score = score_labels(tmp_path / "gold", tmp_path / "system", batch_size=2)
    assert (score["strict_fn"], score.counts.documents) == (1, ("a", "b", "c"))


def test_entities_and_their_extensions(tmp_path):
    """If no Doc has the span group, mentions are the entities, with the values of extensions."""
    register_extensions()
    sides = []
    for negation in ("yes", "no"):
        doc = blank_doc(TEXTS[0])
        doc.ents = [Span(doc, 1, 2, "PROBLEM", kb_id="C0015967"), Span(doc, 4, 5, "PROBLEM")]
        doc.ents[0]._.clin_negation = negation
        doc.ents[1]._.clin_fragments = [[9, 12], [16, 20]]
        sides.append([doc])
    gold, system = write_sides(tmp_path, *sides)
    with pytest.warns(clineval.InputWarning, match="the mentions are the entities"):
        score = clineval.score("semeval15_task14", system, gold)
    assert (score["strict_tp"], score["negation_accuracy"]) == (2, 0.5)
    assert score.values == score_docs(*sides, "semeval15_task14", gold="spacy").values


def test_a_side_without_annotation(tmp_path):
    plain = list(map(blank_doc, TEXTS))
    gold, system = write_sides(tmp_path, make_side(), plain, partly=[*make_side()[:2], plain[2]])
    laws.refuses(
        lambda: score_labels(gold, system),
        "system.spacy, predictions: 3 of 3 documents have no span group 'clin'",
    )
    laws.refuses(
        lambda: score_labels(tmp_path / "partly.spacy", gold, batch_size=1),
        "partly.spacy, references: 1 of 3 documents has no span group 'clin'",
    )
    for size in (None, 1):
        with pytest.warns(clineval.InputWarning, match="1 of 3 documents has no span group"):
            score = score_labels(gold, tmp_path / "partly.spacy", batch_size=size)
        assert score["strict_f1"] == 1


def test_texts_that_differ(tmp_path):
    other = [*make_side()[:2], annotate("Pain!", [], "c")]
    gold, system = write_sides(tmp_path, make_side(), other)
    for ask in (
        lambda: score_labels(gold, system),
        lambda: score_labels(gold, system, batch_size=1),
        lambda: evaluate("clinical_spans", system, gold),
    ):
        laws.refuses(
            ask, "document c: the gold text and the predicted text differ from offset 4", text=TEXTS
        )


def test_other_tokens_of_the_same_text(tmp_path):
    split = make_side()
    doc = blank_doc(TEXTS[0])
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[2:4])
    split[0] = doc
    set_mentions(doc, [with_label((3, 8), (16, 20)), with_label((16, 20))], document="a")
    gold, system = write_sides(tmp_path, make_side(), split)
    assert score_labels(gold, system)["strict_f1"] == 1


@pytest.mark.filterwarnings("ignore:predictions")
def test_docs_of_words_alone(tmp_path):
    docs = []
    for _ in range(2):
        doc = Doc(blank_doc().vocab, words=["No", "fever", "."])
        set_mentions(doc, [with_label((3, 8))], document="a")
        docs.append([doc])
    gold, system = write_sides(tmp_path, *docs)
    with pytest.warns(clineval.InputWarning, match="references: 1 document was made from words"):
        assert score_labels(gold, system)["strict_f1"] == 1


def rewrite(path, **changes):
    """Write a file in which parts of a DocBin are replaced."""
    message = srsly.msgpack_loads(zlib.decompress(path.read_bytes()))
    changed = {**message, **{name: change(message[name]) for name, change in changes.items()}}
    path.write_bytes(zlib.compress(srsly.msgpack_dumps(changed)))


def damage_spans(groups):
    return [groups[0], b"\x93\x01", groups[2]]


BROKEN = {
    "text": lambda path: path.write_text("fever\n"),
    "empty": lambda path: path.write_bytes(b""),
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-40]),
    "names of attributes": lambda path: rewrite(path, attrs=lambda _: ["ORTH", "SPACY"]),
    "attributes twice": lambda path: rewrite(path, attrs=lambda attrs: [attrs[0]] * len(attrs)),
    "too few tokens": lambda path: rewrite(path, tokens=lambda tokens: tokens[:80]),
    "span groups": lambda path: rewrite(path, span_groups=damage_spans),
    "strings": lambda path: rewrite(path, strings=lambda _: []),
    "another document": lambda path: path.write_bytes(
        zlib.compress(srsly.msgpack_dumps({"attrs": [65], "fever": 1}))
    ),
}


@pytest.mark.parametrize("how", BROKEN)
def test_damaged_files(how, tmp_path):
    gold, system = write_sides(tmp_path, make_side(), make_side())
    BROKEN[how](system)
    for ask in (
        lambda: score_labels(gold, system),
        lambda: score_labels(gold, system, batch_size=1),
        lambda: evaluate("clinical_spans", system, gold),
    ):
        laws.refuses(ask, "system.spacy", "not a DocBin, or a damaged one", text=["fever", "rash"])
    done = invoke(["validate", "clinical_spans", system])
    assert (done.exit_code, "not a DocBin, or a damaged one" in done.stdout) == (2, True)
    assert gc.isenabled()


def test_a_damaged_document_is_left_out(tmp_path):
    """A span beyond the Doc is found when the Doc is made."""
    docs = make_side()
    gold, system = write_sides(tmp_path, docs, make_side())
    longer = annotate("a b c d e f g h", [with_label((14, 15))], "b").spans.to_bytes()
    rewrite(system, span_groups=lambda groups: [groups[0], longer, groups[2]])
    with pytest.warns(clineval.InputWarning, match="1 document cannot be counted"):
        score = score_labels(
            gold, system, keep_going=tmp_path / "left_out.jsonl", batch_size=3, labels=["SIGN"]
        )
    assert score.counts.documents == ("a", "c")
    assert json.loads((tmp_path / "left_out.jsonl").read_text())["document"] == "b"
    laws.refuses(lambda: score_labels(gold, system), "system.spacy, document b", "damaged")


def test_names_in_another_order_of_docs_that_are_paired_by_order(tmp_path):
    docs = make_side()
    gold, system = write_sides(tmp_path, docs, [docs[1], docs[0], blank_doc(TEXTS[2])])
    laws.refuses(
        lambda: score_labels(gold, system),
        "document 0: the gold document is a, the predicted one b",
    )


def test_repeated_names(tmp_path):
    gold, system = write_sides(tmp_path, make_side() + make_side()[:1], make_side())
    laws.refuses(lambda: score_labels(gold, system), "gold.spacy: repeated document names: a")


def test_kinds_that_docs_do_not_hold(tmp_path):
    gold, system = write_sides(tmp_path, make_side(), make_side())
    laws.refuses(
        lambda: clineval.score("clinical_records", system, gold),
        "clinical_records has no .spacy files: Docs hold annotations with a place in the text",
    )


def test_without_the_package_that_reads_them(tmp_path, monkeypatch):
    gold, system = write_sides(tmp_path, make_side(), make_side())
    stored._find_reader.cache_clear()
    monkeypatch.setattr(stored, "GROUP", "clineval.nothing")
    laws.refuses(
        lambda: score_labels(gold, system),
        "gold.spacy: this is a spaCy DocBin, and spaCy is not installed",
        "Install it: pip install 'clineval[spacy]'",
    )


def test_a_new_process_opens_the_files_itself(tmp_path):
    gold, system = write_sides(tmp_path, make_side(), make_side(missed=1))
    script = (
        "import sys, threading, clineval\n"
        "if __name__ == '__main__':\n"
        "    threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
        "    s = clineval.score('clinical_spans', *sys.argv[1:], jobs=2, batch_size=1)\n"
        "    print(int(s['strict_tp']), *s.counts.documents)\n"
    )
    (tmp_path / "run.py").write_text(script)
    done = subprocess.run(
        [sys.executable, tmp_path / "run.py", system, gold],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.split() == ["2", "a", "b", "c"]


COMMANDS = {
    "compare": ["compare", "clinical_spans", "gold.spacy", "system.spacy", "b=gold.spacy"],
    "errors": ["errors", "clinical_spans", "gold.spacy", "system.spacy"],
    "agreement": ["agreement", "clinical_spans", "gold.spacy", "system.spacy"],
    "report": ["report", "clinical_spans", "gold.spacy", "system.spacy", "-o", "page.html"],
    "validate": ["validate", "clinical_spans", "gold.spacy", "system.spacy", "--summary"],
    "convert": ["convert", "gold.spacy", "gold.jsonl", "--module", "clinical_spans"],
    "groups": ["score", "clinical_spans", "gold.spacy", "system.spacy", "--by", "label"],
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("command", COMMANDS)
def test_commands(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_sides(tmp_path, make_side(), make_side(missed=1))
    done = invoke(COMMANDS[command])
    assert done.exit_code == 0, done.output


def test_documents_from_python(tmp_path):
    gold, _ = write_sides(tmp_path, make_side(), make_side())
    documents = clineval.read(gold, "clinical_spans")
    assert [document.text for document in documents] == list(TEXTS)
    assert documents[0].mentions[0].spans == ((3, 8), (16, 20))
