"""The way between a client and the server: what passes, what is lost, what comes late."""
import http.client
import http.server
import json
import socket
import threading
from decimal import Decimal

from state_hash import canonical

TIMEOUT_S = 60
# What may become of a message.
PASS, LOSE_REQUEST, LOSE_ANSWER, CUT_ANSWER, LATE, TWICE = "pass", "lose request", "lose answer", "cut answer", "late", "twice"
# The server does it, and the answer is a 500.
FAIL = "fail"
# Codes with a row of their own in docs/client.md. All others are handled by their status.
ROWS = {"token-expired", "token-outdated", "clock-skew", "nonce-used", "credentials-invalid", "configuration-deleted", "idempotency-key-reused"}
# Members with the users' data, and the map of ids.
OF_USERS = {"configuration", "configurations", "current", "base", "mine", "theirs", "versions"}
# The first and the last member of an object.
UNKNOWN = {"$newer": [{"type": "newer", "id": None}, Decimal("0.1000000000000000055511151231257827")], "~newer": {"results": []}}


class Given:
    """An answer that the proxy gives in the server's place: a problem of the server's or of a gateway's, or a page of a captive portal."""

    def __init__(self, status, code=None, type=None, retry_after=None, **members):
        type = type or code and f"http://example.org/v2/problems/{code}"
        problem = json.dumps({"type": type, "title": code, "status": status, "detail": "The proxy says so.", "instance": "1", **members}).encode()
        self.status, self.body = status, problem if type else b"<html>Welcome to the Harbour Hotel</html>"
        self.fields = [("Content-Type", "application/problem+json" if type else "text/html"), *([("Retry-After", str(retry_after))] if retry_after is not None else [])]

    def __str__(self):
        return f"{self.status} {self.body.decode()}"


BUSY, PORTAL, LIMITED, TOO_LARGE, EXPIRED = Given(503, "overloaded"), Given(404), Given(429, "rate-limited"), Given(413), Given(401, "token-expired")
FAILED = Given(500, "internal-error")


class Message:
    """A request of a client on its way."""

    def __init__(self, method, path, fields, body):
        self.method, self.path, self.fields, self.body = method, path, fields, body

    @property
    def is_write(self):
        return self.method != "GET" and "/configurations" in self.path

    @property
    def is_pull(self):
        return self.method == "GET" and self.path.split("?")[0].endswith("/configurations")

    @property
    def is_refresh(self):
        return self.path.endswith("/auth/refresh")

    @property
    def ids(self):
        """The items that a write is about."""
        content = json.loads(self.body) if self.body else {}
        parts = self.path.split("?")[0].split("/")
        if "operations" in content:
            return {(operation.get("configuration") or operation)["id"].lower() for operation in content["operations"]}
        return {parts[3] if len(parts) > 3 else content["configuration"]["id"].lower()}

    def field(self, name):
        return next((value for key, value in self.fields if key.lower() == name), None)


class Proxy:
    """Forwards what a client sends. `decide(message)` says what becomes of it, and may do anything meanwhile; `forwarded(message)` hears of each message to the server, and
    `delivered(message, status, body)` of each answer that reaches the client."""

    # Whether the answers of all proxies of this process are those of a newer server: see `grown`.
    is_newer = False

    def __init__(self, server, decide, forwarded, delivered):
        self.server, self.decide, self.forwarded, self.delivered = server, decide, forwarded, delivered
        self.late = []
        handler = type("Handler", (Handler,), {"proxy": self})
        self.listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.listener.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.listener.server_port}/v2"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        # -1 after `close`.
        while self.listener.fileno() >= 0:
            try:
                self.listener.process_request(*self.listener.get_request())
            except OSError:
                # A client may end before its connection is accepted. Others go on.
                continue

    def forward(self, message):
        """The server's answer: status, fields, body; None if there is none. Waits for a backup that is brought back."""
        self.forwarded(message)
        with self.server.restoring:
            host, port = self.server.address
        connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
        try:
            connection.putrequest(message.method, message.path, skip_host=True, skip_accept_encoding=True)
            for name, value in message.fields:
                connection.putheader(name, value)
            connection.endheaders(message.body or None)
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def deliver_late(self):
        """Brings what was held up to the server; nobody hears the answers."""
        late, self.late = self.late, []
        for message in late:
            self.forward(message)

    def close(self):
        # Unlike the listener's own method it waits for nothing.
        self.listener.socket.shutdown(socket.SHUT_RDWR)
        self.listener.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    proxy = None

    def log_message(self, *arguments):
        pass

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        message = Message(self.command, self.path, self.headers.items(), body)
        self.close_connection = True
        fate = self.proxy.decide(message)
        if isinstance(fate, Given):
            return self.reply(message, fate.status, fate.fields, fate.body, is_given=True)
        if fate == LATE:
            self.proxy.late.append(message)
        if fate in (LATE, LOSE_REQUEST):
            return None
        answer = self.proxy.forward(message)
        if fate == TWICE:
            self.proxy.forward(message)
        if fate == FAIL:
            return self.reply(message, FAILED.status, FAILED.fields, FAILED.body, is_given=True)
        if answer is None or fate == LOSE_ANSWER:
            return None
        return self.reply(message, *answer, is_cut=fate == CUT_ANSWER)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = handle_any

    def reply(self, message, status, fields, body, is_cut=False, is_given=False):
        if self.proxy.is_newer:
            fields, body = [*fields, ("X-Newer", 'a; b="c"')], grown(message, status, body)
        if not is_cut and not is_given:
            self.proxy.delivered(message, status, body)
        try:
            self.send_response_only(status)
            for name, value in fields:
                if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if is_cut else body)
        except OSError:
            pass


def grown(message, status, body):
    """The body as a newer server would send it: other spellings, unknown members in each object that is not a user's, and unknown codes of problems."""
    parts = message.path.split("?")[0].split("/")
    # One configuration, or one version of it.
    is_document = message.method == "GET" and status == 200 and parts[2:3] == ["configurations"] and len(parts) in (4, 6)
    try:
        content = json.loads(body, parse_int=Decimal, parse_float=Decimal)
    except ValueError:
        return body
    return body if is_document else canonical(with_unknown(content)).encode()


def with_unknown(value):
    if isinstance(value, list):
        return [with_unknown(item) for item in value]
    if not isinstance(value, dict):
        return value
    members = {name: member if name in OF_USERS else with_unknown(member) for name, member in value.items()}
    place, mark, code = str(members.get("type")).rpartition("/problems/")
    if mark and code not in ROWS:
        members["type"] = f"{place}{mark}newer-{code}"
    return {**UNKNOWN, **members}


METHODS = {"create": "POST", "replace": "PUT", "delete": "DELETE"}


def is_success(status):
    return 200 <= status < 300


def operations(message, status, body):
    """What a write that was answered has done: (method, id, content) for each of its items."""
    if not message.is_write or not is_success(status):
        return []
    content = json.loads(message.body) if message.body else {}
    if message.path.endswith("/batch"):
        results = json.loads(body)["results"]
        pairs = [(operation, result) for operation, result in zip(content["operations"], results) if is_success(result["status"])]
        return [(METHODS[operation["operation"]], result["id"].lower(), operation.get("configuration", {})) for operation, result in pairs]
    content = content if message.method == "PATCH" else content.get("configuration", {})
    parts = message.path.split("/")
    id = parts[3] if len(parts) > 3 else content["id"]
    return [(message.method, id.lower(), content)]
