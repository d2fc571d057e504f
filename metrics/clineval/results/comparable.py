"""Whether two results can be compared, field by field of their signatures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

from clineval.results.changes import list_changes
from clineval.results.registry import find_challenge, is_known
from clineval.results.settings import CONFIG, DOCS, GENERAL, METRIC, REFS, VERSION, Setting

if TYPE_CHECKING:
    from clineval.results.signature import Signature

Sides = tuple[Mapping[str, str], Mapping[str, str]]
Verdict = Literal["agrees", "may differ", "differs", "cannot tell"]
ANSWERS = {True: "comparable", False: "not comparable", None: "cannot tell"}


@dataclass(frozen=True, slots=True)
class Compared:
    """A field of two signatures.

    Args:
        name: the field.
        first: its value in the first signature; empty if it is missing.
        second: its value in the second one.
        verdict: ``agrees``; ``may differ``, if the difference does not matter; ``differs``, if it
            does; or ``cannot tell``.
        advice: what to do, or to keep in mind; empty if the field agrees.
    """

    name: str
    first: str
    second: str
    verdict: Verdict
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Comparability:
    """Whether the results of two signatures can be compared.

    Args:
        fields: the fields of both signatures, in order.
    """

    fields: tuple[Compared, ...]

    @property
    def comparable(self) -> bool | None:
        """Whether the results can be compared; None if that cannot be told."""
        verdicts = {field.verdict for field in self.fields}
        if "differs" in verdicts:
            return False
        return None if "cannot tell" in verdicts else True

    @property
    def differing(self) -> tuple[Compared, ...]:
        """The fields that do not agree."""
        return tuple(each for each in self.fields if each.verdict != "agrees")

    @property
    def answer(self) -> str:
        """``comparable``, ``not comparable`` or ``cannot tell``."""
        return ANSWERS[self.comparable]

    def describe(self) -> dict[str, object]:
        """Return the answer and the fields that do not agree, for JSON."""
        differing = [asdict(each) for each in self.differing]
        return {"comparable": self.comparable, "differing": differing}


def compare_signatures(first: Signature, second: Signature) -> Comparability:
    """Compare two signatures field by field.

    Args:
        first: a signature.
        second: another signature. Advice says how to repeat it like the first.

    Examples:
        >>> from clineval import Signature
        >>> head = "clinical_spans|default|protocol:spec|labels:A|overlap:"
        >>> first, second = (Signature.parse(f"{head}{of}|docs:2|v:0.1.0")
        ...                  for of in ("character", "word"))
        >>> found = first.compare(second)
        >>> found.answer, [each.advice for each in found.fields if each.advice]
        ('not comparable', ['score again with --overlap character'])
    """
    known = find_settings(first.metric)
    sides = _values(first), _values(second)
    names = dict.fromkeys(name for side in sides for name in side)
    return Comparability(tuple(_judge(name, known.get(name), sides) for name in names))


def find_settings(metric: str) -> Mapping[str, Setting]:
    """Return the fields that signatures of a metric can have, by name."""
    own = find_challenge(metric).own_settings if is_known(metric) else ()
    return {setting.name: setting for setting in (*GENERAL, *own)}


def _values(signature: Signature) -> dict[str, str]:
    head = {METRIC.name: signature.metric, CONFIG.name: signature.config}
    return {**head, **signature.settings}


def _judge(name: str, setting: Setting | None, sides: Sides) -> Compared:
    """Judge a field by its declaration."""
    ours, theirs = (side.get(name, "") for side in sides)
    if setting is None:
        advice = "this version of clineval does not know the field: install a later one, or the "
        return Compared(name, ours, theirs, "cannot tell", f"{advice}package of the metric")
    if ours == theirs:
        return Compared(name, ours, theirs, "agrees")
    if setting is VERSION:
        return _judge_versions(sides[0][METRIC.name], ours, theirs)
    if setting.may_differ == "yes" or (setting is DOCS and _have_same_gold(sides)):
        return Compared(name, ours, theirs, "may differ", setting.remark)
    return Compared(name, ours, theirs, "differs", setting.advise(ours))


def _have_same_gold(sides: Sides) -> bool:
    ours, theirs = sides
    return ours.get(REFS.name) == theirs.get(REFS.name)


def _judge_versions(metric: str, ours: str, theirs: str) -> Compared:
    """Judge the version by the changelog."""
    changes = list_changes(metric, ours, theirs)
    if changes is None:
        advice = "this version of clineval does not know both versions: install a later one"
        return Compared(VERSION.name, ours, theirs, "cannot tell", advice)
    if not changes:
        return Compared(VERSION.name, ours, theirs, "may differ", "no score changed in between")
    advice = "; ".join([VERSION.remedy, *changes])
    return Compared(VERSION.name, ours, theirs, "differs", advice)
