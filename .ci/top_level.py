"""``top_level.txt`` in the wheel: the packages that the distribution holds.

``spacy package`` looks there for the distribution that a pipeline's components come from, to
require it. setuptools writes the file; hatchling does not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES = Path(__file__).with_suffix(".txt")


class TopLevelHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling asks it for further files of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file; ``version`` is ``standard`` or ``editable``."""
        metadata = f"{self.metadata.core.name}-{self.metadata.version}.dist-info"
        added = {str(PACKAGES): f"{metadata}/top_level.txt"}
        build_data["force_include"] |= added
        if version == "editable":  # what is here is in place of what pyproject.toml says
            known = self.build_config.get_force_include()
            build_data["force_include_editable"] = {**known, **added}
