"""The error and the warning for bad input.

People read messages, and logs store them, on machines that patient text must not leave.
Messages name files, lines, documents, fields and offsets. They never repeat a value that could be
text. Each message is one printable line of bounded length, whatever names it contains.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from itertools import starmap
from typing import Any, TypeVar

from clineval.base.escaping import visible
from clineval.base.subjects import name_subject

Given = TypeVar("Given")
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z_-]{0,23}\Z")
_NAME = re.compile(r"[\w.:/+=@%~-]{1,64}\Z", re.ASCII)
_WITHOUT_BLANKS = re.compile(r"[!-~\u00a1-\u058f\u1e00-\u1fff]*\Z")
"""Characters of scripts with blanks between words: Latin, Greek, Cyrillic."""
_ONE_OR_MANY = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")
_LISTED, _LONGEST_NAME, _LONGEST_PLACE, _LONGEST_PROBLEM = 20, 64, 240, 2000
MOST_BITS = 64
"""Most bits of an integer that messages show."""
_OURS = ("clineval", "spacy_clin", "spacy", "evaluate", "contextlib")
"""Packages between the code that warns and the user's code."""
_in_part: ContextVar[bool] = ContextVar("in part", default=False)
_heard: ContextVar[list[str] | None] = ContextVar("heard", default=None)


class InputError(ValueError):
    """Input that cannot be scored.

    The message states where, what is wrong, what was expected, and what to do. It is one line,
    whatever names it contains.

    Args:
        problem: what is wrong, and what was expected instead.
        where: file and line, document, mention or field; empty for the whole call.
        remedy: what the user can do, as a sentence.

    Attributes:
        where: the place, as passed.
        problem: the message without the place.
        others: other errors that were found at the same time (:func:`read_all`).

    Examples:
        >>> str(InputError("end 10 is not after start 20", where="a.pipe:3", remedy="Swap them."))
        'a.pipe:3: end 10 is not after start 20. Swap them.'
    """

    __module__ = "clineval"  # where users import it from

    def __init__(self, problem: str, *, where: str = "", remedy: str = "") -> None:
        place = f"{one_line(where, _LONGEST_PLACE)}: " if where else ""
        advice = f". {visible(remedy)}" if remedy else ""
        self.where = where
        self.problem = f"{one_line(problem, _LONGEST_PROBLEM)}{advice}"
        self.others: tuple[InputError, ...] = ()
        super().__init__(f"{place}{self.problem}")

    def __reduce__(self) -> tuple[object, ...]:
        # unchanged: the other process has already made the message safe
        return partial(InputError, self.problem, where=self.where), (), {"others": self.others}


def located(where: str, read: Callable[..., Given], *given: object, **options: object) -> Given:
    """Call a reader and return its result; add the place to its error."""
    try:
        return read(*given, **options)
    except InputError as error:
        raise InputError(str(error), where=where) from None


def read_all(readers: Iterable[Callable[[], object]]) -> list[Any]:
    """Call readers and return their results; an error does not stop the readers after it.

    Raises:
        InputError: the first error; its ``others`` are the errors after it.

    Examples:
        >>> def refuse(problem):
        ...     raise InputError(problem)
        >>> try:
        ...     read_all([lambda: refuse("no name"), lambda: 3, lambda: refuse("no code")])
        ... except InputError as error:
        ...     print(error, [other.problem for other in error.others])
        no name ['no code']
    """
    results: list[object] = []
    errors: list[InputError] = []
    for read in readers:
        try:
            results.append(read())
        except InputError as error:
            errors += error, *error.others
    raise_all(errors)
    return results


def read_each(read: Callable[..., Given], rows: Iterable[Iterable[object]]) -> list[Given]:
    """Call a reader for each row of arguments, and collect errors as :func:`read_all` does.

    Each row is read once. The loop runs in C until a row is rejected.

    Examples:
        >>> read_each(pow, [(2, 3), (3, 2)])
        [8, 9]
    """
    results: list[Given] = []
    errors: list[InputError] = []
    left, refused = iter(rows), True
    while refused:
        try:
            results += starmap(read, left)
            refused = False
        except InputError as error:  # the iterator continues with the next row
            errors += error, *error.others
    raise_all(errors)
    return results


def raise_all(errors: Sequence[InputError]) -> None:
    """Raise the first error, if any; its ``others`` are the rest."""
    if errors:
        errors[0].others = tuple(errors[1:])
        raise errors[0]


def need(package: str, extra: str, problem: str, otherwise: str = "") -> Any:
    """Import an optional package or module.

    Args:
        package: the name to import.
        extra: the extra of clineval that installs it.
        problem: what needs the package, for the message.
        otherwise: another requirement that installs it; empty for none.

    Raises:
        InputError: the package is not installed; the message says how to install it.
    """
    try:
        return import_module(package)
    except ImportError:
        named = f"{otherwise}, or 'clineval[{extra}]'" if otherwise else f"'clineval[{extra}]'"
        raise InputError(problem, remedy=f"Install it: pip install {named}") from None


class InputWarning(UserWarning):
    """Input that is scored, although something was ignored or filled in; one line.

    Equal warnings about parts of a corpus become one warning (:func:`join_warnings`). Therefore
    pass names and numbers separately from the message.

    Args:
        message: the message, with ``{names}`` and the names of ``values`` as placeholders, and
            ``{one|many}`` for words that agree with ``n`` (:func:`agree`).
        names: all documents, or other items; the message lists the first twenty.
        values: numbers, which are added when warnings are joined, and places. The first place
            is kept.

    Examples:
        >>> template = "{n} {document has|documents have} no text: {names}"
        >>> print(InputWarning(template, ["a", "b"], n=2))
        2 documents have no text: a, b
    """

    __module__ = "clineval"  # where users import it from

    def __init__(self, message: str, names: Sequence[str] = (), **values: int | str) -> None:
        self.template = message
        self.names = tuple(names)
        self.values = values
        if "n" in values:
            message = agree(message, int(values["n"]))
        filled = {**values, "names": listed(self.names)} if values or self.names else {}
        for name, value in filled.items():
            message = message.replace(f"{{{name}}}", str(value))
        super().__init__(one_line(message, _LONGEST_PROBLEM))

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), self.template, self.names, **self.values), ()


class NewNamesWarning(InputWarning):
    """Names that the references lack, such as labels of predictions.

    Parts of a corpus may lack names that the references of other parts have.
    """


class SharedNamesWarning(InputWarning):
    """Names that several parts of a corpus can have, such as columns; each is listed once."""


class TotalsWarning(InputWarning):
    """A warning that depends on the totals of a corpus, which its parts do not know.

    Each part issues it with its numbers (:func:`counting_part`), and the sums decide.
    """

    @property
    def holds(self) -> bool:
        """Whether the numbers justify the warning."""
        raise NotImplementedError


@contextmanager
def counting_part() -> Iterator[None]:
    """Issue each :class:`TotalsWarning` inside, because other parts have numbers of their own."""
    token = _in_part.set(True)
    try:
        yield
    finally:
        _in_part.reset(token)


def agree(words: str, number: int) -> str:
    """Fill in ``{n}``, and choose the singular or plural of ``{one|many}``, in a message.

    Examples:
        >>> agree("{n} {document has|documents have} no text", 1)
        '1 document has no text'
    """
    return _ONE_OR_MANY.sub(r"\1" if number == 1 else r"\2", words).replace("{n}", str(number))


def warn(message: str, names: Sequence[str] | None = None, **values: int | str) -> None:
    """Issue an :class:`InputWarning`, unless ``names`` is empty or ``n`` is 0.

    Examples:
        >>> warn("{n} {document has|documents have} no text: {names}", [])
    """
    if names is not None:
        values["n"] = len(names)
    if values.get("n", 1):
        warn_user(InputWarning(name_subject(message), names or (), **values))


def warn_of_shared(message: str, names: Sequence[str]) -> None:
    """Issue a :class:`SharedNamesWarning`, unless there are no names."""
    if names:
        warn_user(SharedNamesWarning(name_subject(message), names, n=len(names)))


@contextmanager
def hear_warnings() -> Iterator[list[str]]:
    """Collect the distinct warnings that are issued inside; they are still shown.

    Examples:
        >>> with hear_warnings() as heard:
        ...     warn("{n} {note is|notes are} empty", n=0)
        >>> heard
        []
    """
    heard: list[str] = []
    outer = _heard.get()
    token = _heard.set(heard)
    try:
        yield heard
    finally:
        _heard.reset(token)
        if outer is not None:
            outer.extend(each for each in heard if each not in outer)


def heard_so_far() -> list[str]:
    """List the warnings that the innermost :func:`hear_warnings` has collected so far."""
    return list(_heard.get() or ())


def warn_user(warning: Warning) -> None:
    """Issue a warning at the line of the user's code that caused it."""
    if isinstance(warning, TotalsWarning) and not (warning.holds or _in_part.get()):
        return
    heard = _heard.get()
    if heard is not None and str(warning) not in heard:
        heard.append(str(warning))
    level, frame = 1, sys._getframe(0)  # noqa: SLF001 - the standard library's own way
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in _OURS:
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level)


def join_warnings(parts: Iterable[InputWarning]) -> list[InputWarning]:
    """Join equal warnings about parts of a corpus, in order of appearance.

    Examples:
        >>> parts = [InputWarning("{n} {note|notes}: {names}", [name], n=1) for name in "ab"]
        >>> print(*join_warnings(parts))
        2 notes: a, b
    """
    joined: dict[tuple[str, ...], InputWarning] = {}
    for warning in parts:
        key = warning.template, *(each for each in warning.values.values() if isinstance(each, str))
        first = joined.setdefault(key, warning)
        if first is not warning:
            added = {
                name: value + int(warning.values[name])
                for name, value in first.values.items()
                if isinstance(value, int)
            }
            names = (*first.names, *warning.names)
            if isinstance(first, SharedNamesWarning):
                names = tuple(dict.fromkeys(names))
                added["n"] = len(names)
            joined[key] = type(first)(first.template, names, **first.values | added)
    every = joined.values()
    return [each for each in every if not isinstance(each, TotalsWarning) or each.holds]


def one_line(text: str, most: int = _LONGEST_NAME) -> str:
    r"""Return text for a message: printable, on one line, without the middle of a long text.

    Examples:
        >>> one_line("gold\n.pipe"), one_line("abcdefghijkl", 9)
        ('gold\\n.pipe', 'abc...jkl')
    """
    if len(text) > most:
        kept = (most - 3) // 2
        text = f"{text[:kept]}...{text[-kept:]}"
    text = visible(text)
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def named(text: str) -> str | None:
    """Return a string that has the form of a name; None if it could be text of a note.

    A name is short, ASCII and has no blanks. Text in scripts without blanks between words, such
    as Japanese, is therefore never a name.

    Examples:
        >>> named("team.run-1.txt"), named("No fever."), named("発熱")
        ('team.run-1.txt', None, None)
    """
    return text if _NAME.match(text) else None


def called(name: str) -> str:
    """Return a document's name for messages; hide a name that could be text of a note.

    If a file's columns are swapped, or its line ends are lost, notes take the place of names.

    Examples:
        >>> called("note-1.txt"), called("Fall_Müller"), called("No fever.")
        ('note-1.txt', 'Fall_Müller', '(name withheld, 9 characters)')
    """
    if _WITHOUT_BLANKS.match(name):
        return one_line(name)
    return agree("(name withheld, {n} {character|characters})", len(name))


def shown(value: object) -> str:
    """Describe an unexpected value without repeating the text of a note.

    Numbers and single words in the form of an identifier are shown. Anything else is described
    by its type and length.

    Examples:
        >>> shown("negated"), shown(-3), shown("left lower lobe"), shown({"a": 1})
        ("'negated'", '-3', 'a string of 15 characters', 'a dict')
    """
    if isinstance(value, str):
        return repr(value) if _IDENTIFIER.match(value) else f"a string of {len(value)} characters"
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return f"an integer of {value.bit_length()} bits"
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def shown_name(value: object) -> str:
    """Describe an unexpected value in place of a name, such as that of an option or format.

    Examples:
        >>> shown_name("task3"), shown_name("no fever"), shown_name(3)
        ("'task3'", 'a string of 8 characters', '3')
    """
    return repr(value) if isinstance(value, str) and named(value) else shown(value)


def unknown_name(kind: str, name: object, known: Iterable[str], *, where: str = "") -> InputError:
    """Return the error for an unknown name; it suggests up to three close matches.

    If a large set has close matches, the message lists only these.

    Examples:
        >>> print(unknown_name("score", "strict_f2", ["strict_f1", "spurious", "n"]))
        unknown score 'strict_f2', expected one of strict_f1, spurious, n. Did you mean strict_f1?
    """
    names = list(known)
    if not names:
        return InputError(f"unknown {kind} {shown_name(name)}, because there is none", where=where)
    by_lower = {one.lower(): one for one in names}
    asked = name.lower() if isinstance(name, str) and named(name) else ""
    *others, last = [by_lower[one] for one in get_close_matches(asked, by_lower)] or [""]
    expected = len(names) if last and len(names) > _LISTED else ", ".join(names)
    near = f"{', '.join(others)} or {last}" if others else last
    return InputError(
        f"unknown {kind} {shown_name(name)}, expected one of {expected}",
        where=where,
        remedy=near and f"Did you mean {near}?",
    )


def listed(names: Sequence[str]) -> str:
    """Join names for a message: the first twenty, and the number of further names.

    Each name takes at most 64 characters on one line, see :func:`called`.

    Examples:
        >>> listed(["a", "b"])
        'a, b'
    """
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(map(called, names[:_LISTED])) + more
