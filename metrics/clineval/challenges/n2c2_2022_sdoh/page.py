"""The page of events: units, each argument with a line from its trigger."""

from __future__ import annotations

from clineval.challenges.n2c2_2022_sdoh.scheme import TRIGGERS
from clineval.challenges.n2c2_2022_sdoh.units import LABEL, VALUE
from clineval.results.views import MentionView

PAGE = MentionView(
    checks=(),
    presets=(),
    slots=lambda _: (LABEL, VALUE),
    matches={
        "exact/span": "boundary",
        "overlap/span": "overlap",
        "overlap/both": "paired",
    },
    events=TRIGGERS,
)
