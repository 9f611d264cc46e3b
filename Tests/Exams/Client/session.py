"""A session of one device: logs in, signs, refreshes its token, and sends one attempt at a time."""
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


class NoAnswer(Exception):
    """The request was lost, or its answer."""


class Later(Exception):
    """The server asks to come again after `seconds`."""

    def __init__(self, seconds):
        super().__init__(seconds)
        self.seconds = seconds


class Answer:
    def __init__(self, status, fields, body):
        self.status = status
        self.fields = {name.lower(): value for name, value in fields}
        # Numbers keep all their digits.
        self.json = json.loads(body, parse_int=Decimal, parse_float=Decimal) if body else {}

    @property
    def problem(self):
        """The last part of the problem's type, or None."""
        return self.json.get("type", "").rpartition("/")[2] or None if isinstance(self.json, dict) else None

    @property
    def tag(self):
        return self.fields.get("etag", "").strip('"')


class Session:
    """`stored` is a dictionary that the owner keeps on disk: the token, the signing key, the clock's difference."""

    def __init__(self, server, email, password, device, stored):
        self.server = server
        self.credentials = {"email": email, "password": password, "device_id": device}
        self.stored = stored

    def send(self, method, path, fields=(), body=""):
        """The answer to a signed request, or `NoAnswer`, or `Later`."""
        repaired = set()
        while True:
            if "token" not in self.stored:
                self.log_in()
            answer = self.attempt(method, path, [*fields, ("Authorization", "Bearer " + self.stored["token"])], body)
            if answer.status in (408, 429) or answer.status >= 500:
                raise Later(float(answer.fields.get("retry-after", 1)))
            if answer.status != 401 or answer.problem in repaired:
                return answer
            repaired.add(answer.problem)
            self.repair(answer)

    def repair(self, answer):
        if answer.problem == "clock-skew":
            self.stored["clock"] = int(answer.json["server_time"]) - int(time.time())
        elif answer.problem == "token-expired":
            self.refresh()
        elif answer.problem != "nonce-used":
            self.stored.pop("token", None)

    def refresh(self):
        answer = self.attempt("POST", "/auth/refresh", [("Authorization", "Bearer " + self.stored["token"])], "")
        if answer.status == 200:
            self.stored["token"] = answer.json["token"]
        elif answer.status in (408, 429) or answer.status >= 500:
            raise Later(float(answer.fields.get("retry-after", 1)))
        else:
            self.stored.pop("token", None)

    def log_in(self):
        answer = self.attempt("POST", "/auth/login", [("Content-Type", "application/json")], canonical(self.credentials), signed=False)
        if answer.status != 200:
            raise Later(float(answer.fields.get("retry-after", 1)))
        self.stored["token"], self.stored["key"] = answer.json["token"], answer.json["signing_key"]

    def attempt(self, method, path, fields, body, signed=True):
        url, body = self.server + path, body.encode()
        parts = urlsplit(url)
        if signed:
            fields = [*fields, *signing.headers(self.stored["key"], method, url, body, fields, int(self.stored.get("clock", 0))).items()]
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT_S)
        try:
            connection.request(method, parts.path + ("?" + parts.query if parts.query else ""), body or None, dict(fields))
            answer = connection.getresponse()
            return Answer(answer.status, answer.getheaders(), answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise NoAnswer(str(error)) from error
        finally:
            connection.close()
