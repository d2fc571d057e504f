"""MEDDOCAN 2019 (IberLEF): De-identification of Spanish clinical cases.

Mentions that identify patients have a span and one of 29 labels, such as FECHAS. Labels are
compared as written. Mentions of a case with the same fragments and label count once.

Sub-track 1, *NER offset and entity type classification* (``ner``): ``strict`` requires the same
fragments and the same label. It is also computed for each label, such as ``fechas_strict_f1``, and
as ``macro_``, the mean over the labels that either side has (a label without a gold mention has F1
0). With the number of sentences (``sentences``),

    leak = strict_fn / number of sentences of the gold documents

Sub-track 2, *sensitive span detection* (``spans``), ignores labels; every fragment is a span:

    span      the same start and end
    merged    the same after merging on each side: in the order of the text, a span joins the one
              before it if it starts no later than that one ends, or if no character between them is
              a letter or a digit (``str.isalnum``); the joined span ends at the greater end of both

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

All are micro-averages; a score whose denominator is 0 is 0. If only one side has a document,
everything in it counts as missed or spurious. Merging requires the text. Without it only
overlapping and touching spans merge, and a warning reports this. The texts of both sides must be
the same. A line end is one character.

Characters and mentions that no prediction covers are counted in total and for each label (see
:mod:`clineval.kinds.mentions.leak`): ``leaked_characters``, ``leaked_mentions`` and
``leaked_whole_mentions``, each also with ``_share``. If only ``spans`` are scored, the mentions are
these spans.

``protocol="official"`` gives the numbers of the released evaluate.py. It scores only documents that
both sides have. It counts hits before and after merging together, and misses by the spans before
merging. The end of a nested span replaces the end of the outer one. Each side is merged with its
own text. The leak is divided by all lines of the sentence files of scored documents. In XML it
compares elements, and offsets as written.

Sources: Marimon et al. (2019); https://temu.bsc.es/meddocan/, Evaluation and Examples;
https://github.com/PlanTL-GOB-ES/MEDDOCAN-Evaluation-Script.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.meddocan19.official import OFFICIAL
from clineval.challenges.meddocan19.sentences import parse_sentences
from clineval.challenges.meddocan19.spec import SPEC
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.measures import Measures
from clineval.results.options import Option
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="meddocan19",
        title="MEDDOCAN 2019: Medical Document Anonymization",
        homepage="https://temu.bsc.es/meddocan/",
        citation="""\
@inproceedings{marimon-etal-2019-meddocan,
    title = "Automatic De-identification of Medical Texts in {S}panish: the {MEDDOCAN} Track,
        Corpus, Guidelines, Methods and Evaluation of Results",
    author = "Marimon, Montserrat and Gonzalez-Agirre, Aitor and Intxaurrondo, Ander and
        Rodr{\\'i}guez, Heidy and Lopez Martin, Jose and Villegas, Marta and Krallinger, Martin",
    booktitle = "Proceedings of the Iberian Languages Evaluation Forum (IberLEF 2019)",
    series = "CEUR Workshop Proceedings",
    volume = "2421",
    year = "2019",
    pages = "618--638",
    url = "http://ceur-ws.org/Vol-2421/MEDDOCAN_overview.pdf",
}""",
        configs={
            "default": "both sub-tracks",
            "ner": "NER offset and entity type classification",
            "spans": "sensitive span detection",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": OFFICIAL},
    measures=Measures.of(
        *SPEC.usual.scores,
        ranking={"default": ("strict_f1", "span_f1"), "ner": ("strict_f1",), "spans": ("span_f1",)},
        headline=("strict_f1", "span_f1", "merged_f1", "leaked_mentions_share"),
    ),
    options=(
        Option(
            "sentences",
            "Directory with a file for each document, one line per sentence, for leak.",
            kind="file",
            python="the number of sentences of each document, for leak: a mapping, or the path of "
            "a directory of files with one line per sentence.",
            parse=parse_sentences,
        ),
    ),
    differences=list_differences("""
        a document on one side only (documents_on_one_side)
            spec: counts as all missed or all spurious
            official: is ignored
        merged spans (merged_counts_parts_and_whole)
            spec: are compared with merged spans
            official: count in addition to unmerged spans; misses are unmerged spans that are in no
                hit
        a span inside another one, merged (merged_nested_shrinks)
            spec: changes nothing
            official: shortens the outer span to its own end
        the text for merging (texts_differ_changes_merging)
            spec: is the text of the document; two different texts are rejected
            official: is each side's own
        sentences (leak_counts_every_line)
            spec: are the annotation lines in the files of all gold documents
            official: are all lines in the files of scored documents
        a mention in XML (xml_element_is_compared)
            spec: is compared by TYPE and offsets
            official: is compared by element, TYPE and offsets as written; in sub-track 2 offsets
                are numbers
        a discontiguous mention in brat files (brat_discontinuous_kills)
            spec: has fragments
            official: is rejected
        an unreadable line in a brat file (brat_line_without_tab)
            spec: is rejected with file and line
            official: is skipped if a word is missing
        an empty span (zero_length_span)
            spec: is rejected
            official: is a span
    """),
    demo=Demo(
        "MEDDOCAN 2019: rules and a tagger on 6 cases in Spanish",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
        headline=2,
    ),
    faces=replace(
        SPEC.usual.faces,
        scripts=("meddocan-2019",),
        printed="clineval.challenges.meddocan19.printed",
    ),
)
