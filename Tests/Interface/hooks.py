"""What schemathesis has to know of this interface: sessions, signatures, and values that a schema can't describe."""
import base64
import json
import os
import random
import threading
import time
import uuid

import requests
import schemathesis
from hypothesis import strategies
from hypothesis.internal.conjecture import engine

import signing

URL = os.environ["INTERFACE_URL"]
PASSWORD = "nine old lenses on the shelf"
# A token is renewed so long before it ends.
MARGIN_S = 20


class Session(requests.auth.AuthBase):
    """Signs each request as it is sent; starts another session when the token runs out or a request has ended it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.register()
        self.log_in()

    def register(self):
        self.credentials = {"email": f"{uuid.uuid4()}@example.org", "password": PASSWORD}
        requests.post(URL + "/auth/register", json=self.credentials, timeout=60).raise_for_status()

    def log_in(self):
        answer = requests.post(URL + "/auth/login", json=self.credentials, timeout=60)
        answer.raise_for_status()
        self.token, self.key = answer.json()["token"], answer.json()["signing_key"]
        payload = self.token.split(".")[1]
        self.expires = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["exp"]

    def renew(self):
        try:
            self.log_in()
        except requests.HTTPError:
            # The account is erased, or its password another one.
            self.register()
            self.log_in()

    def sign(self, request):
        body = request.body or b""
        body = body.encode() if isinstance(body, str) else body
        request.headers.update(signing.headers(self.key, request.method, request.url, body, request.headers.items()))
        request.headers["Authorization"] = "Bearer " + self.token

    def __call__(self, request):
        with self.lock:
            if time.time() > self.expires - MARGIN_S:
                self.renew()
            self.sign(request)
        request.register_hook("response", self.repeat)
        return request

    def repeat(self, answer, **options):
        """Sends a request again whose session or token an earlier one has ended: a logout, another password, a removed device, a refresh."""
        if answer.status_code != 401 or not answer.json()["type"].endswith(("/session-ended", "/token-outdated")):
            return answer
        answer.close()
        request = answer.request.copy()
        with self.lock:
            self.renew()
            self.sign(request)
        again = answer.connection.send(request, **options)
        again.history.append(answer)
        again.request = request
        return again

    def sync_token(self):
        answer = requests.get(URL + "/configurations?limit=1", auth=self, timeout=60)
        return answer.json()["sync_token"]


def address(length):
    """An address that mail is sent to. Parts of it have limits of their own (64 and 63)."""
    choose = random.Random(length)
    text = "".join(choose.choices("abcxyz0129", k=length - len("@.example")))
    local, host = text[: len(text) // 4 + 1], text[len(text) // 4 + 1 :]
    return f"{dotted(local, 20)}@{dotted(host, 60)}.example"


def dotted(text, label_max):
    return "".join("." if index % (label_max + 1) == label_max and index < len(text) - 1 else sign for index, sign in enumerate(text))


# How often a value is searched for that does not exist, as one that meets all of a `oneOf`. Hypothesis' own 458 made the same cases in thrice the time.
engine.INVALID_THRESHOLD_BASE = 40

SESSION = Session()
schemathesis.auth.set_from_requests(SESSION)
# Opaque to clients, so the document does not describe its form.
SYNC_TOKEN = SESSION.sync_token()

# One of each length, and some that are too long, so that none must be searched for.
schemathesis.openapi.format("email", strategies.sampled_from([address(length) for length in range(11, 261)]))
schemathesis.openapi.format("device-id", strategies.text(strategies.characters(exclude_categories=["Cc", "Cs"]), min_size=1,
                                                             max_size=200))


@schemathesis.hook
def before_call(_, case, **__):
    """Mends values that the schema alone can't make valid, and one that it can't make invalid."""
    # An empty list of codings is none (RFC 9110, 5.6.1.2).
    if case.headers and not case.headers.get("Content-Encoding", "none").strip(" \t,"):
        case.headers["Content-Encoding"] = "unknown"
    if not (case.meta and case.meta.generation.mode.is_positive):
        return
    for name in ("sync_token", "seen"):
        if case.query and name in case.query:
            case.query[name] = SYNC_TOKEN
    # Each request is another one, and its key only its own.
    if case.headers and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    # The body is not packed.
    if case.headers and "Content-Encoding" in case.headers:
        case.headers.pop("Content-Encoding")
    # What is new has no version to name, and what is read rarely the one that is named: nearly everything would be 412.
    if case.method in ("GET", "POST") and case.headers:
        case.headers.pop("If-Match", None)
    # A link may bring a device's id, which is any text, to a path that takes a UUID.
    if case.path.startswith(("/configurations/{id}", "/recordings/{id}")) and not is_uuid(case.path_parameters["id"]):
        case.path_parameters["id"] = str(uuid.uuid4())
    # The id in the path and the one in the document have to be the same.
    if case.method == "PUT" and isinstance(case.body, dict) and isinstance(case.body.get("configuration"), dict):
        case.body["configuration"]["id"] = case.path_parameters["id"]


def is_uuid(text):
    try:
        return str(uuid.UUID(text)) == text.lower()
    except (AttributeError, TypeError, ValueError):
        return False


@schemathesis.serializer("application/partial-upload", "application/offset+octet-stream", "image/jpeg")
def as_bytes(context, value):
    return value if isinstance(value, bytes) else str(value).encode()
