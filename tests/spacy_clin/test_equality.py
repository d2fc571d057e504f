"""Scores of Docs = scores of the evaluate module = scores of the command line, exactly."""

import json
import warnings
from functools import lru_cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import doc_strategies
import evaluate
import pytest
from commands import invoke
from docs import CORPORA, blank_doc, demo_docs
from hypothesis import given
from processes import run_clineval
from spacy.scorer import Scorer
from spacy.tokens import Span
from spacy.training import Example
from spacy.util import filter_spans
from thorough import fewer

import clineval
from clineval.formats.delimited.pipe import CUI
from clineval.results.registry import find_challenge
from spacy_clin import score_docs, set_mentions, to_inputs, write_docs
from spacy_clin.guards import get_document_name

NEED_TEXTS = ("i2b2_2009_medication", "i2b2_2014_deid", "meddocan19")
"""Challenges whose scores depend on the notes, which their modules are given apart."""
STOPS = "released program ends"


@pytest.fixture(scope="module", params=CORPORA)
def corpus(request):
    """Gold and predicted Docs of a challenge's demo."""
    return request.param, *demo_docs(request.param)


def from_files(challenge, golds, preds, folder, config, protocol, run):  # noqa: PLR0913, PLR0917
    """What the command line says of the files that the Docs are written to."""
    # random labels may be of nothing but blanks, which brat's files cannot hold
    format_ = "jsonl" if challenge in doc_strategies.LABELLED else None
    extension = {"clinais23_b2": ".json"}.get(challenge, f".{format_}" if format_ else "")
    gold, pred = folder / f"gold{extension}", folder / f"pred{extension}"
    write_docs(golds, gold, challenge, side="references", format=format_)
    write_docs(preds, pred, challenge, format=format_)
    command = ["score", challenge, gold, pred, "--config", config]
    command += ["--protocol", protocol, "--format", "json"]
    if challenge == "i2b2_2009_medication":
        (folder / "records").mkdir()
        for doc in golds:
            (folder / "records" / get_document_name(doc)).write_bytes(doc.text.encode())
        command += ["--records", folder / "records"]
    return json.loads(run(list(map(str, command))))


def run_there(arguments):
    return run_clineval(*arguments).stdout


def run_here(arguments):
    """As the program does, without a process for each of many random corpora."""
    done = invoke(arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@lru_cache
def load(challenge, config):
    return evaluate.load(challenge, config)


def from_evaluate(challenge, golds, preds, config, protocol):
    options = [option.name for option in find_challenge(challenge).options if option.holds_texts]
    wanted = {"records", "texts"} if challenge in NEED_TEXTS else set()
    texts = {name: [doc.text for doc in golds] for name in wanted.intersection(options)}
    return load(challenge, config).compute(
        predictions=to_inputs(preds, challenge, config=config),
        references=to_inputs(golds, challenge, config=config, side="references"),
        protocol=protocol,
        **texts,
    )


def agree(challenge, golds, preds, run):
    """Whether the Docs, the module and the command line say the same in all configurations."""
    described = find_challenge(challenge)
    configs = [
        config
        for config in described.task.configs
        if described.kind_of(config).in_columns or not described.faces.pages
    ]
    for config, protocol in product(configs, described.protocols):
        with warnings.catch_warnings(), TemporaryDirectory() as folder:
            warnings.simplefilter("ignore", clineval.InputWarning)
            try:
                score = score_docs(golds, preds, challenge, config=config, protocol=protocol)
            except clineval.InputError as error:  # as the released program stops at some documents
                if STOPS not in str(error):
                    raise
                with pytest.raises(clineval.InputError, match=STOPS):
                    from_evaluate(challenge, golds, preds, config, protocol)
                continue
            computed = from_evaluate(challenge, golds, preds, config, protocol)
            written = from_files(challenge, golds, preds, Path(folder), config, protocol, run)
        signature, name = computed.pop("signature"), computed.pop("dataset", "")
        assert score.dataset == name == written.get("dataset", "")
        assert dict(score.values) == computed == written["scores"]
        assert str(score.signature) == signature == written["signature"]


def test_docs_module_and_command_line_agree(corpus):
    challenge, golds, preds = corpus
    assert score_docs(golds, preds, challenge)["n_documents"] == len(golds) > 5
    agree(challenge, golds, preds, run_there)


@pytest.mark.parametrize("challenge", doc_strategies.CORPORA)
def test_they_agree_on_random_docs(challenge):
    @fewer(0.1)
    @given(doc_strategies.CORPORA[challenge])
    def check(sides):
        agree(challenge, *sides, run_here)

    check()


def test_documents_keep_their_names():
    golds, preds = demo_docs("semeval15_task14")
    row = score_docs(golds, preds).per_document[0]
    assert row["document"] == "demo-001-DISCHARGE_SUMMARY.txt"


def test_words_are_those_of_the_docs():
    golds, preds = demo_docs("semeval15_task14")
    texts = [doc.text for doc in golds]
    expected = clineval.score(
        "semeval15_task14", to_inputs(preds), to_inputs(golds), overlap="word", texts=texts
    )
    score = score_docs(golds, preds, overlap="word")
    assert dict(score.values) == dict(expected.values)
    assert "overlap:word" in str(score.signature)


def test_repeats_with_other_slots_are_two_in_task_1_too():
    """As they are in files, whatever of them is scored."""
    repeated = [{"spans": [[0, 2]], "cui": "C1", "negation": value} for value in ("no", "yes")]
    gold, pred = blank_doc("No fever."), blank_doc("No fever.")
    set_mentions(gold, [])
    set_mentions(pred, repeated)
    assert score_docs([gold], [pred], config="task1")["strict_fp"] == 2


@given(doc_strategies.CORPORA["clefehealth13_task1"])
def test_f_of_labelled_entities_is_that_of_spacy(sides):
    """Where the definitions coincide: each span once, its label its code."""
    golds, preds = sides
    for doc in (*golds, *preds):
        spans = {(s.start, s.end): s for s in doc.spans["clin"]}
        doc.ents = filter_spans(
            [Span(doc, *at, label=CUI.fold(s.kb_id_)) for at, s in sorted(spans.items())]
        )
    entities = {"span_getter": "ents", "attributes": {"cui": "label_"}}
    score = score_docs(
        golds, preds, "clefehealth13_task1", gold=entities, pred=entities, config="default"
    )
    examples = [Example(p, g) for p, g in zip(preds, golds, strict=True)]
    expected = Scorer.score_spans(examples, "ents")
    if expected["ents_f"] is None:
        return
    found = score["exact_tp"] + score["exact_fp"]
    assert 2 * score["correct"] / (score["strict_total"] + found) == pytest.approx(
        expected["ents_f"]
    )
    unlabelled = Scorer.score_spans(examples, "ents", labeled=False)
    assert score["exact_f1"] == pytest.approx(unlabelled["ents_f"])
