"""A session of one device: logs in, signs, refreshes its token, and sends one request at a time. It does what docs/client.md says under "Answers to any request"."""
import http.client
import json
import os
import sys
import time
from decimal import Decimal
from urllib.parse import urlsplit

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Interface"))
import signing  # noqa: E402
from state_hash import canonical  # noqa: E402

TIMEOUT_S = 60
# About the way to the server, or its load, not about what was sent.
OF_THE_WAY = {405, 408, 417, 421, 429, 431}
REPAIRS = ("token-expired", "clock-skew", "nonce-used")


class Pause(Exception):
    """The sync ends. `seconds` until the next one, None for a pause that grows; `answer`, if there was one."""

    def __init__(self, seconds=None, answer=None):
        super().__init__(seconds)
        self.seconds, self.answer = seconds, answer


class Answer:
    def __init__(self, status, fields, body):
        self.status = status
        self.fields = {name.lower(): value for name, value in fields}
        # Numbers keep all their digits. A proxy's 413 counts, too.
        is_json = body and (status != 413 or body[:1] == b"{")
        self.json = json.loads(body, parse_int=Decimal, parse_float=Decimal) if is_json else {}

    @property
    def problem(self):
        """The last part of the problem's type."""
        return str(self.json.get("type", "")).rpartition("/")[2]

    @property
    def tag(self):
        return self.fields.get("etag", "").strip('"')

    @property
    def retry_after(self):
        seconds = self.fields.get("retry-after", "")
        return float(seconds) if seconds.isdigit() else None

    def is_of_server(self, has_tag):
        """Whether the server gave it, and nobody on the way."""
        if self.status in (304, 413):
            return True
        if self.status in (200, 201):
            return isinstance(self.json, dict) and (self.tag != "" or not has_tag)
        return self.status >= 400 and self.fields.get("content-type", "").startswith("application/problem+json") and isinstance(self.json, dict)


class Session:
    """`stored` is a dictionary that the owner keeps on disk: `session`, `clock` (the difference), `is_signed_out`. `tell(text)` tells the user."""

    def __init__(self, server, email, password, device, stored, tell):
        self.server, self.stored, self.tell = server, stored, tell
        self.credentials = {"email": email, "password": password, "device_id": device}

    def send(self, method, path, fields=(), body=""):
        """The server's answer to a signed request, or `Pause`."""
        repaired = set()
        while True:
            session = self.stored["session"] or self.log_in()
            answer = self.attempt(method, path, fields, body, session)
            if answer.status != 401:
                return answer
            repair = answer.problem if answer.problem in REPAIRS else "log in"
            if repair in repaired:
                self.tell(f"401 {answer.problem}")
                raise Pause(answer=answer)
            repaired.add(repair)
            if repair == "clock-skew":
                self.stored["clock"] = int(answer.json["server_time"]) - int(time.time())
            elif repair == "token-expired":
                self.refresh(session)
            elif repair == "log in":
                self.stored["session"] = None

    def refresh(self, session):
        answer = self.attempt("POST", "/auth/refresh", [], "", session)
        if answer.status == 200:
            self.stored["session"] = {**session, "token": answer.json["token"]}
        elif answer.status == 401:
            self.stored["session"] = None
        else:
            raise Pause(answer=answer)

    def log_in(self):
        answer = self.attempt("POST", "/auth/login", [("Content-Type", "application/json")], canonical(self.credentials))
        if answer.status in (401, 403):
            self.stored["is_signed_out"] = True
            self.tell(f"{answer.status} {answer.problem}")
        if answer.status != 200:
            raise Pause(answer=answer)
        self.stored["session"] = {"token": answer.json["token"], "key": answer.json["signing_key"]}
        return self.stored["session"]

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
        if is_unknown or not answer.is_of_server(has_tag):
            raise Pause(answer.retry_after, answer)
        return answer
