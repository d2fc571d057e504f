"""Texts of eHealth-KD that are given as dicts, Documents or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from clineval.base.arrays import find_first
from clineval.base.errors import InputError, called
from clineval.challenges.ehealthkd20.programs import ScriptCollection
from clineval.challenges.ehealthkd20.reading import read_annotations
from clineval.challenges.ehealthkd20.sentences import Collection
from clineval.kinds.mentions.mention import Fragment
from clineval.kinds.relations.columns import RelatedSide


def read_documents(side: RelatedSide, *, gold: bool, edition: str = "") -> list[Collection]:
    """Return the collections of documents that are given as dicts, Documents or JSON.

    The sentences are the lines of a document's text; without text it is one sentence.
    ``edition`` is that of the program whose ways are followed; empty for the format's.
    """
    texts = side.side.texts or (None,) * len(side.side.documents)
    found = []
    for at, name in enumerate(side.side.documents):
        document = _Document.of(side, at, name or str(at))
        if edition:
            found.append(document.as_program(texts[at], edition))
        else:
            found.append(document.in_lines(texts[at], gold=gold))
    return found


@dataclass(frozen=True, slots=True)
class _Document:
    """The phrases and relations of one document, offsets in characters of its text."""

    name: str
    labels: Sequence[str]
    spans: Sequence[Sequence[Fragment]]
    arcs: Sequence[tuple[str, int, int]]

    @classmethod
    def of(cls, side: RelatedSide, number: int, name: str) -> _Document:
        mentions, relations = side.side.mentions, side.relations
        low, high = find_first(mentions.document, [number, number + 1]).tolist()
        bounds = mentions.bounds[low : high + 1].tolist()
        starts, ends = mentions.starts.tolist(), mentions.ends.tolist()
        fragments = list(zip(starts, ends, strict=True))
        column = mentions.attributes["label"]
        rows = slice(*find_first(relations.document, [number, number + 1]).tolist())
        return cls(
            name,
            [column.values[at] for at in column.ids[low:high].tolist()],
            [fragments[first:last] for first, last in pairwise(bounds)],
            [
                (relations.label.values[label], source - low, target - low)
                for label, source, target in zip(
                    relations.label.ids[rows].tolist(),
                    relations.source[rows].tolist(),
                    relations.target[rows].tolist(),
                    strict=True,
                )
            ],
        )

    def in_lines(self, text: str | None, *, gold: bool) -> Collection:
        """Read a sentence from each line of the text; a single one if the text is not known."""
        lines = [
            f"T{at}\t{label} {';'.join(f'{s} {e}' for s, e in spans)}\tx"
            for at, (label, spans) in enumerate(zip(self.labels, self.spans, strict=True))
        ]
        lines += [f"R{k}\t{n} Arg1:T{a} Arg2:T{b}" for k, (n, a, b) in enumerate(self.arcs)]
        return read_annotations(text, lines, self.name, f"document {called(self.name)}", gold=gold)

    def as_program(self, text: str | None, edition: str) -> Collection:
        """Read it as a program does."""
        known = text is not None
        text = text or "-" * max((end for spans in self.spans for _, end in spans), default=0)
        lines = [line.strip() for line in text.splitlines() if line or edition == "2019"]
        collection = ScriptCollection(lines or [""], self.name)
        for at, (label, spans) in enumerate(zip(self.labels, self.spans, strict=True)):
            collection.add(at, label, ";".join(f"{start} {end}" for start, end in spans))
        for label, source, target in self.arcs:
            if collection.home[source] == collection.home[target]:
                collection.relate(label, source, target)
            elif edition != "2019":
                raise InputError(
                    "a relation between two sentences, at which the released program ends with an "
                    "error",
                    where=f"document {called(self.name)}",
                )
        sentences = collection.finish(in_order=edition != "2019")
        for sentence in () if known else sentences:
            sentence.text = ""
        return Collection(self.name, sentences)
