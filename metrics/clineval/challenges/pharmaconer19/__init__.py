"""PharmaCoNER 2019 (BioNLP-OST): Pharmacological substances in Spanish clinical cases.

Sub-track 1 (``ner``, and ``default``): mentions with a span and a label, NORMALIZABLES,
NO_NORMALIZABLES or PROTEINAS. ``strict`` requires the same fragments and the same label. It is also
computed for each label, such as ``proteinas_strict_f1``, and as ``macro_``, the mean over the
labels that either side has (a label without a gold mention has F1 0). Mentions of a case with the
same fragments and label count once. Mentions labelled UNCLEAR are dropped on both sides, so another
label at their place is a false positive. ``unclear="kept"`` keeps them as another label.

Sub-track 2 (``indexing``, *concept indexing*): the set of codes of each document: ``micro_``. Codes
are SNOMED CT numbers, CHEBI codes or ``<null>``, and are compared without case. If the gold
mentions (``annotations``) are given, a gold code that the notes assign only to UNCLEAR mentions is
dropped; predicting it is a false positive.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

All are micro-averages; a score whose denominator is 0 is 0. If only one side has a document,
everything in it counts as missed or spurious. With ``ner``, characters and mentions that no
prediction covers are counted in total and for each label (see :mod:`clineval.kinds.mentions.leak`):
``leaked_characters``, ``leaked_mentions`` and ``leaked_whole_mentions``, each also with ``_share``.

With the option ``hierarchy``, the codes of ``indexing`` are also scored with their ancestors
(``h_f1``), at each level (``level0_f1``, ...) and with CoPHE's counts (``cophe_f1``);
docs/hierarchies.md defines them. ``<null>`` belongs to no hierarchy, and has no ancestors.

``protocol="official"`` gives the numbers of the CODALAB script, which computed the ranking. It
scores only documents that both sides have, and compares codes as written. A row that names another
document counts, and is never dropped. The stand-alone script differs in UNCLEAR, which it keeps;
its stand-in is ``clineval official pharmaconer-2019``.

Sources: Gonzalez-Agirre et al. (2019); https://temu.bsc.es/pharmaconer/, Evaluation and Examples;
https://github.com/PlanTL-GOB-ES/PharmaCoNER-CODALAB-Evaluation-Script.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from clineval.base.errors import InputError, shown
from clineval.base.files import find_directory
from clineval.challenges.pharmaconer19 import official, spec
from clineval.kinds.codes.hierarchical import HierarchyScores
from clineval.protocols.code_sets import CODE_PAGE
from clineval.protocols.hierarchies import HIERARCHY
from clineval.results.challenge import Challenge, Configurations
from clineval.results.differences import list_differences
from clineval.results.measures import Measures
from clineval.results.options import Option
from clineval.results.task import Demo, Task


def parse_folder(given: object) -> Path | None:
    """Return the directory of the gold mentions, or None if there is none."""
    if given is None:
        return None
    if not isinstance(given, (str, os.PathLike)):
        raise InputError(f"expected a directory, got {shown(given)}", where="annotations")
    return find_directory(given)


CHALLENGE = Challenge(
    Task(
        name="pharmaconer19",
        title="PharmaCoNER 2019: Pharmacological Substances, Compounds and Proteins",
        homepage="https://temu.bsc.es/pharmaconer/",
        citation="""\
@inproceedings{gonzalez-agirre-etal-2019-pharmaconer,
    title = "{P}harma{C}o{NER}: Pharmacological Substances, Compounds and proteins Named Entity
        Recognition track",
    author = "Gonzalez-Agirre, Aitor and Marimon, Montserrat and Intxaurrondo, Ander and
        Rabal, Obdulia and Villegas, Marta and Krallinger, Martin",
    booktitle = "Proceedings of the 5th Workshop on BioNLP Open Shared Tasks",
    year = "2019",
    pages = "1--10",
    doi = "10.18653/v1/D19-5701",
}""",
        configs={
            "default": "sub-track 1, mentions",
            "ner": "sub-track 1, mentions",
            "indexing": "sub-track 2, the codes of each document",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={
        name: Configurations(of.MENTIONS, {"indexing": of.INDEXING})
        for name, of in (("spec", spec), ("official", official))
    },
    measures=Measures.of(
        spec.MENTIONS.scores[0], spec.CODES, *spec.MENTIONS.scores[1:], HierarchyScores()
    ),
    options=(
        Option(
            "unclear",
            "Whether to drop mentions labelled UNCLEAR, or to keep them as a label.",
            "dropped",
            "choice",
            choices=("dropped", "kept"),
        ),
        Option(
            "annotations",
            "Directory of the gold mentions with notes, for codes of UNCLEAR mentions.",
            kind="file",
            python="for indexing: the path of the gold mentions with notes (brat .ann files). "
            "Codes that only UNCLEAR mentions have are dropped from the gold standard.",
            parse=parse_folder,
        ),
    ),
    differences=list_differences("""
        a document on one side only (ner_documents_on_one_side)
            spec: counts as all missed or all spurious
            official: is ignored
        case of codes (idx_code_case)
            spec: does not matter
            official: matters
        a row that names another document than its file (idx_other_id_counts_with_warning)
            spec: is rejected with file and line
            official: counts for the file's document, and is never an unclear code
        a discontiguous mention (ner_discontinuous_kills)
            spec: has fragments
            official: is rejected
        an unreadable line in a brat file (ner_line_without_tab)
            spec: is rejected with file and line
            official: is skipped if a word is missing
        a blank line in a file of codes (idx_blank_line_kills)
            spec: is ignored
            official: is rejected
        a document without gold annotations (idx_gold_ann_missing_kills_codalab)
            spec: triggers a warning, and all its codes count
            official: is rejected
    """),
    demo=Demo(
        "PharmaCoNER 2019: a dictionary and a tagger on 6 cases in Spanish",
        "gold",
        {"dictionary": "dictionary", "tagger": "tagger"},
        headline=2,
    ),
    faces=replace(
        spec.MENTIONS.faces,
        pages={"indexing": CODE_PAGE},
        validation_options=(HIERARCHY,),
        scripts=("pharmaconer-2019",),
        printed="clineval.challenges.pharmaconer19.printed",
    ),
)
