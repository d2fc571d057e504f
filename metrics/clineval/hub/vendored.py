"""Many modules in one file, so that a Space loads with few requests.

The code of this file stands at the top of what :func:`clineval.hub.flatten.bundle` makes; the
sources of the modules follow, and :func:`install` makes the file a package that holds them.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType


class Modules(MetaPathFinder, InspectLoader):
    """Finds and loads the modules of one file.

    Args:
        package: the name of that file's module.
        folder: where it is; what the modules read lies there too.
        sources: name to code.
    """

    def __init__(self, package: str, folder: str, sources: Mapping[str, str]) -> None:
        self._package, self._folder, self._sources = package, folder, sources

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - Python's own signature
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Find one of the modules; None for any other."""
        package, _, name = fullname.rpartition(".")
        if package != self._package or name not in self._sources:
            return None
        spec = ModuleSpec(fullname, self, origin=os.path.join(self._folder, f"{name}.py"))  # noqa: PTH118
        spec.has_location = True
        return spec

    def get_source(self, fullname: str) -> str:
        """Return the code, which tracebacks show too."""
        return self._sources[fullname.rpartition(".")[2]]

    def get_code(self, fullname: str) -> CodeType:
        """Return the code, compiled."""
        name = os.path.join(self._folder, f"{fullname.rpartition('.')[2]}.py")  # noqa: PTH118
        code: CodeType = self.source_to_code(self.get_source(fullname), name)
        return code

    def is_package(self, fullname: str) -> bool:  # noqa: ARG002
        """Return False: the modules stand side by side."""
        return False


def install(module: ModuleType, sources: Mapping[str, str]) -> None:
    """Make the module of a file the package of others, which are given as name to code."""
    module.__path__ = []  # no folder to look into
    folder = os.path.dirname(os.path.abspath(module.__file__ or ""))  # noqa: PTH100, PTH120
    sys.meta_path.append(Modules(module.__name__, folder, sources))
