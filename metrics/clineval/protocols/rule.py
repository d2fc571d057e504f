"""A rule for two documents, ready to be scored: a protocol for scores of your own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import pairwise
from typing import Generic

import numpy as np

from clineval.base.arrays import FloatArray, find_first
from clineval.base.errors import InputError, called, shown
from clineval.kinds.mentions.measures import Spans
from clineval.kinds.mentions.outcomes import ANY_CLASS
from clineval.kinds.mentions.rows import Rows, columns_of, list_rows
from clineval.protocols.delegating import Delegating
from clineval.protocols.rule_rows import Added, Row, RuleRows
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.declaring import check_class, check_words
from clineval.results.faces import Faces
from clineval.results.item import Item
from clineval.results.kind import Kind
from clineval.results.match import Match
from clineval.results.measures import Measure, Measures
from clineval.results.options import Option
from clineval.results.protocol import CorpusT, PairingT, Protocol, SideT
from clineval.results.views import ListView, MentionView

Compare = Callable[[Sequence[Item], Sequence[Item]], Mapping[str, Iterable[Row]]]
_SHOWN = "shown/"
"""The beginning of the names of matches that only a page shows."""


@dataclass(frozen=True)
class Rule(Delegating[SideT, CorpusT, Mapping[str, Match]], Generic[SideT, CorpusT, PairingT]):
    """Documents, compared one by one by your own function.

    The function takes the gold and the predicted items of a document, at least one item in all. It
    returns rows for each kind of match. A row has the index of a gold item or None, the index of a
    predicted item or None, and a verdict: ``tp``, ``fp``, ``fn``, or ``displaced``, which is not
    counted. An item without a row does not count. A pair of the first kind of match can also add to
    sums: a fourth element maps the name of a sum to a number.

    Each kind of match counts ``<name>_tp``, ``_fp`` and ``_fn``, and each label
    ``<label>_<name>_tp`` and so on. Each sum is counted for all pairs, and as ``<label>_<sum>`` for
    the pairs whose gold item has the label. For averages over labels or documents, add
    :class:`~clineval.Averages` to ``scores``.

    Another ready protocol reads and shows the annotation; its own scores are not computed.

    Args:
        match: the function.
        of: the protocol of the annotation, such as ``LabelledSpans(("WOUND",))``.
        matches: the names of the kinds of match, the main one first.
        labels: the labels that are scored separately.
        sums: the names of the sums.
        scores: the measures; by default precision, recall and F1 of each kind of match.
        pairs: whether true positives are pairs of items. If not, ``tp`` may stand for an item of
            one side, and errors, agreement and pages show the pairs of the other protocol.

    Raises:
        InputError: an argument is invalid; when a corpus is scored, a row is invalid.

    Examples:
        >>> from clineval import Challenge, CodeSets, Task, score
        >>> def match(gold, found):
        ...     pairs = [(g, p) for g, one in enumerate(gold) for p, other in enumerate(found)
        ...              if one.label[0] == other.label[0]]
        ...     lost = {*range(len(gold))} - {g for g, _ in pairs}
        ...     return {"chapter": [*((g, p, "tp") for g, p in pairs),
        ...                         *((g, None, "fn") for g in lost)]}
        >>> chapters = Challenge(Task("chapters", "Chapters", "https://example.org/", definition="",
        ...                           file=""), {"spec": Rule(match, CodeSets(), ("chapter",))})
        >>> score(chapters, [["J18", "I10"]], [["J20", "E11"]])["chapter_recall"]
        0.5
    """

    match: Compare
    of: Protocol[SideT, CorpusT, PairingT]
    matches: tuple[str, ...] = ("strict",)
    _: KW_ONLY
    labels: tuple[str, ...] = ()
    sums: tuple[str, ...] = ()
    scores: tuple[Measure, ...] = ()
    pairs: bool = True

    def __post_init__(self) -> None:
        if not callable(self.match):
            raise InputError(f"expected a function, got {shown(self.match)}", where="match")
        if not isinstance(self.of, Protocol):
            problem = f"expected a ready protocol such as CodeSets(), got {shown(self.of)}"
            raise InputError(problem, where="of")
        check_words(self.matches, "matches", least=1)
        for name in ("labels", "sums"):
            check_words(getattr(self, name), name)
        check_class(self.scores, Measure, "scores", "Give measures such as Prf and Formula")

    @property
    def widest(self) -> str:  # type: ignore[override]
        """The last kind of match."""
        return self.matches[-1]

    @property
    def kind(self) -> Kind:
        """The kind of the other protocol."""
        return self.of.kind

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the other protocol."""
        return self.of.options

    @property
    def measures(self) -> Measures:
        """The scores."""
        return Measures.of(*(self.scores or self._by_match.values()))

    @property
    def _by_match(self) -> dict[str, Spans]:
        """Name of a kind of match to its precision, recall and F1."""
        slot = self.kind.class_slot
        by = slot.name if self.labels and slot else ""
        return {
            name: Spans(name, f"Matches, {name}", by=by, labels=self.labels)
            for name in self.matches
        }

    def inner(self, _setup: Setup, /) -> Protocol[SideT, CorpusT, PairingT]:
        """Return the protocol that reads and shows the annotation."""
        return self.of

    def pair(self, block: CorpusT, setup: Setup, /) -> Mapping[str, Match]:
        """Apply the rule to one document after the other."""
        sides = self.sides(block, setup)
        golds, predictions = self.kind.list_items(block, sides)
        edges = np.arange(len(block.documents) + 1)
        bounds = [find_first(side.document, edges) for side in sides]
        main = self.matches[0]
        rows_by_name = {name: RuleRows(name, main, self.sums, self.pairs) for name in self.matches}
        of_documents = zip(*(pairwise(side.tolist()) for side in bounds), strict=True)
        for document, ((first, end), (first_found, end_found)) in enumerate(of_documents):
            if first == end and first_found == end_found:
                continue
            rows = self.match(golds[first:end], predictions[first_found:end_found])
            for name, of_match in rows.items():
                if name not in rows_by_name:
                    raise self._refuse(name, block.documents[document])
                rows_by_name[name].add(document, of_match)
        read = {name: rows.as_match(block.documents, bounds) for name, rows in rows_by_name.items()}
        matches = {name: match for name, (match, _) in read.items()}
        return {**matches, main: self._add_sums(*read[main], golds)}

    def _refuse(self, name: str, document: str) -> InputError:
        """Return the error for a kind of match that was not declared."""
        problem = f"the rule returns a kind of match other than {', '.join(self.matches)}"
        return InputError(problem, where=f"document {called(document)}, match {name!r}")

    def _add_sums(self, match: Match, added: Sequence[Added], golds: Sequence[Item]) -> Match:
        """Add what the pairs of a match add to sums: of all labels, and of each."""
        pairs = match.gold[: match.pairs].tolist()
        labels = np.array([golds[gold].label for gold in pairs if self.sums], np.object_)
        sums: list[tuple[str, FloatArray]] = []
        for name in self.sums:
            values = np.array([of_pair.get(name, 0.0) for of_pair in added], np.float64)
            of_labels = ((label, np.where(labels == label, values, 0.0)) for label in self.labels)
            sums.append((name, values))
            sums += ((f"{label_key(label)}_{name}", some) for label, some in of_labels)
        return replace(match, sums=lambda: sums)

    def list_matches(
        self, block: CorpusT, pairing: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the rows of each kind of match, those of each label too."""
        sides, slot = self.sides(block, setup), self.kind.class_slot
        rows = {name: Rows(match, sides, columns_of(name)) for name, match in pairing.items()}
        if not self.labels or slot is None:
            return rows
        columns = [side.attributes[slot.name] for side in sides]
        return {
            name: measure.split(rows[name], columns, self.labels)
            for name, measure in self._by_match.items()
        }

    def widen(
        self, corpus: CorpusT, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add pairs of any class, as the other protocol finds them."""
        if not self.kind.offsets:  # nothing overlaps that has no place
            return {**matches, ANY_CLASS: matches[self.widest]}
        if self.pairs:
            widened = self.of.widen(corpus, {self.of.widest: matches[self.widest]}, setup)
            return {**widened, **matches}
        paired = self.of.pair(corpus, setup)
        rows = list_rows(self.of.list_matches(corpus, paired, setup))
        shown = self.of.widen(corpus, rows, setup)
        any_class = shown.get(ANY_CLASS) or shown[self.of.widest or [*shown][-1]]
        named = {f"{_SHOWN}{name}": replace(match, columns={}) for name, match in shown.items()}
        return {**named, **matches, ANY_CLASS: any_class}

    @property
    def faces(self) -> Faces:
        """The faces of the other protocol, with the scores of this one."""
        faces, shown = self.of.faces, self.measures.headline
        docs = faces.docs and replace(faces.docs, columns={"default": shown}, names={})
        page = faces.page and self._show(faces.page, shown)
        return replace(faces, page=page, docs=docs)

    def _show(self, page: MentionView | ListView, shown: Sequence[str]) -> MentionView | ListView:
        """Return the page of pairs; if the rule has no pairs, with the other protocol's pairs."""
        if not self.pairs:
            return page.with_prefix(_SHOWN, shown)
        first, last = self.matches[0], self.matches[-1]
        places = {"exact/span": first, "overlap/span": ANY_CLASS}
        return page.with_matches({**places, "exact/both": first, "overlap/both": last}, shown)
