"""Signs requests as the OpenAPI document's security schemes say (version 3)."""
import base64
import hashlib
import hmac
import time
import uuid

SIGNED_FIELDS = ["content-type", "content-encoding", "if-match", "if-none-match", "idempotency-key", "prefer"]


def headers(key, method, url, body, fields=(), clock_s=0):
    """The headers of a signed request; `key` is the session's `signing_key`, `url` the one that is sent, `fields` the names and values of the others,
    `clock_s` what the server's clock is ahead."""
    timestamp, nonce = str(int(time.time()) + clock_s), str(uuid.uuid4())
    # Values are signed as the bytes that are sent.
    values = [(name.lower(), (value if isinstance(value, bytes) else value.encode("latin-1")).strip(b" \t")) for name, value in fields]
    signed = [b", ".join(value for sent, value in values if sent == name) for name in SIGNED_FIELDS]
    digest = base64.b64encode(hashlib.sha256(body).digest())
    message = b"\n".join([*(part.encode() for part in (method, url, timestamp, nonce)), *signed, digest])
    signature = hmac.new(base64.b64decode(key), message, hashlib.sha256).digest()
    return {"X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature-Version": "3",
            "X-Signature": base64.b64encode(signature).decode()}
