"""The chains of links on a page: why a link follows, and which links it contradicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clineval.evaluation.analysis.mistakes import list_reasonings
from clineval.evaluation.evaluate import Evaluation
from clineval.results.reasoning import NamedLink

Chains = Mapping[str, Sequence[object]]
"""Name of a document to its links with chains."""


def list_chains(evaluation: Evaluation) -> Chains:
    """List the links of a system and of the gold standard that follow, or are contradictory."""
    found: dict[str, list[object]] = {}
    for reasoning in list_reasonings(evaluation.outcomes):
        described = {
            "kind": reasoning.kind,
            "side": reasoning.side,
            "link": _describe(reasoning.written),
            "chain": [_describe(link) for link in reasoning.chain],
        }
        found.setdefault(reasoning.document, []).append(described)
    return found


def _describe(link: NamedLink) -> dict[str, object]:
    """Return label and places; ends without a place have their name."""
    ends = zip((link.source, link.target), link.places, strict=True)
    named = ["" if any(start < end for start, end in place) else name for name, place in ends]
    return {"label": link.label, "ends": link.places, "names": named}
