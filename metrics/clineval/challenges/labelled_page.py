"""The page of labelled spans, from the names of the matches that are scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from clineval.kinds.mentions.labelled import MATCHES
from clineval.kinds.mentions.slots import Slot
from clineval.results.views import MentionView, Preset, check_prf


def labelled_page(
    slots: Sequence[Slot],
    *presets: Preset,
    scored: Sequence[str] = ("strict",),
    matches: Mapping[str, str] = MATCHES,
    free: bool = False,
) -> MentionView:
    """Declare a page that recounts and offers the matches that are ``scored``.

    Args:
        slots: the slots that it shows.
        presets: what it offers besides.
        scored: names of matches, which their scores begin with.
        matches: as in :class:`MentionView`.
        free: as there.

    Examples:
        >>> page = labelled_page([], scored=["strict", "boundary"])
        >>> page.presets[1]
        Preset(name='boundary', match='exact', criterion='span', key='boundary_f1')
        >>> page.checks[-1].key
        'boundary_fn'
    """
    places = {name: place.partition("/")[::2] for place, name in matches.items()}
    return MentionView(
        checks=tuple(chain.from_iterable(check_prf(name, *places[name]) for name in scored)),
        presets=(*(Preset(name, *places[name], f"{name}_f1") for name in scored), *presets),
        slots=lambda _: slots,
        matches=matches,
        free=free,
    )
