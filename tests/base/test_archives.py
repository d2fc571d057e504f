"""Archives that are refused leave nothing behind."""

import gzip
import io
import tarfile
import zipfile

import pytest

from clineval import InputError
from clineval.base.archives import expand, unpack

REFUSED = {
    "a bomb": [("a.ann", b"x"), ("sub/b.ann", bytes(50_000_000))],
    "a path that leads out": [("a.ann", b"x"), ("../b.ann", b"x")],
    "a file that comes twice": [("sub/a.ann", b"x"), ("sub/a.ann", b"y")],
    "a folder under a file's name": [("a.ann", b"x"), ("a.ann/b", b"x")],
}


def pack(path, files):
    with tarfile.open(path, "w:gz") as tape:
        for name, content in files:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tape.addfile(member, io.BytesIO(content))
    return path


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize("fresh", [True, False])
def test_nothing_is_left_of_an_archive_that_is_refused(what, fresh, tmp_path):
    folder = tmp_path / "new"
    if not fresh:
        folder.mkdir()
        (folder / "own.txt").write_text("kept")
    with pytest.raises(InputError):
        unpack(pack(tmp_path / "a.tgz", REFUSED[what]), folder)
    assert [path.name for path in folder.rglob("*")] == ([] if fresh else ["own.txt"])
    assert folder.exists() != fresh


def test_a_broken_archive_leaves_nothing(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("a.ann", "x" * 1000)
        packed.writestr("b.ann", "y" * 1000)
    path.write_bytes(path.read_bytes().replace(b"y" * 1000, b"z" * 1000))
    with pytest.raises(InputError, match="broken"):
        unpack(path, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_compressed_file_is_expanded(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"1|t|x\n"))
    expand(tmp_path / "a.gz", tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_bytes() == b"1|t|x\n"


PACKED = gzip.compress(b"text", mtime=0)
COMPRESSED = {
    "no gzip": (b"1|t|x", "is broken"),
    "cut": (PACKED[:-9], "is broken"),
    "another checksum": (PACKED[:-5] + b"12345", "is broken"),
    "a bomb": (gzip.compress(bytes(50_000_000), mtime=0), "far larger"),
}


@pytest.mark.parametrize("what", COMPRESSED)
def test_a_compressed_file_can_be_broken_or_a_bomb(what, tmp_path):
    content, problem = COMPRESSED[what]
    (tmp_path / "a.gz").write_bytes(content)
    with pytest.raises(InputError, match=problem):
        expand(tmp_path / "a.gz", tmp_path / "a.txt")
