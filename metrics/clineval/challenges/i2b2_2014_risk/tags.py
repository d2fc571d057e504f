"""The tags of i2b2 2014 risk factors, and their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain

from clineval.kinds.records.allowed import Allowed
from clineval.kinds.records.fields import Field, JoinedField

TAG, TIME, INDICATOR = NAMES = ("tag", "time", "indicator")
MEDICATION, SMOKER, FAMILY = "MEDICATION", "SMOKER", "FAMILY_HIST"
TIMES = ("before DCT", "during DCT", "after DCT", "continuing")
VALUES: Mapping[str, tuple[str, ...]] = {
    MEDICATION: (
        *("ACE inhibitor", "amylin", "anti diabetes", "ARB", "aspirin", "beta blocker"),
        *("calcium channel blocker", "diuretic", "DPP4 inhibitors", "ezetimibe", "fibrate"),
        *("GLP1 agonists", "insulin", "meglitinides", "metformin", "niacin", "nitrate", "obesity"),
        *("statin", "sulfonylureas", "thiazolidinedione", "thienopyridine"),
    ),
    "CAD": ("mention", "event", "test", "symptom"),
    "DIABETES": ("mention", "A1C", "glucose"),
    "HYPERTENSION": ("mention", "high bp"),
    "HYPERLIPIDEMIA": ("mention", "high chol.", "high LDL"),
    "OBESE": ("mention", "BMI", "waist circum."),
    SMOKER: ("current", "past", "ever", "never", "unknown"),
    FAMILY: ("present", "not present"),
}
"""The types of medications, the status of SMOKER, and the indicators of the other tags."""
VARIANTS = {"high-ldl": "high LDL", "high-chol": "high chol."}
"""Other spellings that the released script knows."""
ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(VALUES, (TIME, INDICATOR)),
    MEDICATION: (TIME, "type1", "type2"),
    SMOKER: ("status",),
    FAMILY: (INDICATOR,),
}
"""The attributes of each tag in XML."""
ALLOWED = Allowed(
    TAG,
    {
        tag: {INDICATOR: (*values, *VARIANTS)} | ({TIME: TIMES} if TIME in ATTRIBUTES[tag] else {})
        for tag, values in VALUES.items()
    },
)
_EVERY = tuple(dict.fromkeys(chain.from_iterable(VALUES.values())))
_SPELLINGS = {value.lower(): value for value in (*TIMES, *_EVERY)} | VARIANTS


def fold_value(text: str) -> str:
    """Return a time or an indicator as the challenge spells it; other values in lower case.

    Examples:
        >>> fold_value(" BEFORE dct"), fold_value("High-LDL"), fold_value("Heparin")
        ('before DCT', 'high LDL', 'heparin')
    """
    lower = text.strip().lower()
    return _SPELLINGS.get(lower, lower)


def make_fields(
    tag: Callable[[str], str], value: Callable[[str], str], *, distinct: bool
) -> tuple[Field, ...]:
    """Return the fields of a tag.

    Args:
        tag: returns the form in which a tag's name is compared.
        value: returns the form in which a time, an indicator or a type is compared.
        distinct: whether a medication with the same type twice equals one with the type once.
    """
    times, every = (tuple(map(value, values)) for values in (TIMES, _EVERY))
    return (
        Field(TAG, "closed", tuple(VALUES), required=True, fold=tag),
        Field(TIME, "label", times, fold=value),
        JoinedField(INDICATOR, "label", every, fold=value, distinct=distinct),
    )


FIELDS = make_fields(lambda text: text.strip().upper(), fold_value, distinct=True)
SCRIPT_FIELDS = make_fields(str.upper, str.lower, distinct=False)
