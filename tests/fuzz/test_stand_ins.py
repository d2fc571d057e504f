"""Stand-ins of released programs as processes: what they print, write and refuse."""

import re
import shutil
from pathlib import Path

import pytest
from canary import SECRET
from hypothesis import given
from hypothesis import strategies as st
from processes import call_program
from thorough import each

from clineval.results.registry import find_challenge
from fuzz.contract import FEW, LONGEST, TALLY, share
from fuzz.stand_ins import ALL, FOLDERS, calls, damaged
from fuzz.test_python import ONE_PLACE

TIME = re.compile(r"\d{8}_\d{6}")


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A folder with the demo corpora, as ``clineval demo NAME --copy`` makes it."""
    folder = tmp_path_factory.mktemp("demos")
    for name in ALL:
        shutil.copytree(find_challenge(name).task.corpora, folder / "demo" / name)
    return folder


def run(words, place):
    """A result, or an error of one line that holds no note; never a traceback."""
    done = call_program("clineval", "official", *words, cwd=place)
    TALLY["refused" if done.returncode == 2 else "result"] += 1
    assert done.returncode in (0, 2), done.stderr
    assert "Traceback" not in done.stderr
    assert SECRET not in done.stdout + done.stderr
    assert len(done.stderr) < LONGEST
    if done.returncode:
        assert done.stderr.splitlines()[-1].startswith("clineval: ")
    return done


def prepare(place, demo, call):
    """Words in which the demo's paths are whole, and an empty working directory."""
    here = place / "work"
    shutil.rmtree(here, ignore_errors=True)
    here.mkdir()
    return here, [str(demo / word) if word in call.inputs else word for word in call.words]


def written_in(folder):
    """The files below a folder, by path, without the moment that names some."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {without(folder, str(path)): path.read_bytes() for path in files}


def without(folder, said):
    """What is said, but for where files are and when."""
    return TIME.sub("TIME", said).replace(f"{Path(folder)}/", "")


@pytest.mark.parametrize("name", each(ALL, fast=["mediqa_oe25", "semeval15_task14"]))
@share("stand-ins", 2 * len(ALL), each=2, few=min(4, FEW), suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_where_results_are_written(name, data, demo, place):
    """The same files and streams, whatever folder they are written to, and no other file."""
    call = data.draw(calls(name))
    here, words = prepare(place, demo, call)
    expected = run([*words, *call.into(".")], here)
    assert expected.returncode == 0, expected.stderr
    files = written_in(here)
    if not call.flag:
        return
    known = [*FOLDERS, str(here / "absolute")]
    asked = data.draw(st.sampled_from(known if call.default is None else [None, *known]))
    folder = here / (asked or call.default_folder)
    prepare(place, demo, call)
    done = run([*words, *call.into(asked)] if asked else words, here)
    assert done.returncode == 0, done.stderr
    assert written_in(folder) == files
    assert len(written_in(here)) == len(files)
    for stream in ("stdout", "stderr"):
        said = [getattr(done, stream), getattr(expected, stream)]
        assert without(asked or call.default_folder, said[0]) == without(".", said[1])


@pytest.mark.parametrize("name", each(ALL, fast=["distemist22", "i2b2_2010"]))
@share("stand-ins", 2 * len(ALL), few=min(6, FEW), suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_damaged_files(name, data, demo, place):
    """The words of mentions stand in no error."""
    call = data.draw(calls(name))
    here, words = prepare(place, demo, call)
    source = demo / data.draw(st.sampled_from(call.inputs))
    spoilt = path = here / "spoilt" / source.name
    if source.is_dir():
        shutil.copytree(source, spoilt)
        path = data.draw(st.sampled_from(sorted(spoilt.iterdir())))
    else:
        spoilt.parent.mkdir()
        shutil.copy(source, spoilt)
    path.write_bytes(data.draw(damaged(path.name, path.read_text("utf-8"))))
    run([*(str(spoilt) if word == str(source) else word for word in words), *call.into(".")], here)
