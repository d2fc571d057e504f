"""displaCy's bars under the words, with the fragments of a mention joined by dashes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from spacy.displacy.render import SpanRenderer
from spacy.tokens import Doc
from spacy.util import escape_html

from clineval.challenges.semeval15_task14 import SLOTS
from clineval.formats.brat import is_default
from spacy_clin.inputs import to_inputs
from spacy_clin.mentions import get_document_name, snap

_GAP = "GAP"
_DASHES = "repeating-linear-gradient(90deg, #888 0 3px, transparent 3px 7px)"
_SIDES = '<h2 style="margin: 0">{}</h2><div style="display: flex; gap: 3rem">{}</div>'
_SIDE = '<div style="flex: 1; min-width: 0"><h3>{}</h3>{}</div>'
_PLAIN = '<span style="white-space: pre-wrap; vertical-align: top">{}</span>'
_MARKED = (
    '<span style="display: inline-block; position: relative; font-weight: {weight}; '
    'white-space: pre-wrap; vertical-align: top; height: {height}px">{widths}{text}{bars}</span>'
)
# unseen, above the word: makes room for a label, so that labels never cover each other
_WIDTH = (
    '<span style="display: block; height: 0; overflow: hidden; white-space: nowrap; '
    'font-size: 0.6em; padding: 0 5px">{}</span>'
)
_LABEL = (
    '<span style="background: {bg}; top: {top_offset}px; height: 4px; left: -1px; '
    'width: calc(100% + 2px); position: absolute"><span style="background: {bg}; z-index: 10; '
    "color: #000; top: -0.5em; padding: 2px 3px; position: absolute; font-size: 0.6em; "
    'line-height: 1; border-radius: 3px; white-space: nowrap">{label}{kb_link}</span></span>'
)


def render(
    doc: Doc,
    pred: Doc | None = None,
    *,
    gold: Any = "clin",
    getter: Any = "clin",
    page: bool = False,
) -> str:
    """Show the mentions of a document as HTML, or a gold document beside a predicted one.

    The bar of a mention says its code and the slots that are not at their defaults; dashes join
    fragments. The HTML holds the note's text.

    Args:
        doc: the document; the gold one if there is a predicted one.
        pred: the predicted document.
        gold: where the mentions of ``doc`` are.
        getter: where those of ``pred`` are.
        page: a whole HTML page instead of a part of one.

    Examples:
        >>> import spacy
        >>> from spacy_clin import set_mentions
        >>> doc = spacy.blank("en")("The left atrium is dilated.")
        >>> group = set_mentions(doc, [{"spans": [[4, 15], [19, 26]], "cui": "C0344720"}])
        >>> html = render(doc)
        >>> "C0344720" in html, "repeating-linear-gradient" in html
        (True, True)
    """
    renderer = _MentionRenderer()
    if pred is None:
        title = get_document_name(doc) or None
        return renderer.render([{**_parse(doc, gold), "title": title}], page=page)
    sides = {"gold": _parse(doc, gold), "predicted": _parse(pred, getter)}
    columns = (_SIDE.format(name, renderer.render([side])) for name, side in sides.items())
    name = get_document_name(doc) or get_document_name(pred)
    markup = _SIDES.format(escape_html(name), "".join(columns))
    return (
        f'<!DOCTYPE html><html><meta charset="utf-8"><body>{markup}</body></html>'
        if page
        else markup
    )


class _MentionRenderer(SpanRenderer):
    """Bars that keep their height over several fragments, under the text as it stands."""

    def __init__(self) -> None:
        super().__init__({"colors": {_GAP: _DASHES}})
        self.span_start_template = _LABEL

    def _render_markup(self, per_token_info: list[dict[str, Any]]) -> str:
        return "".join(map(self._render_token, per_token_info))

    def _render_token(self, token: dict[str, Any]) -> str:
        bars, text = token["entities"], escape_html(token["text"])
        if not bars or not text.strip():
            return _PLAIN.format(text)
        rows = max(bar["render_slot"] for bar in bars)
        return _MARKED.format(
            weight="normal" if all(bar["label"] == _GAP for bar in bars) else "bold",
            height=self.top_offset + self.span_label_offset + self.offset_step * (rows - 1),
            widths="".join(_WIDTH.format(bar["label"]) for bar in bars if bar["is_start"]),
            text=text,
            bars=self._get_span_slices(bars) + self._get_span_starts(bars),
        )

    @staticmethod
    def _assemble_per_token_info(
        tokens: list[str], spans: list[dict[str, Any]]
    ) -> list[dict[str, list[dict[str, Any]]]]:
        info: list[dict[str, Any]] = [{"text": text, "entities": []} for text in tokens]
        for span, slot in _stack(spans):
            for at in range(span["start_token"], span["end_token"]):
                info[at]["entities"].append(
                    {
                        "label": span["label"] if at in span["covered"] else _GAP,
                        "is_start": at == span["start_token"],
                        "render_slot": slot,
                        "kb_link": "",
                    }
                )
        return info


def _stack(spans: Sequence[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], int]]:
    """Each span with the first row in which it meets no other one, rows counting from 1."""
    ends: list[int] = []
    for span in sorted(spans, key=lambda span: (span["start_token"], -span["end_token"])):
        row = next((k for k, end in enumerate(ends) if end <= span["start_token"]), len(ends))
        ends[row : row + 1] = [span["end_token"]]
        yield span, row + 1


def _parse(doc: Doc, getter: Any) -> dict[str, Any]:
    """What displaCy renders of a Doc."""
    [mentions] = to_inputs([doc], getter=getter)
    return {
        "tokens": [token.text_with_ws for token in doc],
        "spans": [_bar(doc, mention) for mention in mentions],
    }


def _bar(doc: Doc, mention: Mapping[str, Any]) -> dict[str, Any]:
    fragments = [snap(doc, start, end) for start, end in mention["spans"]]
    covered = {at for span in fragments for at in range(span.start, span.end)}
    return {
        "start_token": min(covered),
        "end_token": max(covered) + 1,
        "label": escape_html(" ".join([mention["cui"] or "CUI-less", *_slots(mention)])),
        "covered": covered,
    }


def _slots(mention: Mapping[str, Any]) -> Iterator[str]:
    """The slots that are not at their defaults."""
    for slot in SLOTS:
        value = mention.get(slot.name)
        if slot.name == "cui" or value is None or is_default(slot, value):
            continue
        yield f"{slot.name}={value if isinstance(value, str) else ','.join(value)}"
