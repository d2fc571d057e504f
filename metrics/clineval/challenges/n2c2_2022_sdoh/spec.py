"""Declare n2c2 2022 Track 2 by its definition; see the package's docstring."""

from __future__ import annotations

from clineval.protocols.events import Events
from clineval.results.scheme import Argument

_EXTENT = tuple(map(Argument, ("Amount", "Duration", "Frequency", "History", "Method", "Type")))
_DURATION, _HISTORY, _TYPE = Argument("Duration"), Argument("History"), Argument("Type")
_STATUS = Argument("StatusTime", ("none", "current", "past", "future"))
_EMPLOYED = ("employed", "unemployed", "retired", "on_disability", "student", "homemaker")
_LIVING = ("alone", "with_family", "with_others", "homeless")
EVENTS = {
    **dict.fromkeys(("Alcohol", "Drug", "Tobacco"), (_STATUS, *_EXTENT)),
    "Employment": (Argument("StatusEmploy", _EMPLOYED), _DURATION, _HISTORY, _TYPE),
    "LivingStatus": (_STATUS, Argument("TypeLiving", _LIVING), _DURATION, _HISTORY),
}
SPEC = Events(EVENTS, short="shac")
