"""ICD codes of discharge summaries."""

from __future__ import annotations

from clineval.challenges.icd_coding import caml, edin
from clineval.challenges.icd_coding.codes import fold
from clineval.challenges.icd_coding.files import read_icd_files
from clineval.challenges.icd_coding.rules import IcdCodes
from clineval.results.challenge import Challenge
from clineval.results.task import Task

_SPEC = IcdCodes(files=read_icd_files, fold=fold)
CHALLENGE = Challenge(
    Task(
        name="icd_coding",
        title="ICD codes of discharge summaries",
        homepage="https://doi.org/10.1145/3539618.3591918",
        citation="",
        configs={"default": "codes of documents: sets, ranked lists, or codes with scores"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={
        "spec": _SPEC,
        "caml": IcdCodes(files=read_icd_files, fold=str.strip, rules=caml.RULES),
        "edin": IcdCodes(files=read_icd_files, fold=str.strip, rules=edin.RULES),
    },
    measures=_SPEC.measures.with_protocols({"caml": caml.MEASURES, "edin": edin.MEASURES}),
)
