"""Ordered answers, for weighted kappa and ordinal alpha."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from clineval.base.arrays import expect_names
from clineval.base.errors import InputError, agree, called, shown, unknown_name, warn

_WHERE = "scale"
_LEAST = 2


@dataclass(frozen=True, slots=True)
class Scale:
    """Answers in their order. Case and surrounding spaces make no difference.

    Args:
        answers: the answers, the lowest first; empty if answers have no order.
    """

    answers: tuple[str, ...] = ()

    @classmethod
    def parse(cls, given: object) -> Scale:
        """Parse a list of answers, or a string of answers with commas between them.

        Raises:
            InputError: fewer than two answers, or an answer occurs twice.

        Examples:
            >>> Scale.parse("mild, moderate,severe").answers
            ('mild', 'moderate', 'severe')
        """
        if given is None:
            return cls()
        names = given.split(",") if isinstance(given, str) else expect_names(given, _WHERE)
        answers = tuple(_fold(name) for name in names)
        if len(answers) < _LEAST or not all(answers):
            problem = f"expected at least two answers, the lowest first, got {shown(given)}"
            raise InputError(problem, where=_WHERE, remedy="Pass such as mild,moderate,severe")
        twice = [name for name in answers if answers.count(name) > 1]
        if twice:
            raise InputError(f"{called(twice[0])} occurs twice", where=_WHERE)
        return cls(answers)

    def __bool__(self) -> bool:
        return bool(self.answers)

    def place(self, answers: Sequence[str]) -> list[int] | None:
        """Return the place of each answer on the scale; None if one is not on it.

        Examples:
            >>> Scale(("no", "yes")).place(["Yes", "no"]), Scale(("no", "yes")).place(["maybe"])
            ([1, 0], None)
        """
        numbers = {name: number for number, name in enumerate(self.answers)}
        places = [numbers.get(_fold(answer), -1) for answer in answers]
        return None if -1 in places or not (self and places) else places

    def check(
        self, given: Mapping[str, Collection[str]], possible: Mapping[str, Collection[str]]
    ) -> None:
        """Reject a scale that orders the answers of no question; warn if it has some of them.

        Args:
            given: maps questions to the answers that annotators gave.
            possible: maps questions to their possible answers, if the challenge or the user lists
                them.

        Raises:
            InputError: an answer on the scale is impossible, or no question can be ordered.
        """
        if not self:
            return
        known = {_fold(name) for names in possible.values() for name in names}
        for name in self.answers if possible else ():
            if name not in known:
                raise unknown_name("answer", name, sorted(known), where=_WHERE)
        beyond = {name: self._count_beyond(answers) for name, answers in given.items() if answers}
        ordered = [name for name, (_, others) in beyond.items() if not others]
        partly = {name: others for name, (on, others) in beyond.items() if on and others}
        some = [
            agree(f"{called(name)} has {{n}} {{answer|answers}} that {{is|are}} not on it", others)
            for name, others in partly.items()
        ]
        if not ordered:
            problem = "; ".join(some) or "it has none of the answers that annotators gave"
            remedy = "List all answers to a question, the lowest first"
            raise InputError(
                f"the scale orders no question: {problem}", where=_WHERE, remedy=remedy
            )
        for problem in some:
            warn(f"scale: {problem}, so they are not ordered".replace("{", "(").replace("}", ")"))

    def _count_beyond(self, answers: Collection[str]) -> tuple[int, int]:
        """Count the answers on the scale, and the other ones."""
        on = sum(_fold(name) in self.answers for name in answers)
        return on, len(answers) - on


def _fold(name: str) -> str:
    return " ".join(name.split()).casefold()
