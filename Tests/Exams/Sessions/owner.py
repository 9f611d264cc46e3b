"""The owner's client, as docs/client.md has it, and what it shares with a thief's."""
import base64
import json
import uuid

TOKEN_LASTS_S = 3600
ENDED = "401 session-ended"
OUTDATED = "401 token-outdated"


def claims(token):
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def counter(token):
    return claims(token)["ctr"]


def new_attempt(rng):
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


class Client:
    """Sends for a session from an address, by a wire of its own. `key` is None if it does not sign."""

    def __init__(self, wire, address, key):
        self.wire, self.address, self.key = wire, address, key

    def ask(self, token):
        return self.wire.ask("GET", "/configurations?limit=1", self.address, (token, self.key))

    def begin_refresh(self, token, attempt=None):
        self.wire.begin("POST", "/auth/refresh", self.address, (token, self.key), {"attempt": attempt} if attempt else None)

    def refresh(self, token, attempt=None):
        self.begin_refresh(token, attempt)
        return self.wire.end()


class Store:
    """What the owner's device keeps. Each method is one transaction of it: two processes may share it."""

    def __init__(self, token, rng, clock):
        self.rng, self.clock = rng, clock
        self.put(token)

    def put(self, token):
        self.token, self.attempt, self.since = token, None, self.clock.now

    @property
    def is_expired(self):
        """Whether the server would say so: its own clock does not move."""
        return self.clock.now - self.since >= TOKEN_LASTS_S

    def begin(self):
        """The token to refresh with, and the attempt, which stays until the next token is stored."""
        self.attempt = self.attempt or new_attempt(self.rng)
        return self.token, self.attempt

    def end(self, former, answer):
        """Stores the next token, unless another process has."""
        if answer.status == 200 and self.token == former:
            self.put(answer.json["token"])


class Owner(Client):
    def __init__(self, wire, address, key, store):
        super().__init__(wire, address, key)
        self.store = store

    def renew(self):
        former, attempt = self.store.begin()
        answer = self.refresh(former, attempt)
        self.store.end(former, answer)
        return answer

    def request(self):
        """One request with what mends it: the verdict of the last answer."""
        if self.store.is_expired:
            answer = self.renew()
            if answer.status != 200:
                return answer.verdict
        answer = self.ask(self.store.token)
        if answer.verdict == OUTDATED:
            answer = self.renew()
            if answer.status == 200:
                answer = self.ask(self.store.token)
        return answer.verdict
