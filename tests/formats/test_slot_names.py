"""Slots that data name themselves: a name that could be words of a note is in no message."""

import pytest

import clineval
from clineval import InputError


@pytest.mark.parametrize(("name", "shown"), [("site", "site"), ("No fever", "name withheld")])
def test_names_of_slots_with_blanks_are_withheld(name, shown):
    side = [[{"spans": [[0, 4]], "label": "Wound", name: ""}]]
    with pytest.raises(InputError, match=shown) as caught:
        clineval.score("clinical_spans", side, side)
    assert "fever" not in str(caught.value)
