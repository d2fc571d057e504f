"""PharmaCoNER 2019 (BioNLP-OST): Pharmacological substances in Spanish clinical cases.

Sub-track 1 (``ner``, and ``default``): mentions with a span and a label, NORMALIZABLES,
NO_NORMALIZABLES or PROTEINAS. ``strict``: the same fragments and the same label; of each label too,
such as ``proteinas_strict_f1``, and ``macro_``, the mean over the labels that either side has
(one without a gold mention has F1 0).
Mentions of a case that agree in fragments and label are one. Mentions labelled UNCLEAR are dropped
on both sides (``unclear="kept"`` keeps them, as a label of their own), so that another label there
is a false positive.

Sub-track 2 (``indexing``, *concept indexing*): the set of codes of each document, SNOMED CT
numbers, CHEBI or ``<null>``, compared without case: ``micro_``. With the gold mentions
(``annotations``) a gold code that notes give to UNCLEAR mentions only is dropped; predicting it is
a false positive.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

All are micro-averages; a score whose denominator is 0 is 0. Documents of one side count: all
missed, or all spurious. What no prediction covers, in ``ner``, in all and of each label (see
:mod:`clineval.kinds.mentions.leak`): ``leaked_characters``, ``leaked_mentions`` and
``leaked_whole_mentions``, with ``_share``.

``protocol="official"`` gives the numbers of the CODALAB script, the one behind the ranking:
documents that both sides have; codes as they are written; a row that names another document counts,
and is never dropped. The stand-alone script differs in UNCLEAR, which it keeps; its stand-in is
``clineval official pharmaconer-2019``.

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
from clineval.protocols.code_sets import CODE_PAGE
from clineval.results.challenge import Challenge, Configurations
from clineval.results.differences import list_differences
from clineval.results.measures import Measures
from clineval.results.options import Option
from clineval.results.task import Demo, Task


def parse_folder(given: object) -> Path | None:
    """Return the directory of the gold mentions, if one is given."""
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
    measures=Measures.of(spec.MENTIONS.scores[0], spec.CODES, *spec.MENTIONS.scores[1:]),
    options=(
        Option(
            "unclear",
            "Whether mentions labelled UNCLEAR are dropped, or kept as a label.",
            "dropped",
            "choice",
            choices=("dropped", "kept"),
        ),
        Option(
            "annotations",
            "Directory of the gold mentions with notes, for codes of UNCLEAR mentions.",
            kind="file",
            python="for indexing: the path of the gold mentions with notes, brat's .ann files; "
            "codes of UNCLEAR mentions alone are dropped from the gold standard.",
            parse=parse_folder,
        ),
    ),
    differences=list_differences("""
        a document on one side only (ner_documents_on_one_side)
            spec: counts: all missed, or all spurious
            official: is ignored
        case of codes (idx_code_case)
            spec: does not matter
            official: matters
        a row that names another document than its file (idx_other_id_counts_with_warning)
            spec: is refused with file and line
            official: counts for the file's document, and is not an unclear code
        a discontiguous mention (ner_discontinuous_kills)
            spec: has fragments
            official: is refused
        a line of brat's that cannot be read (ner_line_without_tab)
            spec: is refused with file and line
            official: is passed over if a word is missing
        a blank line of codes (idx_blank_line_kills)
            spec: is passed over
            official: is refused
        gold annotations of a document that are missing (idx_gold_ann_missing_kills_codalab)
            spec: are warned about, and all its codes count
            official: are refused
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
        scripts=("pharmaconer-2019",),
        printed="clineval.challenges.pharmaconer19.printed",
    ),
)
