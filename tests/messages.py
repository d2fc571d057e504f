"""List all messages of the package in ``documentation/messages.txt``, to read them in one go.

``python tests/messages.py`` rewrites the file. It holds the strings of errors, warnings and help
texts, and every other string of three words or more, sorted by file. ``{name}`` stands for a value.
"""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LISTED = ROOT / "tests" / "documentation" / "messages.txt"
FOLDERS = ("metrics/clineval", "spacy_clin")
LONGEST = 3
"""Lines; longer strings are pages, citations and lists of rules."""
_CALL = re.compile(r"Error$|Warning$|Exit$|^_?(warn|stop|refuse|reject|unknown)")
_KEYWORDS = {"help", "remedy", "problem", "otherwise", "epilog"}
_SENTENCE = re.compile(r"[A-Za-z]+,? [a-z`'{]\S*,? [a-z`'{(]")


class Strings(ast.NodeVisitor):
    """Collect the messages of a module in their order."""

    def __init__(self):
        self.found = []
        self.in_message = False

    def visit_Expr(self, node):
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.generic_visit(node)

    def visit_Call(self, node):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        before, called = self.in_message, bool(_CALL.search(name))
        for argument in node.args:
            self.in_message = called
            self.visit(argument)
        for keyword in node.keywords:
            self.in_message = keyword.arg in _KEYWORDS
            self.visit(keyword)
        self.in_message = False
        self.visit(node.func)
        self.in_message = before

    def visit_Constant(self, node):
        if isinstance(node.value, str):
            self.add(node.value)

    def visit_JoinedStr(self, node):
        self.add("".join(_template(part) for part in node.values))
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def add(self, text):
        words = " ".join(text.split())
        message = self.in_message and " " in words  # one word alone is a name
        if (message or _SENTENCE.search(words)) and text.count("\n") < LONGEST:
            self.found.append(words)


def _template(part):
    """A piece of an f-string, with a name in place of a value."""
    if isinstance(part, ast.Constant):
        return part.value
    value = part.value
    while isinstance(value, ast.Call | ast.Subscript | ast.Starred):
        value = getattr(value, "func", getattr(value, "value", None))
    return f"{{{getattr(value, 'attr', getattr(value, 'id', '…'))}}}"


def list_messages():
    """The whole text of the file."""
    parts = []
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        strings = Strings()
        strings.visit(ast.parse(path.read_text("utf-8")))
        if strings.found:
            found = [f"- {message}" for message in dict.fromkeys(strings.found)]
            parts += [path.relative_to(ROOT).as_posix(), "", *found, ""]
    return "\n".join(parts)


if __name__ == "__main__":
    LISTED.write_text(list_messages(), "utf-8")
