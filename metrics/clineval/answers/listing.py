"""Convert answers of kinds without a place in the note to documents, for ``clineval convert``."""

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
    """List the documents of a file of answers; warn about items that are left out.

    Raises:
        InputError: the challenge scores something other than documents, or
            :func:`~clineval.answers.reading.read_answers` rejects the file.
    """
    return challenge.kind.answer(_Listing(challenge, source))


@dataclass(frozen=True, slots=True)
class _Listing:
    """Ways to read answers; only :meth:`plain` can list documents."""

    challenge: Challenge
    source: Source

    def quoted(self, *, worded: bool = True) -> NoReturn:  # noqa: ARG002 - as for others
        """Reject mentions, because their quotes need the notes."""
        problem = f"the answers of {self.challenge.name} quote notes"
        raise InputError(problem, remedy="Pass the notes with --text")

    def nested(self, _scheme: Scheme, /) -> NoReturn:
        """Reject events, because their quotes need the notes."""
        self.quoted()

    def related(self, _labels: Sequence[str], /, *, given: bool = False) -> NoReturn:  # noqa: ARG002 - a way
        """Reject relations, because their quotes need the notes."""
        self.quoted()

    def plain(self, form: PlainAnswers, /) -> list[Listed]:
        """List documents."""
        return list_plain(self.source, form)
