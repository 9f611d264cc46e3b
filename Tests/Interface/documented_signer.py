"""The specification's APIRequestSigner, written from its text alone, and what the OpenAPI document adds to it. A signed request is accepted;
with any signed part changed on its way it is refused.

documented_signer.py URL"""
import base64
import hashlib
import hmac
import sys
import time
import uuid

import httpx

PASSWORD = "three quiet lenses"


def sign(key, method, url, timestamp, nonce, body=None):
    """The Base64 of HMAC-SHA-256 over METHOD, absolute URL, timestamp and nonce; of version 2 also over the body's digest."""
    payload = f"{method}\n{url}\n{timestamp}\n{nonce}"
    if body is not None:
        payload += "\n" + base64.b64encode(hashlib.sha256(body).digest()).decode()
    return base64.b64encode(hmac.new(key, payload.encode(), hashlib.sha256).digest()).decode()


class Request:
    """A signed request, of which parts can be changed before it is sent."""

    def __init__(self, session, version, method, path, identifier):
        self.token, self.key = session["token"], base64.b64decode(session["signing_key"])
        self.method, self.path = method, path
        self.body = ('{"configuration":{"id":"%s","name":"Signed","preset":"auto","video_format":"AV1","resolution":"8K UHD",'
                     '"frame_rate":60,"created_at":"2026-11-20T20:00:00Z","modified_at":"2026-11-20T20:00:00Z"}}' % identifier).encode()
        self.timestamp, self.nonce, self.version = str(int(time.time())), str(uuid.uuid4()), version
        signed_body = self.body if version == "2" else None
        self.signature = sign(self.key, self.method, session["url"] + self.path, self.timestamp, self.nonce, signed_body)

    def send(self, url):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", "X-Timestamp": self.timestamp,
                   "X-Nonce": self.nonce, "X-Signature": self.signature}
        if self.version == "2":
            headers["X-Signature-Version"] = "2"
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


CHANGES = {"1": [method, path, query, earlier, nonce, signature],
           "2": [method, path, query, earlier, nonce, signature, body, without_version]}


def creation(session, version, identifier):
    return Request(session, version, "POST", "/configurations", identifier)


def update(session, version, identifier):
    return Request(session, version, "PUT", f"/configurations/{identifier}", identifier)


def log_in(url):
    account = {"email": f"{uuid.uuid4()}@example.org", "password": PASSWORD}
    httpx.post(url + "/auth/register", json=account).raise_for_status()
    return dict(httpx.post(url + "/auth/login", json=account).raise_for_status().json(), url=url)


def main(url):
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


if __name__ == "__main__":
    main(sys.argv[1])
