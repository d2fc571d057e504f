"""Getters for the packages that people use: which of their attributes is which slot.

Each names the release whose attributes it was written for. What a package does not say of a
mention stays at the slot's default; ``MentionGetter.unmapped`` lists these slots, and scoring
warns of them once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from clineval.errors import InputError, shown
from clineval.registry import check_name
from spacy_clin.extensions import FRAGMENTS, PREFIX, SLOTS, register_extensions
from spacy_clin.getters import CLIN, MentionGetter, check_fields
from spacy_clin.values import ValueSource

YES, FAMILY = {"true": "yes", "false": "no"}, {"true": "family_member", "false": "patient"}

PRESETS: Mapping[str, MentionGetter] = {
    "clin": CLIN,
    "spacy": MentionGetter(
        fragments=f"_.{FRAGMENTS}",
        slots={slot: f"_.{PREFIX}{slot}" for slot in SLOTS},
        note="spaCy 3.7, 3.8: entities with kb_id_; slots from the extensions of "
        "spacy_clin.register_extensions, where a component of your own sets them",
    ),
    "medspacy": MentionGetter(
        slots={
            "negation": ValueSource("_.is_negated", YES),
            "uncertainty": ValueSource("_.is_uncertain", YES),
            "conditional": ValueSource("_.is_hypothetical"),
            "subject": ValueSource("_.is_family", FAMILY),
        },
        note="medspaCy 1.3: ConText; is_historical belongs to no slot. With QuickUMLS the code is "
        "the label: code='label_'",
    ),
    "scispacy": MentionGetter(
        code="_.kb_ents.0.0",
        note="scispaCy 0.6: the best candidate of the entity linker is the code",
    ),
    "negspacy": MentionGetter(
        slots={"negation": ValueSource("_.negex", YES)},
        note="negspaCy 1.1: the component negex; with another extension_name, that name",
    ),
    "edsnlp": MentionGetter(
        slots={
            "negation": ValueSource("_.negation", YES),
            "uncertainty": ValueSource("_.hypothesis", YES),
            "subject": ValueSource("_.family", FAMILY),
        },
        note="edsnlp 0.23: eds.negation, eds.hypothesis, eds.family; history and reported_speech "
        "belong to no slot",
    ),
    "clinlp": MentionGetter(
        mentions="spans.ents",
        code="label_",
        slots={
            "negation": ValueSource("_.qualifiers_str", {"Presence.Absent": "yes"}),
            "uncertainty": ValueSource("_.qualifiers_str", {"Presence.Uncertain": "yes"}),
            "subject": ValueSource(
                "_.qualifiers_str",
                {"Experiencer.Family": "family_member", "Experiencer.Other": "other"},
            ),
        },
        note="clinlp 0.10: the span group ents; the label is the concept; Temporality belongs to "
        "no slot",
    ),
    "medcat": MentionGetter(
        mentions="_.ents",
        code=ValueSource("_.cui", {"-1": ""}),
        slots={
            "negation": ValueSource("_.meta_anns.Negation.value", {"Yes": "yes", "No": "no"}),
            "subject": ValueSource(
                "_.meta_anns.Subject.value",
                {"Patient": "patient", "Family": "family_member", "Other": "other"},
            ),
        },
        note="MedCAT 1: doc._.ents, overlapping; names and values of meta-annotations are those of "
        "the model, so give your own under 'slots'",
    ),
}

GetterConfig = str | Mapping[str, Any] | MentionGetter


def find_getter(given: GetterConfig, where: str = "") -> MentionGetter:
    """The getter that a configuration asks for.

    Args:
        given: the name of a preset; or a mapping of settings of
            :class:`~spacy_clin.getters.MentionGetter` that are to be other than those of its
            ``preset``, ``slots`` one by one (None for a slot that is not to be read); or a getter.
        where: how messages name the setting.

    Raises:
        InputError: no preset of that name, or a setting that does not exist.

    Examples:
        >>> find_getter({"preset": "medspacy", "code": "label_"}).code
        'label_'
    """
    if isinstance(given, MentionGetter):
        return given
    if isinstance(given, str):
        check_name("preset", given, PRESETS)
        if given == "spacy":
            register_extensions()
        return PRESETS[given]
    if not isinstance(given, Mapping):
        raise InputError(
            f"expected the name of a preset or settings, got {shown(given)}", where=where
        )
    settings = dict(given)
    preset = settings.pop("preset", None)
    base = MentionGetter() if preset is None else find_getter(preset, where)
    check_fields(MentionGetter, settings, where)
    if isinstance(settings.get("slots"), Mapping) and base.slots != "attrs":
        slots = {**base.slots, **settings["slots"]}
        settings["slots"] = {name: source for name, source in slots.items() if source is not None}
    return replace(base, **settings)


def tabulate(name: str) -> Any:
    """The table of one preset, for people."""
    from rich.table import Table

    from clineval.challenges.semeval15_task14 import SLOTS as KNOWN

    getter = PRESETS[name]
    table = Table(title=f"{name}: {getter.note}" if getter.note else name, title_justify="left")
    for heading in ("slot", "from", "values"):
        table.add_column(heading)
    table.add_row("(mentions)", str(getter.mentions), f"fragments: {getter.fragments or 'none'}")
    if getter.code is not None:
        code = ValueSource.of(getter.code, "code")
        table.add_row("cui", code.path, _describe(code.values))
    if getter.slots == "attrs":
        table.add_row("all others", "attrs of the span group", "those of the slot")
    for slot, source in getter.sources.items():
        table.add_row(slot, source.path, _describe(source.values))
    for slot in getter.unmapped(KNOWN):
        table.add_row(slot, "nowhere", "always the default", style="dim")
    return table


def _describe(values: Mapping[str, str]) -> str:
    given = ", ".join(f"{found} → {value or 'none'}" for found, value in values.items())
    return given or "as they are"
