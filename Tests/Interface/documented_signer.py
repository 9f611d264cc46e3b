"""The specification's APIRequestSigner, written from its text alone, and what the OpenAPI document adds to it. The document's examples come out as
they stand there. A signed request is accepted; with any signed part changed, added or removed on its way it is refused.

documented_signer.py URL"""
import base64
import hashlib
import hmac
import json
import pathlib
import sys
import time
import uuid

import httpx

PASSWORD = "three quiet lenses"
DOCUMENT = pathlib.Path(__file__).parents[2] / "OpenAPI/openapi.json"
SIGNED_FIELDS = ["content-type", "content-encoding", "if-match", "if-none-match", "idempotency-key", "prefer"]


def message(version, method, url, timestamp, nonce, fields=(), body=b""):
    """The lines that are signed: in version 3 also header fields and the body's digest."""
    lines = [method, url, timestamp, nonce]
    if version == "3":
        for name in SIGNED_FIELDS:
            lines.append(", ".join(value.strip(" \t") for sent, value in fields if sent.lower() == name))
        lines.append(base64.b64encode(hashlib.sha256(body).digest()).decode())
    return "\n".join(lines)


def sign(key, *parts):
    """The Base64 of HMAC-SHA-256 over the message."""
    return base64.b64encode(hmac.new(key, message(*parts).encode(), hashlib.sha256).digest()).decode()


class Request:
    """A signed request, of which parts can be changed before it is sent."""

    def __init__(self, session, version, method, path, identifier, fields=(), body=None):
        self.token, self.key = session["token"], base64.b64decode(session["signing_key"])
        self.method, self.path = method, path
        self.fields = [("Content-Type", "application/json"), *fields]
        self.body = ('{"configuration":{"id":"%s","name":"Signed","preset":"auto","video_format":"AV1","resolution":"8K UHD",'
                     '"frame_rate":60,"created_at":"2026-11-20T20:00:00Z","modified_at":"2026-11-20T20:00:00Z"}}' % identifier).encode()
        self.body = self.body if body is None else body
        self.timestamp, self.nonce, self.version = str(int(time.time())), str(uuid.uuid4()), version
        self.signature = sign(self.key, version, method, session["url"] + path, self.timestamp, self.nonce, self.fields, self.body)

    def send(self, url):
        headers = [("Authorization", f"Bearer {self.token}"), ("X-Timestamp", self.timestamp), ("X-Nonce", self.nonce),
                   ("X-Signature", self.signature), *self.fields]
        if self.version != "1":
            headers.append(("X-Signature-Version", self.version))
        return httpx.request(self.method, url + self.path, headers=headers, content=self.body)


def method(request):
    request.method = "DELETE"


def path(request):
    request.path = request.path.upper().replace("/CONFIGURATIONS/", "/configurations/")


def query(request):
    request.path += "?a=1"


def earlier(request):
    request.timestamp = str(int(request.timestamp) - 1)


def nonce(request):
    request.nonce = str(uuid.uuid4())


def signature(request):
    first = request.signature[0]
    request.signature = ("B" if first == "A" else "A") + request.signature[1:]


def body(request):
    request.body = request.body.replace(b"Signed", b"Forged")


def without_version(request):
    request.version = "1"


def field_changes():
    """Each signed field changed, removed and sent once more."""
    values = {"content-type": "application/json;charset=utf-8", "content-encoding": "identity, identity", "if-match": '"2-000000000000"',
              "if-none-match": '"3-000000000000"', "idempotency-key": '"another"', "prefer": "return=minimal, merge"}
    for name, value in values.items():
        def changed(request, name=name, value=value):
            request.fields = [(sent, value if sent.lower() == name else old) for sent, old in request.fields]

        def removed(request, name=name):
            request.fields = [field for field in request.fields if field[0].lower() != name]

        def repeated(request, name=name):
            request.fields += [field for field in request.fields if field[0].lower() == name]
        for change, what in (changed, "changed"), (removed, "removed"), (repeated, "repeated"):
            # A body without one type is none that the server takes, before it looks at signatures.
            if name != "content-type" or what == "changed":
                change.__name__ = f"{name} {what}"
                yield change


COMMON = [method, path, query, earlier, nonce, signature]
CHANGES = {"1": COMMON, "3": COMMON + [body, without_version, *field_changes()]}
FIELDS = {"1": [], "3": [("Content-Encoding", "identity"), ("If-Match", "*"), ("If-None-Match", '"1-000000000000"'),
                         ("Idempotency-Key", '"a key"'), ("Prefer", "return=minimal"), ("prefer", "wait=1")]}


def creation(session, version, identifier):
    return Request(session, version, "POST", "/configurations", identifier)


def update(session, version, identifier):
    return Request(session, version, "PUT", f"/configurations/{identifier}", identifier, FIELDS[version])


def log_in(url):
    account = {"email": f"{uuid.uuid4()}@example.org", "password": PASSWORD}
    httpx.post(url + "/auth/register", json=account).raise_for_status()
    return dict(httpx.post(url + "/auth/login", json=account).raise_for_status().json(), url=url)


def check_examples():
    scheme = json.loads(DOCUMENT.read_text())["components"]["securitySchemes"]["signature"]
    for example in scheme["x-signature-example"], scheme["x-signature-example-bare"]:
        key, fields = base64.b64decode(example["signing_key"]), [line.split(":", 1) for line in example["header_lines"]]
        for version in "13":
            parts = (version, example["method"], example["url"], example["timestamp"], example["nonce"], fields, example["body"].encode())
            assert f"version_{version}" not in example or sign(key, *parts) == example[f"version_{version}"], version
            assert version != "3" or message(*parts) == example["version_3_message"], version


def main(url):
    check_examples()
    session, stranger = log_in(url), log_in(url)
    for version, changes in CHANGES.items():
        identifier = uuid.uuid4()
        for request, status in (creation, 201), (update, 200):
            answer = request(session, version, identifier).send(url)
            assert answer.status_code == status, answer.text
        for change in changes:
            request = update(session, version, identifier)
            change(request)
            answer = request.send(url)
            assert answer.status_code == 401 and answer.json()["type"].endswith("/signature-invalid"), (version, change.__name__, answer.text)
        of_another = update(dict(session, signing_key=stranger["signing_key"]), version, identifier).send(url)
        assert of_another.status_code == 401, of_another.text
        print(f"version {version}: accepted; refused with another {', '.join(change.__name__ for change in changes)}, and with another key")
    # Without a body the server does not mind that the type is gone; its absence is signed, too.
    deletion = Request(session, "3", "DELETE", f"/configurations/{identifier}", identifier, body=b"")
    deletion.fields = []
    answer = deletion.send(url)
    assert answer.status_code == 401 and answer.json()["type"].endswith("/signature-invalid"), answer.text
    for version, problem in ("1", "signature-version-low"), ("2", "signature-malformed"):
        answer = creation(session, version, uuid.uuid4()).send(url)
        assert answer.status_code == 401 and answer.json()["type"].endswith("/" + problem), answer.text
    print("a session that has signed by version 3: version 1 is refused")


if __name__ == "__main__":
    main(sys.argv[1])
