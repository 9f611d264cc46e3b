"""Signs requests as the OpenAPI document's security schemes say (version 2)."""
import base64
import hashlib
import hmac
import time
import uuid


def headers(key, method, url, body):
    """The headers of a signed request; `key` is the session's `signing_key`, `url` the one that is sent."""
    timestamp, nonce = str(int(time.time())), str(uuid.uuid4())
    digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
    message = "\n".join([method, url, timestamp, nonce, digest]).encode()
    signature = hmac.new(base64.b64decode(key), message, hashlib.sha256).digest()
    return {"X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature-Version": "2",
            "X-Signature": base64.b64encode(signature).decode()}
