"""Serves the engine of ClickHouse in this process over ClickHouse's HTTP interface, as far as the tests use it: chDB has the engine and no server.

    python3 stand-in.py FOLDER_OF_CHDB FOLDER_OF_DATA PORT

Understands statements in the query string or the body, parameters (also in a form of several parts), settings, the database, and errors with
their codes. Not: sessions, users, compression, progress.
"""

import sys
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from re import search
from threading import Lock
from urllib.parse import parse_qsl, urlsplit

sys.path.insert(0, sys.argv[1])
from chdb import session  # noqa: E402

engine = session.Session(sys.argv[2])
one_at_a_time = Lock()
# What the session of the engine has now: each request brings its own.
session_of = {}

# Of the interface itself, not of the engine.
NO_SETTINGS = {"query", "database", "default_format", "query_id", "session_id", "wait_end_of_query", "role", "user", "password"}


def settings_of(fields):
    names = [name for name in fields if name not in NO_SETTINGS and not name.startswith("param_")]
    return ", ".join(f"{name} = {quoted(fields[name])}" for name in names)


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def run(fields, body):
    statement = fields.get("query", "")
    text = statement + ("\n" if statement and body else "") + body
    parameters = {name[6:]: value for name, value in fields.items() if name.startswith("param_")}
    with one_at_a_time:
        settings, database = settings_of(fields), fields.get("database", "default")
        if settings and settings != session_of.get("settings"):
            engine.query(f"SET {settings}")
        if database != session_of.get("database") or "database" in text:
            engine.query(f"USE `{database}`")
        session_of.update(settings=settings, database=database)
        return engine.query(text, fields.get("default_format", "TabSeparated"), params=parameters).bytes()


def form_of(content_type, body):
    message = BytesParser(policy=HTTP).parsebytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body)
    return {part.get_param("name", header="content-disposition"): part.get_payload(decode=True).decode() for part in message.iter_parts()}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body leave together.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self):
        if urlsplit(self.path).path == "/ping":
            self.answer(200, b"Ok.\n")
        else:
            self.do_POST()

    def do_POST(self):
        fields = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        body = self.read_body()
        kind = self.headers.get("Content-Type", "")
        if kind.startswith("multipart/form-data"):
            fields.update(form_of(kind, body))
            body = b""
        try:
            self.answer(200, run(fields, body.decode()))
        except Exception as error:
            code = search(r"Code: (\d+)", str(error))
            self.answer(500, str(error).encode(), code.group(1) if code else "1002")

    def read_body(self):
        if self.headers.get("Transfer-Encoding", "") == "chunked":
            return b"".join(iter(self.read_chunk, b""))
        return self.rfile.read(int(self.headers.get("Content-Length", "0")))

    def read_chunk(self):
        size = int(self.rfile.readline().split(b";")[0], 16)
        chunk = self.rfile.read(size)
        self.rfile.readline()
        return chunk

    def answer(self, status, body, code=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if code:
            self.send_header("X-ClickHouse-Exception-Code", code)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[3])), Handler)
server.daemon_threads = True
server.serve_forever()
