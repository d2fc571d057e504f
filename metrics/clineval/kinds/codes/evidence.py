"""Evidence for answers: sentences of a note with grades, and links from sentences of an answer.

An annotation is a code with a grade. A link has the code ``answer>sentence``. An answer sentence
has a code of its own, ``answer>``, so that it is known if it cites nothing. As strings, sentences
that are not essential end with their grade, as in ``3:supplementary``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from clineval.base.errors import shown
from clineval.kinds.codes.corpus import CODE, is_code
from clineval.kinds.codes.kind import LIKELY, CodeKind
from clineval.kinds.records.values import INVALID
from clineval.results.kind import AnswerWays, Gathered, PlainAnswers, T

ESSENTIAL, SUPPLEMENTARY, NOT_RELEVANT = GRADES = ("essential", "supplementary", "not-relevant")
LINK, ANSWER, TO = "link", "answer", ">"
Row = tuple[str, str]
"""Code and grade of an annotation."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An item, or a part of one, that is neither a sentence nor a link.

    Args:
        text: what is wrong.
        grade: the grade of the annotation that it replaces.
    """

    text: str
    grade: str = ESSENTIAL

    def as_row(self, number: int, scored: Sequence[str]) -> Row:
        """Return an annotation that no gold standard has, and whose grade is scored."""
        grade = self.grade if self.grade in scored else scored[0]
        return f"{INVALID}{TO if grade == LINK else ''}{number}", grade


def read_item(item: object) -> Iterator[Row | Problem]:
    """Yield the annotations of an item.

    Examples:
        >>> list(read_item({"answer_id": "2", "evidence_id": [5]}))
        [('2>', 'answer'), ('2>5', 'link')]
        >>> list(read_item(" 3 ")), list(read_item("3:supplementary"))
        ([('3', 'essential')], [('3', 'supplementary')])
    """
    if not isinstance(item, Mapping):
        yield from _read_code(item)
    elif "sentence_id" in item:
        yield _read_sentence(item["sentence_id"], item.get("relevance"))
    elif "citations" in item:
        yield from _read_links(item.get("id"), item["citations"])
    elif {"answer_id", "evidence_id"} <= item.keys():
        yield from _read_links(item["answer_id"], item["evidence_id"])
    else:
        yield Problem(f"expected a sentence or links, got {shown(item)}", LINK)


def write_row(row: Row) -> str:
    """Write an annotation as a string."""
    code, grade = row
    return f"{code}:{grade}" if grade in (SUPPLEMENTARY, NOT_RELEVANT) else code


def _read_code(item: object) -> Iterable[Row | Problem]:
    """Read a sentence or a link that is written as a string."""
    text = item.strip() if isinstance(item, str) else ""
    answer, linked, sentence = text.partition(TO)
    if linked:
        return _read_links(answer, [sentence] if sentence else [])
    for grade in GRADES:
        if text.endswith(f":{grade}"):
            return [_read_sentence(text.removesuffix(f":{grade}"), grade)]
    return [_read_sentence(item, ESSENTIAL)]


def _read_sentence(sentence: object, relevance: object) -> Row | Problem:
    grade = relevance.strip().lower() if isinstance(relevance, str) else ""
    if grade not in GRADES:
        expected = ", ".join(GRADES)
        return Problem(f"relevance: expected one of {expected}, got {shown(relevance)}")
    code = _find_id(sentence)
    return (code, grade) if code else _reject(sentence, ESSENTIAL)


def _read_links(answer: object, sentences: object) -> Iterator[Row | Problem]:
    start = _find_id(answer)
    if not start:
        yield _reject(answer, LINK)
    elif not isinstance(sentences, (list, tuple)):
        yield Problem(f"expected a list of ids, got {shown(sentences)}", LINK)
    else:
        yield f"{start}{TO}", ANSWER
        for sentence in sentences:
            code = _find_id(sentence)
            yield (f"{start}{TO}{code}", LINK) if code else _reject(sentence, LINK)


def _reject(given: object, grade: str) -> Problem:
    return Problem(f"expected the id of a sentence, got {shown(given)}", grade)


def _find_id(given: object) -> str:
    """Return an id without outer blanks, or an empty string; a whole number has its digits."""
    text = str(given) if type(given) is int else given
    if isinstance(text, str) and is_code(text) and TO not in text and not text.startswith(INVALID):
        return text.strip()
    return ""


def split_code(code: str) -> Sequence[str]:
    """List the codes of the gold standard that a predicted code needs.

    Examples:
        >>> split_code("2>5"), split_code("5")
        (['2>', '5'], ['5'])
    """
    answer, linked, sentence = code.partition(TO)
    return [f"{answer}{TO}", sentence] if linked else [code]


def list_items(content: object, lists: Sequence[str] = ()) -> Sequence[object]:
    """List the items of a document: a list, or an object with lists; anything else is an item.

    Args:
        content: the document.
        lists: the keys of the lists.
    """
    keys = [key for key in lists if isinstance(content, Mapping) and key in content]
    held = [content[key] for key in keys] if isinstance(content, Mapping) and keys else [content]
    return [item for each in held for item in (each if isinstance(each, (list, tuple)) else [each])]


def unite(rows: Iterable[Row]) -> dict[str, str]:
    """Map each code to its grade; of several grades of a sentence, the highest one counts."""
    grades: dict[str, str] = {}
    for code, grade in rows:
        known = grades.setdefault(code, grade)
        if known in GRADES and grade in GRADES:
            grades[code] = min(known, grade, key=GRADES.index)
    return grades


@dataclass(frozen=True)
class EvidenceKind(CodeKind):
    """Sentences and links, as codes.

    Args:
        grades: configuration to the grades of its annotations; others have both.
        lists: the keys of the lists of an object.
    """

    grades: Mapping[str, Sequence[str]] = field(default_factory=dict, kw_only=True)
    lists: tuple[str, ...] = field(default=(), kw_only=True)

    def answer(self, ways: AnswerWays[T], /) -> T:
        """Read lists of sentences, or of answer sentences with their evidence."""
        marks = ("answer_id", "evidence_id", "sentence_id")
        form = PlainAnswers(("prediction", "codes"), marks, words=True, gather=_gather)
        return ways.plain(form)

    def ask(self, config: str, /) -> Sequence[str]:
        """Ask for the sentences of the note that answer the question, or for links to them."""
        sentences = 'a list of the ids of all sentences that are needed, such as ["1", "5"]'
        links = (
            "a list with an object for each sentence of the answer, with its id as answer_id, and "
            "a list of the ids of the sentences that support it as evidence_id"
        )
        asked = {ESSENTIAL: sentences, LINK: links}
        wanted = "; or ".join(asked[grade] for grade in self.grades.get(config, asked))
        return [f"Answer with JSON and nothing else: {wanted}."]

    def of_cats(self, cats: Mapping[str, float], /) -> object:
        """List the sentences and links that are at least as likely as not."""
        return [code for code, share in cats.items() if share >= LIKELY]

    def as_cats(self, document: object, /) -> dict[str, float]:
        """Return 1 for every sentence and link."""
        rows = chain.from_iterable(map(read_item, list_items(document, self.lists)))
        return {write_row(row): 1.0 for row in rows if not isinstance(row, Problem)}


def _gather(items: Sequence[object]) -> Gathered:
    """Take all items; those that are neither sentences nor links are wrong."""
    wrong = [
        at
        for at, item in enumerate(items)
        if any(isinstance(row, Problem) for row in read_item(item))
    ]
    return Gathered(list(items), [(at, CODE) for at in wrong])
