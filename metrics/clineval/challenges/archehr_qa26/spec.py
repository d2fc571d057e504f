"""ArchEHR-QA 2026 as the package's docstring defines it."""

from __future__ import annotations

from clineval.formats.given.evidence import EvidenceFiles
from clineval.kinds.codes.evidence import ESSENTIAL, LINK
from clineval.protocols.evidence import Evidence

SCORED = {"subtask2": (ESSENTIAL,), "subtask4": (LINK,)}
FORM = EvidenceFiles(name="case_id", sentences="answers", answers="clinician_answer_sentences")
SPEC = Evidence(form=FORM, scored=SCORED)
