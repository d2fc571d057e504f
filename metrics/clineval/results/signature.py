"""The signature, which records exactly how a score was computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clineval.base.errors import InputError

if TYPE_CHECKING:
    from clineval.results.comparable import Comparability


@dataclass(frozen=True, slots=True)
class Signature:
    """An ordered list of the settings on which a score depends.

    Args:
        metric: the challenge's module name.
        config: the configuration.
        settings: maps names to values, in order.

    Examples:
        >>> signature = Signature("semeval15_task14", "task1", {"protocol": "spec", "docs": "2"})
        >>> str(signature)
        'semeval15_task14|task1|protocol:spec|docs:2'
        >>> Signature.parse(str(signature)) == signature
        True
    """

    metric: str
    config: str
    settings: Mapping[str, str]

    def __str__(self) -> str:
        settings = (f"{name}:{value}" for name, value in self.settings.items())
        return "|".join([self.metric, self.config, *settings])

    def naming(self, dataset: str) -> str:
        """Return the signature for people, with the name of the gold standard.

        Args:
            dataset: the name, such as ``pharmaconer19/demo``; empty for none.

        Examples:
            >>> Signature("codiesp20", "D", {"refs": "e0d298"}).naming("codiesp20/demo")
            'codiesp20|D|refs:e0d298 (codiesp20/demo)'
        """
        if not dataset:
            return str(self)
        refs = f"{self.settings['refs']} ({dataset})"
        return str(replace(self, settings={**self.settings, "refs": refs}))

    def compare(self, other: Signature) -> Comparability:
        """Decide whether results with two signatures can be compared, field by field.

        Args:
            other: the other signature; advice says how to repeat it like this one.

        Examples:
            >>> first, second = (Signature("codiesp20", "D", {"protocol": "spec", "seed": seed})
            ...                  for seed in ("1", "2"))
            >>> first.compare(second).answer
            'comparable'
        """
        from clineval.results.comparable import compare_signatures  # scores do not need it

        return compare_signatures(self, other)

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Parse a signature; ignore the name of a gold standard.

        Raises:
            InputError: the text is not a signature.
        """
        metric, *rest = text.split("|")
        if not rest or not all(":" in setting for setting in rest[1:]):
            raise InputError("expected a signature such as metric|config|protocol:spec|docs:2")
        settings = dict(setting.split(":", 1) for setting in rest[1:])
        if "refs" in settings:
            settings["refs"] = settings["refs"].partition(" ")[0]
        return cls(metric, rest[0], settings)
