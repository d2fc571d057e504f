"""Read the elements of an XML file with their lines, for formats of classes and records.

Files are UTF-8. For security, a document type is rejected, with or without entities.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from clineval.base.errors import InputError
from clineval.formats.files import TextFile

_ENCODINGS = ("UTF-8", "US-ASCII")


@dataclass(frozen=True, slots=True)
class Element:
    """An element, as written in the file.

    Args:
        path: the names of the elements around it, from the root, and its own name.
        attributes: its attributes.
        line: the line of its start.
        parts: the pieces of its own text.
    """

    path: tuple[str, ...]
    attributes: Mapping[str, str]
    line: int
    parts: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its own name."""
        return self.path[-1]

    @property
    def text(self) -> str:
        """Its own text, without the text of elements in it."""
        return "".join(self.parts)


class RefusedXmlError(Exception):
    """The file is XML, but is not supported."""


def make_parser() -> expat.XMLParserType:
    """Make a parser that rejects other encodings than UTF-8, and document types."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.XmlDeclHandler = _check_encoding
    parser.StartDoctypeDeclHandler = _refuse_type
    return parser


def _check_encoding(_version: str, encoding: str | None, _standalone: int) -> None:
    if encoding is not None and encoding.upper() not in _ENCODINGS:
        raise RefusedXmlError("expected encoding UTF-8, but another encoding is declared")


def _refuse_type(*_declared: object) -> None:
    raise RefusedXmlError("document types with declarations or entities are not supported")


def run_parser(parser: expat.XMLParserType, file: TextFile) -> None:
    """Parse a file.

    Raises:
        InputError: the file is not supported XML; the message names the line.
    """
    problem = ""
    try:
        parser.Parse(file.content, True)  # noqa: FBT003 - expat takes no names
    except expat.ExpatError as error:
        problem = f"not well-formed XML: {expat.ErrorString(error.code)}"
    except RefusedXmlError as error:
        problem = str(error)
    except ValueError:  # an encoding that expat does not support
        problem = "an encoding that cannot be read"
    if problem:
        where = f"{file.label}:{parser.ErrorLineNumber}"
        raise InputError(problem, where=where, remedy="Save the file as XML in UTF-8")


def read_elements(file: TextFile, wanted: Callable[[tuple[str, ...]], bool]) -> list[Element]:
    r"""Read the elements whose path is wanted, in the order of their starts.

    Raises:
        InputError: the file is not supported XML; the message names the line.

    Examples:
        >>> from clineval.formats.files import from_string
        >>> file = from_string("a", '<r>\n<d id="1">x<b/>y</d></r>\n')
        >>> [(of.path, dict(of.attributes), of.line, of.text)
        ...  for of in read_elements(file, lambda path: path[-1] == "d")]
        [(('r', 'd'), {'id': '1'}, 2, 'xy')]
    """
    parser, path = make_parser(), list[str]()
    elements: list[Element] = []
    open_elements: list[Element | None] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        path.append(name)
        element = None
        if wanted(tuple(path)):
            element = Element(tuple(path), attributes, parser.CurrentLineNumber)
            elements.append(element)
        open_elements.append(element)

    def end(_name: str) -> None:
        path.pop()
        open_elements.pop()

    def add(text: str) -> None:
        if open_elements and (inner := open_elements[-1]):
            inner.parts.append(text)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = add
    run_parser(parser, file)
    return elements
