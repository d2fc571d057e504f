"""The tutorials run and give what they show; the one with PyTorch runs in tests/training."""

import pytest
from assembly.pages import TUTORIALS
from needs import need

need("nbclient", "docs")


@pytest.mark.parametrize("name", [name for name in TUTORIALS if name != "trainer"])
def test_it_gives_what_it_shows(name):
    from notebooks import check

    check(name)
