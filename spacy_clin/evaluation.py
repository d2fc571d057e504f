"""Run a pipeline on gold documents and score it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language

from clineval.errors import InputError
from clineval.scores import Score
from spacy_clin.files import write_docs
from spacy_clin.guards import sent
from spacy_clin.inputs import name_documents
from spacy_clin.readers import make_corpus
from spacy_clin.scoring import score_docs


def run_and_score(  # noqa: PLR0913 - the options of the command line
    model: str | Language,
    data: Path,
    challenge: str = "semeval15_task14",
    *,
    given: str = "nothing",
    text: Path | None = None,
    predictions: Path | None = None,
    pred: Any = "spacy",
    n_process: int = 1,
    **settings: Any,
) -> Score:
    """Score a pipeline; Docs are never copied, so extensions may hold anything.

    Args:
        model: a pipeline, or its name or path.
        data: as for the corpus reader.
        challenge: the module.
        given: what of the gold standard the pipeline starts from, as for the corpus reader.
        text: directory of the notes, where the data lack them.
        predictions: where to write the predictions in the challenge's format.
        pred: where predictions are.
        n_process: number of processes.
        settings: what :func:`spacy_clin.score_docs` takes besides.

    Raises:
        InputError: there is no such pipeline, and what the reader and the scores raise.
    """
    nlp = _load(model)
    read = make_corpus(data, challenge=challenge, text=text, given=given)
    examples = list(read(nlp))
    golds = [example.reference for example in examples]
    docs = [example.predicted for example in examples]
    preds = sent(lambda: list(nlp.pipe(docs, n_process=n_process)))
    if predictions is not None:
        write_docs(preds, predictions, challenge, getter=pred, names=name_documents(golds))
    return score_docs(golds, preds, challenge, pred=pred, **settings)


def _load(model: str | Language) -> Language:
    if isinstance(model, Language):
        return model
    try:
        return spacy.load(model)
    except OSError:
        raise InputError(
            "no such pipeline", where=str(model), remedy="Give a package's name or a directory"
        ) from None
