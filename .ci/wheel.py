"""Files of the wheel that lie elsewhere in the source tree, or nowhere.

``top_level.txt`` names the packages that the distribution holds. ``spacy package`` looks there for
the distribution that a pipeline's components come from, to require it. setuptools writes the file;
hatchling does not. ``clineval_modules`` has the evaluate modules with their cards, and the
changelog, by which signatures of two versions are compared.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES = Path(__file__).with_name("top_level.txt")


class WheelHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling asks it for further files of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files; ``version`` is ``standard`` or ``editable``."""
        metadata = f"{self.metadata.core.name}-{self.metadata.version}.dist-info"
        added = {str(PACKAGES): f"{metadata}/top_level.txt"}
        # beside the package and not in it: an editable install copies these files too, and a
        # copied folder "clineval" would hide the real one
        added[str(Path(self.root, "CHANGELOG.md"))] = "clineval_modules/CHANGELOG.md"
        for module in sorted(Path(self.root).glob("metrics/*/*.py")):
            name = module.stem
            if module.parent.name == name:
                added[str(module.parent)] = f"clineval_modules/{name}"
                added[str(Path(self.root, "hub_cards", name))] = f"clineval_modules/{name}"
        build_data["force_include"] |= added
        if version == "editable":  # what is here is in place of what pyproject.toml says
            known = self.build_config.get_force_include()
            build_data["force_include_editable"] = {**known, **added}
