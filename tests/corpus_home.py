"""A server on this computer that is the home of invented corpora."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def serve():
    """A home that answers as long as a fixture yields it."""
    server = Home()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


class Home(ThreadingHTTPServer):
    """A corpus' home: it has files, knows what it was asked, and cuts connections if told to."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.files, self.asked, self.cut, self.ranges = {}, [], 0, True
        self.moved = {}

    def url(self, name):
        return f"http://127.0.0.1:{self.server_port}/{name}"

    def handle_error(self, *_):
        """A client that goes away in the middle is what some tests are about."""


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        home, name = self.server, self.path.lstrip("/").partition("?")[0]
        asked = self.headers.get("Range", "")
        home.asked.append((name, asked))
        if name in home.moved:
            self.send_response(302)
            self.send_header("Location", home.moved[name])
            self.end_headers()
            return
        if name not in home.files:
            self.send_error(404)
            return
        content, start = home.files[name], 0
        if asked and home.ranges:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        rest = content[start:]
        if home.cut:
            home.cut -= 1
            self.wfile.write(rest[: len(rest) // 2])
            self.wfile.flush()
            self.connection.shutdown(2)
            return
        self.wfile.write(rest)

    def log_message(self, *_):
        """Nothing is logged."""
