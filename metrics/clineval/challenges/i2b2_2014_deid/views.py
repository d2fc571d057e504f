"""The views of i2b2 2014 de-identification: strict, relaxed and tokens, HIPAA, without types."""

from __future__ import annotations

import re
from collections.abc import Mapping

from clineval.kinds.mentions.derived import Step, View, cut, keep, relabel, untyped
from clineval.kinds.mentions.slots import Slot

LABEL = Slot("label", "label", required=True)
HIPAA = frozenset(
    ("PATIENT", "AGE", "CITY", "STREET", "ZIP", "ORGANIZATION", "DATE", "PHONE", "FAX", "EMAIL",
     "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID",
     "IDNUM")
)  # fmt: skip
HIPAA_BEGINNINGS = (
    *("NAME/PATIENT", "LOCATION/CITY", "LOCATION/STREET", "LOCATION/ZIP"),
    *("LOCATION/ORGANIZATION", "DATE/", "AGE/", "CONTACT/PHONE", "CONTACT/FAX", "CONTACT/EMAIL"),
    *("ID/SSN", "ID/MEDICALRECORD", "ID/HEALTHPLAN", "ID/ACCOUNT", "ID/LICENSE", "ID/VEHICLE"),
    *("ID/DEVICE", "ID/BIOID", "ID/IDNUM "),
)
REACH = 2
"""By how many characters ends may differ."""
_TOKEN, _ASCII_TOKEN = re.compile(r"[^\W_]+"), re.compile(r"[A-Za-z0-9]+")


def list_views() -> dict[str, View]:
    """Return the views of the challenge: of all mentions or HIPAA alone, with types or without."""
    found: dict[str, View] = {}
    chosen: Mapping[str, tuple[Step, ...]] = {"": (), "hipaa_": (keep(LABEL, HIPAA.__contains__),)}
    bared: Mapping[str, tuple[Step, ...]] = {"": (), "binary_": (untyped(LABEL),)}
    for hipaa, some in chosen.items():
        for binary, bare in bared.items():
            steps = (*some, *bare)
            found |= {
                f"{binary}{hipaa}strict": View(LABEL, steps),
                f"{binary}{hipaa}relaxed": View(LABEL, steps, REACH),
                f"{binary}{hipaa}token": View(LABEL, (*steps, cut(LABEL, _TOKEN))),
            }
    return found


def _bare_but_phi(label: str) -> str:
    return label.upper() if label.startswith("PHI/") else ""


def list_script_views() -> dict[str, View]:
    """Return the views of the released script, of labels as written, such as ``NAME/DOCTOR``."""
    folded, bare = relabel(LABEL, str.upper), relabel(LABEL, _bare_but_phi)
    tokens = cut(LABEL, _ASCII_TOKEN, empty=True)
    hipaa = keep(LABEL, lambda label: label.startswith(HIPAA_BEGINNINGS))
    steps: dict[str, tuple[Step, ...]] = {
        "strict": (folded,),
        "token": (tokens,),
        "hipaa_strict": (hipaa, folded),
        "hipaa_token": (hipaa, tokens),
        "binary_strict": (bare,),
        "binary_token": (tokens, untyped(LABEL)),
        "binary_hipaa_strict": (hipaa, bare),
        "binary_hipaa_token": (hipaa, tokens, untyped(LABEL)),
    }
    return {name: View(LABEL, of) for name, of in steps.items()}
