"""Write mentions and links as the tags that the i2b2 2012 program reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape

from clineval.challenges.i2b2_2012_temporal.official.tags import Tags
from clineval.kinds.mentions.items import ID
from clineval.kinds.relations.columns import RelatedSide

_HEAD = ["<?xml version='1.0'?>", "<ClinicalNarrativeTemporalAnnotation>", "<TEXT><![CDATA["]
_BODY = ["]]></TEXT>", "<TAGS>"]
_NAMED = ("ADMISSION", "DISCHARGE")
_ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "EVENT": {"modality": "modality", "polarity": "polarity", "type": "type"},
    "TIMEX3": {"type": "type", "val": "value", "mod": "modifier"},
}
"""The attributes of tags, in their order, and the slots of their values."""


def render(related: RelatedSide) -> list[Tags]:
    """Return the tags of each document: its mentions in their order, then its links."""
    lines: list[list[str]] = [[*_HEAD, *_BODY] for _ in related.side.documents]
    mentions, links = related.side.mentions, related.relations
    rows = [*_list_rows(related)]
    documents = mentions.document.tolist()
    for document, row in zip(documents, rows, strict=True):
        lines[document] += [_write(row["label"], row)] if row["label"] in _ATTRIBUTES else []
    labels = [links.label.values[at] for at in links.label.ids.tolist()]
    ends = zip(links.document.tolist(), links.source.tolist(), links.target.tolist(), strict=True)
    for number, ((document, *pair), label) in enumerate(zip(ends, labels, strict=True)):
        source, target = (_name(rows[end]) for end in pair)
        values = {"id": f"TL{number}", "fromID": source, "fromText": "", "toID": target}
        lines[document].append(_tag("TLINK", {**values, "toText": "", "type": label}))
    names = related.side.documents
    return [Tags.of(name, "\n".join(of).encode()) for name, of in zip(names, lines, strict=True)]


def _list_rows(related: RelatedSide) -> Iterator[dict[str, str]]:
    """Yield the values of each mention; its place stands for a text that is not known."""
    mentions, texts = related.side.mentions, related.side.texts
    columns = {
        name: [column.values[at] for at in column.ids.tolist()]
        for name, column in mentions.attributes.items()
    }
    starts, ends = mentions.starts.tolist(), mentions.ends.tolist()
    places = zip(
        mentions.document.tolist(),
        mentions.bounds.tolist(),
        mentions.bounds[1:].tolist(),
        strict=False,
    )
    for row, (document, first, last) in enumerate(places):
        start, end = starts[first], ends[last - 1]
        text = texts[document] if texts else None
        words = f"{start}-{end}" if text is None else text[start:end]
        values = {name: column[row] for name, column in columns.items()}
        yield values | {"start": str(start), "end": str(end), "text": " ".join(words.split())}


def _write(label: str, row: Mapping[str, str]) -> str:
    place = {"id": row[ID.name], **{name: row[name] for name in ("start", "end", "text")}}
    slots = _ATTRIBUTES[label].items()
    return _tag(label, {**place, **{name: row.get(slot, "") for name, slot in slots}})


def _name(row: Mapping[str, str]) -> str:
    """Return the id of an end; the program knows two ends by name."""
    return row["label"].capitalize() if row["label"] in _NAMED else row[ID.name]


def _tag(element: str, values: Mapping[str, str]) -> str:
    written = (f'{name}="{escape(value, {chr(34): "&quot;"})}"' for name, value in values.items())
    return f"<{element} {' '.join(written)} />"
