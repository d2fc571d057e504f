"""ArchEHR-QA 2026 as its released programs score it."""

from __future__ import annotations

from clineval.challenges.archehr_qa26.spec import FORM, SCORED
from clineval.protocols.evidence_entries import EvidenceEntries, ProgramFiles

FILES = ProgramFiles(
    FORM.fields,
    FORM.keys,
    FORM.pattern,
    constants=True,
    name=FORM.name,
    sentences=FORM.sentences,
    answers=FORM.answers,
)
OFFICIAL = EvidenceEntries(fold=str, form=FILES, scored=SCORED)
