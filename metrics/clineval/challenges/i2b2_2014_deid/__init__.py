"""i2b2/UTHealth 2014 Track 1: De-identification of longitudinal clinical narratives.

Mentions of protected health information (PHI) have a start, an end and a TYPE such as ``DOCTOR``.
TYPEs belong to the categories NAME, PROFESSION, LOCATION, AGE, DATE, CONTACT, ID and OTHER. A TYPE
is compared in upper case, and any other TYPE is scored like the rest. Mentions of a record with the
same start, end and TYPE count once.

There are three kinds of match. All pair mentions one to one:

    strict     the same start, end and TYPE
    relaxed    the same start and TYPE, ends that differ by at most 2; as many pairs as possible
    token      runs of letters and digits in the text of a mention: same start, end and TYPE

Each is computed for all mentions; for the mentions that a strict reading of the HIPAA guidelines
covers (``hipaa_``: PATIENT, AGE, CITY, STREET, ZIP, ORGANIZATION, DATE, PHONE, FAX, EMAIL, SSN,
MEDICALRECORD, HEALTHPLAN, ACCOUNT, LICENSE, VEHICLE, DEVICE, BIOID, IDNUM; each side is filtered by
its own types); and for both without their types (``binary_``, ``binary_hipaa_``), in which case
mentions with the same span count once.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

The scores are computed over all mentions together (the challenge's primary scores, ``strict_f1``
first). ``record_`` gives the mean of P and of R over the records that have anything on either side,
and the harmonic mean of these two as F1. ``strict``, ``token``, ``hipaa_strict`` and
``hipaa_token`` also have scores for each category, such as ``name_strict_f1``, and ``macro_``,
their mean over the categories that occur on either side (a category without a gold mention has F1
0). A score whose denominator is 0 is 0. In a record that only one side has, all mentions are false
negatives or false positives.

The leak is the PHI that no prediction covers, in total and for each category (see
:mod:`clineval.kinds.mentions.leak`): ``leaked_characters``, ``leaked_mentions`` and
``leaked_whole_mentions``, also with ``_share``.

Tokens need the text, which XML files contain. If a document with mentions has no text, there are no
token scores. The texts of both sides must be the same.

``protocol="official"`` gives the numbers of the released evaluate.py, the 2014 scoring script
(kotfic/i2b2_evaluation_scripts). The script compares element names and offsets as they are written,
and ignores records that only one side has. It excludes IDNUM from HIPAA, and recognises only ASCII
letters and digits as tokens. It pairs relaxed mentions by its own rule, and has no
``binary_relaxed``.

Sources: Stubbs, Kotfila and Uzuner (2015); README of the released script.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.i2b2_2014_deid.official import OFFICIAL
from clineval.challenges.i2b2_2014_deid.spec import MEASURES, SPEC
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="i2b2_2014_deid",
        title="i2b2/UTHealth 2014 Track 1: De-identification",
        homepage="https://www.i2b2.org/NLP/HeartDisease/",
        citation="""\
@article{stubbs-etal-2015-automated,
    title = "Automated systems for the de-identification of longitudinal clinical narratives:
        Overview of 2014 i2b2/{UTHealth} shared task Track 1",
    author = {Stubbs, Amber and Kotfila, Christopher and Uzuner, {\\"O}zlem},
    journal = "Journal of Biomedical Informatics",
    volume = "58",
    number = "Supplement",
    pages = "S11--S19",
    doi = "10.1016/j.jbi.2015.06.007",
    year = "2015",
}""",
        configs={"default": "all scores"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": OFFICIAL},
    measures=MEASURES,
    differences=list_differences("""
        a record that only one side has (documents_on_one_side)
            spec: counts: all mentions are missed or spurious
            official: is ignored
        relaxed mentions (relaxed_one_pred_two_gold)
            spec: are paired one to one, as many as possible
            official: are reduced to those that differ from all earlier ones; true positives are
                counted on the side with fewer mentions
        what identifies a mention (category_is_compared)
            spec: its TYPE
            official: its element and its TYPE
        case of a TYPE (type_case_strict_vs_token)
            spec: does not matter
            official: does not matter for spans; it matters for tokens and HIPAA
        offsets (leading_zero_start)
            spec: are numbers
            official: are compared as they are written (012 is not 12), except for tokens and
                relaxed ends
        a token (token_non_ascii)
            spec: is a run of letters and digits; a mention may have none
            official: is a run of ASCII letters and digits; a mention without any has an empty token
        HIPAA (hipaa_idnum_left_out)
            spec: includes IDNUM, and compares whole types
            official: excludes IDNUM, and includes every type that starts with the name of one of
                its types
        PHI elements in scores without types (binary_phi_element_keeps_type)
            spec: are treated like all others
            official: keep their type, except for tokens
        means over records (macro_empty_document)
            spec: leave out records with nothing on either side
            official: count them as P = R = 0
        relaxed mentions without types (exact)
            spec: have scores
            official: have none
        a tag without TYPE, an empty span, a span beyond the text (missing_type_counts_as_empty)
            spec: is rejected with file and line
            official: is a mention like any other
    """),
    demo=Demo(
        "i2b2 2014 de-identification: rules and a tagger on 6 notes",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
        headline=2,
    ),
    faces=replace(
        SPEC.faces,
        scripts=("i2b2-2014",),
        printed="clineval.challenges.i2b2_2014_deid.printed",
        formats="clineval.challenges.i2b2_2014_deid.documents",
    ),
)
