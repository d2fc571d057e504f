"""The XML of the track: a patient's notes, and an element for each criterion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clineval.base.errors import InputError, warn
from clineval.formats.files import TextFile
from clineval.formats.xml_elements import Element, read_elements
from clineval.kinds.classes.columns import Draft

MET, NOT_MET = VALUES = ("met", "not met")
CRITERIA = (
    *("ABDOMINAL", "ADVANCED-CAD", "ALCOHOL-ABUSE", "ASP-FOR-MI", "CREATININE", "DIETSUPP-2MOS"),
    *("DRUG-ABUSE", "ENGLISH", "HBA1C", "KETO-1YR", "MAJOR-DIABETES", "MAKES-DECISIONS", "MI-6MOS"),
)
_ATTRIBUTE = "met"


@dataclass(frozen=True, slots=True)
class CohortXml:
    """Read ``<PatientMatching>`` with ``<TAGS><ABDOMINAL met="not met" />...</TAGS>``.

    Args:
        as_written: whether to read as the released program: the last one of several answers counts,
            and a missing criterion or attribute stops it.
    """

    as_written: bool = False
    pattern: str = r"\.xml$"

    def read_files(self, files: Iterable[TextFile], draft: Draft) -> None:
        """Read one file for each patient; hidden files are ignored."""
        twice: list[str] = []
        for file in files:
            if not (file.stem or "").startswith("."):
                self._read_file(file, draft, twice)
        problem = "{n} {criterion has|criteria have} two answers and {counts|count} as unanswered"
        warn(f"{problem}: {{names}}", twice)

    def _read_file(self, file: TextFile, draft: Draft, twice: list[str]) -> None:
        """Read the answers of a patient; note the patient of criteria with two answers."""
        elements = read_elements(file, lambda path: "TAGS" in path[1:-1] or path[1:] == ("TEXT",))
        text = next((of.text for of in elements if of.name == "TEXT"), None)
        document = draft.add_document(file.stem or "", text)
        every = [element for element in elements if element.name != "TEXT"]
        tags: dict[str, list[Element]] = {}
        for tag in every:
            question = draft.scheme.find_question(tag.name)
            if question:
                tags.setdefault(question, []).append(tag)
        if self.as_written:
            _check(file, every, tags)
        for question, of_question in tags.items():
            try:
                kept = of_question[-1:] if self.as_written else of_question
                if not _read_criterion(file, draft, document, question, kept):
                    twice.append(draft.names[document])
            except InputError as error:
                draft.problems.append(error)


def _check(file: TextFile, every: Sequence[Element], tags: Mapping[str, Sequence[Element]]) -> None:
    """Reject a file that stops the released program."""
    for tag in every:
        if _ATTRIBUTE not in tag.attributes:
            problem = f"expected the attribute {_ATTRIBUTE}: the released program stops here"
            raise InputError(problem, where=f"{file.label}:{tag.line}")
    missing = [criterion for criterion in CRITERIA if criterion not in tags]
    if missing:
        problem = f"no answer to {missing[0]}: the released program stops here"
        raise InputError(problem, where=file.label)


def _read_criterion(
    file: TextFile, draft: Draft, document: int, question: str, tags: list[Element]
) -> bool:
    """Add the answer to a criterion; return False for two different ones of a system."""
    answers = {tag.attributes.get(_ATTRIBUTE, "").strip().lower(): tag for tag in tags}
    if len(answers) > 1 and not draft.strict:
        return False
    for answer, tag in answers.items():
        where = f"{file.label}:{tag.line}"
        if answer in VALUES:
            draft.add(document, question, answer, where)
        elif draft.strict:
            expected = " or ".join(VALUES)
            problem = f"{question}: expected the attribute {_ATTRIBUTE}, {expected}"
            raise InputError(problem, where=where)
        else:
            draft.unknown.append(draft.names[document])
    return True
