"""Tokens and signing keys as the server makes them from its master key, so that thousands of accounts need no logins."""
import base64
import hashlib
import hmac
import json
import time

DAY_S = 86_400


def url_text(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=")


class MasterKey:
    def __init__(self, path):
        with open(path, "rb") as file:
            secret = file.read()[:32]
        self.derivation = hmac.new(b"neuroviews-cloud", secret, hashlib.sha256).digest()
        self.id = self.key(b"key id v1").hex()[:8]
        head = json.dumps({"alg": "HS256", "kid": self.id, "typ": "JWT"}, separators=(",", ":"))
        self.head, self.token_key = url_text(head.encode()), self.key(b"token v1")

    def key(self, label, suffix=b""):
        """32 bytes for a purpose (HKDF)."""
        return hmac.new(self.derivation, label + b"\0" + suffix + b"\1", hashlib.sha256).digest()

    def signing_key(self, session):
        """As a login returns it."""
        return base64.b64encode(self.key(b"request signing v1", session.encode())).decode()

    def token(self, user, session, counter=1, expires_in_s=40 * DAY_S):
        """Valid for longer than clocks are set ahead."""
        now = int(time.time())
        claims = {"sid": session, "sub": user, "ctr": counter, "iat": now - 3600, "exp": now + int(expires_in_s)}
        text = self.head + b"." + url_text(json.dumps(claims, separators=(",", ":")).encode())
        return (text + b"." + url_text(hmac.new(self.token_key, text, hashlib.sha256).digest())).decode()
