"""Gold standards that are downloaded, from a server on this computer; every corpus is invented."""

import hashlib
import io
import itertools
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from contextlib import redirect_stderr
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from commands import invoke
from corpus_home import serve
from demos import arguments_of
from processes import leave_unmeasured

from clineval.base.errors import InputError
from clineval.cli import main
from clineval.evaluation import corpora
from clineval.evaluation.gold import describe_gold
from clineval.results.known.entries import RemoteFile
from clineval.results.known.names import find_dataset
from clineval.results.task import Task

(SYSTEM, GOLD), _ = arguments_of("meddocan19")
PART = "meddocan19/open"
DIGESTS = find_dataset("meddocan19/demo").digests


@pytest.fixture
def home():
    yield from serve()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("CLINEVAL_CACHE", str(folder))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return folder


def zipped(files, **odd):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**files, **odd}.items():
            archive.writestr(name, content)
    return packed.getvalue()


def gold_files(prefix="corpus/gold/"):
    return {f"{prefix}{path.name}": path.read_bytes() for path in sorted(GOLD.iterdir())}


def known(home, name, content, *, verified=True, **more):
    home.files[name] = content
    digest = hashlib.sha256(content).hexdigest()
    facts = {"size": len(content), "sha256": digest} if verified else {}
    return RemoteFile(home.url(name), **{**facts, **more})


@pytest.fixture
def listed(monkeypatch, tmp_path):
    """Writes the list of a challenge, with one entry that has these files."""
    numbers = itertools.count()

    def write(*files, gold="corpus/gold"):
        path = tmp_path / f"datasets-{next(numbers)}.toml"
        lines = [
            "[open]",
            'about = "invented"\nlanguage = "es"\nlicence = "CC BY 4.0"\nterms = "ask nicely"',
            f'access = "open"\nsource = "here"\ngold = "{gold}"\n[open.digests]',
            *(f'"{view}" = "{digest[0]}"' for view, digest in DIGESTS.items()),
        ]
        for file in files:
            given = {name: of for name, of in asdict(file).items() if of not in (None, "")}
            lines += ["[[open.files]]", *(f"{k} = {json.dumps(of)}" for k, of in given.items())]
        path.write_text("\n".join(lines), "utf-8")
        monkeypatch.setattr(Task, "datasets", path)

    return write


def test_an_archive_is_downloaded_once_checked_and_scored_against(home, listed, tmp_path):
    listed(known(home, "corpus.zip", zipped(gold_files()), only="corpus/gold"))
    got = invoke(["datasets", "get", PART, "-o", tmp_path / "copy"])
    assert got.exit_code == 0, got.output
    assert got.stdout.strip() == str(tmp_path / "copy" / "corpus" / "gold")
    said = got.stderr
    assert "licence: CC BY 4.0" in said
    assert "terms: ask nicely" in said
    assert home.url("corpus.zip") in said
    assert "unverified" not in said
    assert {p.name for p in (tmp_path / "copy/corpus/gold").iterdir()} == {
        p.name for p in GOLD.iterdir()
    }
    score = invoke(["score", "meddocan19", SYSTEM, "--dataset", PART, "--format", "json"])
    assert json.loads(score.stdout)["dataset"] == PART
    home.asked.clear()
    again = invoke(["datasets", "get", PART])
    assert again.exit_code == 0
    assert not again.stderr
    assert home.asked == []
    assert invoke(["datasets", "get", PART, "--offline"]).exit_code == 0
    refused = invoke(["datasets", "get", PART, "-o", tmp_path / "copy"])
    assert "already exists" in str(refused.exception)


def test_tape_archives_and_single_files_are_read(home, cache, listed):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tape:
        for name, content in gold_files().items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tape.addfile(entry, io.BytesIO(content))
    listed(known(home, "corpus.tar.gz", packed.getvalue()))
    assert corpora.get_dataset(PART) == cache / PART / "corpus" / "gold"
    files = [
        known(home, path.name, path.read_bytes(), path=f"gold/{path.name}")
        for path in GOLD.iterdir()
    ]
    listed(*files, gold="gold")
    shutil.rmtree(cache)
    assert describe_gold("meddocan19", corpora.get_dataset(PART)).annotations == 53


def test_options_that_the_files_need_go_with_them(home, monkeypatch, tmp_path):
    """A file with several data sets, one of which is the gold standard."""
    (system, gold), _ = arguments_of("mediqa_oe25")
    test = [{"id": one, "expected_orders": of} for one, of in json.loads(gold.read_text()).items()]
    file = known(home, "orders.json", json.dumps({"train": test[:1], "test": test}).encode())
    monkeypatch.setattr(Task, "datasets", tmp_path / "datasets.toml")
    Task.datasets.write_text(
        '[open]\naccess = "open"\ngold = "orders.json"\nsettings.part = "test"\n'
        f'digests.default = "{find_digest("mediqa_oe25")}"\n[[open.files]]\npath = "orders.json"\n'
        f'url = "{file.url}"\nsize = {file.size}\nsha256 = "{file.sha256}"\n'
    )
    assert invoke(["datasets", "get", "mediqa_oe25/open"]).exit_code == 0
    score = ["score", "mediqa_oe25", system, "--dataset", "mediqa_oe25/open", "--format", "json"]
    assert json.loads(invoke(score).stdout)["dataset"] == "mediqa_oe25/open"


def find_digest(name):
    return describe_gold(name, arguments_of(name)[0][1]).digests["default"]


def test_a_cut_connection_is_resumed(home, listed):
    content = zipped(gold_files())
    listed(known(home, "corpus.zip", content))
    home.cut = 2
    assert invoke(["datasets", "get", PART]).exit_code == 0
    offsets = [asked for _, asked in home.asked]
    assert offsets[0] == ""
    assert offsets[1] == f"bytes={len(content) // 2}-"
    assert len(offsets) == 3


def test_a_host_that_does_not_resume_is_asked_for_all(home, listed):
    listed(known(home, "corpus.zip", zipped(gold_files())))
    home.cut, home.ranges = 1, False
    assert invoke(["datasets", "get", PART]).exit_code == 0


def test_a_connection_that_is_always_cut_leaves_nothing(home, cache, listed):
    listed(known(home, "corpus.zip", zipped(gold_files())))
    home.cut = 100
    refuse(cache, "the connection was interrupted 5 times")
    home.cut = 0
    home.asked.clear()
    assert invoke(["datasets", "get", PART]).exit_code == 0
    assert home.asked == [("corpus.zip", "")]


def refuse(cache, problem):
    """A call that fails: one line, exit status 2, and nothing left behind, no folder either."""
    before = {*cache.parent.rglob("*")}
    words = ["clineval", "datasets", "get", PART, "-o", str(cache.parent / "new" / "copy")]
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stderr(said):
        patch.setattr(sys, "argv", words)
        with pytest.raises(SystemExit) as ended:
            main()
    assert ended.value.code == 2
    expect_one_line(said.getvalue(), problem)
    assert {*cache.parent.rglob("*")} == before
    with pytest.raises(InputError, match="is not on this computer"):
        corpora.find_gold(PART)


def expect_one_line(said, problem):
    """Behind what is announced, one line that says what is wrong."""
    *announced, line = said.splitlines()
    assert all(each.startswith((f"{PART}: ", "  ")) for each in announced), said
    assert line.startswith("clineval: ")
    assert problem in line


def test_another_file_than_is_known_is_refused(home, cache, listed):
    file = known(home, "corpus.zip", zipped(gold_files()))
    listed(replace(file, sha256="0" * 64))
    refuse(cache, "not the expected file")


@pytest.mark.parametrize("change", [-7, 7])
def test_another_size_is_refused(home, cache, listed, change):
    file = known(home, "corpus.zip", zipped(gold_files()))
    listed(replace(file, size=file.size + change))
    refuse(cache, "larger than" if change < 0 else f"expected {file.size + change} bytes")


@pytest.mark.parametrize("name", ["../outside.ann", "/outside.ann", "corpus/../../x", "c:\\x.ann"])
def test_a_path_that_leads_out_is_refused(home, cache, listed, name):
    listed(known(home, "corpus.zip", zipped(gold_files(), **{name: b"T1"})))
    refuse(cache, "leads out")
    assert not (cache.parent / "outside.ann").exists()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_are_refused(home, cache, listed, kind):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tape:
        entry = tarfile.TarInfo("corpus/gold")
        entry.type, entry.linkname = kind, "/etc"
        tape.addfile(entry)
    listed(known(home, "corpus.tar", packed.getvalue()))
    refuse(cache, "a link or a device")


def test_a_link_in_a_zip_is_refused(home, cache, listed):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        link = zipfile.ZipInfo("corpus/gold")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc")
    listed(known(home, "corpus.zip", packed.getvalue()))
    refuse(cache, "a link or a device")


def test_a_bomb_is_refused(home, cache, listed):
    listed(known(home, "corpus.zip", zipped({"corpus/gold/a.ann": b"\0" * (1 << 24)})))
    refuse(cache, "far larger than an archive of texts")


def test_a_file_that_comes_twice_is_refused(home, cache, listed):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("corpus/gold/a.ann", "T1")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("corpus/gold/a.ann", "T2")
    listed(known(home, "corpus.zip", packed.getvalue()))
    refuse(cache, "a file occurs twice")


def test_what_is_broken_or_no_archive_is_refused(home, cache, listed):
    whole = zipped(gold_files())
    listed(known(home, "corpus.zip", whole[:60] + b"\xff" * 40 + whole[100:]))
    refuse(cache, "the archive is broken or encrypted")
    listed(known(home, "corpus.zip", b"<html>Not found</html>"))
    refuse(cache, "expected an archive")
    listed(known(home, "corpus.zip", zipped({"other/a.ann": b"T1"}), only="corpus/gold"))
    refuse(cache, "does not contain the expected file")
    listed(known(home, "corpus.zip", zipped({"other/a.ann": b"T1"})))
    refuse(cache, "no gold standard at the expected path")


def test_other_annotations_than_are_known_are_refused(home, cache, listed):
    files = gold_files()
    name = next(name for name in files if name.endswith("caso-01.ann"))
    files[name] = files[name].split(b"\n", 1)[1]
    listed(known(home, "corpus.zip", zipped(files), verified=False))
    refuse(cache, "annotations of the download are not those known")


def test_what_nobody_has_seen_is_said_to_be_unverified(home, listed):
    listed(known(home, "corpus.zip", zipped(gold_files()), verified=False))
    got = invoke(["datasets", "get", PART])
    assert got.exit_code == 0
    assert "unverified" in got.stderr
    assert "the digest of its annotations is known" in got.stderr


def test_a_host_that_has_it_no_more_or_does_not_answer(home, cache, listed):
    file = known(home, "corpus.zip", b"")
    listed(replace(file, url=home.url("gone.zip"), size=None))
    refuse(cache, "the host answers 404")
    listed(replace(file, url="http://127.0.0.1:9/a.zip", size=None))
    refuse(cache, "the host does not answer: Connection refused")


def test_only_safe_addresses_are_asked(home, cache, listed):
    file = known(home, "corpus.zip", zipped(gold_files()))
    home.moved["moved.zip"] = "http://example.org/corpus.zip"
    listed(replace(file, url=home.url("moved.zip")))
    refuse(cache, "without HTTPS")
    home.moved["moved.zip"] = home.url("corpus.zip")
    assert invoke(["datasets", "get", PART]).exit_code == 0
    listed(replace(file, url="file:///etc/passwd"))
    with pytest.raises(InputError, match="begins with https://"):
        corpora.get_dataset(PART)


def test_offline_asks_nobody(home, listed):
    listed(known(home, "corpus.zip", zipped(gold_files())))
    refused = invoke(["datasets", "get", PART, "--offline"])
    assert "--offline does not use the network" in str(refused.exception)
    assert home.asked == []


def test_what_is_under_an_agreement_is_never_fetched():
    refused = invoke(["datasets", "get", "n2c2_2018_track2/test"])
    assert "How to get it" in str(refused.exception)
    assert "portal.dbmi" in str(refused.exception)
    refused = invoke(["datasets", "get", "mediqa_synur26/test"])
    assert "huggingface.co/datasets/microsoft/SYNUR" in str(refused.exception)


def test_what_is_bundled_is_copied(tmp_path):
    got = invoke(["datasets", "get", "meddocan19/demo", "-o", tmp_path / "demo"])
    assert got.stdout.strip() == str(tmp_path / "demo" / "gold")
    assert (tmp_path / "demo" / "rules" / "caso-01.ann").is_file()


GET = f"""
import sys
from pathlib import Path
from clineval.cli import main
from clineval.results.task import Task
Task.datasets = Path(sys.argv.pop())
sys.argv[1:] = ["datasets", "get", {PART!r}, "-o", sys.argv.pop()]
main()
"""
LARGE = {"corpus/gold/a.txt": bytes(200_000)}
"""Small as an archive, and too large for the disks of these tests when it is unpacked."""


def get_in_a_process(cache, *before, **options):
    """The command in a process of its own, with the list that is patched in this one."""
    words = [*before, sys.executable, "-c", GET, str(cache.parent / "copy"), str(Task.datasets)]
    return subprocess.run(words, capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize("content", [os.urandom(90_000), zipped(LARGE)], ids=["get", "unpack"])
def test_a_full_disk_is_one_line_and_leaves_nothing(home, cache, listed, content):
    """A file may have 50,000 bytes, as where the disk is full after so many."""
    limits = pytest.importorskip("resource", reason="no limits here")
    listed(known(home, "corpus.zip", content))
    before = {*cache.parent.rglob("*")}

    def fill_disk():
        limits.setrlimit(limits.RLIMIT_FSIZE, (50_000, 50_000))

    done = get_in_a_process(cache, preexec_fn=fill_disk, env=leave_unmeasured())
    assert done.returncode == 2
    expect_one_line(done.stderr, "cannot be written: File too large")
    assert {*cache.parent.rglob("*")} == before


DISK = 'mount -t tmpfs -o size="$1" tmpfs "$2" && cd "$2" && shift 2 && "$@"; s=$?; ls -A; exit $s'


@pytest.fixture
def disk(tmp_path, monkeypatch):
    """What begins a command that sees the cache on a small disk of its own, and lists that."""
    alone = ("unshare", "--map-root-user", "--mount", "sh", "-c", DISK, "sh")
    folder = tmp_path / "disk"
    folder.mkdir()
    begin = (*alone, "128k", str(folder))
    if not shutil.which("unshare") or subprocess.run([*begin, "true"], check=False).returncode:
        pytest.skip("nobody may mount a disk here")
    monkeypatch.setenv("CLINEVAL_CACHE", str(folder / "cache"))
    return begin


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("content", "left"),
    [
        (os.urandom(200_000), ""),
        (zipped(LARGE), ""),
        (zipped({**gold_files(), "corpus/gold/a.txt": bytes(60_000)}), "cache\n"),
    ],
    ids=["get", "unpack", "copy"],
)
def test_a_disk_that_is_really_full(home, listed, disk, content, left):
    """What is got and whole stays in the cache, where only the copy has no room."""
    listed(known(home, "corpus.zip", content))
    done = get_in_a_process(Path(os.environ["CLINEVAL_CACHE"]), *disk)
    assert done.returncode == 2
    expect_one_line(done.stderr, "cannot be written: No space left on device")
    assert done.stdout == left


def test_the_cache_is_the_platforms_unless_it_is_named(monkeypatch):
    platformdirs = pytest.importorskip("platformdirs")
    monkeypatch.delenv("CLINEVAL_CACHE", raising=False)
    assert corpora.cache_folder().parent == platformdirs.user_cache_path(
        "clineval", appauthor=False
    )
    monkeypatch.setenv("CLINEVAL_CACHE", "/somewhere")
    assert corpora.cache_folder() == Path("/somewhere")
