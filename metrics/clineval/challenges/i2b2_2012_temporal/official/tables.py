"""Print what the i2b2 2012 program prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from clineval.base.ratios import Number, harmonic_mean, ratio
from clineval.challenges.i2b2_2012_temporal.official.counts import (
    DocumentCounts,
    EntityCounts,
    Mode,
    Part,
)

_STARS = "*" * 47
_CLOSING = "\nSputLink is computing the temporal closure... Please give it a moment...\n"
_WARNING = (
    "WARNING: Running TLINK evaluation by itself assumes gold standard EVENTs/TIMEX3s in both gold "
    "standard and system output. If that is not the case, please make sure that the EVENT/TIMEX3 "
    "ids in the gold standard match the ids in the system output. Otherwise, the result will be "
    "wrong. If in doubt, use -all option.\n"
)
_WARNING_OF_FILES = (
    "WARNING: when using tlink evaluation alone, please make sure that the Event/Timex ids in the "
    "gold standard matches the ids in the system output. Otherwise, the result will be wrong. If "
    "in doubt, use -all option.\n"
)


def print_folders(documents: Mapping[str, DocumentCounts], mode: Mode) -> Iterator[str]:
    """Yield the tables of all documents, and the sums."""
    yield _print_mode(mode)
    for name, counts in documents.items():
        yield _head(name)
        yield from _print_document(counts, mode)
    yield from _print_sums([*documents.values()], mode)
    yield _WARNING if mode.part == "tlink" else ""


def print_files(counts: DocumentCounts, mode: Mode) -> Iterator[str]:
    """Yield the tables of two files; there are no sums."""
    yield _print_mode(mode)
    yield from _print_document(counts, mode)
    yield _WARNING_OF_FILES if mode.part == "tlink" else ""


def print_mismatch(mode: Mode) -> str:
    """Return the message for two folders with different numbers of files [i20b]."""
    problem = "the files in the gold standard directory and the system directory don't match!"
    return f"{_print_mode(mode)}\nError: {problem}\n\n"


def _print_mode(mode: Mode) -> str:
    rows = {
        "Evaluating tags": mode.part.upper(),
        "Span match method": mode.spans,
        "TLINK evaluation method": mode.links,
    }
    return "\nEvaluation method:\n" + "".join(f"   {name}: {of}\n" for name, of in rows.items())


def _print_document(counts: DocumentCounts, mode: Mode) -> Iterator[str]:
    """Yield a document's tables; attributes are shares of gold's pairs [i14]."""
    entities: list[tuple[Part, EntityCounts]] = [("event", counts.events), ("timex", counts.times)]
    for part, of in entities:
        if mode.has(part):
            values = _rate_entities(of, mode) | _share_attributes(of, of.right_recall)
            yield _DOCUMENT[part].format(**values)
    if mode.has("tlink"):
        yield _CLOSING * 2 if mode.links in ("oc", "cc") else ""
        yield from (f"\nError: Unknown EVENT or TIMEX id in TLINK: {of}\n" for of in counts.unknown)
        system, gold, *right = counts.links
        average = ratio(sum(right), system + gold)
        yield _DOCUMENT["tlink"].format(**_rate(right, system, gold) | {"average": average})


def _print_sums(documents: Sequence[DocumentCounts], mode: Mode) -> Iterator[str]:
    """Yield the tables of all documents together; attributes are shares of gold [i14]."""
    yield _head("Aggregated Scores:")
    events, times = ([of.events for of in documents], [of.times for of in documents])
    entities: list[tuple[Part, list[EntityCounts]]] = [("event", events), ("timex", times)]
    for part, of in entities:
        if mode.has(part):
            total = EntityCounts.total(of)
            values = _rate_entities(total, mode) | _share_attributes(total, total.gold)
            yield _SUMS[part].format(**values)
    if mode.has("tlink"):
        system, gold, *right = map(sum, zip(*(of.links for of in documents), strict=True))
        yield _SUMS["tlink"].format(**_rate(right, system, gold))
    yield f"{'' if mode.has('tlink') else chr(10)}{_STARS}\n"


def _rate_entities(counts: EntityCounts, mode: Mode) -> dict[str, Number]:
    right: Sequence[float] = counts.right_precision, counts.right_recall
    if mode.spans == "partialCredit":
        right = counts.credit_precision, counts.credit_recall
    return _rate(right, counts.system, counts.gold)


def _share_attributes(counts: EntityCounts, size: int) -> dict[str, Number]:
    names = ("first", "second", "third")
    return {name: ratio(getattr(counts, name), size) for name in names}


def _rate(right: Sequence[float], system: int, gold: int) -> dict[str, Number]:
    """Return precision, recall, the share of right units of both sides, and F."""
    p, r = ratio(right[0], system), ratio(right[1], gold)
    average, f = ratio(p * system + r * gold, system + gold), harmonic_mean(p, r)
    return {"gold": gold, "system": system, "p": p, "r": r, "average": average, "f": f}


def _head(name: str) -> str:
    """Put a name between stars; the program counts bytes."""
    text = f" {name} ".encode().decode("latin-1")
    return f"{text:*^46}\n".encode("latin-1").decode()


_ROWS = """\
            Average P&R : \t\t{average:.4f}
            F measure : \t\t{f:.4f}
"""
_DOCUMENT = {
    "event": f"""
            Total number of events:\x20
               Gold Standard: \t\t{{gold}}
               System Output: \t\t{{system}}
            --------------
            Recall : \t\t\t{{r:.4f}}
            Precision : \t\t{{p:.4f}}
{_ROWS}\
            --------------
            modality match score :\t{{third:.4f}}
            Polarity match score :\t{{second:.4f}}
            type match score :\t\t{{first:.4f}}

""",
    "timex": f"""
            Total number of TIMEX3s:\x20
               Gold Standard :\t\t{{gold}}
               System Output :\t\t{{system}}
            --------------
            Precision :\t\t\t{{p:.4f}}
            Recall :\t\t\t{{r:.4f}}
{_ROWS}\
            --------------
            type match score :\t\t{{first:.4f}}
            Val match score :\t\t{{second:.4f}}
            Mod match score :\t\t{{third:.4f}}
""",
    "tlink": f"""
            Total number of comparable TLINKs:\x20
               Gold Standard : \t\t{{gold}}
               System Output : \t\t{{system}}
            --------------
            Recall : \t\t\t{{r:.4f}}
            Precision: \t\t\t{{p:.4f}}
{_ROWS}
""",
}
"""The tables of a document."""


def _four(indent: int) -> str:
    rows = ("Precision", "p"), ("Recall", "r"), ("Average P&R", "average"), ("F measure", "f")
    return "".join(f"{' ' * indent}{name} : \t{{{of}:.4f}}\n" for name, of in rows)


_SUMS = {
    "event": f"""            EVENT:\x20
{_four(15)}\
               --------------
               type :\t\t{{first:.4f}}
               Polarity :\t{{second:.4f}}
               Modality :\t{{third:.4f}}
""",
    "timex": f"""

            TIMEX3:
{_four(16)}\
                --------------
                type :\t\t{{first:.4f}}
                Val :\t\t{{second:.4f}}
                Modifier :\t{{third:.4f}}
""",
    "tlink": f"""
{" " * 27}
            TLINK:
{_four(16)}\
{" " * 16}
""",
}
"""The tables of all documents."""
