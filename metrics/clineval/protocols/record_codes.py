"""Scores by a hierarchy of the codes in fields of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.errors import InputError, shown_name
from clineval.kinds.codes.hierarchical import is_score
from clineval.kinds.codes.in_records import place_in_records
from clineval.kinds.mentions.rows import Rows
from clineval.kinds.records.comparable import fold_code
from clineval.kinds.records.corpus import RecordCorpus
from clineval.kinds.records.shape import WHOLE, ShapedField, Table
from clineval.protocols.hierarchies import HIERARCHY, find_hierarchy, name_hierarchy
from clineval.protocols.placed_codes import HierarchyJudge, find_judge
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.match import Match
from clineval.results.settings import Setting

CODE_FIELDS = Setting(
    "code_fields", "the fields with codes of the hierarchy", option="--schema", literal=False
)


@dataclass(frozen=True, slots=True)
class RecordJudge:
    """Scores the codes of records by a hierarchy.

    Args:
        fields: the fields that hold codes.
        judge: scores codes at places.
    """

    fields: Sequence[ShapedField]
    judge: HierarchyJudge

    def check(self, corpus: RecordCorpus) -> None:
        """Reject gold codes that are not in the hierarchy; count such predicted codes."""
        sides = place_in_records(corpus, self.fields, Match.of([]))
        self.judge.check(sides, corpus.documents)

    def list_matches(self, corpus: RecordCorpus, match: Match) -> Mapping[str, Rows]:
        """Return the outcomes of codes and their ancestors, by the pairs of records."""
        return self.judge.list_matches(place_in_records(corpus, self.fields, match))

    def explain(self, corpus: RecordCorpus, match: Match) -> Mapping[str, Match]:
        """Return the match that names how different codes of paired records are related."""
        sides, pairs = place_in_records(corpus, self.fields, match), match.pairs
        has = [np.bincount(side.rows, minlength=len(side.columns)) > 0 for side in sides]
        both = has[0][match.gold[:pairs]] & has[1][match.prediction[:pairs]]
        slot = self.fields[0].name if len(self.fields) == 1 else WHOLE
        return self.judge.explain(sides, match, both, slot)


def find_record_judge(setup: Setup, shape: Table) -> RecordJudge | None:
    """Return the judge of codes, if there is a hierarchy.

    Raises:
        InputError: no field holds codes, or scores of a field have the names of scores by
            hierarchy.
    """
    if find_hierarchy(setup) is None:
        return None
    fields = [each for each in shape.every_field if each.has_codes]
    if not fields:
        remedy = "Pass a schema= in which the fields of codes have x-compare: code"
        raise InputError("no field holds codes", where=HIERARCHY.name, remedy=remedy)
    for each in shape.every_field:
        if is_score(label_key(each.name)):
            problem = f"scores by a hierarchy have the name of the field {shown_name(each.name)}"
            raise InputError(problem, where="schema", remedy="Rename the field")
    judge = find_judge(setup, fold_code)
    return RecordJudge(fields, judge) if judge else None


def describe_codes(setup: Setup, shape: Table) -> Mapping[str, str]:
    """Return the hierarchy and the fields with codes for the signature."""
    judge = find_record_judge(setup, shape)
    if judge is None:
        return {}
    names = "+".join(label_key(each.name) for each in judge.fields)
    return {**name_hierarchy(setup), CODE_FIELDS.name: names}
