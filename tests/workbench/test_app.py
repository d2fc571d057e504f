"""What ``clineval app`` makes of uploads and of paths; the page itself is tested in a browser."""

import json
import os
import re
import signal

import laws
import pytest
from commands import invoke
from conftest import ROOT

from clineval.workbench.app import Request, list_choices, read_sides, write_report

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL, I2B2 = (
    CHALLENGES / "semeval15_task14" / "demo",
    CHALLENGES / "i2b2_2009_medication" / "demo",
)


def files(folder, number=None):
    return sorted(map(str, folder.iterdir()))[:number]


def sides(module, private, *, gold=None, system=None, notes=None):
    values = [None, gold, None, system, None, None, None, notes]
    return dict(read_sides(module, values, CHALLENGES, private))


def report(module, private, **uploads):
    paths = sides(module, private, **uploads)
    return write_report(Request(module, "default", "spec", paths, "notes" in paths), private)


def test_a_single_upload_is_scored(tmp_path):
    """With its note; the name of an entries file is its record's, so it is no file by itself."""
    for module, folder, notes in (
        ("semeval15_task14", SEMEVAL, SEMEVAL / "text"),
        ("i2b2_2009_medication", I2B2, I2B2 / "records"),
    ):
        one = {"gold": files(folder / "gold", 1), "system": files(folder / "tagger", 1)}
        result = report(module, tmp_path, **one, notes=files(notes, 1))
        assert result.warnings == ()
        assert result.report.stat().st_size > 10_000


def test_uploads_are_named_by_their_side(tmp_path):
    paths = sides("semeval15_task14", tmp_path, gold=files(SEMEVAL / "gold"))
    assert paths["gold"].name == "gold"
    assert len(list(paths["gold"].iterdir())) == len(files(SEMEVAL / "gold"))


def test_there_may_be_several_other_systems(tmp_path):
    """Each chosen folder is a system; uploads are one."""
    demo = "semeval15_task14/demo"
    values = [f"{demo}/gold", None, f"{demo}/tagger", None, None, None, f"{demo}/text", None]
    for others, names in (
        ([f"{demo}/dictionary", f"{demo}/gold"], ["tagger", "dictionary", "gold"]),
        ([f"{demo}/tagger"], ["system tagger", "system2 tagger"]),
    ):
        values[4] = others
        paths = dict(read_sides("semeval15_task14", values, CHALLENGES, tmp_path))
        request = Request("semeval15_task14", "default", "spec", paths, with_text=True)
        page = write_report(request, tmp_path).report.read_text("utf-8")
        head = re.search(r'<script type="application/json" id="head">(.*?)</script>', page)[1]
        assert [system["name"] for system in json.loads(head)["systems"]] == names
    folder = CHALLENGES / "semeval15_task14" / "demo"
    values[4:6] = None, files(folder / "dictionary")
    found = dict(read_sides("semeval15_task14", values, CHALLENGES, tmp_path))
    assert found["system2"].name == "system2"
    assert "system3" not in found


def test_uploads_of_one_name_are_refused(tmp_path):
    twice = files(SEMEVAL / "gold", 1) + files(SEMEVAL / "tagger", 1)
    laws.refuses(
        lambda: sides("semeval15_task14", tmp_path, gold=twice), "two files have the same name"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_cannot_be_read_can_be_chosen_like_the_rest(tmp_path):
    (tmp_path / "closed").mkdir(mode=0o000)
    (tmp_path / "open").mkdir()
    assert list_choices(tmp_path) == ["closed", "open"]


def test_a_path_must_be_in_the_folder(tmp_path):
    values = ["../../../README.md", None, None, None, None, None, None, None]
    laws.refuses(
        lambda: dict(read_sides("semeval15_task14", values, CHALLENGES, tmp_path)),
        "outside the folder",
    )


def test_what_is_refused_leaves_the_signals_as_they_were(tmp_path):
    """Else what called the command in its own process could not be ended any more."""
    known = (signal.SIGTERM, signal.SIGINT)
    before = [signal.getsignal(each) for each in known]
    assert invoke(["app", tmp_path / "absent"]).exit_code != 0
    assert [signal.getsignal(each) for each in known] == before
