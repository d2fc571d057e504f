"""Flatten the core into modules in one folder, because ``evaluate`` ignores subfolders of a Space.

``evaluate`` copies the file of a module and the siblings that it names in ``from .sibling import``.
It ignores folders, and the imports in these siblings. So every file of the core that a metric needs
becomes a flat module: ``clineval/formats/delimited/pipe.py`` becomes
``clineval_formats_delimited_pipe``. Its imports of the core become relative. One file next to the
metric contains all of these modules, so that a Space loads them with a single request.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from clineval.base.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
_PACKAGE = ROOT.name
BUNDLE = f"{_PACKAGE}_core"
"""The name of the file that contains all others."""


def collect(*sources: str) -> dict[str, str]:
    """Collect all files of the core that some sources need, flattened: name to code, sorted.

    Modules whose names are computed at run time are not included.
    """
    found: dict[str, str] = {}
    waiting = [name for source in sources for name in _modules_of(source)]
    while waiting:
        name = waiting.pop()
        if flat_name(name) not in found:
            source = _path_of(name).read_text("utf-8")
            found[flat_name(name)] = flatten(source)
            waiting += _modules_of(source)
    return dict(sorted(found.items()))


def flatten(source: str) -> str:
    r"""Return code with imports of the core replaced by imports of siblings.

    Examples:
        >>> flatten("from clineval.results.scores import ratio\n")
        'from .clineval_results_scores import ratio\n'
        >>> flatten("from clineval.formats import jsonl\n")
        'from . import clineval_formats_jsonl as jsonl\n'
    """
    lines = source.encode().splitlines(keepends=True)
    for node, text in sorted(_edits(ast.parse(source)), key=lambda edit: -edit[0].lineno):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        before, after = lines[first][: node.col_offset], lines[last][node.end_col_offset :]
        lines[first : last + 1] = [before + text.encode() + after]
    return b"".join(lines).decode()


def flat_name(module: str) -> str:
    """Return the name of a flat module.

    Examples:
        >>> flat_name("clineval.formats.delimited.pipe"), flat_name("clineval")
        ('clineval_formats_delimited_pipe', 'clineval_init')
    """
    return module.replace(".", "_") if "." in module else f"{module}_init"


def _edits(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yield the nodes to replace, and their replacements."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _is_ours(alias.name):
                    raise InputError(
                        f"cannot flatten 'import {alias.name}'", remedy="Use from ... import"
                    )
        elif isinstance(node, ast.ImportFrom) and _is_ours(node.module or ""):
            yield node, _write_import(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "import_module":
            name = ast.unparse(node.args[0])
            if found := re.match(rf"(f['\"])({_PACKAGE}\.[^{{]*)", name):  # computed at run time
                flat = found[2].replace(".", "_")
                yield node.args[0], f"{found[1]}{{__package__}}.{flat}{name[found.end() :]}"
        elif page := _page_of(node):
            yield page, f'f"{{__package__}}.{flat_name(str(page.value))}"'


def _write_import(node: ast.ImportFrom) -> str:
    """Write one line for an import; names from a package may be modules, each in its own file."""
    modules, names = _divide(node)
    listed = ", ".join(map(ast.unparse, names))
    statements = [f"from .{flat_name(node.module or '')} import {listed}"] if names else []
    for name, alias in modules.items():
        statements.append(f"from . import {flat_name(name)} as {alias.asname or alias.name}")
    return "; ".join(statements)


def _modules_of(source: str) -> Iterator[str]:
    """List the modules of the core that a source imports at any level."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and _is_ours(node.module):
            modules, names = _divide(node)
            yield from modules
            if names:
                yield node.module
        elif page := _page_of(node):
            yield str(page.value)


def _page_of(node: ast.AST) -> ast.Constant | None:
    """Find the name of the module that a declared page imports when it is shown."""
    declared = isinstance(node, ast.Call) and ast.unparse(node.func) == "ListView"
    first = node.args[0] if isinstance(node, ast.Call) and declared else None
    return first if isinstance(first, ast.Constant) else None


def _divide(node: ast.ImportFrom) -> tuple[dict[str, ast.alias], list[ast.alias]]:
    """Split the names of an import into modules, by their full names, and other objects."""
    full = {f"{node.module}.{alias.name}": alias for alias in node.names}
    modules = {name: alias for name, alias in full.items() if _path_of(name).is_file()}
    return modules, [alias for name, alias in full.items() if name not in modules]


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == _PACKAGE


def _path_of(module: str) -> Path:
    path = ROOT.parent.joinpath(*module.split("."))
    file = path.with_suffix(".py")  # a folder of the same name contains the module's data
    return file if file.is_file() or not path.is_dir() else path / "__init__.py"


def bundle(modules: Mapping[str, str], version: str) -> str:
    """Write one file of code with many flat modules, passed by name."""
    loader = (ROOT / "hub" / "vendored.py").read_text("utf-8")
    parts = [f"# the part of clineval {version} that this Space needs, in one file\n", loader]
    parts.append("\n\nSOURCES = {}\n")
    parts += [f"\nSOURCES[{name!r}] = {_quote(code)}\n" for name, code in modules.items()]
    parts.append("\ninstall(sys.modules[__name__], SOURCES)\n")
    return "".join(parts)


def _quote(code: str) -> str:
    """Quote code as a readable string."""
    mark = "'" * 3
    plain = mark not in code and not code.endswith(("\\", "'"))
    return f"r{mark}{code}{mark}" if plain else repr(code)


def from_bundle(code: str) -> str:
    r"""Return flat code with its siblings imported from the bundle.

    Examples:
        >>> from_bundle("from .clineval_scores import ratio\n")
        'from .clineval_core.clineval_scores import ratio\n'
        >>> from_bundle("from . import clineval_formats_jsonl as jsonl\n")
        'from .clineval_core import clineval_formats_jsonl as jsonl\n'
    """
    code = re.sub(rf"\bfrom \.({_PACKAGE}_\w+) import", rf"from .{BUNDLE}.\1 import", code)
    return re.sub(rf"\bfrom \. import {_PACKAGE}_", f"from .{BUNDLE} import {_PACKAGE}_", code)
