"""Requests over HTTPS' plain brother, one after the other on a connection."""
import http.client
import json
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Interface"))
import signing  # noqa: E402

ANSWER_MAX_S = 70


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    @property
    def content(self):
        return json.loads(self.body) if self.body else {}

    @property
    def problem(self):
        return str(self.content.get("type", "")).rsplit("/", 1)[-1] if self.status >= 400 else ""


class Asker:
    """One connection to a server. With a `key`, requests are signed by version 3."""

    def __init__(self, address, token=None, key=None, source=None):
        self.address, self.token, self.key = address, token, key
        self.connection = http.client.HTTPConnection(*address, timeout=ANSWER_MAX_S, source_address=(source, 0) if source else None)

    def ask(self, method, path, content=None, fields=()):
        """Raises OSError and HTTPException when there is no answer."""
        body = json.dumps(content).encode() if content is not None else b""
        fields = [*fields, *([("Content-Type", "application/json")] if content is not None else [])]
        headers = dict(fields)
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        if self.key:
            url = f"http://{self.address[0]}:{self.address[1]}/v2{path}"
            headers |= signing.headers(self.key, method, url, body, fields)
        try:
            self.connection.request(method, "/v2" + path, body or None, headers)
            answer = self.connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        except (OSError, http.client.HTTPException):
            self.connection.close()
            raise

    def close(self):
        self.connection.close()


def asked_once(address, token, method, path, content=None, **more):
    asker = Asker(address, token, **more)
    try:
        return asker.ask(method, path, content)
    finally:
        asker.close()
