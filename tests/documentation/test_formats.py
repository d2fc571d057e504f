"""What the formats cost, as tests/benchmarks/bench_formats.py writes it into two pages."""

import re

from conftest import ROOT

MARKED = re.compile(r"<!-- bench_formats\.py -->(.*?)<!-- end -->", re.DOTALL)


def read_marked(page):
    [marked] = MARKED.findall((ROOT / page).read_text("utf-8"))
    return marked


def test_the_pages_have_the_same_figures_for_all_formats():
    table = read_marked("metrics/clineval/evaluation/counting/README.md")
    rows = [row.strip("| ").split(" | ") for row in table.splitlines() if row.startswith("| ")][2:]
    words = ", ".join(f"{name} {time.removesuffix(' s')}" for name, _, time, *_ in rows)
    assert read_marked("README.md") == words
    benchmark = (ROOT / "tests" / "benchmarks" / "bench_formats.py").read_text("utf-8")
    measured = re.search(r"^FORMATS = {\n(.*?)^}", benchmark, re.DOTALL | re.MULTILINE)[1]
    names = re.findall(r'^    "\.[a-z.]+": \("([^"]+)"', measured, re.MULTILINE)
    assert [name for name, *_ in rows] == names
    assert len(names) > 5
