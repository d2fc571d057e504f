"""Notes that are drawn together: ``report`` and ``app`` take what ``score`` takes."""

import json
import re

import pytest
from commands import invoke

import clineval
from clineval.base.errors import InputError, hear_warnings
from clineval.workbench.requests import Request, Wishes, write_report

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@pytest.fixture(scope="module")
def sides(tmp_path_factory):
    """A gold standard and a system: five notes of each of eight patients, with a slot."""
    folder = tmp_path_factory.mktemp("sides")
    for name in ("gold", "system"):
        lines = [
            {
                "id": f"p{number // 5}-note{number % 5}",
                "text": "pain and drug",
                "mentions": [
                    {"spans": [[0, 4]], "label": "P", "negated": name == "gold" or number > 20},
                    {"spans": [[9, 13 - (number % 3 == 0 and name != "gold")]], "label": "D"},
                ],
            }
            for number in range(40)
        ]
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder / "gold.jsonl", folder / "system.jsonl"


def signature_of(page):
    return re.search(r'"signature":"(clinical_spans[^"]*)"', page.read_text("utf-8"))[1]


def test_the_page_has_the_intervals_and_signature_of_score(sides, tmp_path):
    page, clusters = tmp_path / "page.html", tmp_path / "clusters.csv"
    gold, system = sides
    rows = [f"p{number // 5}-note{number % 5},p{number // 5}" for number in range(40)]
    clusters.write_text("\n".join(["document,cluster", *rows]))
    options = {"labels": ["P", "D"], "slots": ["negated"]}
    drawn = {"confidence": 0.95, "cluster": clusters}
    expected = clineval.score("clinical_spans", system, gold, **drawn, **options)
    for how in (("--cluster-by", "prefix"), ("--cluster", clusters)):
        words = ("--labels", "P", "--labels", "D", "--slots", "negated")
        done = invoke(["report", "clinical_spans", gold, system, "-o", page, *words, *how])
        assert done.exit_code == 0, done.exception
        assert signature_of(page) == str(expected.signature)
        assert "cluster:8" in signature_of(page)
        low, high = expected.intervals["strict_f1"]
        assert f'"strict_f1":[{low},{high}]' in page.read_text("utf-8").replace(", ", ",")


def test_the_page_does_not_say_what_was_done(sides, tmp_path):
    """It asked for clusters that the command did not take."""
    page = tmp_path / "page.html"
    for words, expected in (((), True), (("--cluster-by", "prefix"), False)):
        with hear_warnings():
            done = invoke(["report", "clinical_spans", *sides, "-o", page, *words])
        assert done.exit_code == 0
        assert ("patients with several notes" in page.read_text("utf-8")) == expected


def test_a_report_says_whether_it_holds_the_notes(sides, tmp_path):
    words = ["report", "clinical_spans", *sides, "-o", tmp_path / "page.html"]
    assert "MB), with the notes" in invoke(words).stderr
    assert "MB), without the notes" in invoke([*words, "--no-text"]).stderr


def test_the_application_takes_them_from_its_fields(sides, tmp_path):
    paths = dict(zip(("gold", "system"), sides, strict=True))

    def ask(**wishes):
        request = Request("clinical_spans", "default", "spec", paths, True, Wishes(**wishes))  # noqa: FBT003
        return signature_of(write_report(request, tmp_path).report)

    found = ask(labels="P, D", slots="negated", cluster_by="prefix")
    assert "labels:p+d|slots:negated" in found
    assert "cluster:8" in found
    assert "cluster" not in ask()
    with pytest.raises(InputError, match="slots"):
        ask(slots="nagated")


def test_the_application_takes_them_on_the_command_line(tmp_path):
    both = ("--cluster-by", "prefix", "--cluster", tmp_path / "c.csv")
    done = invoke(["app", tmp_path / "absent", "--slots", "a", "--labels", "b", *both])
    assert done.exit_code == 2
    assert "cannot be combined" in done.output
