"""Who is served by ``clineval app``, in real requests; and what is left when it ends."""

import http.client
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from chromium import REQUIRED, WAIT, address_in, serve
from conftest import ROOT

GOLD = ROOT / "metrics" / "clineval" / "challenges" / "semeval15_task14" / "demo" / "gold"
FILE = min(GOLD.iterdir())
BOUNDARY = "limit"
WITH_TERMINAL = """
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.fixture(scope="module", autouse=True)
def _gradio():
    if not REQUIRED:
        pytest.importorskip("gradio", reason="make test-browser has gradio")


@pytest.fixture
def start(tmp_path, clineval_command):
    """Start the application; returns its process and its address."""
    processes = []

    def start(*command, **options):
        log = tmp_path / f"log{len(processes)}"
        environment = os.environ | {"TMPDIR": str(tmp_path), "HF_HOME": str(tmp_path)}
        with log.open("w") as said:
            streams = {"stdout": said, "stderr": subprocess.STDOUT, **options}
            arguments = [*command, str(clineval_command), "app", "--port", "0"]
            processes.append(subprocess.Popen(arguments, env=environment, **streams))
        return processes[-1], address_in(processes[-1], log)

    yield start
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def address(tmp_path_factory, clineval_command):
    folder = tmp_path_factory.mktemp("guard")
    command = [str(clineval_command), "app", "--port", "0"]
    environment = os.environ | {"TMPDIR": str(folder), "HF_HOME": str(folder)}
    with serve(command, folder=folder, log=folder / "log", environment=environment) as address:
        yield address


def ask(address, path="", *, method="GET", token=None, body=None, **headers):
    """Status, headers and body of an answer; None is a header that is not sent."""
    url = urlsplit(address)
    own = url.path.strip("/")
    place = f"/{own if token is None else token}/{path}".replace("//", "/")
    given = {"Host": url.netloc, **{n.replace("_", "-"): v for n, v in headers.items()}}
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=WAIT / 1000)
    connection.putrequest(method, place, skip_host=True, skip_accept_encoding=True)
    for name, value in given.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    endless = answer.getheader("Content-Type", "").startswith("text/event-stream")
    said = b"" if endless else answer.read()
    connection.close()
    return answer.status, {n.lower(): v for n, v in answer.getheaders()}, said


def upload(address, file, **changes):
    """Upload a file as the page does; the path where it lies."""
    head = (
        f"--{BOUNDARY}\r\nContent-Disposition: form-data; name=files; filename={file.name}\r\n"
        "Content-Type: text/plain\r\n\r\n"
    )
    body = head.encode() + file.read_bytes() + f"\r\n--{BOUNDARY}--\r\n".encode()
    headers = {
        "Content_Type": f"multipart/form-data; boundary={BOUNDARY}",
        "Content_Length": str(len(body)),
    } | changes
    status, _, said = ask(address, "gradio_api/upload", method="POST", body=body, **headers)
    return status, said


@pytest.fixture(scope="module")
def places(address):
    """One of each kind of what is served: pages, assets, the queue, an upload, a file."""
    _, _, page = ask(address)
    assets = re.findall(rb'(?:src|href)="\./(assets/[^"]+)"', page)
    status, said = upload(address, FILE)
    assert status == 200, said
    [path] = json.loads(said)
    return {
        "page": ("GET", ""),
        "script": ("GET", assets[0].decode()),
        "style": ("GET", "theme.css"),
        "configuration": ("GET", "config"),
        "description": ("GET", "gradio_api/info"),
        "events": ("GET", "gradio_api/heartbeat/abc"),
        "queue": ("POST", "gradio_api/queue/join"),
        "file": ("GET", f"gradio_api/file={path}"),
        "upload": ("POST", "gradio_api/upload"),
        "preflight": ("OPTIONS", "gradio_api/queue/join"),
    }


KINDS = (
    *("page", "script", "style", "configuration", "description", "events", "queue", "file"),
    *("upload", "preflight"),
)
FORGED = {
    "no token": {"token": ""},
    "wrong token": {"token": "x" * 43},
    "another host": {"Host": "evil.example"},
    "another host of that port": {"Host": "evil.example:{port}"},
    "another port": {"Host": "127.0.0.1:1"},
    "no port": {"Host": "127.0.0.1"},
    "no host": {"Host": None},
    "another origin": {"Origin": "http://evil.example"},
    "the origin of a rebound name": {"Origin": "http://evil.example:{port}"},
    "another port's origin": {"Origin": "http://127.0.0.1:1"},
    "no page's origin": {"Origin": "null"},
    "another scheme": {"Origin": "https://127.0.0.1:{port}"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_knows_the_address_is_served(address, places, kind):
    method, path = places[kind]
    own = f"http://{urlsplit(address).netloc}"
    for origin in (None, own):
        status, headers, body = ask(address, path, method=method, Origin=origin)
        assert status not in (403, 404)
        assert status == 200 or method != "GET"
        assert not [name for name in headers if name.startswith("access-control-")]
        if kind == "file":
            assert body == FILE.read_bytes()
    named = urlsplit(address).netloc.replace("127.0.0.1", "localhost")
    assert ask(address, path, method=method, Host=named)[0] not in (403, 404)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("forged", FORGED)
def test_all_others_are_refused_whatever_they_ask_for(address, places, kind, forged):
    method, path = places[kind]
    changed = {
        name: value and value.format(port=urlsplit(address).port)
        for name, value in FORGED[forged].items()
    }
    if kind == "preflight":
        changed["Access_Control_Request_Method"] = "POST"
    status, headers, body = ask(address, path, method=method, **changed)
    assert status in (400, 403)  # without a host it is no request
    assert len(body) < 200
    assert not [name for name in headers if name.startswith("access-control-")]


def test_a_websocket_is_refused_too(address):
    handshake = {
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }  # fmt: skip
    assert ask(address, "queue/join", token="wrong", **handshake)[0] == 403
    assert ask(address, "queue/join", Origin="http://evil.example", **handshake)[0] == 403


def test_uploads_have_a_limit(address):
    status, said = upload(address, FILE, Content_Length="200000001")
    assert status == 413
    assert b"200 MB" in said
    chunked = {"method": "POST", "body": b"0\r\n\r\n", "Transfer_Encoding": "chunked"}
    assert ask(address, "gradio_api/upload", **chunked)[0] == 411


def test_a_port_that_is_taken_is_said(address, clineval_command):
    command = [str(clineval_command), "app", "--port", str(urlsplit(address).port)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"clineval: port {urlsplit(address).port} is in use")


def test_what_is_opened_in_a_browser_is_an_address_for_once(start, tmp_path):
    """Its command line, and with it the address, can be seen by other users."""
    browser = tmp_path / "browser"
    browser.write_text('#!/bin/sh\necho "$1" > "$0.opened"\n')
    browser.chmod(0o700)
    told = ("env", f"BROWSER={browser} %s", "sh", "-c", 'exec "$0" "$@" --open')
    _, address = start(*told)
    opened = next(
        line for line in iter(lambda: _read(tmp_path / "browser.opened"), None) if line
    ).strip()
    assert urlsplit(address).path.strip("/") not in opened
    ticket = urlsplit(opened).path.strip("/")
    status, headers, _ = ask(address, token=ticket)
    assert (status, headers["location"]) == (303, address)
    assert ask(address, token=ticket)[0] == 403


def _read(path):
    return path.read_text() if path.exists() else ""


def left(folder):
    return [path for path in folder.iterdir() if path.name.startswith("clineval")]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_nothing_is_left_when_it_is_ended(start, tmp_path, name):
    process, address = start()
    assert upload(address, FILE)[0] == 200
    [folder] = left(tmp_path)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert any(path.suffix == ".pipe" for path in folder.rglob("*"))
    process.send_signal(getattr(signal, name))
    assert process.wait(30) == 0
    assert left(tmp_path) == []


def test_nothing_is_left_when_the_terminal_is_closed(start, tmp_path):
    ours, terminal = pty.openpty()
    process, address = start(sys.executable, "-c", WITH_TERMINAL, stdin=terminal)
    os.close(terminal)
    assert upload(address, FILE)[0] == 200
    assert left(tmp_path)
    os.close(ours)
    assert process.wait(30) == 0
    assert left(tmp_path) == []


def test_what_a_killed_run_has_left_is_removed_at_the_next_start(start, tmp_path):
    killed, address = start()
    [leftover] = left(tmp_path)
    assert upload(address, FILE)[0] == 200
    running, address = start()
    [other] = set(left(tmp_path)) - {leftover}
    assert upload(address, FILE)[0] == 200
    killed.kill()
    killed.wait()
    assert set(left(tmp_path)) == {leftover, other}
    start()
    assert not leftover.exists()
    assert any(Path(other).rglob("*.pipe"))
    assert running.poll() is None
