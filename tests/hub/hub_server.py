"""A local server that speaks the Hub's endpoints for Spaces: what pushing and loading use.

What is pushed is kept in memory and served again. Nothing here comes from the Hub itself, which
has not been reached: the endpoints are those that huggingface_hub 2.4 and evaluate 0.4.6 call.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

SHA = "1" * 40


class HubServer:
    """Serves on a free port of this machine while the ``with`` block runs."""

    def __init__(self):
        self.spaces = {}  # "owner/name" to {path: bytes}
        self.private = {}  # "owner/name" to whether it is private
        self.requests = []  # "METHOD path"
        self.refuse = None  # a status to answer everything with
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def answer(self, method, path, body):
        """Status, headers and body."""
        self.requests.append(f"{method} {path}")
        if self.refuse:
            return self.refuse, {}, b"{}"
        if method == "POST":
            return self._post(path, body)
        found = re.match(r"/spaces/([^/]+/[^/]+)/resolve/main/([^?]+)", path)
        if found:
            return self._file(found[1], found[2])
        found = re.match(r"/api/spaces/([^/]+/[^/?]+)", path)
        if found and found[1] in self.spaces and "/tree/main" in path:
            files = self.spaces[found[1]].items()
            return _json(
                [{"type": "file", "path": p, "size": len(d), "oid": SHA} for p, d in files]
            )
        if found and found[1] in self.spaces:
            space = {"id": found[1], "sha": SHA, "siblings": [], "tags": [], "sdk": "gradio"}
            return _json({**space, "private": self.private[found[1]], "likes": 0, "downloads": 0})
        return 404, {"X-Error-Code": "RepoNotFound"}, b"{}"

    def _file(self, space, path):
        data = self.spaces.get(space, {}).get(path)
        if data is None:
            return 404, {"X-Error-Code": "EntryNotFound"}, b""
        return 200, {"ETag": f'"{hashlib.sha1(data).hexdigest()}"', "X-Repo-Commit": SHA}, data

    def _post(self, path, body):
        if path == "/api/repos/create":
            asked = json.loads(body)
            space = f"{asked['organization']}/{asked['name']}"
            self.spaces.setdefault(space, {})
            self.private[space] = asked.get("private") or asked.get("visibility") == "private"
            return _json({"url": f"{self.url}/spaces/{space}", "name": space})
        if path == "/api/validate-yaml":
            return _json({"errors": [], "warnings": []})
        space = "/".join(path.split("/")[3:5])
        if "/preupload/" in path:
            files = [
                {"path": f["path"], "uploadMode": "regular", "shouldIgnore": False, "oid": None}
                for f in json.loads(body)["files"]
            ]
            return _json({"files": files})
        for line in body.splitlines():
            item = json.loads(line)
            value = item["value"]
            if item["key"] == "deletedFile":
                del self.spaces[space][value["path"]]
            if item["key"] == "file":
                self.spaces[space][value["path"]] = base64.b64decode(value["content"])
        commit = {"commitUrl": f"{self.url}/spaces/{space}/commit/{SHA}", "commitOid": SHA}
        return _json({**commit, "hookOutput": "", "success": True})


def _json(value):
    return 200, {"Content-Type": "application/json"}, json.dumps(value).encode()


def _handler_of(hub):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def _read(self):
            if self.headers.get("Transfer-Encoding") != "chunked":
                return self.rfile.read(int(self.headers.get("Content-Length") or 0))
            parts = []
            while size := int(self.rfile.readline().strip(), 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)

        def _reply(self):
            status, headers, body = hub.answer(self.command, self.path, self._read())
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        do_GET = do_HEAD = do_POST = _reply  # noqa: N815 - the base class's names

    return Handler
