"""Many modules in one file, so that a Space loads with few requests.

:func:`clineval.hub.flatten.bundle` writes the code of this file first, then the sources of the
modules. :func:`install` turns the resulting file into a package that contains them.
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
        package: the module name of that file.
        folder: the folder of that file, which also contains the modules' data.
        sources: a dict from name to code.
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
        """Return the source code, which tracebacks show."""
        return self._sources[fullname.rpartition(".")[2]]

    def get_code(self, fullname: str) -> CodeType:
        """Return the compiled code."""
        name = os.path.join(self._folder, f"{fullname.rpartition('.')[2]}.py")  # noqa: PTH118
        code: CodeType = self.source_to_code(self.get_source(fullname), name)
        return code

    def is_package(self, fullname: str) -> bool:  # noqa: ARG002
        """Return False, because all modules are in one folder."""
        return False


def install(module: ModuleType, sources: Mapping[str, str]) -> None:
    """Turn the module of a file into a package of other modules, passed as name to code."""
    module.__path__ = []  # no folder to search
    folder = os.path.dirname(os.path.abspath(module.__file__ or ""))  # noqa: PTH100, PTH120
    sys.meta_path.append(Modules(module.__name__, folder, sources))
