"""The paragraph for a paper: how scores were computed, with what to cite."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from clineval.base.errors import agree, listed
from clineval.base.version import __version__
from clineval.results.averages import MACRO, WEIGHTED
from clineval.results.paragraphs import Cite, Code, Methods, Part, Sentence

if TYPE_CHECKING:
    from clineval.results.scores import Score
    from clineval.results.signature import Signature

CITATION = f"""@software{{clineval,
    title = {{clineval: the scores of the clinical {{NLP}} challenges}},
    author = {{{{The clineval developers}}}},
    year = {{2026}},
    version = {{{__version__}}},
}}"""
_KEY = re.compile(r"@\w+\{\s*([^,\s]+)\s*,")
_PROTOCOLS = {
    "spec": "which follows the definition in the challenge's document",
    "official": "which returns the numbers of the released program",
}
_MEANS = {
    MACRO: "means over the labels that either side has",
    WEIGHTED: "means over labels, weighted by gold annotations",
}


def describe_methods(
    score: Score,
    keys: Sequence[str],
    more: Iterable[Sentence] = (),
    signed: Signature | None = None,
) -> Methods:
    """Describe how scores were computed.

    Args:
        score: the scores.
        keys: the keys of the scores that the paper reports.
        more: further sentences, such as those about a test.
        signed: the signature; by default that of the scores.

    Examples:
        >>> import clineval
        >>> gold = [[{"spans": [[4, 15]], "label": "Sign"}]]
        >>> score = clineval.score("clinical_spans", gold, gold)
        >>> describe_methods(score, ["strict_f1"]).sentences[2]
        ('The reported score is ', Code(text='strict_f1'), '.')
    """
    citation = score.challenge.task.citation
    sentences = (
        _introduce(score, citation),
        *_list_settings(score),
        _name_scores(keys),
        *_explain_means(score, keys),
        _count_documents(score),
        *_explain_intervals(score, keys),
        *more,
        ("Signature: ", Code((signed or score.signature).naming(score.dataset)), "."),
    )
    return Methods(sentences, tuple(filter(None, (citation.strip(), CITATION))))


def _introduce(score: Score, citation: str) -> Sentence:
    task, protocol = score.challenge.task, score.protocol
    about = _PROTOCOLS.get(protocol) or score.challenge.list_abouts().get(protocol, "")
    ours = Cite(tuple(_KEY.findall(CITATION)))
    theirs = [Cite(tuple(_KEY.findall(citation)))] if citation else []
    line = task.configs[score.config]
    named = (", configuration ", Code(score.config), f" ({line})") if len(task.configs) > 1 else ()
    scored = ("Predictions were scored with ", Code(score.metric), f" ({task.title})")
    program = (f" of clineval {__version__}", ours)
    follows = f", {about}" if about else ""
    return (*scored, *theirs, *program, *named, ", protocol ", Code(protocol), f"{follows}.")


def _list_settings(score: Score) -> Iterator[Sentence]:
    """Yield a sentence with the options that affect the scores, and their meanings."""
    values = score.signature.settings
    own = [each for each in score.challenge.own_settings if each.name in values]
    named: list[Part] = []
    for each in own:
        named += [", ", Code(f"{each.name}={values[each.name]}"), f" ({each.plain})"]
    if named:
        yield ("Settings: ", *named[1:], ".")


def _name_scores(keys: Sequence[str]) -> Sentence:
    named: list[Part] = []
    for key in keys:
        named += [", ", Code(key)]
    return (agree("The reported {score is|scores are} ", len(keys)), *named[1:], ".")


def _explain_means(score: Score, keys: Sequence[str]) -> Iterator[Sentence]:
    """Yield a sentence for each kind of mean over labels that the paper reports."""
    means = score.challenge.measures.list_parts(score.values)
    for name, meaning in _MEANS.items():
        if any(key.startswith(f"{name}_") for key in keys if key in means):
            yield ("Scores that begin with ", Code(f"{name}_"), f" are {meaning}.")


def _count_documents(score: Score) -> Sentence:
    documents = agree("{n} {document|documents}", len(score.counts))
    named = (" (", Code(score.dataset), ")") if score.dataset else ()
    return ("The gold standard", *named, f" has {documents}.")


def _explain_intervals(score: Score, keys: Sequence[str]) -> Iterator[Sentence]:
    """Yield a sentence about the intervals, if there are any."""
    how = score.confidence
    if not how:
        return
    methods = sorted({score.interval_methods[key] for key in keys if key in score.interval_methods})
    clusters = score.signature.settings.get("cluster")
    units = f"{clusters} clusters of documents" if clusters else "documents"
    drawn = f"{how.n_resamples:,} bootstrap samples of {units}, seed {how.seed}"
    ways = f" (methods: {listed(methods)})" if methods else ""
    level = f"{100 * how.level:g} %"
    yield (f"Confidence intervals have a level of {level} and follow from {drawn}{ways}.",)
