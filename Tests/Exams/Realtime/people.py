"""Accounts with sessions, inserted by SQL: a registration hashes a password, which takes a tenth of a second."""
import hashlib
import uuid

PASSWORD = "nine old lenses on the shelf"
MOMENT = "2026-01-01T10:00:00Z"
# The ids follow from the names.
FILL = """
INSERT INTO users (id, email, password_hash)
SELECT md5('{name}-' || n)::uuid, '{name}-' || n || '@example.org', '{password_hash}' FROM generate_series(0, {last}) n;
INSERT INTO sync_heads (user_id, collection, genesis, chain)
SELECT md5('{name}-' || n)::uuid, c, uuid_send(md5('{name}-' || n || c)::uuid), uuid_send(md5('{name}-' || n || c)::uuid)
FROM generate_series(0, {last}) n, unnest(enum_range(NULL::collection)) c;
INSERT INTO sessions (id, user_id, key_id, device_id, confirmed_at)
SELECT md5('{name}-' || n || '-' || d)::uuid, md5('{name}-' || n)::uuid, '{key}', d, now()
FROM generate_series(0, {last}) n, unnest(ARRAY[{devices}]) d;
"""


def id_of(text):
    return str(uuid.UUID(hashlib.md5(text.encode()).hexdigest()))


class Person:
    """An account. Tokens are made when they are needed."""

    def __init__(self, key, name):
        self.key, self.name, self.user, self.email = key, name, id_of(name), name + "@example.org"

    def session(self, device):
        return id_of(f"{self.name}-{device}")

    def token(self, device="phone", **more):
        return self.key.token(self.user, self.session(device), **more)

    def signing_key(self, device="phone"):
        return self.key.signing_key(self.session(device))


def fill(server, key, name, count, devices=("phone",), password_hash="-"):
    """Makes `count` accounts, each with a session for each device."""
    quoted = ", ".join(f"'{device}'" for device in devices)
    database = server.database()
    database.query(FILL.format(name=name, last=count - 1, key=key.id, devices=quoted, password_hash=password_hash))
    database.query("ANALYZE users, sync_heads, sessions")
    return [Person(key, f"{name}-{number}") for number in range(count)]


def preset(number, **more):
    """A configuration as its document. `number` makes the id."""
    return {"id": id_of(f"preset-{number}"), "name": f"Moss {number}", "preset": "landscape", "video_format": "H.265", "resolution": "4K UHD",
            "frame_rate": 30, "exposure_settings": {"mode": "manual", "iso": 400, "shutter_speed": 0.008},
            "created_at": MOMENT, "modified_at": MOMENT, **more}
