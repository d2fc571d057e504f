"""Simulated systems: counts of documents whose difficulty varies, with a known true score."""

import numpy as np

import clineval
from clineval.results.registry import find_challenge
from clineval.results.scorable import Counts
from clineval.stats.confidence import Confidence, intervals_of
from clineval.stats.units import group_units

NAME = "semeval15_task14"
COLUMNS = ("strict_tp", "strict_fp", "strict_fn", "relaxed_tp", "relaxed_fp", "relaxed_fn")
SETTINGS = {"protocol": "spec", "overlap": "character", "weights": "share"}
MENTIONS, SHAPE, RECALL, SPURIOUS = 20.0, 1.5, 0.75, 5.0
CONCENTRATION, RELAXED = 6.0, 0.5
RUNS_APART = 0.15
"""Notes of 20 mentions on average, from hardly any to 100; recall differs from note to note."""


def true_f1(recall=RECALL):
    """The strict F1 of a corpus without end."""
    return 2 * recall * MENTIONS / (MENTIONS + recall * MENTIONS + SPURIOUS)


def draw_documents(random, documents):
    """Numbers of gold mentions, and the difficulty of each document."""
    mentions = random.poisson(random.gamma(SHAPE, MENTIONS / SHAPE, documents))
    ease = random.beta(CONCENTRATION * RECALL, CONCENTRATION * (1 - RECALL), documents)
    return mentions, ease


def draw_patients(random, patients, notes):
    """As :func:`draw_documents`, of notes whose length and difficulty are their patient's."""
    length = random.gamma(SHAPE, MENTIONS / SHAPE, patients)
    ease = random.beta(CONCENTRATION * RECALL, CONCENTRATION * (1 - RECALL), patients)
    return random.poisson(np.repeat(length, notes)), np.repeat(ease, notes)


def draw_system(random, mentions, ease):
    """The counts of one system; two systems on the same documents are equally good."""
    tp = random.binomial(mentions, ease)
    fp = random.poisson(SPURIOUS * random.gamma(SHAPE, 1 / SHAPE, len(mentions)))
    near = random.binomial(np.minimum(fp, mentions - tp), RELAXED)
    fn = mentions - tp
    table = np.column_stack([tp, fp, fn, tp + near, fp - near, fn - near]).astype(np.float64)
    names = tuple(map(str, range(len(mentions))))
    digests = np.zeros(len(mentions), np.uint64)
    return Counts(find_challenge(NAME), "task1", SETTINGS, COLUMNS, names, table, digests)


def coverage(corpora, documents, seed, **options):
    """How often the interval of strict F1 holds the true value."""
    random = np.random.default_rng(seed)
    held = 0
    for corpus in range(corpora):
        counts = draw_system(random, *draw_documents(random, documents))
        score = counts.score(**{"confidence": 0.95, "seed": corpus, **options})
        low, high = score.intervals["strict_f1"]
        held += low <= true_f1() <= high
    return held / corpora


def coverage_of_groups(corpora, documents, groups, seed, **options):
    """As :func:`coverage`, if groups of documents are left out in place of each document."""
    random = np.random.default_rng(seed)
    held = 0
    for corpus in range(corpora):
        counts = draw_system(random, *draw_documents(random, documents))
        how = Confidence(**{"level": 0.95, "seed": corpus, **options})
        left_out = group_units(counts.table, groups)
        found = intervals_of(counts.rates, counts.table, how, left_out)["strict_f1"]
        held += found.low <= true_f1() <= found.high
    return held / corpora


def coverage_of_patients(corpora, patients, notes, seed, *, clustered, **options):
    """As :func:`coverage`, of corpora with several notes of each patient."""
    random = np.random.default_rng(seed)
    cluster = (lambda name: int(name) // notes) if clustered else None
    held = 0
    for corpus in range(corpora):
        counts = draw_system(random, *draw_patients(random, patients, notes))
        how = {"confidence": 0.95, "seed": corpus, "cluster": cluster, **options}
        low, high = counts.score(**how).intervals["strict_f1"]
        held += low <= true_f1() <= high
    return held / corpora


def draw_runs(random, mentions, ease, runs):
    """Counts of runs of one system, some of which are better than others in all documents."""
    logits = np.log(ease / (1 - ease))
    for _ in range(runs):
        of_run = logits + random.normal(0, RUNS_APART) + random.normal(0, 0.5, len(ease))
        yield draw_system(random, mentions, 1 / (1 + np.exp(-of_run)))


def rejections_of_runs(corpora, documents, runs, seed):
    """How often two equally good systems with several runs differ at p < .05."""
    random = np.random.default_rng(seed)
    rejected = 0
    for _ in range(corpora):
        drawn = draw_documents(random, documents)
        systems = {name: list(draw_runs(random, *drawn, runs)) for name in "AB"}
        found = clineval.compare_counts(systems, n_resamples=1).differences["B"]["strict_f1"]
        rejected += found.p < 0.05
    return rejected / corpora


def rejections_of_patients(corpora, patients, notes, seed, test, **options):
    """As :func:`rejections`, of corpora with several notes of each patient, which are clusters."""
    random = np.random.default_rng(seed)
    rejected = 0
    for corpus in range(corpora):
        drawn = draw_patients(random, patients, notes)
        systems = {name: draw_system(random, *drawn) for name in "AB"}
        how = {"test": test, "seed": corpus, "cluster": lambda name: int(name) // notes, **options}
        found = clineval.compare_counts(systems, **how).differences["B"]["strict_f1"]
        rejected += found.p < 0.05
    return rejected / corpora


def rejections(corpora, documents, seed, test, **options):
    """How often two equally good systems differ at p < .05."""
    random = np.random.default_rng(seed)
    rejected = 0
    for corpus in range(corpora):
        drawn = draw_documents(random, documents)
        systems = {name: draw_system(random, *drawn) for name in "AB"}
        comparison = clineval.compare_counts(systems, test=test, seed=corpus, **options)
        rejected += comparison.differences["B"]["strict_f1"].p < 0.05
    return rejected / corpora
