r"""Convert relations, equivalences and events between documents and brat's lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterator
from itertools import groupby

from clineval.base.errors import InputError
from clineval.formats.writing import check_cells
from clineval.kinds.mentions.mention import Document, Equivalence, Relation


def read_equivalence(line: str, known: Container[str]) -> list[Relation]:
    r"""Return relations from the first mention to the others; none if an id is not a mention.

    Examples:
        >>> found = read_equivalence("*\tEquiv T1 T2 T3", {"T1", "T2", "T3"})
        >>> [relation.target for relation in found]
        ['T2', 'T3']
    """
    label, *ends = line.partition("\t")[2].split() or [""]
    if not all(end in known for end in ends):
        return []
    return [Equivalence(label, ends[0], other) for other in ends[1:]]


def format_event(document: Document, number: int, kind: str, events: Collection[str]) -> str:
    """Format the line of an event; add a number to a repeated role.

    Args:
        document: the document.
        number: the number of the event, and of its trigger.
        kind: its type.
        events: the types of events; an argument with such a type is an event.
    """
    own = document.mentions[number - 1].id
    numbers = _number_ids(document)
    times: Counter[str] = Counter()
    words = [f"E{number}\t{kind}:T{number}"]
    for relation in document.relations:
        if own is not None and relation.source == own and not _is_equivalence(relation):
            check_cells([relation.label], " :", document.place)
            times[relation.label] += 1
            again = times[relation.label] if times[relation.label] > 1 else ""
            end = numbers[relation.target]
            letter = "E" if _type_of(document, end) in events else "T"
            words.append(f"{relation.label}{again}:{letter}{end}")
    return " ".join(words)


def format_relations(document: Document, events: Collection[str]) -> Iterator[str]:
    """Format equivalences, and relations that do not lead from an event to its arguments."""
    numbers = _number_ids(document)
    others = []
    for at, relation in enumerate(document.relations, 1):
        check_cells([relation.label], " ", document.place)
        if _is_equivalence(relation):
            others.append(relation)
        elif _type_of(document, numbers[relation.source]) not in events:
            ends = f"Arg1:T{numbers[relation.source]} Arg2:T{numbers[relation.target]}"
            yield f"R{at}\t{relation.label} {ends}"
    for (label, first), alike in groupby(others, lambda each: (each.label, each.source)):
        rest = (f"T{numbers[relation.target]}" for relation in alike)
        yield " ".join([f"*\t{label}", f"T{numbers[first]}", *rest])


def _type_of(document: Document, number: int) -> object:
    slots = document.mentions[number - 1].slots
    return slots.get("type", slots.get("label"))


def _is_equivalence(relation: Relation) -> bool:
    return isinstance(relation, Equivalence)


def _number_ids(document: Document) -> dict[str | None, int]:
    """Map the ids of mentions to their numbers; reject relations with other ids."""
    numbers = {mention.id: number for number, mention in enumerate(document.mentions, 1)}
    for at, relation in enumerate(document.relations, 1):
        if not {relation.source, relation.target} <= numbers.keys():
            raise InputError(
                f"relation {at}: 'from' or 'to' is not the id of a mention, but brat's relations "
                "connect mentions",
                where=document.place,
                remedy="Give mentions these ids. To leave out relations between concepts, pass "
                "--module and their metric, such as bc5cdr",
            )
    return numbers
