"""A session of one device: logs in, signs, refreshes its token, and sends one request at a time. It does what docs/client.md says under "Answers to any request"."""
import http.client
import json
import os
import sys
import threading
import time
import uuid
from decimal import Decimal
from urllib.parse import urlsplit

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Interface"))
import signing  # noqa: E402
from state_hash import canonical  # noqa: E402

TIMEOUT_S = 60
# About the way to the server, or its load, not about what was sent.
OF_THE_WAY = {405, 408, 417, 421, 429, 431}
# They count whoever gave them.
OF_ANYBODY = (413, 414)
PAUSE_MIN_S, PAUSE_MAX_S = 1, 3600
OUTDATED = ("token-expired", "token-outdated")
RESIGNED = ("clock-skew", "nonce-used")
REPAIRS = (*OUTDATED, *RESIGNED)
JSON = [("Content-Type", "application/json")]


class Pause(Exception):
    """The sync ends. `seconds` until the next one, None for a pause that grows."""

    def __init__(self, seconds=None):
        super().__init__(seconds)
        self.seconds = seconds


class OtherAccount(Exception):
    """The login led to another account than the one before. `entered`: its id and its session."""

    def __init__(self, user, session):
        super().__init__(user)
        self.entered = {"user": user, "session": session, "attempt": None}


class Answer:
    def __init__(self, status, fields, body):
        self.status = status
        self.fields = {name.lower(): value for name, value in fields}
        self.json = parsed(body)

    @property
    def problem(self):
        """The last part of the problem's type."""
        return str(self.json.get("type", "")).rpartition("/")[2]

    @property
    def tag(self):
        """What stands between the quotes: a proxy that compresses may have made the ETag weak."""
        return self.fields.get("etag", "").partition('"')[2].rpartition('"')[0]

    @property
    def retry_after(self):
        """What the server says, and nobody on the way."""
        seconds = self.fields.get("retry-after", "")
        return float(min(max(int(seconds), PAUSE_MIN_S), PAUSE_MAX_S)) if seconds.isdecimal() and self.is_problem else None

    @property
    def is_problem(self):
        return self.fields.get("content-type", "").lower().startswith("application/problem+json") and "/problems/" in str(self.json.get("type", ""))

    @property
    def is_certain(self):
        """Whether the server says what became of the request."""
        return self.status < 400 or self.is_problem

    def is_of_server(self, needs, has_tag, is_conditional):
        """Whether the server gave it. `needs`: the members of a 200 or 201. `is_conditional`: the request has If-None-Match."""
        if self.status in (200, 201):
            return all(name in self.json for name in needs) and (self.tag != "" or not has_tag)
        if self.status == 304:
            return is_conditional
        return self.status in OF_ANYBODY or self.status >= 400 and self.is_problem


def parsed(body):
    """The object of a body, whose numbers keep all their digits; an empty one if there is none."""
    try:
        content = json.loads(body, parse_int=Decimal, parse_float=Decimal)
    except ValueError:
        content = None
    return content if isinstance(content, dict) else {}


# What a write got that always gets an answer of others.
NO_ANSWER = Answer(500, [], b"")


def needed(method, path):
    """The members that a 200 or 201 to a request needs."""
    path = path.split("?")[0]
    needs = {("GET", "/configurations"): "sync_token server_time configurations versions deleted", ("POST", "/configurations"): "id created_at", ("POST", "/configurations/batch"): "outcome results",
             ("POST", "/auth/login"): "token signing_key user", ("POST", "/auth/refresh"): "token"}
    others = {"GET": "id", "DELETE": "deleted_at"}
    return needs.get((method, path), others.get(method, "updated_at")).split()


class Session:
    """`stored` is a dictionary that the owner has on disk: `user` ("" before the first login), `email`, `session`, `attempt` of a refresh, `clock` (the difference),
    `is_signed_out`. `keep(**changes)` changes it on disk in one step; `tell(text)` tells the user."""

    def __init__(self, server, email, password, device, stored, keep, tell):
        self.server, self.stored, self.keep, self.tell = server, stored, keep, tell
        self.credentials = {"email": email, "password": password, "device_id": device}
        # Of two threads that renew the token, the second finds a newer one.
        self.renewing = threading.Lock()
        if stored["email"] != email:
            stored.update(email=email, session=None, attempt=None)

    def send(self, method, path, fields=(), body=""):
        """The server's answer to a signed request, or `Pause`, or `OtherAccount`."""
        repaired = set()
        while True:
            session = self.stored["session"] or self.log_in()
            answer = self.attempt(method, path, fields, body, session)
            if answer.status != 401:
                return answer
            repair = self.repair(answer, repaired)
            if repair in OUTDATED:
                with self.renewing:
                    self.renew(session)
            elif repair == "log in":
                self.stored["session"] = None

    def repair(self, answer, repaired):
        """The row of a 401, which counts once for each request. Corrects the clock."""
        repair = answer.problem if answer.problem in REPAIRS else "log in"
        if repair in repaired:
            self.tell(f"401 {answer.problem}")
            raise Pause()
        repaired.add(repair)
        if repair == "clock-skew":
            self.stored["clock"] = int(answer.json["server_time"]) - int(time.time())
        return repair

    def renew(self, session):
        """Stores the session's next token, unless there is a newer one; without an answer the same attempt is made again."""
        if self.stored["session"] != session:
            return
        if not self.stored["attempt"]:
            self.keep(attempt=str(uuid.uuid4()))
        body, repaired = canonical({"attempt": self.stored["attempt"]}), set()
        while True:
            answer = self.attempt("POST", "/auth/refresh", JSON, body, session)
            if answer.status != 401 or self.repair(answer, repaired) not in RESIGNED:
                break
        if answer.status not in (200, 401):
            raise Pause()
        self.keep(session={**session, "token": answer.json["token"]} if answer.status == 200 else None, attempt=None)

    def log_in(self):
        answer = self.attempt("POST", "/auth/login", JSON, canonical(self.credentials))
        if answer.status in (401, 403):
            self.stored["is_signed_out"] = True
            self.tell(f"{answer.status} {answer.problem}")
        if answer.status != 200:
            raise Pause()
        user, session = answer.json["user"]["id"].lower(), {"token": answer.json["token"], "key": answer.json["signing_key"]}
        if self.stored["user"] not in ("", user):
            raise OtherAccount(user, session)
        self.keep(user=user, session=session, attempt=None)
        return session

    def attempt(self, method, path, fields, body, session=None):
        """The server's answer to one attempt, or `Pause` if the result is unknown."""
        url, body = self.server + path, body.encode()
        parts = urlsplit(url)
        if session:
            fields = [*fields, ("Authorization", "Bearer " + session["token"])]
            fields = [*fields, *signing.headers(session["key"], method, url, body, fields, int(self.stored["clock"])).items()]
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT_S)
        try:
            connection.request(method, parts.path + ("?" + parts.query if parts.query else ""), body or None, dict(fields))
            answer = connection.getresponse()
            answer = Answer(answer.status, answer.getheaders(), answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Pause() from error
        finally:
            connection.close()
        has_tag = method in ("PUT", "PATCH", "DELETE") or (method, path) == ("POST", "/configurations")
        is_unknown = answer.status in OF_THE_WAY or answer.status >= 500 and answer.status not in (501, 505)
        is_conditional = "If-None-Match" in dict(fields)
        if is_unknown or not answer.is_of_server(needed(method, path), has_tag, is_conditional):
            raise Pause(answer.retry_after)
        return answer
