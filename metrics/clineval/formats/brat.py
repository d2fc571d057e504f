r"""brat's standoff format: ``note.txt`` with ``note.ann`` beside it.

``T1<tab>Disorder 4 15;31 38<tab>left atrium dilated`` is a mention with two fragments; ends are
exclusive. ``A1<tab>Negation T1`` and ``A2<tab>Severity T1 moderate`` are attributes: a slot is an
attribute with its name, in any case; one without value is the second value of a slot with two.
``N1<tab>Reference T1 UMLS:C0344720<tab>...`` and ``#1<tab>AnnotatorNotes T1<tab>C0344720`` give the
code, in this order. Relations, events and equivalences are not mentions; they are counted, and
reported in a warning. Cues are not written.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clineval.errors import InputError, InputWarning, shown
from clineval.formats.files import read_text_files
from clineval.formats.pipe import unknown_value
from clineval.mentions.mention import Document, Fragment, Mention, Value
from clineval.mentions.slots import Slot

FILES = r"\.ann$"
TYPE = "Disease_Disorder"
DATABASE = "UMLS"
_CODE = re.compile(r"(?:C\d+|CUI-?less)\Z", re.IGNORECASE)
_OFFSETS = re.compile(r"\d+ \d+(?:;\d+ \d+)*\Z", re.ASCII)
_IGNORED = {"R": "relations", "E": "events", "*": "equivalences"}


@dataclass(slots=True)
class _Annotation:
    """What the lines of one mention say."""

    kind: str
    spans: list[Fragment]
    where: str
    attributes: dict[str, str] = field(default_factory=dict)
    normalization: str = ""
    note: str = ""


def read_documents(directory: Path, slots: Sequence[Slot]) -> list[Document]:
    """Read a directory of standoff files, or one file; a mention's type is the slot ``type``.

    Args:
        directory: holds ``*.ann``, and the ``*.txt`` of the same names.
        slots: the slots with their values.

    Returns:
        One document for each ``.ann``, named like its text, with the text.

    Raises:
        InputError: names the file and the line.
    """
    documents = []
    ignored: Counter[str] = Counter()
    for file in read_text_files(directory, pattern=FILES, separator="\t"):
        path = Path(file.label)
        text = _read_text(path.with_suffix(".txt"))
        annotations = _read_lines(file.content.decode(), file.label, ignored)
        mentions = [_mention(each, slots, ignored) for each in annotations.values()]
        _check_offsets(annotations.values(), text)
        documents.append(Document(f"{file.stem}.txt", mentions, text))
    if ignored:
        found = ", ".join(f"{number} {name}" for name, number in sorted(ignored.items()))
        warnings.warn(f"{directory}: {found} are not read", InputWarning, stacklevel=2)
    return documents


def write_documents(documents: Iterable[Document], directory: Path, slots: Sequence[Slot]) -> None:
    """Write an ``.ann`` and a ``.txt`` for each document.

    Args:
        documents: each needs an id and its text.
        directory: made if it is not there.
        slots: the slots with their values; default values are not written.
    """
    directory.mkdir(parents=True, exist_ok=True)
    for document in documents:
        if not document.id or document.text is None:
            raise InputError(
                "brat needs the name and the text of every document",
                where=f"document {document.id}",
                remedy="Give the texts (--text DIR)",
            )
        path = directory / document.id.removesuffix(".txt")
        path.with_name(f"{path.name}.txt").write_text(document.text, "utf-8", newline="")
        path.with_name(f"{path.name}.ann").write_text(
            format_document(document, slots), "utf-8", newline="\n"
        )


def format_document(document: Document, slots: Sequence[Slot]) -> str:
    r"""One document as the lines of an ``.ann``.

    Examples:
        >>> fever = Mention([(3, 8)], "C0015967", {"negation": "yes"})
        >>> slot = Slot("negation", "closed", ("no", "yes"))
        >>> text = format_document(Document("a.txt", [fever], "No fever."), [slot])
        >>> print(text.expandtabs(), end="")
        T1	Disease_Disorder 3 8	fever
        N1	Reference T1 UMLS:C0015967	C0015967
        A1	Negation T1 yes
    """
    text = document.text or ""
    lines: list[str] = []
    attribute = 0
    for number, mention in enumerate(document.mentions, 1):
        kind = str(mention.slots.get("type", TYPE))
        offsets = ";".join(f"{start} {end}" for start, end in mention.spans)
        words = " ".join(" ".join(text[start:end].split()) for start, end in mention.spans)
        lines.append(f"T{number}\t{kind} {offsets}\t{words}")
        if mention.cui:
            lines.append(f"N{number}\tReference T{number} {DATABASE}:{mention.cui}\t{mention.cui}")
        for slot in slots:
            value = mention.slots.get(slot.name)
            if slot.kind != "code" and value is not None and not is_default(slot, value):
                attribute += 1
                name = slot.name.capitalize()
                lines.append(f"A{attribute}\t{name} T{number} {_spell(value)}")
    return "".join(f"{line}\n" for line in lines)


def is_default(slot: Slot, value: Value) -> bool:
    """Whether a value is the one that a slot has when it is left out.

    Examples:
        >>> is_default(Slot("body_location", "codes"), ("NULL",))
        True
    """
    return slot.default is not None and slot.fold(_spell(value)) == slot.fold(slot.default)


def _spell(value: Value) -> str:
    return value if isinstance(value, str) else ",".join(value)


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except OSError:
        raise InputError(
            "the text is missing", where=str(path), remedy="brat keeps note.txt beside note.ann"
        ) from None
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8", where=str(path)) from None


def _read_lines(content: str, label: str, ignored: Counter[str]) -> dict[str, _Annotation]:
    lines = [
        (f"{label}:{k}", line) for k, line in enumerate(content.split("\n"), 1) if line.strip()
    ]
    found: dict[str, _Annotation] = {}
    for where, line in lines:
        if line.startswith("T"):
            id_, annotation = _read_mention(line, where)
            if id_ in found:
                raise InputError(f"the id {id_} is there twice", where=where)
            found[id_] = annotation
    for where, line in lines:
        if line[0] in "AMN#":
            _read_statement(line, where, found)
        elif line[0] != "T":
            ignored[_IGNORED.get(line[0], "lines of other kinds")] += 1
    return found


def _read_mention(line: str, where: str) -> tuple[str, _Annotation]:
    id_, _, rest = line.partition("\t")
    kind, _, offsets = rest.partition("\t")[0].partition(" ")
    if not kind or not _OFFSETS.match(offsets):
        raise InputError(
            "expected T1<tab>Type 4 15;31 38<tab>text, with blanks and semicolons between offsets",
            where=where,
        )
    pairs = (fragment.split(" ") for fragment in offsets.split(";"))
    return id_, _Annotation(kind, [(int(start), int(end)) for start, end in pairs], where)


def _read_statement(line: str, where: str, found: Mapping[str, _Annotation]) -> None:
    """An attribute, a normalization or a note."""
    _, _, rest = line.partition("\t")
    head, _, tail = rest.partition("\t")
    name, target, value = (*head.split(" ", 2), "", "")[:3]
    annotation = found.get(target)
    if annotation is None:
        if line[0] in "AM" and target[:1] not in ("E", "R"):
            raise InputError(f"there is no mention {shown(target)}", where=where)
        return
    if line[0] in "AM":
        annotation.attributes[name.lower()] = value
    elif line[0] == "N":
        annotation.normalization = value.partition(":")[2]
    elif _CODE.match(tail.strip()):
        annotation.note = tail.strip()


def _mention(annotation: _Annotation, slots: Sequence[Slot], ignored: Counter[str]) -> Mention:
    known = {slot.name: slot for slot in slots}
    values: dict[str, Value] = {"type": annotation.kind}
    for name, value in annotation.attributes.items():
        if name in known:
            values[name] = _read_value(value, known[name], annotation.where)
        else:
            ignored[f"attributes {shown(name)}, which is no slot"] += 1
    code = annotation.normalization or annotation.note or None
    try:
        return Mention(annotation.spans, code, values)
    except InputError as error:
        raise InputError(str(error), where=annotation.where) from None


def _read_value(value: str, slot: Slot, where: str) -> Value:
    if slot.kind == "codes":
        return tuple(value.split(","))
    if not value and len(slot.values) == 2:  # noqa: PLR2004
        return slot.values[1]
    if value.lower() not in slot.values:
        raise unknown_value(slot, value, where)
    return value.lower()


def _check_offsets(annotations: Iterable[_Annotation], text: str) -> None:
    for annotation in annotations:
        last = max(end for _, end in annotation.spans)
        if last > len(text):
            raise InputError(
                f"offset {last} is outside the text, which has {len(text)} characters",
                where=annotation.where,
                remedy="Do the two files belong together, with the same line ends?",
            )
