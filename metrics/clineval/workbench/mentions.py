"""The content of a page of mentions: the pairs and texts of documents, and checks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict
from itertools import chain

import numpy as np

from clineval.base.errors import InputError, warn
from clineval.evaluation.adjudication import can_be_corrected, find_labels
from clineval.formats.brat.codes import DATABASE
from clineval.formats.brat.documents import TYPE
from clineval.formats.delimited import pipe
from clineval.kinds.codes.related import RELATED
from clineval.results.challenge import Setup
from clineval.results.scores import Score
from clineval.results.slots import INVENTED, Slot
from clineval.results.views import MentionView, PairCheck
from clineval.workbench.buckets import estimate_groups, list_groupings, share_names
from clineval.workbench.code_names import choose_names
from clineval.workbench.measures import measures_csv
from clineval.workbench.mention_blocks import Numbering, pack_gold, pack_system
from clineval.workbench.page import Subject, Workbench
from clineval.workbench.pairs import MODES, PairedMentions, pair_mentions
from clineval.workbench.reasonings import list_chains
from clineval.workbench.texts import find_notes, number_phrases, refuse_words


def show_mentions(subject: Subject, view: MentionView) -> Workbench:
    """Return everything that a page of mentions needs."""
    evaluations = subject.evaluations
    offsets = subject.setup.steps.kind.offsets
    if subject.with_text and subject.notes is not None and offsets != "characters":
        raise InputError(
            "these offsets count tokens, and the page cannot find tokens in the notes",
            remedy="Leave out the notes' texts (--no-text)",
        )
    paired = [pair_mentions(evaluation, view) for evaluation in evaluations]
    numbering = Numbering.of(paired)
    if not subject.with_text:
        _refuse_words(numbering, paired[0].slots, subject.setup)
    documents = numbering.documents
    texts = _find_texts(documents, paired, subject) if subject.with_text else None
    phrases = number_phrases(documents, paired, texts)
    both = zip(evaluations, paired, strict=True)
    groupings = share_names([list_groupings(of, system, subject.extras) for of, system in both])
    modes = tuple(dict.fromkeys((preset.match, preset.criterion) for preset in view.presets))
    blocks = {"gold": pack_gold(paired[0], numbering, phrases.gold, groupings[0])}
    for at, of in enumerate(zip(paired, phrases.predictions, groupings, strict=True)):
        blocks[f"system{at}"] = pack_system(of[0], numbering, *of[1:])
    codes = sorted({slot.spell(v) for slot in paired[0].slots for v in numbering.values[slot.name]})
    return Workbench(
        subject.scores,
        {
            **_describe(view, paired[0], numbering, subject.scores.values()),
            **_describe_corrections(evaluations[0].setup),
            "least": evaluations[0].setup.steps.least,
            "groups": {by: groups.names for by, groups in groupings[0].items()},
            "problems": {} if texts is None else _find_problems(numbering, paired, texts),
        },
        {
            "documents": documents,
            "phrases": phrases.values,
            "names": choose_names(subject.names, codes),
            "chains": [list_chains(evaluation) for evaluation in evaluations],
            "groups": [
                estimate_groups(system, of, modes, view.parts)
                for system, of in zip(paired, groupings, strict=True)
            ],
        },
        blocks,
        texts,
        write_measures=lambda: measures_csv(
            dict(zip(subject.scores, paired, strict=True)), subject.scores
        ),
    )


def _refuse_words(numbering: Numbering, slots: Sequence[Slot], setup: Setup) -> None:
    """Reject labels, and values of other slots, that could be words of a note.

    If a file's columns are swapped, released programs take words for labels. If any word can be a
    label, a label with a blank could be words of a note unless the challenge or the user names it.
    """
    slots_known = setup.steps.kind.slots(setup.config)
    named: dict[str, Collection[str]] = {slot.name: slot.values for slot in slots_known}
    labels = setup.steps.known_labels(setup)
    for slot in slots:
        known = {*named.get(slot.name, ()), *labels, slot.default, INVENTED}
        others = (value for value in numbering.values[slot.name] if value not in known)
        # tabs separate the parts of a relation
        refuse_words(slot.name, chain.from_iterable(value.split("\t") for value in others))


def _find_texts(
    documents: Sequence[str], paired: Sequence[PairedMentions], subject: Subject
) -> tuple[str | None, ...] | None:
    """Return the texts that were given or came with the scored files; None if there are none."""
    if subject.notes is not None:
        return find_notes(documents, subject.notes, subject.evaluations)
    if subject.setup.steps.kind.offsets != "characters":
        return None
    corpora = [system.corpus for system in paired]
    known = {corpus.documents[at]: text for corpus in corpora for at, text in corpus.texts.items()}
    return tuple(map(known.get, documents)) if known else None


def _describe(
    view: MentionView, paired: PairedMentions, numbering: Numbering, scores: Collection[Score]
) -> dict[str, object]:
    """Return the part of the page that is read first."""
    known = {key for score in scores for key in score.values}
    some = next(iter(scores))
    slot, named = paired.classes, paired.named
    declared = {slot.name for slot in some.challenge.kind_of(some.config).slots(some.config)}
    slots = [
        _describe_slot(each, numbering.values[each.name], paired, free=each.name not in declared)
        for each in paired.slots
    ]
    values = numbering.values[slot.name] if slot else ()
    return {
        "view": "mentions",
        "coded": any(value != named.none for value in values),
        "classes": {
            "slot": named.name,
            "name": named.name.upper(),
            "word": named.word,
            "none": slot.spell(named.none) if slot and named.none else "",
        },
        "criteria": paired.criteria,
        "parts": view.parts,
        "relations": [] if paired.relations is None else [asdict(kind) for kind in RELATED],
        "code_slot": paired.code_slot,
        "spans_given": paired.spans_given,
        "equal_only": paired.equal_only,
        "modes": {mode: view.modes[MODES.index(mode)] for mode in paired.modes},
        "slots": slots,
        "checks": [asdict(check) for check in list_checks(view, scores)],
        "presets": [asdict(preset) for preset in view.presets if preset.key in known],
        "main": some.headline[0],
    }


def _describe_corrections(setup: Setup) -> dict[str, object]:
    """Return the data that the page needs to correct files as ``clineval adjudicate`` does."""
    able, kind = can_be_corrected(setup.challenge, setup.config), setup.steps.kind
    labels = find_labels(setup.challenge, setup.config) if able else None
    asked = setup["slots"] or () if kind.free and "slots" in setup.options else ()
    return {
        "decisions": able,
        "free": kind.free,
        "scored_slots": [*(slot.name for slot in kind.slots(setup.config)), *asked],
        "brat": {
            "type": TYPE,
            "database": DATABASE,
            "events": kind.triggers,
            "eventless": labels.eventless if labels else "",
            "noted": kind.noted,
        },
        "pipe": {"slots": {**pipe.SLOT_COLUMNS}, "columns": pipe.FULL},
    }


def list_checks(view: MentionView, scores: Collection[Score]) -> list[PairCheck]:
    """List the scores that the page recounts, if any system has them."""
    known = {key for score in scores for key in score.values}
    protocol = next(iter(scores)).protocol
    return [
        check
        for check in view.checks
        if check.key in known and protocol in (check.protocols or (protocol,))
    ]


def _describe_slot(
    slot: Slot, values: Sequence[str], paired: PairedMentions, *, free: bool
) -> dict[str, object]:
    weights = paired.weights
    return {
        "name": slot.name,
        "kind": slot.kind,
        "free": free,
        "values": [slot.spell(value) for value in values],
        "default": values.index(slot.default) if slot.default in values else -1,
        "declared": slot.values,
        "usual": slot.default,
        "weights": weights.column(slot, values).tolist() if weights else None,
    }


def _find_problems(
    numbering: Numbering, paired: Sequence[PairedMentions], texts: Sequence[str | None]
) -> dict[str, list[str]]:
    """Find documents without a text, or with mentions beyond the end of their text."""
    lengths = np.array([-1 if text is None else len(text) for text in texts], np.int64)
    documents = numbering.documents
    beyond: set[int] = set()
    for system in paired:
        numbers = numbering.number(system.corpus.documents)
        for side in (system.corpus.gold.columns, system.corpus.prediction.columns):
            document = numbers[side.document[side.owners]] if len(side) else side.document
            known = lengths[document] >= 0
            beyond |= set(document[known & (side.ends > lengths[document])].tolist())
    problems = {
        "no text": [name for name, text in zip(documents, texts, strict=True) if text is None],
        "offsets beyond the text": [documents[at] for at in sorted(beyond)],
    }
    for problem, names in problems.items():
        warn(f"{{n}} {{document|documents}}, {problem}: {{names}}", names)
    return problems
