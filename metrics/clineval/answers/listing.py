"""Answers as documents that conversion writes, of kinds that have no place in the note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from clineval.answers.plain import list_answers as list_plain
from clineval.base.errors import InputError
from clineval.base.files import Source
from clineval.results.challenge import Challenge
from clineval.results.kind import PlainAnswers
from clineval.results.listed import Listed
from clineval.results.scheme import Scheme


def list_answers(challenge: Challenge, source: Source) -> list[Listed]:
    """List the documents of a file of answers; warn of what is left out.

    Raises:
        InputError: a challenge of something else than documents, or as
            :func:`~clineval.answers.reading.read_answers`.
    """
    return challenge.kind.answer(_Listing(challenge, source))


@dataclass(frozen=True, slots=True)
class _Listing:
    """The ways in which answers are read, of which one lists documents."""

    challenge: Challenge
    source: Source

    def quoted(self) -> NoReturn:
        """Refuse mentions, whose quotes are placed in the notes."""
        raise InputError(f"the answers of {self.challenge.name} quote notes", remedy="Give --text")

    def nested(self, _scheme: Scheme, /) -> NoReturn:
        """Refuse events likewise."""
        self.quoted()

    def related(self, _labels: Sequence[str], /) -> NoReturn:
        """Refuse relations likewise."""
        self.quoted()

    def plain(self, form: PlainAnswers, /) -> list[Listed]:
        """List documents."""
        return list_plain(self.source, form)
