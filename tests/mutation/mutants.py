"""Small changes of the product's code, each of which a test should notice."""

import ast
import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
CONSTANTS = {"True": False, "False": True}  # other numbers are one more
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any", "minimum": "maximum"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One expression or statement of a file in another form.

    ``path`` is relative to the project; ``start`` and ``end`` are offsets in the file's bytes.
    """

    path: Path
    line: int
    start: int
    end: int
    before: str
    after: str

    def apply(self, source: bytes) -> bytes:
        """Return the file's bytes with the change in them."""
        return source[: self.start] + self.after.encode() + source[self.end :]

    def __str__(self) -> str:
        return f"{self.path}:{self.line}  {self.before}  ->  {self.after}"


def sample_mutants(root: Path, places: list[str], count: int, seed: int) -> list[Mutant]:
    """Draw mutants of the files below some places, every change as likely as any other."""
    files = sorted(
        file
        for place in places
        for file in (root / place).rglob("*.py")
        if "demo" not in file.parts
    )
    mutants = [mutant for file in files for mutant in list_mutants(file, root)]
    chosen = random.Random(seed).sample(mutants, min(count, len(mutants)))
    return sorted(chosen, key=lambda mutant: (mutant.path, mutant.start))


def list_mutants(file: Path, root: Path) -> Iterator[Mutant]:
    """List all changes of one file that this module knows."""
    source = file.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in _walk(ast.parse(source)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        before = source[start:end].decode()
        for changed in _change(node):
            after = ast.unparse(ast.fix_missing_locations(changed))
            if isinstance(node, ast.expr):
                after = f"({after})"
            yield Mutant(file.relative_to(root), node.lineno, start, end, before, after)


def _walk(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Visit what runs: neither annotations, nor what only a type checker reads, nor f-strings."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "type_params"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Raise):
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            if isinstance(child, ast.expr | ast.stmt):
                yield child
            yield from _walk(child)


def _change(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=[operator]):
            yield _with(node, ops=[COMPARED[type(operator)]()])
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) if type(operator) in COMPUTED:
            if not _is_type(node):
                yield _with(node, op=COMPUTED[type(operator)]())
        case ast.BoolOp(op=operator):
            yield _with(node, op=ast.Or() if isinstance(operator, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
            yield node.operand
        case ast.Constant(value=bool() | int()):
            yield _with(node, value=CONSTANTS.get(repr(node.value), int(node.value) + 1))
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in CALLED:
            field = "id" if isinstance(node.func, ast.Name) else "attr"
            yield _with(node, func=_with(node.func, **{field: CALLED[name]}))
        case ast.Continue():
            yield ast.Break()


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = deepcopy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _is_type(node: ast.BinOp | ast.AugAssign) -> bool:
    """Tell whether it is a union of types, ``int | None``, which nothing computes."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.BitOr):
        return False
    return not TYPES.isdisjoint({ast.unparse(node.left), ast.unparse(node.right)})


TYPES = {"int", "str", "float", "bool", "bytes", "list", "dict", "tuple", "Path", "None"}
