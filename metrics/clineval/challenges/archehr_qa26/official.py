"""ArchEHR-QA 2026 as its released programs score it."""

from __future__ import annotations

from clineval.challenges.archehr_qa26.spec import FORM, SCORED
from clineval.protocols.evidence_entries import EvidenceEntries

OFFICIAL = EvidenceEntries(form=FORM, scored=SCORED)
