"""The XML of the track: a patient's notes, and an element for each criterion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from clineval.base.errors import InputError, warn
from clineval.formats.files import TextFile
from clineval.formats.xml_elements import Element, read_elements
from clineval.kinds.classes.columns import Draft

_TEXT, _TAGS = "TEXT", "TAGS"


@dataclass(frozen=True, slots=True)
class TagFiles:
    """Read ``<ROOT><TEXT>...</TEXT><TAGS><QUESTION attribute="answer" />...</TAGS></ROOT>``.

    Each element in TAGS answers the question of its name. Hidden files are ignored, and so are
    other elements, with a warning. Two different answers of a system to a question are no answer.

    Args:
        attribute: the attribute that contains the answer.
        judge: rejects the elements of a file that stops a released program; the last of several
            answers then counts. None accepts all elements.
    """

    attribute: str
    judge: Callable[[TextFile, Sequence[Element]], None] | None = None
    pattern: str = r"\.xml$"

    def read_files(self, files: Iterable[TextFile], draft: Draft) -> None:
        """Read the document of each file."""
        twice: list[str] = []
        for file in files:
            if not (file.stem or "").startswith("."):
                twice += self._read_file(file, draft)
        problem = "{n} {question has|questions have} two answers and {counts|count} as unanswered"
        warn(f"{problem}: {{names}}", twice)

    def _read_file(self, file: TextFile, draft: Draft) -> list[str]:
        """Read a document; return its name for each question with two answers."""
        elements = read_elements(file, lambda path: _TAGS in path[1:-1] or path[1:] == (_TEXT,))
        text = next((element.text for element in elements if element.name == _TEXT), None)
        tags = [element for element in elements if element.name != _TEXT]
        document = draft.add_document(file.stem or "", text)
        if self.judge:
            self.judge(file, tags)
        tags_of_questions: dict[str, list[Element]] = {}
        for tag in tags:
            if question := draft.scheme.find_question(tag.name):
                tags_of_questions.setdefault(question, []).append(tag)
            else:
                draft.ignored[tag.name] = None
        twice: list[str] = []
        for question, several in tags_of_questions.items():
            answers = self._find_answers(several)
            if len(answers) > 1 and not draft.strict:
                twice.append(draft.names[document])
            else:
                for answer, tag in answers.items():
                    where = f"{file.label}:{tag.line}"
                    self._add(draft, document, question, answer, where)
        return twice

    def _find_answers(self, tags: Sequence[Element]) -> dict[str, Element]:
        """Map different answers to their elements."""
        kept = tags[-1:] if self.judge else tags
        return {tag.attributes.get(self.attribute, "").strip().lower(): tag for tag in kept}

    def _add(self, draft: Draft, document: int, question: str, answer: str, where: str) -> None:
        """Add an answer; one without the attribute is as an unknown class."""
        if answer:
            try:
                draft.add(document, question, answer, where)
            except InputError as error:
                draft.problems.append(error)
        elif draft.strict:
            problem = f"{question}: expected the attribute {self.attribute}"
            draft.problems.append(InputError(problem, where=where))
        else:
            draft.unknown.append(draft.names[document])
