"""What schemathesis has to know of this interface: sessions, signatures, and values that a schema can't describe."""
import base64
import json
import os
import threading
import time
import uuid

import requests
import schemathesis
from hypothesis import strategies

import signing

URL = os.environ["INTERFACE_URL"]
PASSWORD = "nine old lenses on the shelf"
# A token is renewed so long before it ends.
MARGIN_S = 20


class Session(requests.auth.AuthBase):
    """Signs each request as it is sent; starts another session when the token runs out or a request used it up."""

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

    def __call__(self, request):
        with self.lock:
            if time.time() > self.expires - MARGIN_S:
                self.log_in()
            body = request.body or b""
            body = body.encode() if isinstance(body, str) else body
            request.headers.update(signing.headers(self.key, request.method, request.url, body, request.headers.items()))
            request.headers["Authorization"] = "Bearer " + self.token
        request.register_hook("response", self.renew_after)
        return request

    def renew_after(self, answer, **_):
        """Logging out and a change of the password end the session, and a refresh that is repeated too late ends it too. An erased account has none."""
        path = answer.request.path_url
        is_erased = answer.request.method == "DELETE" and path == "/v2/account"
        if not answer.ok or not is_erased and path not in ("/v2/auth/logout", "/v2/auth/refresh", "/v2/auth/password"):
            return
        with self.lock:
            if is_erased:
                self.register()
            if path == "/v2/auth/password":
                self.credentials["password"] = json.loads(answer.request.body)["new_password"]
            self.log_in()

    def sync_token(self):
        answer = requests.get(URL + "/configurations?limit=1", auth=self, timeout=60)
        return answer.json()["sync_token"]


SESSION = Session()
schemathesis.auth.set_from_requests(SESSION)
# Opaque to clients, so the document does not describe its form.
SYNC_TOKEN = SESSION.sync_token()

# Not every address that may be one is one that mail is sent to.
schemathesis.openapi.format("email", strategies.from_regex(r"[a-z0-9.]{1,20}@[a-z0-9]{1,20}\.example", fullmatch=True)
                            .filter(lambda text: ".." not in text and text[0] != "." and ".@" not in text))
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
