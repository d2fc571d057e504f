"""eHealth-KD 2020: key phrases of Spanish health texts, and the relations between them.

Key phrases are labelled Concept, Action, Predicate or Reference, may be discontiguous, and lie in
one sentence, as relations do. There are thirteen relations, all directed but ``same-as``. The main
scenario and the transfer scenario score both (configurations ``default``, ``main``, ``transfer``),
``taskA`` key phrases alone, ``taskB`` relations alone.

Of the key phrases and relations of all sentences together, with C correct, I incorrect, P partial,
S spurious, M missing:

    recall = (C + P / 2) / (C + P + I + M)        precision = (C + P / 2) / (C + P + I + S)
    F1 = 2 precision recall / (precision + recall)

    correct     phrases: same fragments, same label; relations: same label, between phrases that
                are paired correct or partial; ``same-as`` in either direction
    incorrect   phrases: same fragments, another label
    partial     phrases: same label, a character in common
    spurious    predicted, and none of these
    missing     in the gold standard, and none of these

The fragments of a phrase are its words, so that it does not matter how blanks are treated. Phrases
are paired one to one, sentence by sentence: first correct ones, then incorrect ones, then partial
ones, where each predicted phrase, in the order of starts, ends and label, gets the first free gold
phrase in the same order. Of repeated phrases of one sentence (same fragments, same label) each
correct pair uses one of either side, and what is left of them is spurious or missing. Relations of
a label between the same phrases are one relation; one of a phrase with itself is spurious, and left
out in the gold standard.

``same_as="closure"`` takes phrases that gold ``same-as`` relations connect, directly or not, for
one another, and the relations of a label between two such classes as interchangeable, as the
program does.

Sentences are the units that are resampled. Those of a text are paired by position if all have the
same letters and digits, and otherwise by the longest common sequence of sentences. A gold sentence
without partner is all missing, a predicted one all spurious. Sentences of which the gold standard
has neither phrase nor relation are left out, with what was predicted in them: in the test sets of
the challenge most sentences were not annotated. ``evaluated="all"`` counts them.

All scores lie between 0 and 1; a score whose denominator is 0 is 0. The scores of a label count a
pair for its gold label, and what is spurious for the predicted one.

``protocol="official"`` gives the numbers of the released program with its own rules throughout:
that of ``edition="2020"`` or ``"2021"``, which agree, or of ``"2019"``.

Sources: eHealth-KD 2020, tasks, https://ehealthkd.github.io/2020/tasks; for the differences, what
the released programs do.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from clineval.arrays import IntArray
from clineval.challenge import Challenge, ClassSlot, Demo, Difference, Grid, Option, Setup
from clineval.challenges import ehealthkd20_matching as matching
from clineval.challenges.ehealthkd20_corpus import SentenceCorpus, kinds_in, labels_in
from clineval.challenges.ehealthkd20_documents import read_documents
from clineval.challenges.ehealthkd20_passes import match_as_program, pair_as_program
from clineval.challenges.ehealthkd20_programs import read_as_program
from clineval.challenges.ehealthkd20_reading import read_collection
from clineval.challenges.ehealthkd20_sentences import (
    PHRASES,
    RELATIONS,
    Collection,
    Sentence,
    find_collections,
    find_texts,
)
from clineval.errors import InputError, InputWarning
from clineval.formats import standoff
from clineval.formats.jsonl import is_jsonl
from clineval.inputs.relations import read_related
from clineval.mentions.outcomes import Match, MatchKind, Outcomes, list_matches
from clineval.mentions.pairing import Pairs
from clineval.mentions.slots import Slot
from clineval.paths import find_path
from clineval.problems import Problem
from clineval.ratios import Columns, Number, Totals, ratio
from clineval.relations.corpus import RelatedCorpus
from clineval.relations.outcomes import UnitCorpus
from clineval.views import DocView, MentionView, PairCheck, Preset, short_prf

LABEL = Slot("label", "label", required=True)
LABELS = {"phrases": PHRASES, "relations": RELATIONS}
KINDS = {
    "phrases": ("correct", "incorrect", "partial", "spurious", "missing"),
    "relations": ("correct", "spurious", "missing"),
}
CONFIGS = {
    "default": "the main scenario: key phrases and relations",
    "main": "the same",
    "taskA": "key phrases",
    "taskB": "relations",
    "transfer": "key phrases and relations, of another domain",
}
PROTOCOLS = {"spec": False, "official": True}


def label_key(label: str) -> str:
    """What a label is called in keys.

    Examples:
        >>> label_key("same-as")
        'same_as'
    """
    return label.lower().replace("-", "_")


def kinds_of(config: str) -> tuple[str, ...]:
    """What a configuration scores."""
    return {"taskA": ("phrases",), "taskB": ("relations",)}.get(config, tuple(KINDS))


class _NoText:
    """Text that is no JSON: annotations without their text cannot be read."""

    FILES: str = standoff.FILES

    @staticmethod
    def read_side(*_: Any) -> Any:
        raise InputError("expected a path, or documents with 'text', 'mentions' and 'relations'")

    read_strings = read_side


def read(
    references: Any, predictions: Sequence[Any], setup: Setup
) -> tuple[list[Collection], list[list[Collection]]]:
    """Both sides: texts with annotations beside them, JSON Lines, dicts, Documents."""
    gold = _read_one(references, "references", setup)
    return gold, [_read_one(given, "predictions", setup) for given in predictions]


def _read_one(given: Any, side: str, setup: Setup) -> list[Collection]:
    edition = setup["edition"] if setup.protocol == "official" else ""
    gold = side == "references"
    path = find_path(given) if isinstance(given, (str,)) or hasattr(given, "__fspath__") else None
    if path is None or is_jsonl(given, _NoText.FILES):
        documents = read_related(given, LABEL, (), side=side, text_format=_NoText())
        return read_documents(documents, gold=gold, edition=edition)
    pattern = "*put_*.txt" if edition == "2019" else "*.txt"
    if edition:
        return find_collections(given, partial(read_as_program, edition=edition), pattern)
    return find_collections(given, partial(read_collection, gold=gold), pattern)


def join(gold: list[Collection], predicted: list[Collection], setup: Setup) -> SentenceCorpus:
    """Sentences paired, and of these the evaluated ones."""
    pairs: list[tuple[Sentence, Sentence]] = []
    for one, other in matching.pair_collections(gold, predicted):
        if setup.protocol == "official":
            pairs += pair_as_program(one.sentences, other.sentences, setup["edition"])
        else:
            pairs += matching.pair_sentences(one.sentences, other.sentences)
    if setup.protocol == "spec" and setup["evaluated"] == "all":
        return SentenceCorpus.of(pairs)
    kept = [pair for pair in pairs if pair[0].is_annotated or not pair[0].name]
    left = sum(pair[1].is_annotated for pair in pairs) - sum(pair[1].is_annotated for pair in kept)
    if left:
        problem = "predictions in {n} sentences without gold annotations do not count"
        warnings.warn(InputWarning(problem, n=left), stacklevel=2)
    return SentenceCorpus.of(kept)


Found = Sequence[matching.Result]
"""What became of the annotations of each sentence."""


def pair(corpus: SentenceCorpus, setup: Setup) -> Found:
    """The pairs of phrases and relations of each sentence."""
    if setup.protocol == "official":
        match = partial(match_as_program, edition=setup["edition"])
    else:
        match = partial(matching.match_sentence, closure=setup["same_as"] == "closure")
    return [match(*pair) for pair in corpus.pairs]


def tally(corpus: SentenceCorpus, found: Found, setup: Setup) -> Columns:
    """The counts of each sentence: of all labels, and of each."""
    columns = {
        f"{prefix}_{kind}": np.zeros(len(found), np.int64)
        for of in kinds_of(setup.config)
        for prefix in (of, *map(label_key, LABELS[of]))
        for kind in KINDS[of]
    }
    for at, (sentences, result) in enumerate(zip(corpus.pairs, found, strict=True)):
        for of in kinds_of(setup.config):
            for (label, kind), count in _count(of, sentences, result).items():
                columns[f"{of}_{kind}"][at] += count
                if label in LABELS[of]:
                    columns[f"{label_key(label)}_{kind}"][at] += count
    return columns


def _count(
    of: str, sentences: tuple[Sentence, Sentence], result: matching.Result
) -> Counter[tuple[str, str]]:
    """Label and kind to how many there are in a sentence."""
    gold, system = (list((labels_in if of == "phrases" else kinds_in)(s)) for s in sentences)
    rows: Sequence[matching.Row] = getattr(result, of)
    return Counter((gold[g] if g is not None else system[p or 0], kind) for g, p, kind in rows)


def list_outcomes(corpus: SentenceCorpus, pairings: Sequence[Found], setup: Setup) -> Outcomes:
    """What became of every phrase and relation; a relation has the words of both phrases.

    ``phrases`` and ``relations`` list all labels, ``concept``, ``same_as`` and the like one;
    ``overlap`` everything that is paired in any way, ``exact`` phrases of the same fragments and
    relations, ``strict`` what is correct, ``lenient`` what is correct or partial.
    """
    [found] = pairings
    units = _units_of(corpus, setup)
    matches: dict[str, Match] = {}
    pairs: dict[str, dict[str, Pairs]] = {name: {} for name in _PAGES}
    for of in kinds_of(setup.config):
        gold, prediction, kinds = _rows_of(corpus, found, of)
        matches |= _list_kinds(units, of, gold, prediction, kinds)
        for name, wanted in _PAGES.items():
            some = np.isin(kinds, [KINDS[of].index(k) for k in wanted if k in KINDS[of]])
            pairs[name][of] = Pairs(gold[some], prediction[some])
    nobody = Pairs(*[np.zeros(0, np.int64)] * 2)
    joined = {
        name: units.join(of.get("phrases", nobody), of.get("relations", nobody))
        for name, of in pairs.items()
    }
    matches |= list_matches(units.corpus, joined, dict.fromkeys(joined, MatchKind()))
    sides = units.corpus.gold.columns, units.corpus.prediction.columns
    return Outcomes(CHALLENGE, setup.config, corpus.documents, *sides, matches, "overlap", finish)


_PAGES = {
    "exact": ("correct", "incorrect"),
    "strict": ("correct",),
    "lenient": ("correct", "partial"),
    "overlap": ("correct", "incorrect", "partial"),
}
"""Kinds of match of a page to what is paired."""


def _units_of(corpus: SentenceCorpus, setup: Setup) -> UnitCorpus:
    related = corpus.related
    if setup.config == "taskA":
        nothing = np.zeros(0, np.int64)
        related = RelatedCorpus(
            related.mentions, related.gold.take(nothing), related.prediction.take(nothing)
        )
    return UnitCorpus.of(related, LABEL.name, alone=setup.config == "taskB")


def _rows_of(corpus: SentenceCorpus, found: Found, of: str) -> tuple[IntArray, IntArray, IntArray]:
    """Gold row, predicted row (-1 for none) and number of the kind of each outcome."""
    sizes = [
        [len(s.phrases if of == "phrases" else s.relations) for s in pair] for pair in corpus.pairs
    ]
    first = np.cumsum([[0, 0], *sizes], axis=0).tolist()
    rows = [
        (-1 if g is None else g + golds, -1 if p is None else p + others, KINDS[of].index(kind))
        for (golds, others), result in zip(first, found, strict=False)
        for g, p, kind in getattr(result, of)
    ]
    gold, prediction, kinds = np.array(rows, np.int64).reshape(-1, 3).T
    return gold, prediction, kinds


def _list_kinds(
    units: UnitCorpus, of: str, gold: IntArray, prediction: IntArray, kinds: IntArray
) -> dict[str, Match]:
    """The outcomes of one sort of units: of all labels, and of each."""
    order = np.lexsort((kinds, (gold < 0) | (prediction < 0)))
    name = "mentions" if of == "phrases" else of
    rows = units.rows_of(name, gold[order], prediction[order])
    match = Match(*rows, kinds[order], KINDS[of], _columns_of(of, of))
    column = units.corpus.gold.columns.attributes[LABEL.name]
    other = units.corpus.prediction.columns.attributes[LABEL.name]
    number = match.choose(column.ids, other.ids)
    found = {of: match}
    for label in LABELS[of]:
        known = label in column.values
        at = np.flatnonzero(number == column.values.index(label)) if known else number[:0]
        parts = match.gold[at], match.prediction[at], match.verdict[at]
        key = label_key(label)
        found[key] = Match(*parts, KINDS[of], _columns_of(key, of))
    return found


def _columns_of(prefix: str, of: str) -> dict[str, tuple[str, ...]]:
    return {f"{prefix}_{kind}": (kind,) for kind in KINDS[of]}


def finish(totals: Totals, config: str) -> dict[str, Number]:
    """Scores from totals; see the top of the file for the formulas."""
    kinds = kinds_of(config)
    scores = _rate("", [_sums(totals, of, of) for of in kinds])
    for of in kinds:
        for prefix in (of, *map(label_key, LABELS[of])):
            counts = _sums(totals, prefix, of)
            scores |= _rate(f"{prefix}_", [counts])
            scores |= {f"{prefix}_{kind}": count for kind, count in counts.items()}
    return scores


def _sums(totals: Totals, prefix: str, of: str) -> dict[str, Number]:
    return {kind: totals[f"{prefix}_{kind}"] for kind in KINDS[of]}


def _rate(prefix: str, counts: Sequence[Mapping[str, Number]]) -> dict[str, Number]:
    total = {kind: sum(each.get(kind, 0) for each in counts) for kind in KINDS["phrases"]}
    right = total["correct"] + 0.5 * total["partial"]
    paired = total["correct"] + total["partial"] + total["incorrect"]
    recall = ratio(right, paired + total["missing"])
    precision = ratio(right, paired + total["spurious"])
    return {
        f"{prefix}precision": precision,
        f"{prefix}recall": recall,
        f"{prefix}f1": ratio(2 * recall * precision, recall + precision),
    }


def find_problems(paths: Sequence[Any]) -> Iterator[Problem]:
    """All problems of texts and the annotations beside them, judged as a gold standard."""
    for path in (text for source in paths for text in find_texts(source, "*.txt")):
        for error in _errors_in(path):
            file, _, line = error.where.rpartition(":")
            known = line.isdecimal()
            yield Problem(file if known else error.where, int(line) if known else 0, error.problem)


def _errors_in(path: Path) -> Sequence[InputError]:
    try:
        read_collection(path, gold=True)
    except InputError as error:
        return (error, *error.others)
    return ()


def _grid(of: str, title: str) -> Grid:
    keys = (*("precision", "recall", "f1"), *KINDS[of])
    heads = ("P", "R", "F1", *KINDS[of])
    rows = {label: tuple(f"{label_key(label)}_{key}" for key in keys) for label in LABELS[of]}
    return Grid(title, heads, {**rows, "all": tuple(f"{of}_{key}" for key in keys)})


CHALLENGE = Challenge(
    name="ehealthkd20",
    kind="relations",
    title="eHealth-KD 2020: Knowledge discovery in Spanish health texts",
    configs=CONFIGS,
    protocols=PROTOCOLS,
    differences=(
        Difference(
            "order of the fragments of a phrase",
            "does not matter",
            "matters in the first sentence",
            "a10_fragment_order_first_sentence",
        ),
        Difference(
            "words in a fragment",
            "are fragments of their own",
            "are so only where the phrase has one fragment, and at single blanks",
            "a09_fragment_with_blank",
        ),
        Difference(
            "a span with two labels in the gold standard",
            "has two phrases, each of which can be correct",
            "has the first one looked at alone, or stops the program",
            "a14_same_span_two_gold_labels",
        ),
        Difference(
            "phrases that gold same-as relations connect",
            "are different phrases, unless same_as='closure'",
            "stand for one another in all relations",
            "b08_same_as_class",
        ),
        Difference(
            "same-as of a phrase with itself", "is spurious", "may be correct", "b11_self_loop"
        ),
        Difference(
            "empty lines and blanks around a sentence",
            "count in offsets, as in the file",
            "do not count in offsets, so that what follows is shifted",
            "s06_empty_line",
        ),
        Difference(
            "an inserted or moved sentence",
            "has no partner",
            "leaves all that follow without partners (2020, 2021), or unequal ones out (2019)",
            "s02_extra_sentence",
        ),
        Difference(
            "predicted relations between sentences",
            "are spurious",
            "stop the program (2020, 2021), or are left out (2019)",
            "b18_cross_sentence_crash",
        ),
        Difference(
            "partial matches of 2019", "need equal labels", "do not", "a34_partial_label_2019_only"
        ),
        Difference("empty fragments", "are an error", "may match partially", "a26_zero_length"),
    ),
    options=(
        Option(
            "edition",
            "Whose program protocol='official' stands for.",
            "2020",
            "choice",
            ("2019", "2020", "2021"),
        ),
        Option(
            "same_as",
            "Relations between phrases that gold same-as relations connect: exact ends only, or "
            "closure, by classes.",
            "exact",
            "choice",
            ("exact", "closure"),
        ),
        Option(
            "evaluated",
            "Sentences with gold annotations only, or all.",
            "gold",
            "choice",
            ("gold", "all"),
        ),
    ),
    settings=lambda setup: (
        {"edition": setup["edition"]}
        if setup.protocol == "official"
        else {"same_as": setup["same_as"], "evaluated": setup["evaluated"]}
    ),
    read=read,
    join=join,
    pair=pair,
    tally=tally,
    finish=finish,
    list_outcomes=list_outcomes,
    class_slot=ClassSlot("label", "label"),
    view=MentionView(
        checks=(
            PairCheck("phrases_correct", "exact", "both", "tp", without=RELATIONS),
            PairCheck("relations_correct", "exact", "both", "tp", classes=RELATIONS),
        ),
        presets=(Preset("correct", "exact", "both", "f1"),),
        slots=lambda _: (LABEL,),
        matches={
            "exact/span": "exact",
            "overlap/span": "overlap",
            "exact/both": "strict",
            "overlap/both": "lenient",
        },
        units=lambda corpus, setup: _units_of(corpus, setup).corpus,
        sources=lambda corpus, setup: _units_of(corpus, setup).sources,
    ),
    docs=DocView(
        prefix="ekd",
        names={
            **{key: key[0] for key in ("precision", "recall", "f1")},
            **short_prf("phrases", "phr"),
            **short_prf("relations", "rel"),
        },
        columns={
            "default": ("f1", "phrases_f1", "relations_f1"),
            "taskA": ("f1", "phrases_f1"),
            "taskB": ("f1", "relations_f1"),
        },
        group="clin",
        slots=lambda _: (LABEL,),
        format="jsonl",
        take=list,
        relations="id",
    ),
    ranking={"default": ("f1",)},
    scripts=("ehealthkd-2019", "ehealthkd-2020", "ehealthkd-2021"),
    demo=Demo(
        "eHealth-KD 2020: key phrases and relations in Spanish sentences",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
    ),
    grids=(
        Grid("Key phrases and relations", ("P", "R", "F1"), {"all": ("precision", "recall", "f1")}),
        _grid("phrases", "Key phrases"),
        _grid("relations", "Relations"),
    ),
    homepage="https://ehealthkd.github.io/2020",
    citation="""\
@inproceedings{piad-morffis-etal-2020-ehealthkd,
    title = "Overview of the {eHealth} Knowledge Discovery Challenge at {IberLEF} 2020",
    author = {Piad-Morffis, Alejandro and Guti{\\'e}rrez, Yoan and Ca{\\~n}izares-Diaz, Hian and
        Estevez-Velarde, Suilan and Mu{\\~n}oz, Rafael and Montoyo, Andr{\\'e}s and
        Almeida-Cruz, Yudivian},
    booktitle = "Proceedings of the Iberian Languages Evaluation Forum ({IberLEF} 2020)",
    year = "2020",
}""",
    headline=("f1", "precision", "recall"),
    shown_per_document=("phrases_correct", "relations_correct", "f1"),
    validate=find_problems,
)
