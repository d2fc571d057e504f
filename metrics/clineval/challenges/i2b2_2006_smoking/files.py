"""The XML of the challenge: records with a smoking status each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clineval.base.errors import InputError, called
from clineval.formats.files import TextFile
from clineval.formats.xml_elements import Element, read_elements
from clineval.kinds.classes.columns import Draft

RECORD, SMOKING, TEXT = "RECORD", "SMOKING", "TEXT"


@dataclass(frozen=True, slots=True)
class SmokingXml:
    """Read ``<RECORD ID="1"><SMOKING STATUS="UNKNOWN"/><TEXT>...</TEXT></RECORD>``, in any root."""

    pattern: str = r"\.xml$"

    def read_files(self, files: Iterable[TextFile], draft: Draft) -> None:
        """Read the records of some files; each has an id of its own."""
        for file in files:
            wanted = read_elements(file, lambda path: path[-1] in (RECORD, SMOKING, TEXT))
            for element in wanted:
                try:
                    _read(element, f"{file.label}:{element.line}", draft)
                except InputError as error:
                    draft.problems.append(error)


def _read(element: Element, where: str, draft: Draft) -> None:
    """Read the start of a record, its status or its text."""
    if element.name == RECORD:
        _add_record(element.attributes.get("ID", "").strip(), where, draft)
    elif RECORD not in element.path[:-1]:
        return
    elif element.name == TEXT:
        draft.texts[-1] = element.text
    else:
        status = element.attributes.get("STATUS", "")
        if draft.strict and not status.strip():
            raise InputError("expected the attribute STATUS", where=where)
        draft.add(len(draft.names) - 1, draft.scheme.questions[0], status, where)


def _add_record(name: str, where: str, draft: Draft) -> None:
    """Add a record, which the elements that follow belong to."""
    again = name in draft.names
    draft.add_document(name)
    if not name:
        raise InputError("expected the attribute ID", where=where)
    if again:
        problem = f"the record {called(name)} occurs twice"
        raise InputError(problem, where=where, remedy="Give each record once")
