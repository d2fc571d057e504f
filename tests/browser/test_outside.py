"""Reports of challenges of other packages count what the core counts."""

import pytest
from commands import invoke
from outside import CASES, install


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_page_shows_its_classes_and_nothing_differs(case, open_page, tmp_path):
    html = tmp_path / "report.html"
    (tmp_path / "site").mkdir()
    with install(tmp_path / "site"):
        assert invoke(["report", case.name, *case.write(tmp_path), "-o", html]).exit_code == 0
    page = open_page(html)
    assert page.evaluate("findDifferences()") == []
    assert page.evaluate("head.checks.length") == 12
    assert page.locator("#warning").is_hidden()
    names = page.locator("#statistics").inner_text()
    assert all(name in names for name in case.classes), names
