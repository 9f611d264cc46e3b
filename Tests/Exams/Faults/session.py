"""A device's session: signed requests over one connection, and a client's reaction to 401."""
import base64
import hashlib
import hmac
import http.client
import json
import math
import re
import select
import socket
import time
import uuid

from tags import is_tag

# More than the server's own limits: a client without an answer by then was forgotten.
ANSWER_MAX_S = 40
# Expected refusals of a write: others were faster. Nothing is ever gone, so 404 is expected only after lost writes.
REFUSALS = {409, 412}
REFUSALS_OF_THE_LOST = REFUSALS | {404}
ATTEMPTS_MAX = 6
# A server that stops keeps a connection open for this long after an answer.
GRACE_S = 0.25


class NoAnswer(Exception):
    """The connection was `refused`, `reset`, `closed` instead of an answer, or `cut` in one; or `silent` for too long. `idle`: it was
    not in use, and the server ended it before it knew of the request (RFC 9112, section 9.5)."""


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields = status, fields
        self.body = json.loads(body) if body else {}

    @property
    def is_success(self):
        return 200 <= self.status < 300

    @property
    def problem(self):
        return str(self.body.get("type", "")).rsplit("/", 1)[-1]

    @property
    def retry_after_s(self):
        return float(self.fields.get("Retry-After", 1))

    @property
    def version(self):
        tag = self.fields.get("ETag", "").strip('"')
        return tag if is_tag(tag) else None


class Session:
    """`allowed`: the ways in which the fault may break connections. `refusals`: the statuses that a write may meet."""

    def __init__(self, login, port, findings, allowed, refusals):
        self.token, self.key = login["token"], base64.b64decode(login["signing_key"])
        self.port, self.findings, self.allowed, self.refusals = port, findings, allowed, refusals
        # Repeated by refreshes until one has an answer.
        self.attempt = None
        self.connection = None
        # The start of the connection's last answered request; infinite before the first.
        self.asked_s = math.inf
        # The time when the current request was sent, or sending it failed.
        self.sent_s = 0.0
        # How far the server's clock is ahead of this device's.
        self.ahead_s = 0
        self.slowest_s = 0.0

    def ask(self, method, path, content=None, fields=None, expected=()):
        """The answer to a request, signed anew as often as the server asks for another time or token. `expected`: statuses that are no
        failure here. Raises NoAnswer."""
        for _ in range(ATTEMPTS_MAX):
            answer = self.once(method, path, content, fields)
            if answer.status in expected:
                return answer
            if answer.status != 401:
                return self.judged(method, path, answer)
            self.findings.count(answer.problem)
            if answer.problem == "clock-skew":
                self.ahead_s = answer.body["server_time"] - int(time.time())
            elif answer.problem in ("token-expired", "token-outdated"):
                refreshed = self.refresh()
                if not refreshed.is_success:
                    return refreshed
            else:
                break
        self.findings.breach(4, f"{method} {path}: 401 {answer.problem}")
        return answer

    def refresh(self):
        """The clock may jump again meanwhile."""
        self.attempt = self.attempt or str(uuid.uuid4())
        for _ in range(ATTEMPTS_MAX):
            answer = self.once("POST", "/auth/refresh", {"attempt": self.attempt})
            if answer.problem != "clock-skew":
                break
            self.ahead_s = answer.body["server_time"] - int(time.time())
        if answer.is_success:
            self.token, self.attempt = answer.body["token"], None
        return self.judged("POST", "/auth/refresh", answer)

    def judged(self, method, path, answer):
        if answer.status == 503 and re.fullmatch(r"\d+", answer.fields.get("Retry-After", "")):
            self.findings.count("503")
        elif not answer.is_success and (method == "GET" or answer.status not in self.refusals):
            self.findings.breach(4, f"{method} {path}: {answer.status} {answer.problem} {dict(answer.fields)}")
        return answer

    def once(self, method, path, content=None, fields=None):
        body = json.dumps(content).encode() if content is not None else b""
        target = "/v2" + path
        headers = self.signature(method, target) | {"Authorization": "Bearer " + self.token} | (fields or {})
        if body:
            headers.setdefault("Content-Type", "application/json")
        begin = time.monotonic()
        try:
            return self.exchange(method, target, body, headers)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            how = self.way_of(error)
            self.findings.count("no answer")
            if how not in self.allowed:
                self.findings.breach(4, f"{method} {path}: the connection was {how} ({error!r})")
            raise NoAnswer(how) from error
        finally:
            self.slowest_s = max(self.slowest_s, time.monotonic() - begin)

    def exchange(self, method, target, body, headers):
        if self.connection and is_closed(self.connection.sock):
            self.close()
        if not self.connection:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_MAX_S)
            self.asked_s = math.inf
            self.connection.connect()
            self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        begin = time.monotonic()
        try:
            self.connection.request(method, target, body or None, headers)
        finally:
            self.sent_s = time.monotonic()
        answer = self.connection.getresponse()
        # http.client takes an end in the middle of the header, or of the length in it, for the header's end.
        has_length = answer.headers.get("Content-Length", "").isdecimal()
        if not has_length and "Transfer-Encoding" not in answer.headers and answer.status != 304:
            raise http.client.IncompleteRead(b"")
        body = answer.read()
        self.asked_s = begin
        return Answer(answer.status, answer.headers, body)

    def way_of(self, error):
        """The server may have seen the connection idle for longer than this device did: on a busy machine, an answer and a request can
        wait before they are read. So the time is measured from request to request."""
        how = kind_of(error)
        is_end = how in ("closed", "reset") and how not in self.allowed
        return "idle" if is_end and self.sent_s - self.asked_s > GRACE_S else how

    def signature(self, method, target):
        timestamp, nonce = str(int(time.time()) + self.ahead_s), str(uuid.uuid4())
        text = "\n".join([method, f"http://127.0.0.1:{self.port}{target}", timestamp, nonce])
        value = base64.b64encode(hmac.new(self.key, text.encode(), hashlib.sha256).digest()).decode()
        return {"X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature": value}

    def close(self):
        if self.connection:
            self.connection.close()
            self.connection = None


def kind_of(error):
    if isinstance(error, ConnectionRefusedError):
        return "refused"
    if isinstance(error, http.client.RemoteDisconnected):
        return "closed"
    if isinstance(error, (ConnectionResetError, BrokenPipeError)):
        return "reset"
    if isinstance(error, TimeoutError):
        return "silent"
    return "cut"


def is_closed(sock):
    """True if the server has ended a connection that was not in use."""
    if sock is None:
        return True
    # A socket with a timeout would wait for that long.
    if not select.select([sock], [], [], 0)[0]:
        return False
    try:
        return sock.recv(1, socket.MSG_PEEK) == b""
    except OSError:
        return True
