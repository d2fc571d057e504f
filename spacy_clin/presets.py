"""Readers for popular packages: they map attributes of a package to slots.

Each names the release whose attributes it supports. Slots that a package does not set keep their
defaults, and scoring warns once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from spacy.tokens import Doc, Span

from clineval.base.errors import InputError, shown, unknown_name
from clineval.results.options import check_name
from clineval.results.registry import all_challenges
from spacy_clin.paths import ATTRS, Source, no_attribute
from spacy_clin.settings import CODE, ID, KEY, NIL, OF_SPANS, Reader, known_slots, unknown_slot

if TYPE_CHECKING:
    from rich.table import Table

PREFIX = "clin_"
FRAGMENTS = f"{PREFIX}fragments"
AUTO, CLIN = "auto", "clin"
_META = "meta_cat_meta_anns"
YES, FAMILY = {"true": "yes", "false": "no"}, {"true": "family_member", "false": "patient"}


def slot_names() -> list[str]:
    """List the slots of mentions, except those stored in attributes of spans."""
    return [name for name in known_slots() if name not in OF_SPANS]


def register_extensions() -> None:
    """Register ``clin_fragments`` and ``clin_<slot>`` for spans; each is None until it is set.

    The preset ``spacy`` registers and reads them. Call this function before your own component
    sets them. Existing extensions with these names stay unchanged. spaCy stores extensions by
    offsets, so two entities with the same offsets share their values.

    Examples:
        >>> import spacy
        >>> register_extensions()
        >>> doc = spacy.blank("en")("No fever.")
        >>> doc[1:2]._.clin_negation = "yes"
        >>> doc[1:2]._.clin_negation, doc[1:2]._.clin_severity
        ('yes', None)
    """
    for name in (FRAGMENTS, *(f"{PREFIX}{slot}" for slot in slot_names())):
        if not Span.has_extension(name):
            Span.set_extension(name, default=None)


def code_or_id(span: Span) -> str:
    """Return the code of a span, or the id from a rule."""
    return span.kb_id_ if span.kb_id_ not in ("", NIL) else span.ent_id_


def _of_medcat(doc: Any) -> Iterator[object]:
    """Yield entities of MedCAT 1, from an extension, or of MedCAT 2, from its own documents."""
    if isinstance(doc, Doc):
        yield from doc._.ents
        return
    for entity in doc.linked_ents:
        annotated = _META in entity.get_available_addon_paths()
        yield {
            "start": entity.base.start_char_index,
            "end": entity.base.end_char_index,
            CODE: entity.cui,
            "meta_anns": entity.get_addon_data(_META) if annotated else None,
        }


def _of_scispacy(doc: Doc) -> Iterator[Span]:
    """Yield the short forms from the AbbreviationDetector, which are spans or dicts."""
    for short in doc._.abbreviations:
        if isinstance(short, Mapping):  # with make_serializable
            yield doc[short["short_start"] : short["short_end"]]
        else:
            yield short


def _sections_of_medspacy(doc: Doc) -> Iterator[Mapping[str, object]]:
    for label, span in zip(doc._.section_categories, doc._.section_spans, strict=True):
        if label:
            yield {"start": span.start_char, "end": span.end_char, "label_": label}


def _code_of_medcat(item: Span | Mapping[str, object]) -> object:
    return item[CODE] if isinstance(item, Mapping) else item._.cui


def _meta(name: str, values: Mapping[str, str]) -> Source:
    """Return the source of a meta-annotation of MedCAT."""

    def read(item: Span | Mapping[str, Any]) -> object:
        found = item["meta_anns"] if isinstance(item, Mapping) else item._.meta_anns
        return ((found or {}).get(name) or {}).get("value")

    return Source(read, values)


_QUALIFIERS = "_.qualifiers_str"
_SCISPACY = Reader(
    "ents",
    attributes={CODE: "_.kb_ents.0.0"},
    note="scispaCy 0.6: the best candidate of the entity linker is the code",
)
PRESETS: Mapping[str, Reader] = {
    CLIN: Reader(tie=ID, attributes="attrs"),
    "spacy": Reader(
        "ents",
        fragments=f"_.{FRAGMENTS}",
        attributes={slot: f"_.{PREFIX}{slot}" for slot in slot_names()},
        note="spaCy 3.7, 3.8, spacy-llm 0.7: entities with kb_id_ (NIL: no code); slots from the "
        "extensions of spacy_clin.register_extensions, if a component of yours sets them",
    ),
    "spancat": Reader("sc", note="spaCy 3.7, 3.8, spacy-llm 0.7: the span categorizer's group"),
    "span_ruler": Reader(
        "ruler",
        attributes={CODE: "id_"},
        note="spaCy 3.7, 3.8: the group of the span ruler; the ids of its patterns are the codes",
    ),
    "medspacy": Reader(
        "ents",
        attributes={
            "negation": Source("_.is_negated", YES),
            "uncertainty": Source("_.is_uncertain", YES),
            "conditional": "_.is_hypothetical",
            "subject": Source("_.is_family", FAMILY),
        },
        note="medspaCy 1.3: ConText; is_historical belongs to no slot. With QuickUMLS the code is "
        "the label: attributes = {'cui': 'label_'}",
    ),
    "scispacy": _SCISPACY,
    "negspacy": Reader(
        "ents",
        attributes={CODE: code_or_id, "negation": Source("_.negex", YES)},
        note="negspaCy 1.1: the component negex; if you change extension_name, change the path of "
        "negation too; the code is kb_id_, or else the id of the entity ruler",
    ),
    "edsnlp": Reader(
        "ents",
        attributes={
            "negation": Source("_.negation", YES),
            "uncertainty": Source("_.hypothesis", YES),
            "subject": Source("_.family", FAMILY),
        },
        note="edsnlp 0.23: eds.negation, eds.hypothesis, eds.family; history and reported_speech "
        "belong to no slot",
    ),
    "clinlp": Reader(
        "spans.ents",
        attributes={
            CODE: "label_",
            "negation": Source(_QUALIFIERS, {"Presence.Absent": "yes"}),
            "uncertainty": Source(_QUALIFIERS, {"Presence.Uncertain": "yes"}),
            "subject": Source(
                _QUALIFIERS, {"Experiencer.Family": "family_member", "Experiencer.Other": "other"}
            ),
        },
        note="clinlp 0.10: the span group ents; the label is the concept; Temporality belongs to "
        "no slot",
    ),
    "medcat": Reader(
        _of_medcat,
        attributes={
            CODE: Source(_code_of_medcat, {"-1": ""}),
            "negation": _meta("Negation", {"Yes": "yes", "No": "no"}),
            "subject": _meta(
                "Subject", {"Patient": "patient", "Family": "family_member", "Other": "other"}
            ),
        },
        note="MedCAT 1: doc._.ents, MedCAT 2: the result of cat(text); they may overlap; names and "
        "values of meta-annotations depend on the model, so set yours under 'attributes'",
    ),
}
_ENTRY = {"field": "label_", "entry": "id_", "ln": "attrs.ln"}
Presets = Mapping[str, Reader]
"""Readers by name."""
ACRONYMS: Presets = {**PRESETS, "scispacy": replace(_SCISPACY, span_getter=_of_scispacy)}
ENTRIES: Presets = {
    CLIN: Reader(attributes=_ENTRY),
    "spacy": Reader(
        "ents",
        attributes={**_ENTRY, "entry": "ent_id_", "ln": None},
        note="spaCy 3.7, 3.8: entities; those of an entry share ent_id_; map labels to fields "
        "under 'fields'",
    ),
}
SECTIONS: Presets = {
    CLIN: Reader(),
    "spacy": Reader("sc", note="spaCy 3.7, 3.8: the span categorizer; give 'labels'"),
    "medspacy": Reader(
        _sections_of_medspacy,
        attributes={"label": "label_"},
        note="medspaCy 1.3: the sectionizer; give 'labels'",
    ),
    "edsnlp": Reader("sections", note="edsnlp 0.23: eds.sections; give 'labels'"),
}
CLASSES: Presets = {
    CLIN: Reader(),
    "spacy": Reader(note="spaCy 3.7, 3.8: doc.cats of the text categorizers"),
}
ReaderConfig = str | Mapping[str, object] | Reader
_FORMER_NAMES = {
    "mentions": "span_getter",
    "medications": "span_getter",
    "sections": "span_getter",
    "slots": "attributes",
}
_FORMER_SLOTS = {"code": CODE, "entry": "entry", "genre": "ln"}
_LABELS = {"labels": "label", "fields": "field"}
"""Settings that map labels to values of a slot."""


def find_reader(
    given: ReaderConfig, where: str = "", presets: Presets = PRESETS, *, free: bool = False
) -> Reader:
    """Return the reader of a configuration.

    The configuration is the name of a preset, a reader, or a dict of settings of
    :class:`~spacy_clin.Reader`. Settings override those of the dict's ``preset``, and
    ``attributes`` override single slots. ``where`` is the place that messages name. ``presets``
    contains the presets for the kind of annotation. With ``free``, mentions can have slots of any
    name.

    Examples:
        >>> find_reader({"preset": "medspacy", "attributes": {"cui": "label_"}}).sources["cui"].path
        'label_'
    """
    if isinstance(given, Reader):
        return given
    if isinstance(given, str):
        check_name("preset", given, (AUTO, *presets))
        if given == "spacy":
            register_extensions()
        return presets[given]
    if not isinstance(given, Mapping):
        raise InputError(
            f"expected the name of a preset or settings, got {shown(given)}", where=where
        )
    settings: dict[str, Any] = _with_new_names(given)
    preset = settings.pop("preset", None)
    if preset is not None:
        base = find_reader(preset, where, presets, free=free)
    else:
        base = Reader("ents") if presets is PRESETS else presets[CLIN]
    known = [setting.name for setting in fields(Reader)]
    for name in settings:
        if name not in known:
            raise unknown_name("setting", name, known, where=where)
    if isinstance(settings.get("attributes"), Mapping):
        in_attrs = {name: f"{ATTRS}.{name}" for name in slot_names()}
        usual = in_attrs if isinstance(base.attributes, str) else base.attributes
        settings["attributes"] = {**usual, **settings["attributes"]}
    reader = replace(base, **settings)
    _check(reader, where, free=free)
    return reader


def _with_new_names(given: Mapping[str, object]) -> dict[str, object]:
    """Replace former names of settings with the current ones."""
    settings = {name: value for name, value in given.items() if name not in _FORMER_NAMES}
    settings |= {new: given[name] for name, new in _FORMER_NAMES.items() if name in given}
    attributes = {s: settings.pop(name) for name, s in _FORMER_SLOTS.items() if name in settings}
    for name, slot in _LABELS.items():
        if name in settings:
            attributes[slot] = {"path": "label_", "values": settings.pop(name)}
    tie = settings.get("fragments", "")
    if tie is None or (isinstance(tie, str) and tie in (ID, "id")):
        settings.setdefault("tie", ID if settings.pop("fragments") else None)
    if attributes:
        usual = settings.get("attributes")
        settings["attributes"] = {**(usual if isinstance(usual, Mapping) else {}), **attributes}
    return settings


def _check(reader: Reader, where: str, *, free: bool) -> None:
    """Reject settings that fit no document."""
    check_name("offsets", reader.offsets, ("char", "token"))
    for name in ("fragments", "tie", "relations"):
        path = getattr(reader, name)
        if path is not None and not isinstance(path, str) and not callable(path):
            problem = f"{name}: expected a path or a function, got {shown(path)}"
            raise InputError(problem, where=where)
    related, attributes = reader.relations, reader.attributes
    if isinstance(related, str) and not related.startswith("_."):
        problem = f"relations: expected a path of the Doc such as _.relations, got {shown(related)}"
        raise InputError(problem, where=where)
    if isinstance(attributes, str) and attributes == ATTRS:
        return
    if not isinstance(attributes, Mapping):
        raise InputError(f"attributes: expected slots, got {shown(attributes)}", where=where)
    of_spans = not callable(reader.span_getter) and "_." not in str(reader.span_getter)
    for name, source in reader.sources.items():
        root = source.root if source else ""
        if root not in ("", ATTRS) and of_spans and not hasattr(Span, root):
            raise no_attribute("spans have", root)
        if not free and name not in known_slots() and name not in (*OF_SPANS, *_ENTRY):
            raise unknown_slot(name, where)


def tabulate(name: str) -> Table:
    """Make a table of one preset for mentions, for people."""
    from rich.table import Table

    reader = PRESETS[name]
    table = Table(title=f"{name}: {reader.note}" if reader.note else name, title_justify="left")
    for heading in ("slot", "from", "values"):
        table.add_column(heading)
    place = KEY if reader.span_getter is None else Source.of(reader.span_getter, "").described
    table.add_row("(mentions)", place, f"fragments: {reader.fragments or reader.tie or 'none'}")
    if reader.attributes == ATTRS:
        table.add_row("all", "attrs of the span group", "those of the slot")
    sources = {CODE: OF_SPANS[CODE], **reader.sources}
    for slot, source in sources.items():
        values = {} if source is None else source.values
        meanings = ", ".join(f"{found} → {value or 'none'}" for found, value in values.items())
        table.add_row(slot, source.described if source else "nowhere", meanings or "as they are")
    views = ((view, c.task.configs) for c in all_challenges() if (view := c.faces.docs))
    declared = {slot.name for view, configs in views for c in configs for slot in view.slots(c)}
    missing = [n for n in slot_names() if n in declared and n not in sources]
    for slot in () if reader.attributes == ATTRS else missing:
        table.add_row(slot, "nowhere", "always the default", style="dim")
    return table
