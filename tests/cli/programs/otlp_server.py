"""A collector of OpenTelemetry's for tests: OTLP over HTTP at 127.0.0.1, printing its port.

otlp_server.py BEHAVIOUR FILE: each request's body becomes a line of FILE. What it answers:
good, refuse (400), forbid (401), busy (503 twice, then good), full (429 for ever), part (it keeps
not all), hang, close, garbage, endless (a body without an end), early (400 before it has read all).
"""

import http.server
import json
import sys
import time

behaviour, path = sys.argv[1:]
requests = 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        global requests
        requests += 1
        if behaviour == "early":
            return self.answer(400, b'{"code":3,"message":"too much"}')
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(path, "a", encoding="utf-8") as file:
            seen = {"path": self.path, "type": self.headers["Content-Type"],
                    "key": self.headers["api-key"], "body": json.loads(body)}
            file.write(json.dumps(seen) + "\n")
        if behaviour == "hang":
            time.sleep(600)
        elif behaviour == "close":
            self.close_connection = True
        elif behaviour == "garbage":
            self.wfile.write(b"\x16\x03\x01\0\0" + b"\xff" * 1000)
            self.close_connection = True
        elif behaviour == "endless":
            self.send_response(400)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"10\r\n\x1b[31mendless....\r\n")
            except ConnectionError:  # the other side has enough
                self.close_connection = True
        elif behaviour == "refuse":
            self.answer(400, b'{"code":3,"message":"no such \\u001b[31mfield\\nof OTLP"}')
        elif behaviour == "forbid":
            self.answer(401, b"who are you?")
        elif behaviour == "full" or (behaviour == "busy" and requests <= 2):
            self.answer(429 if behaviour == "full" else 503, b"later", {"Retry-After": "0"})
        elif behaviour == "part" and self.path == "/v1/logs":
            self.answer(200, json.dumps({"partialSuccess": {
                "rejectedLogRecords": "2", "errorMessage": "too old"}}).encode())
        else:
            self.answer(200, b'{"partialSuccess":{}}')

    def answer(self, status, body, headers={}):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_port, flush=True)
server.serve_forever()
