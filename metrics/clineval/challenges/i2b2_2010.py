"""i2b2/VA 2010: concepts in clinical records, assertions about problems, and relations.

A concept is a run of tokens that is a problem, a test or a treatment. An assertion is a run of
tokens with what is said of the problem there: present, absent, possible, hypothetical, conditional,
associated_with_someone_else. A relation is two runs of tokens with one of eight labels, and has no
direction. Items of one document that agree in all are one item.

Precision, recall and F1 of the items of all documents together, of each label, of all (micro), and
averaged over the labels that either side has (macro):

    strict     concepts, assertions, relations: the same tokens and the same label
    exact      concepts, assertions, relations: the same tokens, whatever the label
    lenient    concepts: a token in common and the same label
    overlap    concepts: a token in common, whatever the label

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

All scores lie between 0 and 1; a score whose denominator is 0 is 0. The challenge ranked systems
by concepts_strict_f1, assertions_strict_f1 and relations_strict_f1. The type of the concept that an
assertion is about is not looked at. True positives and misses count for the label of the reference,
false positives for that of the prediction.

Pairs are one to one, of each match by itself: "you can only count each annotation once". Equal
items come first; then, for ``exact``, items of the same tokens in the order of their labels; then,
for ``lenient`` and ``overlap``, overlapping ones: most common tokens, then fewest tokens in both
together, then reference and prediction in the order of the text. That order is our decision, the
document does not say. Between two lines there are as many tokens as the longest line that an item
of the document ends in has.

Files are ``NAME.con``, ``NAME.ast`` and ``NAME.rel``; what there are no files of on either side is
not scored. In Python a document is a dict of ``mentions``, which are concepts or assertions by
their label, and ``relations`` between concepts by their ids; offsets may count anything, such as
characters, if both sides count the same.

``protocol="official"`` gives the numbers of the released program, with its own rules throughout.
Its ``concepts_lenient_fn``, and so recall and F1, are those of another row.

Sources: Uzuner et al., 2010 i2b2/VA challenge on concepts, assertions, and relations in clinical
text, JAMIA 18(5), 2011; the organisers' requirements for the evaluation program; for the
differences, what the program does.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from clineval.arrays import BoolArray, Coded, IntArray, rank_rows
from clineval.challenge import Challenge, ClassSlot, Demo, Difference, Grid, Setup
from clineval.errors import InputError, InputWarning, listed
from clineval.formats import checking
from clineval.formats.i2b2_lines import (
    ASSERTIONS,
    CONCEPTS,
    ENDINGS,
    FILES,
    LABELS,
    RELATIONS,
    ItemSide,
    check_file,
)
from clineval.formats.jsonl import is_jsonl
from clineval.hashing import Hashes
from clineval.inputs.i2b2_items import all_kinds, read_items
from clineval.mentions.closeness import closest
from clineval.mentions.columns import MentionColumns, Side
from clineval.mentions.corpus import Corpus, Mentions, Reading, join_sides
from clineval.mentions.digest import digest_documents
from clineval.mentions.first_come import pair_equal, pair_fitting
from clineval.mentions.labelled import LabelScheme, pair_lenient, pair_strict
from clineval.mentions.matching import same_value
from clineval.mentions.outcomes import Match, Outcomes, join_pairings
from clineval.mentions.pairing import Key, Pairs, pair_same_spans
from clineval.mentions.parts import Part, stack_matches
from clineval.mentions.slots import Slot
from clineval.mentions.tagged import as_mentions
from clineval.problems import Problem
from clineval.ratios import Columns, Number, Totals
from clineval.sides import align_documents
from clineval.views import DocView, MentionView, PairCheck, Preset, check_prf, short_prf

LABEL = Slot("label", "label", (*CONCEPTS, *ASSERTIONS, *RELATIONS), required=True)
SLOTS = (LABEL,)
READING = Reading(strict=True, values="folded", repeats="merged", documents="all")
SCHEMES = {
    "concepts": LabelScheme(
        LABEL, CONCEPTS, ("strict", "exact", "lenient", "overlap"), group="concepts"
    ),
    "assertions": LabelScheme(LABEL, ASSERTIONS, ("strict", "exact"), group="assertions"),
    "relations": LabelScheme(LABEL, RELATIONS, ("strict", "exact"), group="relations"),
}
_RANKS = {label: at for labels in LABELS.values() for at, label in enumerate(labels)}
_WIDE = 1000
_APART = 1 << 31
"""More tokens than a line has."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ.

    Args:
        strict: judge files by the document, or take what the program takes.
        pairing: ``one_to_one``, or ``first_come``: in the order of the input.
        width: how many tokens lines are apart; 0 for what the document needs.
    """

    strict: bool
    pairing: Literal["one_to_one", "first_come"]
    width: int


PROTOCOLS = {
    "spec": Rules(strict=True, pairing="one_to_one", width=0),
    "official": Rules(strict=False, pairing="first_come", width=_WIDE),
}


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """The items of one kind, paired.

    Args:
        part: these items.
        pairs: name of a match to pairs of rows of them.
    """

    part: Part
    pairs: Mapping[str, Pairs]


Kinds = Mapping[str, Paired]


def read(
    references: Any, predictions: Sequence[Any], setup: Setup
) -> tuple[ItemSide, list[ItemSide]]:
    """Both sides: folders of .con, .ast and .rel files, JSON Lines, dicts, or Documents."""
    strict = setup.rules.strict
    gold = read_items(references, strict=strict, side="references")
    kind = setup.config
    if gold.files and kind in ENDINGS and kind not in gold.files:
        raise InputError(
            f"expected .{ENDINGS[kind]} files, got only "
            f"{' and '.join(f'.{ENDINGS[other]}' for other in sorted(gold.files))} files",
            where="references",
            remedy=f"Give them, or score another configuration than {kind}",
        )
    systems = [read_items(given, strict=strict, side="predictions") for given in predictions]
    return gold, systems


@dataclass(frozen=True, slots=True, eq=False)
class Items(Corpus):
    """A corpus that knows which kinds of items are scored.

    Args:
        kinds: the kinds.
        reference: the reference's items, with offsets that do not depend on the predictions.
    """

    kinds: tuple[str, ...] = ()
    reference: MentionColumns | None = None

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of the reference's items of each."""
        return digest_documents(self.reference or self.gold.columns, len(self.documents))


def join(gold: ItemSide, predicted: ItemSide, setup: Setup) -> Items:
    """Both sides together; offsets become one number each."""
    if gold.lines != predicted.lines and len(gold.document) and len(predicted.document):
        raise InputError(
            "one side counts lines and tokens, the other does not",
            remedy="Give both sides as files, or none",
        )
    documents, *numbers = align_documents(gold, predicted)
    sides = (gold, predicted)
    moved = [
        number[side.document] if len(side.document) else side.document
        for number, side in zip(numbers, sides, strict=True)
    ]
    widths = _find_widths(sides, moved, len(documents), setup.rules.width)
    columns = [_as_columns(s, m, widths) for s, m in zip(sides, moved, strict=True)]
    asked = [setup.config] if setup.config in ENDINGS else list(ENDINGS)
    there = all_kinds(gold) | all_kinds(predicted)
    kinds = tuple(kind for kind in asked if kind in there) or tuple(asked)
    _warn_of_missing_files(gold, predicted, kinds)
    if setup.rules.pairing == "first_come":
        places = [_sort_places(*both) for both in zip(sides, moved, strict=True)]
        joined = _in_order(documents, columns, places)
    else:
        read = [Side(documents, None, side) for side in columns]
        joined = join_sides(read[0], read[1], SLOTS, READING)
    scored = Part.of(joined, _labels_of(kinds), str.lower).corpus
    fixed = _as_columns(gold, moved[0], np.full(len(documents), _APART))
    return Items(documents, scored.gold, scored.prediction, {}, kinds, fixed)


def _sort_places(side: ItemSide, document: IntArray) -> IntArray:
    """``[n, 9]``, the places of items in the order of their documents, and whether they are two."""
    order = np.argsort(document, kind="stable")
    return np.column_stack([side.places[order], side.related[order]])


def _find_widths(
    sides: Sequence[ItemSide], moved: Sequence[IntArray], documents: int, width: int
) -> IntArray:
    """``[documents]``, how many tokens lines are apart."""
    widths = np.full(documents, width, np.int64)
    if not width:
        for side, document in zip(sides, moved, strict=True):
            np.maximum.at(widths, document, side.places[:, 1::2].max(axis=1, initial=0) + 1)
    return widths


def _as_columns(side: ItemSide, document: IntArray, widths: IntArray) -> MentionColumns:
    """Items as mentions; a relation has two fragments, which may overlap."""
    order = np.argsort(document, kind="stable")
    places, related = side.places[order], side.related[order]
    offsets = places[:, ::2] * widths[document[order]][:, None] + places[:, 1::2]
    first, second = offsets[:, :2], offsets[:, 2:]
    counts = 1 + related.astype(np.int64)
    both = np.stack([first, second], axis=1)
    kept = np.column_stack([np.ones(len(order), np.bool_), related])
    return MentionColumns(
        document[order],
        np.concatenate([[0], np.cumsum(counts)]),
        both[kept][:, 0],
        both[kept][:, 1] + 1,
        {LABEL.name: Coded(side.label.ids[order], side.label.values)},
        Coded(np.zeros(len(order), np.int8), ("",)),
    )


def _in_order(
    documents: tuple[str, ...], columns: Sequence[MentionColumns], places: Sequence[IntArray]
) -> Corpus:
    """The items as they come, copies too; the same place is the same lines and tokens."""
    keys = np.concatenate(
        [np.column_stack([s.document, p]) for s, p in zip(columns, places, strict=True)]
    )
    ranks = rank_rows(list(keys.T)) if len(keys) else np.zeros(0, np.int64)
    values = tuple(sorted({v for side in columns for v in side.attributes[LABEL.name].values}))
    sides = []
    for side, place in zip(columns, np.split(ranks, [len(columns[0])]), strict=True):
        label = side.attributes[LABEL.name].fold(str, values)
        shape = np.zeros(len(side), np.int64)
        sides.append(Mentions(replace(side, attributes={LABEL.name: label}), place, shape))
    return Corpus(documents, sides[0], sides[1], {})


def _labels_of(kinds: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """The labels of some kinds of items, in lower case."""
    return {LABEL.name: frozenset(label.lower() for kind in kinds for label in LABELS[kind])}


def _warn_of_missing_files(gold: ItemSide, predicted: ItemSide, kinds: Sequence[str]) -> None:
    """Say which notes have a file of a kind on one side only, though others are on both."""
    for kind in kinds if gold.files and predicted.files else ():
        sides = [set(side.files.get(kind, ())) for side in (gold, predicted)]
        both = set(gold.documents) & set(predicted.documents)
        alone = sorted((sides[0] ^ sides[1]) & both)
        if alone:
            warnings.warn(
                f"{len(alone)} notes have a .{ENDINGS[kind]} file on one side only, whose items "
                f"count as all missed or all spurious: {listed(alone)}",
                InputWarning, stacklevel=3,
            )  # fmt: skip


def resolve(corpus: Items, setup: Setup) -> Setup:
    """Which kinds are scored."""
    return setup.with_options(kinds=corpus.kinds)


def settings(setup: Setup) -> Mapping[str, str]:
    """Which kinds were scored, if not all that were asked for."""
    some = setup.config not in ENDINGS and len(setup["kinds"]) < len(ENDINGS)
    return {"kinds": "+".join(setup["kinds"])} if some else {}


def pair(corpus: Corpus, setup: Setup) -> Kinds:
    """The pairs of each kind of item."""
    find = _pair_first_come if setup.rules.pairing == "first_come" else _pair_best
    paired = {}
    for kind in setup["kinds"]:
        part = Part.of(corpus, _labels_of([kind]), str.lower)
        pairs = find(part.corpus)
        names = SCHEMES[kind].names.items()
        paired[kind] = Paired(part, {full: pairs[name]() for name, full in names})
    return paired


def _pair_best(corpus: Corpus) -> Mapping[str, Any]:
    """The matches of the challenge's document, each when it is asked for."""
    strict = pair_strict(corpus, SLOTS)
    exact = pair_same_spans(corpus, _by_labels(corpus))
    return {
        "strict": lambda: strict,
        "exact": lambda: exact,
        "lenient": lambda: pair_lenient(corpus, strict, LABEL, order=closest),
        "overlap": lambda: pair_lenient(corpus, exact, None, order=closest),
    }


def _by_labels(corpus: Corpus) -> tuple[Key, ...]:
    """Sort keys: equal labels first, then in the order of the labels."""

    def rank(side: Mentions) -> IntArray:
        column = side.columns.attributes[LABEL.name]
        return np.array([_RANKS[value] for value in column.values], np.int64)[column.ids]

    gold, prediction = rank(corpus.gold), rank(corpus.prediction)
    return (
        lambda pairs: (~same_value(pairs, corpus, LABEL)).view(np.int8),
        lambda pairs: gold[pairs.gold],
        lambda pairs: prediction[pairs.prediction],
    )


def _pair_first_come(corpus: Corpus) -> Mapping[str, Any]:
    """The matches of the released program, in the order of the input."""
    gold, prediction = corpus.gold, corpus.prediction
    labels = gold.ids(LABEL.name), prediction.ids(LABEL.name)

    def fit_alike(rows: slice, others: slice) -> BoolArray:
        alike: BoolArray = labels[0][rows, None] == labels[1][others]
        return _fit(corpus, rows, others) & alike

    return {
        "strict": lambda: pair_equal([gold.place, labels[0]], [prediction.place, labels[1]]),
        "exact": lambda: pair_equal([gold.place], [prediction.place]),
        "lenient": lambda: pair_fitting(corpus, fit_alike),
        "overlap": lambda: pair_fitting(corpus, partial(_fit, corpus)),
    }


def _fit(corpus: Corpus, rows: slice, others: slice) -> BoolArray:
    """Which concepts overlap for the program: none that begins before and ends inside."""
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    start, end = gold.starts[rows, None], gold.ends[rows, None] - 1
    begin, stop = prediction.starts[others], prediction.ends[others] - 1
    fits: BoolArray = (begin >= start) & (stop <= end)
    fits |= (begin <= start) & (stop >= end)
    fits |= (begin >= start) & (begin <= end) & (stop >= end)
    return fits


def _scheme_of(kind: str, setup: Setup) -> LabelScheme:
    return replace(SCHEMES[kind], cased=setup.rules.strict)


def tally(corpus: Corpus, pairing: Kinds, setup: Setup) -> Columns:  # noqa: ARG001 - parts have it
    """The counts of each document."""
    columns: dict[str, Any] = {}
    for kind, paired in pairing.items():
        columns |= _scheme_of(kind, setup).tally(paired.part.corpus, paired.pairs)
    if "concepts" in pairing and not setup.rules.strict:
        columns["concepts_lenient_fn"] = columns["concepts_overlap_fn"]
    return columns


def list_outcomes(corpus: Corpus, pairings: Sequence[Kinds], setup: Setup) -> Outcomes:
    """What became of every item; a relation is an item of two fragments."""
    matches: dict[str, Match] = {}
    for kind in setup["kinds"]:
        part = Part.of(corpus, _labels_of([kind]), str.lower)
        blocks = [paired[kind] for paired in pairings]
        pairs = join_pairings([b.part.corpus for b in blocks], [b.pairs for b in blocks])
        found = _scheme_of(kind, setup).list_matches(part.corpus, pairs)
        matches |= {name: part.put_back(match) for name, match in found.items()}
    if "concepts_lenient" in matches and not setup.rules.strict:
        _move_missed(matches)
    widest = (matches[f"{kind}_{SCHEMES[kind].matches[-1]}"] for kind in setup["kinds"])
    return Outcomes(
        CHALLENGE,
        setup.config,
        corpus.documents,
        corpus.gold.columns,
        corpus.prediction.columns,
        {**matches, "all": stack_matches(list(widest))},
        "all",
        finish,
    )


def _move_missed(matches: dict[str, Match]) -> None:
    """The program takes the missed concepts of one row for those of another."""
    key = "concepts_lenient_fn"
    lenient, overlap = matches["concepts_lenient"], matches["concepts_overlap"]
    columns = {name: of for name, of in lenient.columns.items() if name != key}
    matches["concepts_lenient"] = replace(lenient, columns=columns)
    matches["concepts_overlap"] = replace(overlap, columns={**overlap.columns, key: ("fn",)})


def list_pairings(corpus: Corpus, pairings: Sequence[Kinds], setup: Setup) -> dict[str, Match]:
    """The pairings of the page, of all kinds of items together."""
    outcomes = list_outcomes(corpus, pairings, setup)
    names = {kind: SCHEMES[kind].matches for kind in setup["kinds"]}
    wanted = {
        "exact/span": [(kind, "exact") for kind in names],
        "exact/both": [(kind, "strict") for kind in names],
        "overlap/both": [
            (k, "lenient" if "lenient" in of else "strict") for k, of in names.items()
        ],
    }
    stacked = {
        page: stack_matches([outcomes.matches[f"{kind}_{match}"] for kind, match in own])
        for page, own in wanted.items()
    }
    return {**stacked, "overlap/span": outcomes.matches["all"]}


def _checks() -> tuple[PairCheck, ...]:
    """The scores of each kind, which has labels of its own."""
    pages = {"strict": "exact/both", "exact": "exact/span", "lenient": "overlap/both"}
    pages["overlap"] = "overlap/span"
    found = [
        check
        for kind, scheme in SCHEMES.items()
        for match in scheme.matches
        for check in check_prf(f"{kind}_{match}", *pages[match].split("/"), classes=LABELS[kind])
    ]
    moved = {f"concepts_lenient_{name}" for name in ("recall", "f1", "fn")}  # see _move_missed
    return tuple(
        replace(check, protocols=("spec",)) if check.key in moved else check for check in found
    )


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - totals tell
    """Scores from totals; see the top of the file for the formulas."""
    scores: dict[str, Number] = {}
    for kind, scheme in SCHEMES.items():
        if f"{kind}_strict_tp" in totals:
            scores |= scheme.finish(totals)
    return scores


def find_problems(paths: Sequence[Path]) -> Iterator[Problem]:
    """All problems of .con, .ast and .rel files, line by line; of JSON Lines the first one."""
    for path in paths:
        if is_jsonl(path, FILES):
            yield from _check_jsonl(path)
        else:
            yield from checking.find_problems([path], FILES, check_file)


def _check_jsonl(path: Path) -> Iterator[Problem]:
    try:
        read_items(path, strict=True, side="predictions")
    except InputError as error:
        yield Problem("", 0, str(error))


def _grids() -> Iterator[Grid]:
    for kind, scheme in SCHEMES.items():
        yield from scheme.grids(kind.capitalize())


CHALLENGE = Challenge(
    name="i2b2_2010",
    kind="mentions",
    title="i2b2/VA 2010: Concepts, assertions and relations",
    configs={
        "default": "concepts, assertions and relations, as far as there are any",
        "concepts": "problems, tests and treatments",
        "assertions": "what is asserted of problems",
        "relations": "relations between concepts, which are found by the system too",
    },
    protocols=PROTOCOLS,
    differences=(
        Difference(
            "a prediction that begins before a concept and ends inside it",
            "overlaps it",
            "does not; one that begins inside and ends after it does",
            "q01",
        ),
        Difference(
            "pairing",
            "one to one: equal items first, then those that overlap most",
            "one to one: in the order of the files, the first that fits; inexact counts can be "
            "below exact ones",
            "q02, q05",
        ),
        Difference(
            "missed concepts of the row 'Class Inexact Span'",
            "are those of that row",
            "are those of the row above, and so are the three counts that are printed",
            "q03",
        ),
        Difference(
            "copies of an item in a file",
            "are one item",
            "are items of their own",
            "q06",
        ),
        Difference(
            "of several predictions with the same tokens, which is paired",
            "the one of equal label, then by the order of the labels",
            "the first one in the file",
            "q07",
        ),
        Difference(
            "case of a label",
            "does not matter",
            "does not matter for reading, but labels compare with it",
            "q08, q22d",
        ),
        Difference(
            "lines and tokens",
            "compare line first, then token",
            "are line times 1000 plus token",
            "q15",
        ),
        Difference(
            "lines that cannot be read",
            "are refused",
            "are skipped with a message",
            "q09",
        ),
        Difference(
            "ends of lines",
            "are LF and CRLF",
            "are also a lone CR, U+0085, U+2028 and U+2029",
            "q18b",
        ),
        Difference(
            "offsets that are negative, or an end before its start",
            "are refused",
            "are read",
            "q09b, q17",
        ),
        Difference(
            "a relation of a concept with itself",
            "is refused",
            "is read",
            "q22",
        ),
        Difference(
            "names of files",
            "end in .con, .ast or .rel",
            "end in con, ast or rel; one of less than three letters stops everything",
            "q11, q12",
        ),
    ),
    read=read,
    join=join,
    resolve=resolve,
    settings=settings,
    pair=pair,
    tally=tally,
    finish=finish,
    list_outcomes=list_outcomes,
    build=as_mentions(label="label"),
    class_slot=ClassSlot("label", "label"),
    offsets="tokens",
    view=MentionView(
        checks=_checks(),
        presets=(
            Preset("strict", "exact", "both", "concepts_strict_f1"),
            Preset("lenient", "overlap", "both", "concepts_lenient_f1"),
        ),
        slots=lambda _: SLOTS,
        list_pairings=list_pairings,
    ),
    docs=DocView(
        prefix="i10",
        names={
            **short_prf("concepts_strict", "c_str"),
            **short_prf("concepts_lenient", "c_len"),
            **short_prf("assertions_strict", "a_str"),
            **short_prf("relations_strict", "r_str"),
        },
        columns={
            "default": ("concepts_strict_f1", "assertions_strict_f1", "relations_strict_f1"),
            "concepts": ("concepts_strict_f1", "concepts_lenient_f1"),
            "assertions": ("assertions_strict_f1",),
            "relations": ("relations_strict_f1",),
        },
        group="clin",
        slots=lambda _: SLOTS,
        format="jsonl",
        take=list,
        relations="id",
    ),
    ranking={
        "default": ("concepts_strict_f1", "assertions_strict_f1", "relations_strict_f1"),
        **{kind: (f"{kind}_strict_f1",) for kind in ENDINGS},
    },
    scripts=("i2b2-2010",),
    notes_apart=True,
    single_files=False,
    demo=Demo(
        "i2b2/VA 2010: concepts, assertions and relations of four notes",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
        headline=5,
    ),
    grids=tuple(_grids()),
    homepage="https://www.i2b2.org/NLP/Relations/",
    citation="""\
@article{uzuner-etal-2011-i2b2va,
    title = "2010 {i2b2/VA} challenge on concepts, assertions, and relations in clinical text",
    author = "Uzuner, {\\"O}zlem and South, Brett R. and Shen, Shuying and DuVall, Scott L.",
    journal = "Journal of the American Medical Informatics Association",
    volume = "18",
    number = "5",
    year = "2011",
    pages = "552--556",
    doi = "10.1136/amiajnl-2011-000203",
}""",
    headline=(
        "concepts_strict_f1",
        "concepts_lenient_f1",
        "assertions_strict_f1",
        "relations_strict_f1",
    ),
    shown_per_document=tuple(
        f"{kind}_strict_{key}" for kind in ENDINGS for key in ("f1", "tp", "fp", "fn")
    ),
    validate=find_problems,
)
