"""The i2b2 2009 medication challenge: medications with dosage, mode, frequency, duration, reason.

An entry links a medication (``m``) with its dosage (``do``), mode (``mo``), frequency (``f``),
duration (``du``) and reason (``r``). Each field is a phrase at some tokens of the record, or not
mentioned. S is the size of the ground truth, N the size of the system output, and D the size of
what they share (section 1 of the source):

    P = D / N        R = D / S        F = 2 P R / (P + R)

Exact: D, N and S count phrases, and two phrases are the same if their offsets are the same.
Inexact: they count tokens. Each has two directions:

- Horizontal: entries are aligned. D is what the same fields of two aligned entries share; N and S
  count all fields of all entries, aligned or not.
- Vertical: entries do not matter. Each record and field has a list of distinct phrases; the inexact
  variant uses the distinct tokens that they cover. ``vertical_all`` adds up all six fields.

System level is the micro-average over all records. The challenge ranked systems by the horizontal
measures at system level, once exact and once inexact. Patient level is the mean of P, R and F of
each record, over the records of the ground truth (eq. 1). A record that only the system has counts
at system level but not at patient level. A record with nothing on either side has no F and is left
out. All scores lie between 0 and 1; a score whose denominator is 0 is 0.

Entries that agree in all six fields count once. Entries are aligned one to one in two stages: first
those whose medications have the same offsets, then, among the remaining entries, those whose
medications share a token. In each stage the pair with the best F over the tokens of all six fields
comes first. Ties go to the earlier system entry, then to the earlier entry of the ground truth.
Entries are ordered by token positions, field by field (``m``, ``do``, ``mo``, ``f``, ``du``,
``r``), so the order of the files never matters. A record in which more than 4 million pairs of
entries have overlapping medications is rejected.

The source contradicts itself: "entries that are nm in the ground truth are omitted from the
evaluation", yet the N = 4 of its worked example counts a mode that is nm in the ground truth. We
follow the worked example: a field is left out on the side that has nm, and everything that the
system adds to the ground truth lowers P.

``subset`` scores only the entries of lists or of narratives. ``evaluation_sets`` assigns every
record to set A, B or C. The scores of each set have the prefix ``set_a_`` and so on; ``sets_mean_``
is their arithmetic mean (sets without a record are left out).

``protocol="official"`` gives the numbers of the released script and follows all its rules: see
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
    "Directory of the records; needed if fields cross lines.",
    kind="records",
    python="the records' texts as a list, as a mapping from record name to text, or as a "
    "directory; needed if a field crosses lines",
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
        Option(
            "subset",
            "Score only these entries: list or narrative.",
            kind="choice",
            choices=GENRES,
        ),
        Option(
            "evaluation_sets",
            "JSON file that assigns each record to A, B or C, to score each set.",
            kind="file",
            python="a mapping from record name to A, B or C, the path of a JSON file with it, or "
            "one letter per record, in order",
        ),
    ),
    differences=list_differences("""
        alignment (stages)
            spec: equal medications first, then overlapping ones; in each stage, best F first
            official: the pair with the best F of the whole record first
        F values that differ by less than .001 (near_tie)
            spec: differ
            official: are ties; the entries that come first in the files win
        vertical lists (vert_unaligned)
            spec: are compared whatever the entries
            official: contain the fields of aligned entries only
        a phrase that occurs in several entries of a record (vert_dup)
            spec: counts once in the vertical list
            official: counts once for each entry
        recall if the gold standard has nothing (emptygold)
            spec: is 0
            official: is 0.09, also in the patient-level mean
        patient level (patients)
            spec: is a mean over the gold standard's records with something on either side
            official: is a mean over all of them; for a field, over the records in which the gold
                standard has it
        P, R and F of a record (rounding)
            spec: are averaged without rounding
            official: are rounded to four decimals first
        one fragment, and several with the same tokens (disc_same_tokens)
            spec: are different phrases
            official: are the same phrase
        tokens beyond the end of a line (beyond_tok)
            spec: are an error
            official: do not exist
        fragments that end before they begin, or overlap (reversed)
            spec: are an error
            official: have no token; overlapping ones have each token once
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
