"""Check the prose of Markdown, notebooks, docstrings and comments: ``make lint`` runs it.

``python tests/prose.py 'metrics/**/*.py'`` checks what a glob finds, without
arguments :data:`FILES`. Each pattern finds a construction that readers must read twice.
"""

import ast
import inspect
import io
import json
import re
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MARKDOWN = ("*.md", "docs/**/*.md", "hub_cards/**/*.md", "metrics/**/*.md", "spacy_clin/**/*.md")
CODE = ("metrics/**/*.py", "spacy_clin/**/*.py", "tests/documentation/messages.txt")
FILES = (*MARKDOWN, "tests/README.md", "paper/*.md", "docs/**/*.ipynb", "docs/**/*.py", *CODE)
"""Globs of the files that are checked."""
LONGEST = 40
"""Words of a sentence, without those in parentheses."""
PATTERNS = {
    r"(?<!each )\bof which\b": "start a new sentence",
    r"\bbut for\b": "except, without, unless",
    r"^(What|Whoever|Whatever)\b[^?:]*\.$": "begin with the thing that is described",
    r"^(Those|That) of\b": "repeat the noun",
    r"\b(is|are|was|were) of\b(?! (importance|interest))": "has, belongs to, comes from",
    r"\btells? (?:\w+ ){0,3}(which|whether|what)\b": "identify, decide, state",
    r"\b(as [\w. ]+ (has|have) it|(has|have) it that)\b": "as in pandas; states, defines",
    r"\blikewise\b": "also, too, so do",
    r"\brefus(e|es|ed|ing|al)\b": "reject",
    r"\bmakes? of\b": "derive, convert, build from",
    r"\bnot looked at\b": "ignore",
    r"\b(is|are|was|were) warned of\b": "trigger a warning; warn about",
    r"\banother thing than\b": "is not the same as",
    r"\bknows? (no|nothing)\b": "does not depend on, does not support",
    r"\bno word of\b": "no text of",
    r"; (what|whose|whom|who|which (is|are|has|have|can))\b": "start a new sentence",
    r"; (of|for|with|in|on|to|by|from) (which|what|whom|whose)\b": "start a new sentence",
}
_CODE = re.compile(r"``[^`]+``|`[^`]+`|:\w+:`[^`]+`|https?://\S+")
_OTHER = re.compile(  # front matter, code, formulas, examples, references, indented blocks
    r"\A---\n.*?^---$|^(```|\$\$).*?^\1$|^:::.*?$|(?:^ *>>>|(?<=\n\n) {4}).*?(?=\n\s*\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
_BREAK = re.compile(r"\n\s*\n|\n\s*(?=[-*+] |\d+\. |#+ |> |\||\w+: )|(?<= )\|(?= )|\n#+ |^\|")
_END = re.compile(r"(?<=[.!?])[)\"']*\s+(?=[A-Z`\"'(\[])")


def list_texts(path):
    """Yield pieces of prose, each with its first line."""
    text = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        for cell in json.loads(text)["cells"]:
            if cell["cell_type"] == "markdown":
                yield 1, "".join(cell["source"])
    elif path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            value = getattr(node, "value", None)
            if isinstance(node, ast.Expr) and isinstance(getattr(value, "value", None), str):
                yield node.lineno, inspect.cleandoc(value.value)
        for part in tokenize.generate_tokens(io.StringIO(text).readline):
            if part.type == tokenize.COMMENT:
                yield part.start[0], part.string.lstrip("# ")
    else:
        yield 1, text


def find_problems(text, first=1):
    """Yield line, words and advice for each problem of a text."""
    text, start = _OTHER.sub(lambda other: "\n" * other[0].count("\n"), text), 0
    for stop in [*(found.end() for found in _BREAK.finditer(text)), len(text)]:
        paragraph, begin, start = text[start:stop], start, stop
        line = first + text.count("\n", 0, begin + len(paragraph) - len(paragraph.lstrip()))
        plain = re.sub(r"\]\([^)]*\)", "]", _CODE.sub("X", paragraph))
        words = re.sub(r"[*_\[\]|]|^\s*[-+#]+ ", "", plain).split()
        for sentence in _END.split(" ".join(words)):
            for pattern, advice in PATTERNS.items():
                if found := re.search(pattern, sentence):
                    yield line, found[0][:60], advice
            if len(re.sub(r"\([^()]*\)", "", sentence).split()) > LONGEST:
                yield line, f"{sentence[:40]} …", f"over {LONGEST} words"


def main(*globs):
    """Print the problems of files; returns their number."""
    count = 0
    for path in sorted(path for glob in globs or FILES for path in ROOT.glob(glob)):
        for first, text in list_texts(path):
            for line, words, advice in find_problems(text, first):
                print(f"{path.relative_to(ROOT)}:{line}: {words!r}: {advice}")
                count += 1
    return count


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) > 0)
