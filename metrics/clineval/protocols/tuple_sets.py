"""Sets of mentions, links and relations, ready to be scored: a protocol that challenges use."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from typing import NoReturn, get_args

import numpy as np

from clineval.base.arrays import Coded, rank_rows
from clineval.base.errors import InputError, warn
from clineval.base.files import Source
from clineval.base.ratios import Number, Totals
from clineval.formats.given.forms import Items, open_given
from clineval.formats.given.relations import read_items
from clineval.formats.given.texts import option_of_texts, with_texts
from clineval.formats.parts import align_parts
from clineval.kinds.codes.hierarchical import HierarchyScores
from clineval.kinds.codes.hierarchy import WHERE
from clineval.kinds.mentions.any_class import pair_any_class
from clineval.kinds.mentions.columns import Side, check_texts
from clineval.kinds.mentions.corpus import Corpus, join_sides
from clineval.kinds.mentions.derived import keep, relabel
from clineval.kinds.mentions.measures import Spans
from clineval.kinds.mentions.outcomes import ANY_CLASS, NEAR_MISSES
from clineval.kinds.mentions.pairing import Pairs, pair_equal_keys
from clineval.kinds.mentions.parts import Part, stack_matches
from clineval.kinds.mentions.rows import Pairing, Rows, list_rows
from clineval.kinds.relations.columns import RelatedSide
from clineval.kinds.relations.kind import TupleKind
from clineval.kinds.relations.tuple_pages import OTHER, mark_words, name_sorts, shorten
from clineval.kinds.relations.tuples import LABEL, NO_CODE, SORT, VALUE, Role, list_tuples
from clineval.protocols.hierarchies import HIERARCHY, HIERARCHY_SETTING, name_hierarchy
from clineval.protocols.item_codes import CodedKind, ItemJudge
from clineval.protocols.placed_codes import find_judge
from clineval.results.averages import MACRO, label_key
from clineval.results.challenge import Setup
from clineval.results.columns import Sides
from clineval.results.declaring import check_words
from clineval.results.faces import Faces
from clineval.results.grid import Grid
from clineval.results.label_means import LabelMeans
from clineval.results.label_rows import LabelRows
from clineval.results.match import NONE, Match
from clineval.results.measures import Measure, Measures
from clineval.results.options import Option, check_name
from clineval.results.protocol import Protocol
from clineval.results.settings import declare_settings
from clineval.results.task import ClassSlot
from clineval.results.views import DocView, MentionView

Given = Side | RelatedSide
"""A side of tuples; or of mentions and relations, which become tuples when sides are joined."""
EVERY, MICRO, DEFAULT = "all", "micro", "default"
"""The match of all sorts; the usual match of a single sort; the configuration with all sorts."""
_NO_FILES = r"(?!)"
TEXTS = option_of_texts("reports", "the text of each document. Relations of Docs need it.")


@dataclass(frozen=True)
class TupleScores(Spans):
    """Precision, recall and F1 of all tuples of a sort, and of each label; without means."""

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores."""
        scores = super().finish(totals, config)
        return {key: score for key, score in scores.items() if not key.startswith(MACRO)}

    def list_parts(self, _scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Return nothing, because there are no means."""
        return {}

    def details(self) -> Iterable[Grid]:
        """Lay out each label."""
        if self.by:
            yield self.lay_out_labels()


@dataclass(frozen=True)
class TupleSets(Protocol[Given, Corpus, Pairing]):
    """Sets of tuples: mentions, their links, and relations between words or codes.

        mentions    (fragments, label)
        links       (fragments, label, code)
        words       (label of the source, relation, label of the target; words of both)
        codes       (label of the source, relation, label of the target; codes of both)

    A tuple counts once per document. A predicted tuple is right if the gold standard's document
    contains it. Documents on one side only count as all missed, or all spurious.

        P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

    over all tuples of a sort (``micro_``); :class:`~clineval.results.label_means.LabelMeans` are
    the means over labels, which for relations are the triples of labels. A configuration scores the
    sort with its name, and ``default`` scores all of them, with the name of the sort before each
    key.

    JSON Lines, dicts, Docs and answers of models contain mentions with a ``label`` and a ``code``,
    and the relations between them, from which tuples are made. A subclass can read files of the
    challenge that contain the tuples. Other labels are rejected in the gold standard, and wrong in
    predictions.

    Args:
        sorts: the names of the sorts, and what their tuples describe: ``mentions``, ``links``,
            ``words`` or ``codes``. The task needs a configuration for each sort, and ``default``.
        labels: the labels of mentions.
        relations: the labels of relations.
        short: the beginning of the names of scores in spaCy's training table; by default the first
            letters of the challenge's name.

    Raises:
        InputError: an argument is invalid.

    Examples:
        >>> from clineval import Challenge, Task, score
        >>> sorts = {"found": "mentions", "linked": "codes"}
        >>> sets = TupleSets(sorts, ("drug", "sign"), ("causes",))
        >>> configs = dict.fromkeys(("default", "found", "linked"), "")
        >>> task = Task("signs", "Signs", "https://example.org/", configs=configs, definition="")
        >>> ends = [{"id": "a", "spans": [[0, 4]], "label": "drug", "code": "u:1"},
        ...         {"id": "b", "spans": [[5, 9]], "label": "sign", "code": "u:2"}]
        >>> gold = [{"mentions": ends, "relations": [{"label": "causes", "from": "a", "to": "b"}]}]
        >>> result = score(Challenge(task, {"spec": sets}), [{"mentions": ends}], gold)
        >>> result["found_micro_f1"], result["linked_micro_recall"]
        (1.0, 0.0)
    """

    widest = EVERY
    label_match = EVERY

    sorts: Mapping[str, Role]
    labels: tuple[str, ...]
    relations: tuple[str, ...]
    _: KW_ONLY
    short: str = ""

    def __post_init__(self) -> None:
        check_words([*self.sorts], "sorts", least=1)
        for role in self.sorts.values():
            check_name("role", role, get_args(Role))
        check_words(self.labels, "labels", fold=label_key, least=1)
        check_words(self.relations, "relations")

    def read_side(self, source: object, side: str, _setup: Setup, /) -> Given:
        """Read JSON Lines, dicts or Documents."""
        if isinstance(source, (Side, RelatedSide)):
            return source
        read = partial(self.read_documents, gold=side == "references")
        return open_given(
            source, side, None, read_files=_refuse_files, read_items=read, lines_beside=_NO_FILES
        )

    def read_documents(self, items: Items, *, gold: bool) -> RelatedSide:
        """Read documents with mentions and relations; those of a gold standard are checked."""
        label = replace(LABEL, values=self.labels if gold else (), required=True)
        relations = self.relations if gold else ()
        related = read_items(items, [label, VALUE], relations, loops=True)
        self._warn_of_others(related)
        return related

    def _warn_of_others(self, related: RelatedSide) -> None:
        labels, names = related.side.mentions.attributes[LABEL.name], related.relations.label
        others = sum(labels.values[at] not in self.labels for at in labels.ids.tolist())
        others += sum(names.values[at] not in self.relations for at in names.ids.tolist())
        problem = "{n} {annotation has|annotations have} a label that the challenge does not have"
        warn(f"{problem}, and {{counts|count}} as wrong", n=others)

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[Given, list[Given]]:
        """Read both sides, and the texts."""
        self.find_judge(setup)  # rejects a configuration without codes
        gold, systems = super().read(references, predictions, setup)
        return with_texts(gold, setup["texts"]), systems

    def sorts_of(self, setup: Setup) -> Mapping[str, Role]:
        """Return the sorts that a configuration scores."""
        return self.sorts if setup.config == DEFAULT else {setup.config: self.sorts[setup.config]}

    def join(self, gold: Given, predicted: Given, setup: Setup, /) -> Corpus:
        """Join the tuples of both sides."""
        check_texts(gold.noted, predicted.noted)
        golds, found = (self.make_tuples(each, gold, setup) for each in (gold, predicted))
        known = {*golds.mentions.attributes[SORT.name].compact().values}
        warn(
            "{n} {subtask has|subtasks have} no gold annotation, so that {its|their} scores are 0: "
            "{names}",
            [sort for sort in self.sorts_of(setup) if sort not in known],
        )
        return self.join_tuples(golds, align_parts(found, golds), setup)

    def join_tuples(self, gold: Side, predicted: Side, _setup: Setup) -> Corpus:
        """Join the tuples that are scored."""
        return join_sides(gold, predicted, (SORT, LABEL, VALUE))

    def make_tuples(self, given: Given, gold: Given, setup: Setup) -> Side:
        """Return the tuples that are scored; with all sorts, labels begin with the sort."""
        sorts, side = self.sorts_of(setup), given
        if isinstance(side, RelatedSide):
            texts = find_texts(side.side, gold.noted)
            side = self.make_related(side, texts, setup, gold=given is gold)
        mentions = keep(SORT, sorts.__contains__)(side.mentions, {})
        mentions = name_sorts(mentions) if setup.config == DEFAULT else mentions
        return replace(side, mentions=mentions)

    def make_related(
        self,
        related: RelatedSide,
        texts: Sequence[str | None],
        setup: Setup,
        *,
        gold: bool,  # noqa: ARG002 - released programs treat the sides differently
    ) -> Side:
        """Return the tuples of mentions and relations."""
        return list_tuples(related, texts, self.sorts_of(setup))

    def pair(self, block: Corpus, setup: Setup, /) -> Pairing:
        """Pair equal tuples of each sort."""
        return {
            self.name_match(sort, setup): self.pair_sort(select_sort(block, sort))
            for sort in self.sorts_of(setup)
        }

    def pair_sort(self, part: Part) -> Pairs:
        """Pair equal tuples of one sort."""
        sides = part.corpus.gold, part.corpus.prediction
        columns = [
            np.concatenate(both)
            for both in (
                [side.place for side in sides],
                [side.shape for side in sides],
                *([side.ids(slot.name) for side in sides] for slot in (LABEL, VALUE)),
            )
        ]
        return pair_equal_keys(*np.split(rank_rows(columns), [len(sides[0])]))

    def list_matches(self, block: Corpus, pairing: Pairing, setup: Setup, /) -> Mapping[str, Rows]:
        """Return the verdict on every tuple."""
        matches: dict[str, Rows] = {}
        for sort in self.sorts_of(setup):
            part, name = select_sort(block, sort), self.name_match(sort, setup)
            rows = self.score(sort, setup.config).list_rows(part.corpus, pairing[name], self.labels)
            matches[name] = replace(rows, among=part.among)
        judge = self.find_judge(setup)
        return {**matches, **judge.list_matches(block, {})} if judge else matches

    def find_judge(self, setup: Setup) -> ItemJudge | None:
        """Return the judge of codes, if there is a hierarchy.

        Raises:
            InputError: the configuration has no codes.
        """
        judge = find_judge(setup, str, NO_CODE)
        if judge is None:
            return None
        coded = {s: of for s, of in self.sorts_of(setup).items() if of in ("links", "codes")}
        if not coded:
            raise InputError(f"the configuration {setup.config} has no codes", where=WHERE)
        start = "{}_" if setup.config == DEFAULT else ""
        kinds = [
            CodedKind(sort, role == "codes", start.format(sort), SORT.name, VALUE.name)
            for sort, role in coded.items()
        ]
        return ItemJudge(judge, kinds)

    def resolve(self, corpus: Corpus, setup: Setup, /) -> Setup:
        """Check that codes are in the hierarchy, if there is one."""
        if judge := self.find_judge(setup):
            judge.check(corpus)
        return setup

    own_settings = declare_settings(HIERARCHY_SETTING)

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the hierarchy, if there is one."""
        return name_hierarchy(setup)

    def widen(
        self, corpus: Corpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add the tuples of all sorts together, and pairs of overlapping tuples of a sort."""
        counted = [matches[self.name_match(sort, setup)] for sort in self.sorts_of(setup)]
        near = [pair_any_class(match, *corpus.sides, corpus.documents) for match in counted]
        every = {**matches, EVERY: stack_matches(counted), ANY_CLASS: stack_matches(near)}
        judge = self.find_judge(setup)
        if judge is None:
            return every
        sorts = dict(zip(self.sorts_of(setup), counted, strict=True))
        near_misses = stack_matches([*{**sorts, **judge.explain(corpus, sorts)}.values()])
        return {**every, NEAR_MISSES: replace(near_misses, reason_slot=VALUE.name)}

    def list_labels(self, corpus: Corpus, setup: Setup, /) -> LabelRows:
        """Return the label of every tuple."""
        listed = list_rows(self.list_matches(corpus, self.pair(corpus, setup), setup))
        names = [self.name_match(sort, setup) for sort in self.sorts_of(setup)]
        match = stack_matches([listed[name] for name in names])
        gold, found = corpus.sides
        labels = gold.attributes[LABEL.name], found.attributes[LABEL.name]
        return LabelRows.of(
            len(corpus.documents),
            match.choose(gold.document, found.document),
            Coded(match.choose(labels[0].ids, labels[1].ids), self.order_labels(corpus)),
            (match.gold != NONE, match.prediction != NONE),
        )

    def order_labels(self, corpus: Corpus) -> tuple[str, ...]:
        """Return the names of labels for means, which add up labels in the order of their names."""
        return corpus.gold.columns.attributes[LABEL.name].values

    def page_sides(self, corpus: Corpus, setup: Setup, /) -> Sides:
        """Return the tuples for a page, whose classes of relations are the relations alone.

        Marks stand for the words of relations, because a page may be made without texts.
        """
        known = self.known_labels(setup)
        gold, prediction = (
            relabel(LABEL, lambda label: shorten(label, known))(side, {})
            for side in mark_words(corpus, [s for s, role in self.sorts.items() if role == "words"])
        )
        return gold, prediction

    def known_labels(self, _setup: Setup, /) -> Collection[str]:
        """Return the labels of mentions and relations, also with a sort before them."""
        known = (*self.labels, *self.relations)
        return {*known, *(f"{sort}: {label}" for sort in self.sorts for label in known)}

    def name_match(self, sort: str, setup: Setup) -> str:
        """Return the name of the match of a sort."""
        return self.score(sort, setup.config).name

    def score(self, sort: str, config: str) -> TupleScores:
        """Return the scores of a sort in a configuration.

        Args:
            sort: the name of the sort.
            config: the configuration.
        """
        placed = self.sorts[sort] in ("mentions", "links")
        labels = self.labels if placed else self.relations
        common = TupleScores(
            MICRO,
            "Micro-average",
            by=LABEL.name if placed else "",
            heading="tuples",
            place="exact/both",
            preset=MICRO,
            short="m",
        )
        if config != DEFAULT:
            return replace(common, labels=self.labels) if placed else common
        return replace(
            common,
            name=f"{sort}_{MICRO}",
            title="Micro-averages",
            by="",
            heading=sort,
            preset=sort,
            short=sort[:4],
            narrow={"classes": tuple(f"{sort}: {label}" for label in (*labels, OTHER))},
        )

    @property
    def means(self) -> Iterator[Measure]:
        """The means over labels, of a single sort and of each sort of several."""
        yield LabelMeans(configs=tuple(self.sorts))
        for sort in self.sorts:
            yield LabelMeans(f"{sort}_", among=f"{sort}: ", configs=(DEFAULT,), heading=sort)

    @property
    def measures(self) -> Measures:
        """Micro-averages and means; micro F1 ranks systems."""
        sorts = [*self.sorts]
        every = [self.score(sort, DEFAULT) for sort in sorts]
        micro = self.score(sorts[0], sorts[0])
        ranking = {DEFAULT: tuple(f"{score.name}_f1" for score in every)}
        ranking |= dict.fromkeys(sorts, (f"{MICRO}_f1",))
        kinds = [f"{sort}_" for sort, role in self.sorts.items() if role in ("links", "codes")]
        traced = HierarchyScores(among=("", *kinds))
        return Measures.of(*every, micro, *self.means, traced, ranking=ranking)

    @property
    def options(self) -> tuple[Option, ...]:
        """The notes' texts, and the hierarchy of codes."""
        return (TEXTS, HIERARCHY)

    @property
    def kind(self) -> TupleKind:
        """Mentions with labels and codes, and relations between them."""
        return TupleKind(
            ClassSlot(LABEL.name, "label"),
            slots_of=lambda _: (LABEL, VALUE),
            labels=self.relations,
        )

    @property
    def faces(self) -> Faces:
        """A page of tuples, and Docs with relations."""
        classes = {sort: self.score(sort, DEFAULT).narrow["classes"] for sort in self.sorts}
        ranking = self.measures.ranking
        return Faces(
            page=MentionView(
                matches=dict.fromkeys(
                    ("exact/span", "exact/both", "overlap/span", "overlap/both"), EVERY
                ),
                equal_only=True,
                parts=classes,
            ),
            docs=DocView(
                self.short,
                ranking,
                slots=lambda _: (LABEL, VALUE),
                format="jsonl",
                take=list,
                relations="id",
            ),
        )


def _refuse_files(_source: Source) -> NoReturn:
    raise InputError("expected JSON Lines of documents with mentions and relations")


def select_sort(corpus: Corpus, sort: str) -> Part:
    """Return the tuples of a sort."""
    return Part.of(corpus, {SORT.name: (sort,)})


def find_texts(side: Side, gold: Side) -> Sequence[str | None]:
    """Return the text of each document, by its own side or by the gold standard."""
    own = side.texts or (None,) * len(side.documents)
    named = side.keys is not None and gold.keys is not None
    keys = (gold.keys or ()) if named else range(len(gold.documents))
    texts = dict(zip(keys, gold.texts, strict=False))
    known = (side.keys or ()) if named else range(len(side.documents))
    return [texts.get(key) if text is None else text for key, text in zip(known, own, strict=True)]
