"""Check the declarations of challenges, so that an error is raised when the object is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from clineval.base.errors import InputError, listed, shown


def check_words(
    words: object,
    where: str,
    *,
    fold: Callable[[str], str] = str,
    least: int = 0,
    empty: bool = False,
) -> None:
    """Reject anything but a tuple of words that still differ after folding.

    Args:
        words: the declared value.
        where: the name of the argument, for the message.
        fold: returns the form in which words are compared.
        least: the minimum number of words.
        empty: whether a word may be empty.

    Raises:
        InputError: the argument is invalid.

    Examples:
        >>> check_words(("WOUND", "DRESSING"), "labels")
        >>> check_words(("WOUND", "Wound"), "labels", fold=str.lower)
        Traceback (most recent call last):
        ...
        clineval.InputError: labels: WOUND, Wound are too similar. Leave one of them out
    """
    if not isinstance(words, (tuple, list)):
        raise InputError(f"expected a tuple of words, got {shown(words)}", where=where)
    for word in words:
        if not isinstance(word, str) or not word.isprintable() or not (empty or fold(word)):
            wanted = "a word or words in printable characters"
            raise InputError(f"expected {wanted}, got {shown(word)}", where=where)
    if len(words) < least:
        raise InputError("expected at least one word, got none", where=where)
    alike: dict[str, list[str]] = {}
    for word in words:
        alike.setdefault(fold(word), []).append(word)
    for same in alike.values():
        if len(same) > 1:
            one, *others = dict.fromkeys(same)
            problem = f"{listed(same)} are too similar" if others else f"{one} occurs twice"
            raise InputError(problem, where=where, remedy="Leave one of them out")


def check_class(
    objects: Iterable[object],
    allowed: type | tuple[type, ...],
    where: str,
    remedy: str,
) -> None:
    """Reject objects of other classes; ``remedy`` says what to pass instead."""
    classes = allowed if isinstance(allowed, tuple) else (allowed,)
    for declared in objects:
        if not isinstance(declared, classes):
            wanted = " or ".join(of.__name__ for of in classes)
            problem = f"expected objects of the class {wanted}, got {type(declared).__name__}"
            raise InputError(problem, where=where, remedy=remedy)
