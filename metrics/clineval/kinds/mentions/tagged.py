"""Convert tagged spans to mentions, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from clineval.base.arrays import expect_list
from clineval.kinds.mentions.mention import Document, Mention
from clineval.results.tagged import Annotation, Build, words_of

Describe = Callable[[str, str], Mapping[str, object]]


def as_mentions(describe: Describe | None = None, *, label: str = "") -> Build:
    """Return a function that builds mentions from annotations.

    Args:
        describe: returns a mention's code and slots from its words and its label; without it every
            mention has default slots.
        label: the slot that takes the label; if empty, mentions have codes, and are CUI-less unless
            ``describe`` returns a code.

    Examples:
        >>> codes = {"asthma": "C0004096"}
        >>> build = as_mentions(lambda words, label: {"cui": codes.get(words)})
        >>> build([Annotation(((0, 6),), "Disorder")], "asthma, stable")
        [{'spans': [[0, 6]], 'cui': 'C0004096'}]
        >>> as_mentions(label="type")([Annotation(((0, 6),), "Disorder")], "asthma, stable")
        [{'spans': [[0, 6]], 'type': 'Disorder'}]
    """

    def build(annotations: Sequence[Annotation], text: str) -> list[dict[str, object]]:
        return [
            {
                "spans": [list(span) for span in annotation.spans],
                **({label: annotation.label} if label else {"cui": None}),
                **(describe(words_of(annotation, text), annotation.label) if describe else {}),
            }
            for annotation in annotations
        ]

    return build


def from_mentions(
    document: Document | Iterable[Mapping[str, object]],
    label: str | Callable[[Mapping[str, object]], str] = "Disorder",
) -> list[Annotation]:
    """Turn a document's mentions into annotations.

    Args:
        document: a list of dicts, or a :class:`~clineval.Document`.
        label: the label of all annotations, or a function from a mention to its label.

    Returns:
        An annotation for each mention, in their order.

    Raises:
        InputError: an item is not a mention.

    Examples:
        >>> from_mentions([{"spans": [[4, 15], [31, 38]], "cui": None}])
        [Annotation(spans=((4, 15), (31, 38)), label='Disorder')]
    """
    if isinstance(document, Document):
        document = [mention.as_dict() for mention in document.mentions]
    return [
        Annotation(
            Mention.from_dict(mention).spans,
            label if isinstance(label, str) else label(mention),
        )
        for mention in expect_list(document, "a list of mentions")
    ]
