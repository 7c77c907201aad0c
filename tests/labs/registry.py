#!/usr/bin/env python3
"""A container registry on loopback with one image, test/image:1, from the folder that
`podman push IMAGE dir:FOLDER` has made. Names below secret/ want a login.

Usage: registry.py FOLDER PORT_FILE LOG HOLD BYTES_PER_SECOND      each request is a line of LOG; as long as the file
HOLD is there, what takes longer than a moment stands still
"""

import hashlib
import http.server
import json
import os
import sys
import time

FOLDER, PORT_FILE, LOG, HOLD = sys.argv[1:5]
PACE = int(sys.argv[5])


class Registry(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body, kind="application/json", **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command == "HEAD":
            return
        for start in range(0, len(body), PACE // 10):
            self.wfile.write(body[start:start + PACE // 10])
            self.wfile.flush()
            if len(body) > PACE // 10:
                time.sleep(0.1)
                while os.path.exists(HOLD):
                    time.sleep(0.1)

    def refuse(self, status, code, text, **headers):
        self.answer(status, json.dumps({"errors": [{"code": code, "message": text}]}).encode(), **headers)

    def content(self, name):
        with open(os.path.join(FOLDER, name), "rb") as file:
            return file.read()

    def digest(self):
        return "sha256:" + hashlib.sha256(self.content("manifest.json")).hexdigest()

    def do_GET(self):
        with open(LOG, "a") as file:
            file.write(f"{self.command} {self.path}\n")
        words = self.path.split("/")
        if self.path == "/v2/":
            self.answer(200, b"{}")
        elif words[2] == "secret":
            self.refuse(401, "UNAUTHORIZED", "authentication required", WWW_Authenticate='Basic realm="lab"')
        elif words[2:5] == ["test", "image", "manifests"] and words[5] in ("1", self.digest()):
            body = self.content("manifest.json")
            self.answer(200, body, json.loads(body)["mediaType"], Docker_Content_Digest=self.digest())
        elif words[2:5] == ["test", "image", "blobs"]:
            self.answer(200, self.content(words[-1].split(":")[1]), "application/octet-stream")
        else:
            self.refuse(404, "MANIFEST_UNKNOWN", "manifest unknown")

    do_HEAD = do_GET

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
with open(PORT_FILE + ".new", "w") as file:
    file.write(str(server.server_port))
os.rename(PORT_FILE + ".new", PORT_FILE)
server.serve_forever()
