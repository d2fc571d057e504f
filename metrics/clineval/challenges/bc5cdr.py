"""BioCreative V CDR: diseases and chemicals in abstracts, their concepts, and what causes what.

Sets of items are compared, so that an item counts once in a document however often it is said.

    mentions     (fragments, type); the types are Disease and Chemical
    concepts     (type, concept): the concepts that a document mentions
    relations    (chemical, disease): chemicals that induce diseases (CID)

Precision, recall and F1 over all documents:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

of mentions and of concepts, of each type (disease_concepts_f1 is the score of the task DNER), of
both (mentions_f1, concepts_f1), and averaged over the types that either side has
(macro_concepts_f1); and of relations (relations_f1, the score of the task CID). All scores lie
between 0 and 1; a score whose denominator is 0 is 0.

A concept is a name space and an identifier, such as MESH:D001249 or OMIM:1; without a name space
it is one of MESH. Case and blanks do not matter. ``-1``, ``-`` and nothing are no concept. A
composite mention has several concepts, an individual mention within it (BioC: ``CompositeRole``) is
no mention of its own, but its concepts count. A relation between several concepts stands for each
pair.

Predictions in documents that the gold standard does not have are false positives, with a warning.

Files are PubTator or BioC in XML. In Python a document is a dict of ``mentions``, with ``spans``,
``label`` and ``concepts``, and ``relations``, ``from`` a chemical's concept ``to`` a disease's.

``protocol="official"`` gives the numbers of the challenge's evaluation kit, with its own rules
throughout: predictions in a document without a gold item of the same kind and type do not count.

Sources: Wei et al., Assessing the state of the art in biomedical relation extraction: overview of
the BioCreative V chemical-disease relation (CDR) task, Database, 2016; the evaluation kit's readme;
for the differences, what its program does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clineval.arrays import Coded, IntArray, rank_rows
from clineval.challenge import Challenge, ClassSlot, Demo, Difference, Grid, Setup
from clineval.errors import InputError
from clineval.formats.pubtator import (
    KINDS,
    MENTIONS,
    RELATION,
    ItemSide,
)
from clineval.inputs.concept_items import find_problems, read_items
from clineval.mentions.columns import MentionColumns
from clineval.mentions.corpus import Corpus, Mentions
from clineval.mentions.labelled import finish_labels, grid_of_means
from clineval.mentions.outcomes import (
    Match,
    MatchKind,
    Outcomes,
    columns_of,
    join_pairings,
    list_matches,
    tally_matches,
)
from clineval.mentions.pairing import Pairs
from clineval.mentions.parts import Part, stack_matches
from clineval.mentions.slots import Slot
from clineval.mentions.tagged import as_mentions
from clineval.ratios import Columns, Number, Totals, precision_recall_f1, prf_keys
from clineval.sides import align_documents
from clineval.views import DocView, MentionView, Preset, check_prf, short_prf

LABEL, CONCEPT = Slot("label", "label", (*MENTIONS, RELATION)), Slot("concept", "label")
_KIND = "kind"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ.

    Args:
        strict: read as the document says, or as the program does.
        documents: predictions count in ``all`` documents, or where there are ``gold`` items of the
            same kind and type.
    """

    strict: bool
    documents: str


PROTOCOLS = {
    "spec": Rules(strict=True, documents="all"),
    "official": Rules(strict=False, documents="gold"),
}
SCORED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    **{
        f"{label.lower()}_{kind}": (kind, (label,))
        for kind in ("mentions", "concepts")
        for label in MENTIONS
    },
    **{kind: (kind, ()) for kind in KINDS},
}
"""What is scored: a kind of items, and the types that it has; all if empty."""
_LABELS = {"mentions": MENTIONS, "concepts": MENTIONS, "relations": (RELATION,)}


def read(
    references: Any, predictions: Sequence[Any], setup: Setup
) -> tuple[ItemSide, list[ItemSide]]:
    """Both sides: PubTator, BioC, JSON Lines, dicts, or Documents."""
    strict = setup.rules.strict
    gold = read_items(references, strict=strict, side="references")
    return gold, [read_items(each, strict=strict, side="predictions") for each in predictions]


def join(gold: ItemSide, predicted: ItemSide, setup: Setup) -> Corpus:
    """Both sides together; equal items have the same place."""
    documents, *numbers = align_documents(gold, predicted)
    asked = KINDS if setup.config == "default" else (setup.config,)
    columns = [_as_columns(s, n, asked) for s, n in zip((gold, predicted), numbers, strict=True)]
    if not setup.rules.strict:
        _refuse_several(columns, documents)
    columns = _share_values(columns)
    size = len(columns[0])
    texts: dict[str, int] = {}
    keys = [_keys_of(side, texts) for side in columns]
    ranks = rank_rows([np.concatenate(both) for both in zip(*keys, strict=True)])
    places = np.split(ranks, [size])
    sides = [
        Mentions(side, place, np.zeros(len(side), np.int64))
        for side, place in zip(columns, places, strict=True)
    ]
    return Corpus(documents, sides[0], sides[1], {})


def _as_columns(side: ItemSide, numbers: IntArray, kinds: Sequence[str]) -> MentionColumns:
    """The items of the kinds that are scored, as mentions."""
    document = numbers[side.document] if len(side.document) else side.document
    whole = MentionColumns(
        document,
        side.bounds,
        side.starts,
        side.ends,
        {_KIND: side.kind, LABEL.name: side.label, CONCEPT.name: side.concept},
        Coded(np.zeros(len(document), np.int8), ("",)),
    )
    known = np.array([value in kinds for value in side.kind.values], np.bool_)
    wanted = known[side.kind.ids] if len(document) else np.zeros(0, np.bool_)
    order = np.argsort(document, kind="stable")
    return whole.take(order[np.flatnonzero(wanted[order])])


def _refuse_several(columns: Sequence[MentionColumns], documents: Sequence[str]) -> None:
    for side in columns:
        several = np.flatnonzero(side.fragment_counts > 1)
        if len(several):
            raise InputError(
                "the released program stops at a mention with several locations",
                where=f"document {documents[side.document[several[0]]]}",
            )


def _share_values(columns: Sequence[MentionColumns]) -> list[MentionColumns]:
    """Give equal values of the two sides equal numbers."""
    attributes: list[dict[str, Coded]] = [{}, {}]
    for name in columns[0].attributes:
        own = [side.attributes[name] for side in columns]
        values = tuple(sorted({value for column in own for value in column.values}))
        for shared, column in zip(attributes, own, strict=True):
            shared[name] = column.fold(str, values)
    return [replace(side, attributes=of) for side, of in zip(columns, attributes, strict=True)]


def _keys_of(side: MentionColumns, texts: dict[str, int]) -> list[IntArray]:
    """What makes two items the same: all that they have.

    Args:
        side: the items.
        texts: the numbers of spans of several fragments, of both sides.
    """
    values = [column.ids for column in side.attributes.values()]
    first = side.bounds[:-1]
    rest = np.zeros(len(side), np.int64)
    for row in np.flatnonzero(side.fragment_counts > 1).tolist():
        rest[row] = texts.setdefault(side.text_of_spans(row), len(texts) + 1)
    return [side.document, *values, side.starts[first], side.ends[first], rest]


def pair(corpus: Corpus, setup: Setup) -> Mapping[str, Pairs]:
    """Equal items, of each kind and type; predictions that do not count are displaced."""
    asked = KINDS if setup.config == "default" else (setup.config,)
    pairs = {}
    for name, (kind, _) in SCORED.items():
        if kind in asked:
            part = _select(corpus, name).corpus
            _, left, right = np.intersect1d(
                part.gold.place, part.prediction.place, assume_unique=True, return_indices=True
            )
            pairs[name] = Pairs(left, right, _find_displaced(part, setup))
    return pairs


def _find_displaced(part: Corpus, setup: Setup) -> IntArray:
    """The predictions in documents without a gold item, where these do not count."""
    if setup.rules.documents == "all":
        return np.zeros(0, np.int64)
    visited = part.gold.columns.sizes(len(part.documents)) > 0
    return np.flatnonzero(~visited[part.prediction.columns.document])


def _select(corpus: Corpus, name: str) -> Part:
    """The items that a score is of."""
    kind, labels = SCORED[name]
    return Part.of(corpus, {_KIND: (kind,), LABEL.name: labels})


def _compare(corpus: Corpus, pairs: Pairs) -> dict[str, Any]:  # noqa: ARG001 - they are equal
    return dict.fromkeys((LABEL.name, CONCEPT.name), np.ones(len(pairs), np.bool_))


def tally(corpus: Corpus, pairing: Mapping[str, Pairs], setup: Setup) -> Columns:  # noqa: ARG001
    """The counts of each document."""
    columns: dict[str, Any] = {}
    for name, pairs in pairing.items():
        kinds = {name: MatchKind(columns_of(name))}
        columns |= tally_matches(_select(corpus, name).corpus, {name: pairs}, kinds)
    return columns


def list_outcomes(
    corpus: Corpus, pairings: Sequence[Mapping[str, Pairs]], setup: Setup
) -> Outcomes:
    """What became of every item; concepts and relations are mentions without words."""
    blocks = list(corpus.blocks())
    matches: dict[str, Match] = {}
    for name in pairings[0]:
        part = _select(corpus, name)
        parts = [_select(block, name).corpus for block in blocks]
        found = join_pairings(parts, [{name: pairs[name]} for pairs in pairings])
        kinds = {name: MatchKind(columns_of(name), _compare)}
        [match] = list_matches(part.corpus, found, kinds).values()
        matches[name] = part.put_back(match)
    whole = stack_matches([match for name, match in matches.items() if name in KINDS])
    return Outcomes(
        CHALLENGE,
        setup.config,
        corpus.documents,
        corpus.gold.columns,
        corpus.prediction.columns,
        {**matches, "all": whole},
        "all",
        finish,
    )


def _name_kinds(corpus: Corpus, setup: Setup) -> Corpus:  # noqa: ARG001 - as views have it
    """The items with classes that say which kind they are of, such as ``Disease concepts``."""
    sides = []
    for side in (corpus.gold, corpus.prediction):
        given = side.columns.attributes
        label, kind = given[LABEL.name], given[_KIND]
        values = tuple(_class_of(each, of) for each in label.values for of in kind.values)
        ids = label.ids.astype(np.int64) * len(kind.values) + kind.ids
        named = {**given, LABEL.name: Coded(ids, values)}
        sides.append(replace(side, columns=replace(side.columns, attributes=named)))
    return replace(corpus, gold=sides[0], prediction=sides[1])


def _class_of(label: str, kind: str) -> str:
    return label if kind == "relations" else f"{label} {kind}"


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - totals tell
    """Scores from totals; see the top of the file for the formulas."""
    scores: dict[str, Number] = {}
    for kind in KINDS:
        if f"{kind}_tp" in totals:
            scores |= (
                precision_recall_f1(kind, totals)
                if kind == "relations"
                else finish_labels(totals, {kind: kind}, MENTIONS)
            )
    return scores


def _rows(kind: str) -> dict[str, tuple[str, ...]]:
    of_types = {label: prf_keys(f"{label.lower()}_{kind}") for label in MENTIONS}
    return {**of_types, "both": prf_keys(kind)}


_HEADINGS = ("P", "R", "F1", "TP", "FP", "FN")
CHALLENGE = Challenge(
    name="bc5cdr",
    kind="mentions",
    title="BioCreative V CDR: Chemicals, diseases and their relations",
    configs={
        "default": "mentions, concepts and relations",
        "mentions": "mentions of diseases and chemicals",
        "concepts": "the concepts of each document; those of diseases are the task DNER",
        "relations": "chemicals that induce diseases, the task CID",
    },
    protocols=PROTOCOLS,
    differences=(
        Difference(
            "predictions in a document without a gold item of the kind and type that is scored",
            "are false positives",
            "do not count",
            "m05, i04, r07",
        ),
        Difference(
            "predictions in a document that the gold standard does not have",
            "are false positives, with a warning",
            "do not count",
            "m06",
        ),
        Difference(
            "case of concepts, and blanks around them",
            "do not matter",
            "make other concepts",
            "i06, i07, i11",
        ),
        Difference(
            "MESH:-1",
            "is no concept, as -1 is not",
            "is a concept",
            "i10",
        ),
        Difference(
            "concepts in BioC",
            "have the name of their infon as name space; all infons are read",
            "are those of the infon MESH or else OMIM, and are all of MESH",
            "x04, x05, x06",
        ),
        Difference(
            "a relation that lacks a concept",
            "is refused in the gold standard, and spurious in predictions",
            "has null in its place, which equals null",
            "r04, x13",
        ),
        Difference(
            "a relation with several concepts at an end",
            "stands for each pair",
            "has one concept, with the bar in it",
            "r06",
        ),
        Difference(
            "a mention with several locations",
            "is discontiguous",
            "stops the program",
            "x07",
        ),
        Difference(
            "annotations of sentences and documents, relations of passages in BioC",
            "are read",
            "are not",
            "x11, x12, x14",
        ),
        Difference(
            "lines of text",
            "begin with an identifier and a t or an a between bars",
            "have a t or an a between bars anywhere",
            "m11",
        ),
        Difference(
            "lines and types that are none of the format",
            "are refused",
            "are not read, or stop the program",
            "m18, m19, m21",
        ),
    ),
    read=read,
    join=join,
    pair=pair,
    tally=tally,
    finish=finish,
    list_outcomes=list_outcomes,
    build=as_mentions(label="label"),
    class_slot=ClassSlot("label", "type"),
    view=MentionView(
        checks=tuple(
            replace(check, protocols=("spec",) if labels else ())  # see Rules.documents
            for name, (kind, labels) in SCORED.items()
            for check in check_prf(
                name,
                "exact",
                "both",
                classes=tuple(_class_of(each, kind) for each in labels or _LABELS[kind]),
            )
        ),
        presets=tuple(Preset(name, "exact", "both", f"{name}_f1") for name in KINDS),
        slots=lambda _: (LABEL, CONCEPT),
        matches=dict.fromkeys(("exact/span", "exact/both", "overlap/span", "overlap/both"), "all"),
        units=_name_kinds,
        equal_only=True,
    ),
    docs=DocView(
        prefix="cdr",
        names={
            **short_prf("mentions", "ment"),
            **short_prf("disease_concepts", "dner"),
            **short_prf("relations", "cid"),
        },
        columns={
            "default": ("mentions_f1", "disease_concepts_f1", "relations_f1"),
            "mentions": ("mentions_f1",),
            "concepts": ("disease_concepts_f1",),
            "relations": ("relations_f1",),
        },
        group="clin",
        slots=lambda _: (LABEL, CONCEPT),
        format="jsonl",
        take=list,
        relations=CONCEPT.name,
    ),
    ranking={
        "default": ("disease_concepts_f1", "relations_f1"),
        "mentions": ("mentions_f1",),
        "concepts": ("disease_concepts_f1",),
        "relations": ("relations_f1",),
    },
    scripts=("bc5cdr",),
    demo=Demo(
        "BioCreative V CDR: chemicals, diseases and relations of four invented abstracts",
        "gold.PubTator",
        {"dictionary": "dictionary.PubTator", "tagger": "tagger.PubTator"},
    ),
    grids=(
        Grid("Mentions", _HEADINGS, _rows("mentions")),
        Grid("Concepts of documents (Disease: DNER)", _HEADINGS, _rows("concepts")),
        Grid("Relations of documents", _HEADINGS, {"CID": prf_keys("relations")}),
        grid_of_means("Mean of the types", {"mentions": "mentions", "concepts": "concepts"}),
    ),
    homepage="https://biocreative.bioinformatics.udel.edu/tasks/biocreative-v/track-3-cdr/",
    citation="""\
@article{wei-etal-2016-assessing,
    title = "Assessing the state of the art in biomedical relation extraction: overview of the
        {BioCreative} {V} chemical-disease relation ({CDR}) task",
    author = "Wei, Chih-Hsuan and Peng, Yifan and Leaman, Robert and Davis, Allan Peter and
        Mattingly, Carolyn J. and Li, Jiao and Wiegers, Thomas C. and Lu, Zhiyong",
    journal = "Database",
    volume = "2016",
    pages = "baw032",
    year = "2016",
    doi = "10.1093/database/baw032",
}""",
    headline=("mentions_f1", "disease_concepts_f1", "relations_f1"),
    shown_per_document=tuple(
        f"{name}_{key}"
        for name in ("mentions", "disease_concepts", "relations")
        for key in ("f1", "tp", "fp", "fn")
    ),
    validate=find_problems,
)
