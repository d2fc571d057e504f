"""trec_eval 9's own outputs: every number that it prints, and every input that it refuses."""

import platform
import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import laws
import pytest
from conftest import DATA, SHARED

import clineval
from clineval.challenges.clefehealth13_task3 import CHALLENGE
from clineval.challenges.clefehealth13_task3.official import Official
from clineval.challenges.clefehealth13_task3.trec import read_qrels

NAME = "clefehealth13_task3"
ORACLE = DATA / "oracle" / NAME
NO_NUMBERS = ("runid", "relstring")
ON_A_BOUNDARY = ("iprec_at_recall_0.30", "iprec_at_recall_0.70", "11pt_avg")
"""Where level x relevant + .9 may be whole, which processors round in ways of their own."""
AS_ON_X86_64 = platform.machine().lower() in ("x86_64", "amd64")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@dataclass(frozen=True)
class Call:
    """One call of trec_eval: its input, its options and what it printed."""

    folder: Path
    number: int
    options: str

    def __str__(self):
        return f"{self.folder.name}.{self.number}"

    @property
    def case(self):
        return self.folder.name.split("_")[0]

    @property
    def output(self):
        return self.folder / f"v9.{self.number}.out"

    @property
    def depth(self):
        found = re.search(r"-M(\d+)", self.options)
        return int(found[1]) if found else None

    @property
    def level(self):
        found = re.search(r"-l(\d+)", self.options)
        return int(found[1]) if found else 1

    def score(self, protocol, measures):
        return clineval.score(
            NAME, self.folder / "run", self.folder / "qrels", protocol=protocol,
            measures=measures, complete="-c" in self.options, relevance_level=self.level,
        )  # fmt: skip


def calls_in(root):
    """All calls but those with options that are not offered: -J, and -M0 for nothing at all."""
    for folder in sorted(path.parent for path in root.rglob("opts")):
        for number, options in enumerate((folder / "opts").read_text().split("\n")[:-1], 1):
            call = Call(folder, number, options)
            if call.output.is_file() and "-J" not in options and call.depth != 0:
                yield call


CALLS = [*calls_in(ORACLE / "v9"), *calls_in(SHARED / "oracle" / f"{NAME}_v9")]
each_call = pytest.mark.parametrize("call", CALLS, ids=str)


def printed(output):
    """Measure, topic and value of each number that trec_eval printed."""
    lines = [line.split() for line in output.splitlines() if not line.startswith(("rc=", "STDERR"))]
    return [(m, topic, float(value)) for m, topic, value in lines if m not in NO_NUMBERS]


def disagreements(result, lines):
    """What differs from trec_eval's output in the fourth decimal."""
    rows = {row["document"]: row for row in result.per_document} | {"all": result.values}
    return [
        (measure, topic, value, rows[topic][measure])
        for measure, topic, value in lines
        if abs(rows[topic][measure] - value) > 5.1e-5
        and (AS_ON_X86_64 or measure not in ON_A_BOUNDARY)
    ]


def agree(call, protocol):
    lines = printed(call.output.read_text())
    names = list(dict.fromkeys(measure for measure, *_ in lines))
    result = call.score(protocol, names)
    qrels = read_qrels(call.folder / "qrels", Official.judgments)
    assert [row["document"] for row in result.per_document] == list(qrels)
    wrong = disagreements(result, lines)
    if "-c" in call.options and call.level > 1:
        [(measure, topic, total, ours)] = wrong
        assert (measure, topic) == ("num_rel", "all")
        assert total == sum(g > 0 for grades in qrels.values() for g in grades.values())
        assert ours == sum(g >= call.level for grades in qrels.values() for g in grades.values())
    else:
        assert wrong == []
    assert len(names) > 20
    return result


@each_call
def test_official_gives_every_number_and_refuses_the_rest(call, monkeypatch):
    """With the call's own depth, as trec_eval looks at all documents where none is given."""
    official = CHALLENGE.protocols["official"]
    monkeypatch.setitem(CHALLENGE.protocols, "official", replace(official, depth=call.depth))
    if "rc=0" in call.output.read_text():
        agree(call, "official")
    else:
        laws.refuses(lambda: call.score("official", None))


def test_official_looks_at_a_thousand_documents(shared_oracle):
    folder = shared_oracle / f"{NAME}_v9" / "random" / "deep_61"
    call = next(call for call in calls_in(folder) if call.depth == 1000)
    result = agree(call, "official")
    assert max(row["num_ret"] for row in result.per_document) == 1000
    assert max(row["num_ret"] for row in call.score("spec", None).per_document) == 1105


REFUSED = {
    "e01": "run:4: expected 6 columns (query q0 docid rank score system), got a line that begins",
    "e02": "run:4: expected 6 columns (query q0 docid rank score system), got a line that begins",
    "e03": "run:4: expected 6 columns (query q0 docid rank score system), got a line that begins",
    "e04": "run:4: expected 6 columns (query q0 docid rank score system), got a line that begins",
    "e05": "run:4: expected 6 columns (query q0 docid rank score system), got 7",
    "e06": "got 3",
    "e07": "run:4: expected 6 columns (query q0 docid rank score system), got 7",
    "e08": "got 5",
    "e09": "got 5",
    "e10": "got 8",
    "e11": "got 1",
    "e12": "got 1",
    "e13": "got 3",
    "e14": "got 4",
    "e16": "score: expected a finite number, got 'r'",
    "e20": "qrels:1: expected 4 columns (query q0 docid rel), got a line that begins with #",
    "e21": "qrels:1: expected 4 columns",
    "e23": "qrels:8: expected 4 columns (query q0 docid rel), got 3",
    "e24": "qrels:8: expected 4 columns (query q0 docid rel), got 5",
    "e25": "run:4: expected 6 columns",
    "e26": "qrels:8: expected 4 columns",
    "n05": "run:4: document d1 occurs twice in topic q1",
    "n06": "run:4: document d1 occurs twice in topic q1",
    "n07": "qrels:8: document d1 occurs twice in topic q1",
    "n15": "run:1: score: expected a finite number",
    "n16": "run:1: score: expected a finite number",
    "n17": "run:2: score: expected a finite number",
    "n18": "run:1: score: expected a finite number",
    "n19": "run:1: score: expected a finite number",
    "n20": "run:1: score: expected a finite number",
    "n31": "judgments, topic q1: all judgments are negative",
    "n32": "qrels:1: rel: expected a whole number from -127 to 127, got 'x'",
    "odd": "score: expected a finite number",
}
ACCEPTED = ("e22", "n04", "n08")
"""What spec scores and trec_eval does not: an empty line of judgments, a run of nothing judged."""


@pytest.mark.parametrize(
    "call", [c for c in CALLS if c.depth is None or c.case in REFUSED], ids=str
)
def test_spec_gives_the_same_numbers_for_results_and_refuses_the_rest(call):
    if call.case in REFUSED:
        said = REFUSED[call.case].replace("run:4", "run:1" if "first" in str(call) else "run:4")
        laws.refuses(lambda: call.score("spec", None), said)
    elif call.case in ACCEPTED:
        assert "rc=0" not in call.output.read_text()
        counted = 2 if "-c" in call.options or call.case == "e22" else 0
        assert call.score("spec", None)["num_q"] == counted
    else:
        agree(call, "spec")


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize(("level", "more"), [(1, 900), (2, 80)])
@pytest.mark.parametrize("run", ["ties", "missing"])
def test_every_number_of_larger_runs(run, level, more, protocol):
    lines = printed((ORACLE / f"{run}.l{level}.complete.txt").read_text())
    result = clineval.score(
        NAME, ORACLE / f"{run}.run", ORACLE / "qrels.txt",
        protocol=protocol, measures="all_trec", relevance_level=level,
    )  # fmt: skip
    wrong = [measure for measure, *_ in disagreements(result, lines)]
    assert wrong == (["num_rel"] if level > 1 else [])  # of which trec_eval counts all from 1 on
    assert len(lines) > more


@pytest.mark.parametrize("qrels", ["bin", "graded"])
@pytest.mark.parametrize("run", ["synA", "synTies"])
def test_on_the_lab_s_own_judgments_all_is_as_in_version_10_but_what_that_changed(
    shared_oracle, run, qrels
):
    folder = shared_oracle / NAME
    judged = folder / f"qrels.clef2013ehealth.1-50-test.{qrels}.final.txt"
    lines = printed((folder / f"{run}.trec_eval.{qrels}.txt").read_text())
    new = re.compile("rbp|unj_")
    result = clineval.score(NAME, folder / f"{run}.run", judged, measures="all_trec")
    wrong = disagreements(result, [line for line in lines if not new.match(line[0])])
    measures = Counter(measure for measure, *_ in wrong)
    assert {re.sub(r"_\d\.\d\d", "", measure) for measure in measures} == {
        "iprec_at_recall",
        "11pt_avg",
    }
    assert 0 < sum(measures.values()) < len(lines) / 10
    assert len(lines) > 4000
