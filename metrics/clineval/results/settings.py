"""The fields of a signature: what each means, and whether it may differ between two results.

Fields that every metric can have are declared here. A protocol declares those of its options
(:attr:`~clineval.results.protocol.Protocol.own_settings`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

Differs = Literal["no", "yes", "docs", "version"]
"""Whether a field may differ: no; yes; ``docs`` if the gold standards agree; ``version`` if no
score of the metric changed between the two versions."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A field of a signature, declared once.

    Args:
        name: the name of the field.
        meaning: what its value says.
        may_differ: whether two comparable results may differ in it.
        option: the option of ``clineval score`` whose value it is, or follows from; empty if the
            input decides.
        literal: whether the option takes the value as the signature writes it.
        remark: what to keep in mind if it differs.
        remedy: what to do if it must not differ; by default an advice about the option.

    Examples:
        >>> Setting("overlap", "what must overlap", option="--overlap").advise("word")
        'score again with --overlap word'
        >>> Setting("codes", "the valid codes", option="--codes", literal=False).advise("any")
        'score both with the same --codes'
    """

    name: str
    meaning: str
    may_differ: Differs = "no"
    option: str = ""
    literal: bool = True
    remark: str = ""
    remedy: str = ""

    @property
    def plain(self) -> str:
        """The meaning without Markdown."""
        return re.sub(r"\[(.*?)\]\(.*?\)|`", r"\1", self.meaning)

    def advise(self, value: str) -> str:
        """Return what to do, so that the field has a value.

        Args:
            value: the value; empty if the signature lacks the field.
        """
        if self.remedy or not self.option:
            return self.remedy or f"score both from inputs with the same {self.name}"
        if self.literal and value:
            return f"score again with {self.option} {value}"
        if self.literal:
            return f"score again without {self.option}"
        return f"score both with the same {self.option}"


METRIC = Setting("metric", "the metric", remedy="score both with the same metric")
CONFIG = Setting("config", "its configuration", option="--config")
PROTOCOL = Setting(
    "protocol",
    "`spec`: the challenge's document; `official`: the released program",
    option="--protocol",
)
DOCS = Setting(
    "docs",
    "the number of documents",
    "docs",
    remark="documents without annotations are not in the digest of the gold standard; a system "
    "may have predictions there",
    remedy="score both on the same documents",
)
REFS = Setting(
    "refs",
    "the first six digits of the [digest of the gold annotations](known/README.md"
    "#what-a-digest-is); in brackets its name, if it is known; the name may be missing",
    remedy="score both on the same gold standard",
)
VERSION = Setting(
    "v",
    "the version of clineval",
    "version",
    remedy="score both with the same version of clineval",
)
GENERAL = (
    METRIC,
    CONFIG,
    PROTOCOL,
    DOCS,
    REFS,
    Setting(
        "left_out",
        "the number of documents that could not be read (`--keep-going`)",
        remedy="mend the documents that could not be read, and score again without --keep-going",
    ),
    Setting(
        "answers",
        "how the answers of a language model were read and [matched with the notes]"
        "(../answers/README.md)",
        "yes",
        remark="comparable if finding the quotes is part of the systems; report the difference",
    ),
    Setting(
        "bs",
        "the number of corpora drawn for the intervals (bootstrap samples)",
        "yes",
        remark="only intervals depend on it",
    ),
    Setting("seed", "the random seed", "yes", remark="intervals and p-values change slightly"),
    Setting(
        "ci",
        "the method and level of the intervals: `auto-0.95`",
        "yes",
        remark="compare intervals only if it agrees",
    ),
    Setting(
        "cluster",
        "the number of clusters, such as patients, that were drawn as a whole",
        "yes",
        remark="compare intervals and p-values only if it agrees",
    ),
    Setting(
        "test",
        "the test of a comparison: `ar`, `bootstrap`, `mcnemar`, `runs`",
        "yes",
        remark="compare p-values only if it agrees",
    ),
    Setting(
        "trials",
        "the number of random trials of the test",
        "yes",
        remark="p-values change slightly",
    ),
    Setting(
        "runs",
        "the number of runs of each system; scores are their means",
        "yes",
        remark="report it",
    ),
    VERSION,
)
"""The fields that any metric can have, in the order of a signature."""


def declare_settings(*settings: Setting) -> tuple[Setting, ...]:
    """Declare the fields that a protocol adds to signatures."""
    return settings


class HasSettings(Protocol):
    """A protocol, or several, that add fields to signatures."""

    @property
    def own_settings(self) -> tuple[Setting, ...]:
        """The fields."""


def unite_settings(several: Iterable[HasSettings]) -> tuple[Setting, ...]:
    """Return the fields of several protocols, each once."""
    return tuple(dict.fromkeys(setting for each in several for setting in each.own_settings))
