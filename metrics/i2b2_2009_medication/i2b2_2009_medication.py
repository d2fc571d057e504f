"""The i2b2 2009 medication challenge as an evaluate module."""

import evaluate

from clineval.challenges.i2b2_2009_medication import CHALLENGE
from clineval.hf import ChallengeMetric
from clineval.kinds.entries.entry import FIELDS, REMARKS

_PHRASE = {"text": str, "offsets": [[int]]}


class I2b2_2009Medication(ChallengeMetric, evaluate.Metric):  # noqa: N801 - spells the module's name
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
The scores of the i2b2 2009 medication challenge: entries that link a medication with its dosage,
mode, frequency, duration and reason. Exact (same offsets) and inexact (shared tokens), horizontal
(entries aligned, fields linked) and vertical (each field by itself), at system level (micro) and
at patient level (mean over the records of the ground truth). Entries with the same medication are
aligned first, then those whose medications overlap, each time the best F first. The challenge
ranked systems twice, by the exact and by the inexact horizontal F1 at system level.
"""
    inputs = """
    predictions: for each record a list of entries, or the text of its `.i2b2.entries` file. An
        entry is a dict with the fields `m` (medication), `do` (dosage), `mo` (mode), `f`
        (frequency), `du` (duration) and `r` (reason): each
        `{"text": "one tab", "offsets": [[5, 4, 5, 5]]}`, or None if it is not mentioned; offsets
        are `[line, token, line, token]`, first and last token, lines from 1, tokens from 0.
        `ln` is "list" or "narrative". A field may be left out, but for `m`.
    references: as the predictions.
"""
    returns = """
Returns:
    A dict. `{exact|inexact}_horizontal_{system|patient}_{precision|recall|f1}` and
    `{exact|inexact}_vertical_{field}_{system|patient}_{precision|recall|f1}`, where `field` is
    medication, dosage, mode, frequency, duration, reason or all; with evaluation sets the same
    with the prefixes `set_a_`, `set_b_`, `set_c_` and `sets_mean_`; `n_documents` and
    `signature`; `per_document` if asked for.

Examples:
    >>> metric = evaluate.load("i2b2_2009_medication")
    >>> gold = {"m": {"text": "caltrate plus d", "offsets": [[5, 1, 5, 3]]},
    ...         "do": {"text": "one tab", "offsets": [[5, 4, 5, 5]]},
    ...         "f": {"text": "b.i.d.", "offsets": [[5, 7, 5, 7]]}}
    >>> found = {"m": {"text": "caltrate plus d", "offsets": [[5, 1, 5, 3]]},
    ...          "do": {"text": "one", "offsets": [[5, 4, 5, 4]]},
    ...          "mo": {"text": "p.o", "offsets": [[5, 6, 5, 6]]},
    ...          "f": {"text": "b.i.d.", "offsets": [[5, 7, 5, 7]]}}
    >>> results = metric.compute(predictions=[[found]], references=[[gold]])
    >>> results["exact_horizontal_system_precision"], results["exact_horizontal_system_recall"]
    (0.5, 0.6666666666666666)
    >>> results["inexact_horizontal_system_f1"], results["exact_vertical_dosage_system_f1"]
    (0.8333333333333334, 0.0)

    The text of files, and the released script's rules: here a recall of .09 for nothing.

    >>> results = metric.compute(
    ...     predictions=['m="lantus 7" 6:1 6:2||do="nm"'], references=['m="lantus" 6:1 6:1'],
    ...     protocol="official")
    >>> round(results["inexact_vertical_medication_system_f1"], 4)
    0.6667
    >>> results["exact_vertical_dosage_system_recall"]
    0.09
"""
    further = ("https://doi.org/10.1136/jamia.2010.003947",)
    forms = ([dict.fromkeys(FIELDS, _PHRASE) | dict.fromkeys((*REMARKS, "ln"), str)], str)
