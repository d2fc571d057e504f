"""The option of a hierarchy of codes, for all protocols with codes."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature

from clineval.formats.given.code_lists import Judge, ReadFiles
from clineval.formats.hierarchies import read_hierarchy
from clineval.kinds.codes.corpus import CodeCorpus
from clineval.kinds.codes.hierarchical import list_nodes, refuse
from clineval.kinds.codes.hierarchy import WHERE, Fold, Lineage
from clineval.kinds.codes.near_misses import explain
from clineval.kinds.codes.placed import PlacedCodes, PlacedSides
from clineval.kinds.codes.prefixes import NAMES, AnyHierarchy
from clineval.kinds.mentions.outcomes import NEAR_MISSES
from clineval.kinds.mentions.rows import Rows
from clineval.results.challenge import Setup
from clineval.results.match import Match
from clineval.results.options import Option
from clineval.results.settings import Setting

HIERARCHY = Option(
    WHERE,
    "Also score codes with their ancestors: a CSV or TSV file with the columns code and parent, "
    f"or {', '.join(NAMES)}.",
    python="a hierarchy of codes, for further scores: the path of a CSV or TSV file with the "
    f"columns code and parent, a mapping of codes to parents, or one of {', '.join(NAMES)}",
    parse=read_hierarchy,
    gives="scores of codes by a hierarchy",
)

HIERARCHY_SETTING = Setting(
    "hierarchy",
    "the name of the hierarchy of codes, or the digest of its file",
    option="--hierarchy",
    literal=False,
)


def find_hierarchy(setup: Setup) -> AnyHierarchy | None:
    """Return the hierarchy, if there is one."""
    hierarchy: AnyHierarchy | None = setup.options.get(WHERE)  # type: ignore[assignment]
    return hierarchy


def judge_codes(
    hierarchy: AnyHierarchy | None, fold: Fold, usual: Judge, read_files: ReadFiles
) -> Judge:
    """Return a judge of gold codes that also rejects codes outside the hierarchy.

    Files whose reader takes no judge are checked after reading.
    """
    if hierarchy is None or "judge" not in signature(read_files).parameters:
        return usual

    def judge(code: str) -> str:
        return usual(code) or ("" if hierarchy.knows(code, fold) else refuse(code))

    return judge


def list_by_hierarchy(
    corpus: CodeCorpus, hierarchy: AnyHierarchy | None, fold: Fold
) -> Mapping[str, Rows]:
    """Return the outcomes of codes and their ancestors; none without a hierarchy."""
    if hierarchy is None:
        return {}
    sides = place_in_documents(corpus)
    return list_nodes(sides, trace(sides, hierarchy, fold), hierarchy.levels)


def place_in_documents(corpus: CodeCorpus) -> PlacedSides:
    """Return the codes of both sides, each at its document."""
    return PlacedCodes.of_documents(corpus.gold), PlacedCodes.of_documents(corpus.prediction)


def trace(sides: PlacedSides, hierarchy: AnyHierarchy, fold: Fold) -> Lineage:
    """Find the ancestors of all codes of a corpus."""
    codes = sides[0].values
    return hierarchy.over(codes, fold).trace(codes)


def explain_by_hierarchy(
    corpus: CodeCorpus, matches: Mapping[str, Match], hierarchy: AnyHierarchy | None, fold: Fold
) -> Mapping[str, Match]:
    """Return the match that says how wrong codes are related to gold codes, for lists of errors."""
    if hierarchy is None:
        return {}
    match, sides = matches["code" if "code" in matches else "micro"], place_in_documents(corpus)
    return {NEAR_MISSES: explain(sides, trace(sides, hierarchy, fold), match)}


def name_hierarchy(setup: Setup) -> Mapping[str, str]:
    """Return the name of the hierarchy, or the digest of its file, for the signature."""
    hierarchy = find_hierarchy(setup)
    return {WHERE: hierarchy.name} if hierarchy else {}
