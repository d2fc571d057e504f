"""The XML of the challenge: judgments by source, disease and document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from clineval.base.errors import InputError, shown, warn
from clineval.challenges.i2b2_2008_obesity.measures import DISEASES, SOURCES
from clineval.formats.files import TextFile
from clineval.formats.xml_elements import Element, read_elements
from clineval.kinds.classes.columns import Draft

_DISEASES, _DISEASE, _DOC = "diseases", "disease", "doc"
Judgment = tuple[str, str, str, str]
"""Document, disease, judgment, and its place."""


@dataclass(frozen=True, slots=True)
class ObesityXml:
    """Read ``<diseases source="textual"><disease name="CAD"><doc id="1" judgment="Y"/>``.

    A judgment replaces the one of an earlier file. With several sources, the question is source and
    disease.

    Args:
        sources: any of ``textual`` and ``intuitive``; judgments of other sources are left out.
    """

    sources: tuple[str, ...]
    pattern: str = r"\.xml$"

    def read_files(self, files: Iterable[TextFile], draft: Draft) -> None:
        """Read the judgments of some files, in the order of their names."""
        judgments: dict[tuple[str, str], tuple[str, str]] = {}
        for file in files:
            own: dict[tuple[str, str], tuple[str, str]] = {}
            for document, disease, judgment, where in self._list_judgments(file, draft):
                if own.setdefault((document, disease), (judgment, where))[0] != judgment:
                    problem = f"{disease}: the document has two judgments in this file"
                    draft.problems.append(InputError(problem, where=where))
            judgments |= own
        numbers: dict[str, int] = {}
        for (document, disease), (judgment, where) in judgments.items():
            if document not in numbers:
                numbers[document] = draft.add_document(document)
            try:
                draft.add(numbers[document], disease, judgment, where)
            except InputError as error:
                draft.problems.append(error)

    def _list_judgments(self, file: TextFile, draft: Draft) -> Iterator[Judgment]:
        """Yield the judgments of the sources."""
        source, disease, unknown = "", None, 0
        for element in read_elements(file, lambda path: path[-1] in (_DISEASES, _DISEASE, _DOC)):
            where = f"{file.label}:{element.line}"
            if element.name == _DISEASES:
                source = element.attributes.get("source", "").strip().lower()
                if source not in SOURCES:
                    draft.problems.append(_refuse_source(element, where))
            elif source in self.sources and element.name == _DISEASE:
                added = f"{source} " if len(self.sources) > 1 else ""
                name = element.attributes.get("name", "")
                disease = draft.scheme.find_question(f"{added}{name}")
                unknown += disease is None
                if disease is None and draft.strict:
                    draft.problems.append(_refuse(element, where))
            elif source in self.sources and disease:
                document = element.attributes.get("id", "").strip()
                if document:
                    yield document, disease, element.attributes.get("judgment", ""), where
                else:
                    draft.problems.append(InputError("expected the attribute id", where=where))
        message = "{n} predicted {disease is|diseases are} not one of the challenge's and "
        warn(message + "{does|do} not count", n=0 if draft.strict else unknown)


def _refuse_source(element: Element, where: str) -> InputError:
    got = shown(element.attributes.get("source", ""))
    return InputError(f"source: expected {' or '.join(SOURCES)}, got {got}", where=where)


def _refuse(element: Element, where: str) -> InputError:
    expected = ", ".join(DISEASES)
    name = shown(element.attributes.get("name", ""))
    return InputError(f"name: expected one of {expected}, got {name}", where=where)
