"""The i2b2 2009 medication challenge: medications with dosage, mode, frequency, duration, reason.

An entry links a medication (``m``) with its dosage (``do``), mode (``mo``), frequency (``f``),
duration (``du``) and reason (``r``); each is a phrase at some tokens of the record, or not
mentioned. With S the size of the ground truth, N that of the system output, and D what they
share (seed, section 1):

    P = D / N        R = D / S        F = 2 P R / (P + R)

Exact: D, N and S count phrases, and two phrases are the same if their offsets are. Inexact: they
count tokens. Either is taken in two directions:

- Horizontal, with entries aligned: D is what the same fields of two aligned entries share; N and
  S count all fields of all entries, aligned or not.
- Vertical, without regard to entries: for each record and field a list of phrases with no phrase
  twice; inexact, the tokens that they cover, each once. ``vertical_all`` adds up all six fields.

System level is micro-averaged over all records; of the horizontal measures, the challenge made
two rankings of it, one exact and one inexact. Patient level is the mean over the records of the
ground truth of P, R and F of the record (eq. 1). A record that only the system has counts at
system level alone; one with nothing on either side has no F and is left out. All scores lie
between 0 and 1; a score whose denominator is 0 is 0.

Entries that agree in all six fields are one entry. Entries are aligned one to one in two stages:
first those whose medications have the same offsets, then, of those that are left, those whose
medications share a token. In each stage the pair with the best F over the tokens of all six
fields comes first; ties go to the earlier system entry, then to the earlier entry of the ground
truth. Earlier is what comes first by token positions, field by field (``m``, ``do``,
``mo``, ``f``, ``du``, ``r``), so that the order of the files never matters. A record in which
more than 4 million pairs of entries have overlapping medications is refused.

The seed contradicts itself: "entries that are nm in the ground truth are omitted from the
evaluation", yet the N = 4 of its worked example counts a mode where the ground truth has nm. The
worked example stands: a field is left out where it is nm on that side, and whatever the system
says beyond the ground truth lowers P.

``subset`` looks at the entries of lists or of narratives only. ``evaluation_sets`` gives every
record to set A, B or C; scores of each set have the prefix ``set_a_`` and so on, and those with
``sets_mean_`` are their arithmetic mean (sets without a record are left out).

``protocol="official"`` gives the released script's numbers, with its own rules: see
``clineval describe i2b2_2009_medication --full``.

Source: Uzuner, Solti, Xia, i2b2 Medication Challenge (Tentative) Evaluation Metrics, 16 June 2009.
"""

from __future__ import annotations

from pathlib import Path

from clineval.challenges.i2b2_2009_medication.measures import MEASURES
from clineval.challenges.i2b2_2009_medication.official import Official
from clineval.challenges.i2b2_2009_medication.spec import Spec
from clineval.kinds.entries.entry import GENRES
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.faces import Faces
from clineval.results.options import Option
from clineval.results.task import Demo, Task
from clineval.results.views import DocView, ListView

_RECORDS = Option(
    "records",
    "Directory of the records, whose lines fields may cross.",
    kind="records",
    python="the records' texts as a list, as a mapping from record name to text, or as a "
    "directory; needed where a field crosses lines",
)
CHALLENGE = Challenge(
    Task(
        name="i2b2_2009_medication",
        title="i2b2 2009 medication challenge",
        homepage="https://www.i2b2.org/NLP/Medication/",
        citation="""\
@article{uzuner-etal-2010-extracting,
    title = "Extracting medication information from clinical text",
    author = "Uzuner, {\\\"O}zlem and Solti, Imre and Cadag, Eithon",
    journal = "Journal of the American Medical Informatics Association",
    volume = "17",
    number = "5",
    pages = "514--518",
    doi = "10.1136/jamia.2010.003947",
    year = "2010",
}""",
        configs={"default": "entries and their fields, exact and inexact, horizontal and vertical"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Spec(), "official": Official()},
    measures=MEASURES,
    options=(
        _RECORDS,
        Option("subset", "list or narrative: these entries only.", kind="choice", choices=GENRES),
        Option(
            "evaluation_sets",
            "JSON file: record name to A, B or C, to score each set.",
            kind="file",
            python="a mapping from record name to A, B or C, or the path of a JSON file of it, or "
            "a letter for each record in order",
        ),
    ),
    differences=list_differences("""
        alignment (stages)
            spec: equal medications first, then overlapping ones, each with the best F first
            official: the pair with the best F of the whole record comes first
        F that differ by less than .001 (near_tie)
            spec: differ
            official: are ties, which go to the entries that come first in the files
        vertical lists (vert_unaligned)
            spec: are compared without regard to entries
            official: hold the fields of aligned entries only
        a phrase that several entries of a record have (vert_dup)
            spec: is in the vertical list once
            official: counts once for each entry
        recall where the gold standard has nothing (emptygold)
            spec: is 0
            official: is 0.09, also in the patient-level mean
        patient level (patients)
            spec: is over the gold standard's records where one of the sides has something
            official: is over all of them, of a field over those where the gold standard has it
        P, R and F of a record (rounding)
            spec: are averaged as they are
            official: are rounded to four decimals first
        one fragment, or several with the same tokens (disc_same_tokens)
            spec: are different phrases
            official: are the same phrase
        tokens beyond the end of a line (beyond_tok)
            spec: an error
            official: are not there
        fragments that end before they begin, or overlap (reversed)
            spec: an error
            official: have no token; have each token once
        records that only the system has (extra)
            spec: are false positives at system level, and do not count at patient level
            official: do not count
        records whose names are not numbers (nondigit)
            spec: count
            official: do not count
    """),
    demo=Demo(
        "i2b2 2009 medication challenge: rules and a tagger on 10 records",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
        {"records": Path("records")},
        headline=1,
    ),
    faces=Faces(
        page=ListView(
            "clineval.challenges.i2b2_2009_medication.page",
            measures={"exact_horizontal_system_f1": "F1"},
        ),
        docs=DocView(
            prefix="i09",
            columns={"default": MEASURES.headline[:2]},
            group="clin_meds",
        ),
        scripts=("i2b2-2009",),
        printed="clineval.challenges.i2b2_2009_medication.printed",
        validation_options=(_RECORDS,),
        single_files=False,
        notes_apart=True,
    ),
)
