"""A local server of files: with ranges, breaking off, changing, leading elsewhere, and as a hub."""

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Mirror:
    """Serves `files` (path to bytes) until it is closed.

    `breaks` holds how many bytes of a path are sent before the connection is cut, once for each
    number; `moved` leads from one path to another; `requests` is what was asked, with the range.
    """

    def __init__(self, files=None, hub=None):
        self.files, self.hub = dict(files or {}), hub
        self.breaks, self.moved, self.status = {}, {}, {}
        self.requests = []
        mirror = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *words):
                pass

            def do_HEAD(self):
                mirror._answer(self, body=False)

            def do_GET(self):
                mirror._answer(self, body=True)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()

    def _answer(self, call, *, body):
        path = call.path.lstrip("/").partition("?")[0]
        self.requests.append((path, call.headers.get("Range")))
        if path in self.status:
            return self._send(call, self.status[path], b"", {}, body)
        if path in self.moved:
            return self._send(call, 302, b"", {"Location": f"/{self.moved[path]}"}, body)
        if self.hub and path.startswith("api/"):
            commits = [{"id": self.hub["commit"], "title": "x", "message": "", "authors": [],
                        "date": "2024-03-27T00:00:00.000Z"}]  # fmt: skip
            kind = {"Content-Type": "application/json"}
            return self._send(call, 200, json.dumps(commits).encode(), kind, body)
        more = {}
        if self.hub:
            _, _, path = path.partition(f"/resolve/{self.hub['commit']}/")
            more = {"X-Repo-Commit": self.hub["commit"]}
        whole = self.files.get(path)
        if whole is None:
            return self._send(call, 404, b"", more, body)
        etag = f'"{hashlib.sha256(whole).hexdigest()[:40]}"'
        head = {"ETag": etag, "Accept-Ranges": "bytes", **more}
        asked = call.headers.get("Range")
        if asked and call.headers.get("If-Range", etag) == etag:
            start = int(asked.removeprefix("bytes=").partition("-")[0])
            if start >= len(whole):
                return self._send(call, 416, b"", head, body)
            head["Content-Range"] = f"bytes {start}-{len(whole) - 1}/{len(whole)}"
            return self._send(call, 206, whole[start:], head, body, path)
        return self._send(call, 200, whole, head, body, path)

    def _send(self, call, status, content, head, body, path=""):
        cut = self.breaks.get(path)
        call.send_response(status)
        for name, value in head.items():
            call.send_header(name, value)
        call.send_header("Content-Length", str(len(content)))
        call.end_headers()
        if not body:
            return
        if cut:
            call.wfile.write(content[: cut.pop(0)])
            call.wfile.flush()
            call.connection.close()
            call.close_connection = True
            return
        call.wfile.write(content)
