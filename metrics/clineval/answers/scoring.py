"""Score answers against a gold standard: read them, place quotes, score the predictions."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from clineval.answers.alignment import Alignment
from clineval.answers.events import PlacedEvents, read_events
from clineval.answers.notes import match_names, place_answers
from clineval.answers.options import find_taking, without_texts
from clineval.answers.placing import PlacedAnswers, WordedGold, called_documents
from clineval.answers.plain import take_plain
from clineval.answers.reading import Answer, read_answers
from clineval.answers.relations import (
    Known,
    PlacedRelations,
    RelationsOfGiven,
    read_relations,
)
from clineval.answers.repair import FINE
from clineval.answers.texts import Worded, check_reach, pair_by_words, words_of_spans
from clineval.base.errors import InputError, listed
from clineval.base.files import is_file
from clineval.base.packed import ending_of
from clineval.base.subjects import about, system_name
from clineval.evaluation.evaluate import Evaluation
from clineval.evaluation.evaluate import evaluate as evaluate_sides
from clineval.formats.given.texts import with_texts
from clineval.kinds.mentions.columns import Lost, Noted, Side
from clineval.kinds.mentions.corpus import as_mentions
from clineval.kinds.mentions.items import ID
from clineval.results.challenge import Setup
from clineval.results.kind import PlainAnswers
from clineval.results.scheme import Scheme
from clineval.results.scores import Score


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """Answers of several systems and the gold standard, ready for scoring.

    Args:
        references: the gold standard.
        systems: name to predictions.
        lost: name to the items of the answers that cannot be correct.
        notes: the notes by document name; quotes without a place follow at their ends.

    Examples:
        >>> gold = [[{"spans": [[3, 8]], "cui": "C0013604"}]]
        >>> answers = {"model": ['[{"text": "edema", "cui": "C0013604"}]']}
        >>> taken = take_answers("semeval15_task14", answers, gold, texts=["No edema."])
        >>> list(taken.systems), taken.lost["model"]
        (['model'], ())
    """

    references: Noted
    systems: Mapping[str, Noted]
    lost: Mapping[str, Sequence[Lost]]
    notes: Mapping[str, str]


def evaluate(  # noqa: PLR0913 - as in clineval.score
    module: str,
    answers: object,
    references: object,
    *,
    texts: object = None,
    alignment: Alignment | None = None,
    config: str = "default",
    protocol: str = "spec",
    **options: object,
) -> Evaluation:
    r"""Evaluate the answers of a model.

    In addition to the challenge's own scores, the result contains:

    - ``n_answers``: the number of items
    - ``n_unaligned`` and ``n_ambiguous``: items without a place, scored as false positives
    - ``n_without_text``: items without a quote, scored as false positives
    - ``n_invalid``: invalid values of slots, scored as wrong
    - ``n_repaired``: answers that were read only in part
    - ``n_unreadable``: answers that were not readable, scored as empty

    Args:
        module: a metric of mentions, events, relations, records, classes or codes.
        answers: answers, as for :func:`read_answers`.
        references: the gold standard, as in :func:`clineval.score`. With ``match="text"`` or
            ``"set"`` it may have the form of answers, with texts instead of offsets.
        texts: the notes: a directory, a mapping of document name to text, or a list. Optional if
            the gold standard or the answers contain them.
        alignment: the policies for placing quotes; None for metrics without quotes.
        config: as in :func:`clineval.score`.
        protocol: as in :func:`clineval.score`.
        options: the challenge's own options.

    Returns:
        The evaluation, with counts, scores and the outcome of every mention.

    Raises:
        InputError: the metric does not accept answers, a document has no text, or files cannot be
            read.

    Examples:
        >>> gold = [[{"spans": [[3, 8]], "cui": "C0013604"}]]
        >>> answer = '```json\n[{"text": "edema", "cui": "C0013604", "negation": "maybe"}]\n```'
        >>> result = evaluate("semeval15_task14", [answer], gold, texts=["No edema."]).score()
        >>> result["strict_f1"], result["negation_accuracy"], result["n_invalid"]
        (1.0, 0.0, 1)
        >>> result.signature.settings["answers"]
        'in-order,exact'
    """
    options = without_texts(find_taking(module), options)
    taken = take_answers(
        module,
        {"": answers},
        references,
        texts=texts,
        alignment=alignment,
        config=config,
        protocol=protocol,
        **options,
    )
    return evaluate_sides(
        module, taken.systems[""], taken.references, config=config, protocol=protocol, **options
    )


def score(  # noqa: PLR0913 - as in clineval.score
    module: str,
    answers: object,
    references: object,
    *,
    confidence: float | None = None,
    n_resamples: int = 1000,
    seed: int = 12345,
    interval: str = "auto",
    cluster: object = None,
    **options: Any,
) -> Score:
    """Score the answers of a model: the scores of :func:`evaluate`, with intervals.

    Args:
        module: as in :func:`evaluate`.
        answers: as in :func:`evaluate`.
        references: as in :func:`evaluate`.
        confidence: the level of the intervals; None for no intervals.
        n_resamples: as in :func:`clineval.score`.
        seed: as in :func:`clineval.score`.
        interval: as in :func:`clineval.score`.
        cluster: as in :func:`clineval.score`.
        options: the other arguments of :func:`evaluate`.

    Returns:
        The scores, including the number of quotes without a place.

    Raises:
        InputError: as for :func:`evaluate`, and for intervals as for :func:`clineval.score`.

    Examples:
        >>> gold = [[{"text": "edema", "cui": "C0013604"}]]
        >>> found = [[{"text": "edema", "cui": "C0013604"}, {"text": "cough", "cui": None}]]
        >>> score("semeval15_task14", found, gold, alignment=Alignment(match="text"))["strict_f1"]
        0.6666666666666666
    """
    return evaluate(module, answers, references, **options).score(
        confidence=confidence,
        n_resamples=n_resamples,
        seed=seed,
        interval=interval,
        cluster=cluster,
    )


def take_answers(  # noqa: PLR0913 - as in clineval.score
    module: str,
    systems: Mapping[str, object],
    references: object,
    *,
    texts: object = None,
    alignment: Alignment | None = None,
    config: str = "default",
    protocol: str = "spec",
    **options: object,
) -> Taken:
    """Read the gold standard and the answers of some systems, and place their quotes.

    Args:
        module: as in :func:`evaluate`.
        systems: name to answers, each as in :func:`evaluate`.
        references: as in :func:`evaluate`.
        texts: as in :func:`evaluate`.
        alignment: as in :func:`evaluate`.
        config: as in :func:`evaluate`.
        protocol: as in :func:`evaluate`.
        options: the challenge's own options.

    Returns:
        Both sides, ready for scoring, and the items that cannot be correct.

    Raises:
        InputError: as for :func:`evaluate`.

    Examples:
        >>> gold = [[{"spans": [[3, 8]], "cui": "C0013604"}]]
        >>> systems = {"small": [[]], "large": ['[{"text": "pain", "cui": null}]']}
        >>> taken = take_answers("semeval15_task14", systems, gold, texts=["No edema."])
        >>> [lost.reason for lost in taken.lost["large"]], taken.lost["small"]
        (['unaligned'], ())
    """
    challenge = find_taking(module)
    setup = challenge.setup(config, protocol, without_texts(challenge, options))
    references, kind = setup.steps.find_kind(references, setup)
    return kind.answer(Asked(setup, systems, references, texts, alignment))


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The answers of some systems, and the ways to read them.

    Args:
        setup: challenge, configuration, protocol and options.
        systems: name to answers.
        references: the gold standard.
        texts: the notes.
        alignment: the policies for placing quotes; None for the default.
    """

    setup: Setup
    systems: Mapping[str, object]
    references: object
    texts: object
    alignment: Alignment | None

    def quoted(self, *, worded: bool = True) -> Taken:
        """Read mentions, each with a quote from the note."""
        label, policies = _label_slot(self.setup), self.alignment or Alignment()
        if policies.by_words and not worded:
            problem = f"each mention needs one place, and {policies.match!r} does not assign one"
            raise InputError(problem, where="match", remedy="Choose another policy")
        read = {name: read_answers(system, label) for name, system in self.systems.items()}
        if policies.by_words:
            return self._take_words(read, policies)
        return self._place(read, lambda placed: placed)

    def _take_words(self, systems: Mapping[str, Sequence[Answer]], policies: Alignment) -> Taken:
        """Return both sides of a system, with artificial offsets that represent their words."""
        if len(systems) > 1:
            raise InputError(f"match={policies.match!r} accepts only one system at a time")
        setup, kind = self.setup, self.setup.steps.kind
        gold = _read_words(setup, self.references)
        if gold is None:
            side, _ = setup.steps.read(self.references, [], setup)
            side = with_texts(side, self.texts)
            # duplicates for the challenge are also one mention here
            corpus = as_mentions(setup.steps.join(side, side, setup))
            gold = words_of_spans(replace(side, mentions=corpus.gold.columns))
        [(name, answers)] = systems.items()
        named = match_names(answers, gold.side)
        placed = PlacedAnswers(named, [""] * len(named), policies)
        _, [side] = setup.steps.read(gold.side, [placed], setup)
        predicted = words_of_spans(side)
        slots, classes = kind.slots(setup.config), kind.class_slot.name if kind.class_slot else ""
        once = policies.match == "set"
        references, side = pair_by_words(gold, predicted, slots, classes, once=once)
        return _as_taken(references, {name: side}, {})

    def nested(self, scheme: Scheme, /) -> Taken:
        """Read events, each with a quote and its arguments."""
        read = {name: read_events(system) for name, system in self.systems.items()}
        return self._place(read, lambda placed: PlacedEvents.of(placed, scheme))

    def related(self, labels: Sequence[str], /, *, given: bool = False) -> Taken:
        """Read mentions with quotes, and the relations between them or given mentions."""
        if given:
            return self._relate_given(labels)
        slots = self.setup.steps.kind.slots(self.setup.config)
        label = _label_slot(self.setup)
        read = {name: read_relations(system, label) for name, system in self.systems.items()}
        return self._place(read, lambda placed: PlacedRelations.of(placed, slots, labels))

    def _relate_given(self, labels: Sequence[str]) -> Taken:
        """Read relations between given mentions, which answers name by ids or quotes."""
        gold, _ = self.setup.steps.read(self.references, [], self.setup)
        known = _list_ids(gold.noted)
        label = _label_slot(self.setup)
        read = {name: read_relations(of, label, known) for name, of in self.systems.items()}
        wrap = partial(RelationsOfGiven.of, slots=(), labels=labels)
        return self._place(read, wrap, needed=False)

    def plain(self, form: PlainAnswers, /) -> Taken:
        """Read items without a place in the note."""
        if self.alignment:
            items = self.setup.steps.kind.items
            problem = f"{items} have no quotes to place"
            raise InputError(problem, where="alignment")
        read = take_plain(self.systems, self.references, self.texts, form, self.setup)
        return _as_taken(*read, {})

    def _place(
        self,
        read: Mapping[str, Sequence[Answer]],
        wrap: Callable[[PlacedAnswers], PlacedAnswers],
        *,
        needed: bool = True,
    ) -> Taken:
        """Place the quotes of all systems; quotes without a place follow after the notes."""
        given, _ = self.setup.steps.read(self.references, [], self.setup)
        gold = with_texts(given, self.texts)
        check_reach(gold.noted)
        policies, placed = self.alignment or Alignment(), list[PlacedAnswers]()
        below: dict[str, str] = {}  # each system's unplaced quotes follow earlier systems'
        for number, answers in enumerate(read.values()):
            with about(system_name(number)):
                alone = place_answers(answers, gold.noted, self.texts, policies, needed=needed)
            alone = wrap(alone)
            names = called_documents(alone.answers)
            lower = [below.get(name, text) for name, text in zip(names, alone.texts, strict=True)]
            placed.append(replace(alone, below=lower))
            notes = zip(names, placed[-1].notes, strict=True)
            below |= {name: note for name, note in notes if note or needed}
        _, sides = self.setup.steps.read(gold, [each.as_given() for each in placed], self.setup)
        return _as_taken(gold, dict(zip(read, sides, strict=True)), below)


def _as_taken(gold: Noted, systems: Mapping[str, Noted], notes: Mapping[str, str]) -> Taken:
    intakes = {name: side.noted.intake for name, side in systems.items()}
    lost = {name: intake.lost if intake else () for name, intake in intakes.items()}
    named = zip(gold.noted.documents, gold.noted.texts, strict=False)
    known = {name: text for name, text in named if text is not None}
    return Taken(gold, systems, lost, {**known, **notes})


def _list_ids(gold: Side) -> Known:
    """Map the names and the numbers of documents to the ids of their mentions."""
    found: defaultdict[str | int, list[str]] = defaultdict(list)
    ids = gold.mentions.attributes[ID.name]
    for document, id_ in zip(gold.mentions.document.tolist(), ids.ids.tolist(), strict=True):
        for key in {document, *(gold.keys or ())[document : document + 1]}:
            found[key].append(ids.values[id_])
    return found


def _label_slot(setup: Setup) -> str:
    """Return the slot of the label, if the class of mentions is not a code; otherwise empty."""
    classes = setup.steps.kind.class_slot
    return classes.name if classes and not classes.none else ""


def _read_words(setup: Setup, references: object) -> Worded | None:
    """Read a gold standard with texts instead of offsets; None if it has offsets."""
    if isinstance(references, Side) or not _may_be_answers(references):
        return None
    answers = read_answers(references, _label_slot(setup))
    items = [item for answer in answers for item in answer.items]
    if not items or any("spans" in item.values for item in items):
        return None
    named = zip(called_documents(answers), answers, strict=True)
    broken = [name for name, answer in named if answer.state != FINE]
    if broken or not all(item.quote for item in items):
        raise InputError(
            f"expected a gold standard with the text of every mention{': ' * bool(broken)}"
            f"{listed(broken)}",
            where="references",
        )
    side, _ = setup.steps.read(WordedGold(answers), [], setup)
    return words_of_spans(side)


def _may_be_answers(references: object) -> bool:
    if isinstance(references, (str, os.PathLike)):
        return ending_of(references) == ".jsonl" and is_file(references)
    if isinstance(references, Mapping):
        return True
    return isinstance(references, (list, tuple)) and all(
        isinstance(document, (list, tuple)) for document in references
    )
