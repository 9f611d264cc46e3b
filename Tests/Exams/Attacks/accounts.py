"""A server with a PostgreSQL of its own, and the accounts of attackers and bystanders, which are filled when they are first needed."""
import datetime
import os
import time
import urllib.error
import urllib.request
import uuid

from bystander import METADATA, as_json, put
from server import Server

BATCH = 500
MOMENT, BEFORE = "2026-01-01T10:00:00Z", "2025-01-01T10:00:00Z"
# A token lasts an hour.
TOKEN_S = 1800


class Account:
    def __init__(self, server, name):
        self.server = server
        self.credentials = {"email": f"{name}@example.org", "password": "three quiet lenses", "device_id": name}
        self.call_without_token("/auth/register")
        self.logged_in = None

    def call_without_token(self, path):
        return self.server.call("POST", path, self.credentials)[0]

    @property
    def token(self):
        if self.logged_in is None or time.monotonic() > self.logged_in + TOKEN_S:
            self.kept, self.logged_in = self.call_without_token("/auth/login")["token"], time.monotonic()
        return self.kept

    @property
    def headers(self):
        return {"Authorization": "Bearer " + self.token}

    def call(self, method, path, body=None):
        return self.server.call(method, path, body, self.token)[0]

    def create(self, documents):
        for first in range(0, len(documents), BATCH):
            operations = [{"operation": "create", "configuration": document} for document in documents[first:first + BATCH]]
            assert self.call("POST", "/configurations/batch", {"operations": operations})["outcome"] == "done"

    def record(self, content, content_type):
        """Sends a recording and completes it; returns its id."""
        recording = str(uuid.uuid4())
        wish = {"file_size": len(content), "content_type": content_type}
        put(self.call("POST", f"/recordings/{recording}/upload-url", wish)["upload_url"], content)
        self.call("POST", f"/recordings/{recording}/complete", {"metadata": METADATA})
        return recording

    def link(self, recording):
        """The target of a download, which needs no token for ten minutes."""
        request = urllib.request.Request(f"{self.server.url}/recordings/{recording}/content", headers=self.headers)
        try:
            urllib.request.build_opener(NoRedirect).open(request).close()
        except urllib.error.HTTPError as redirect:
            return "/v2/" + redirect.headers["Location"].split("/v2/", 1)[1]
        raise RuntimeError("a recording's content leads nowhere")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Scene:
    """`size` is the share of the usual number of items."""

    def __init__(self, folder, binary, listen, size, films):
        self.folder, self.size, self.films = folder, size, films
        self.server = Server(folder, binary, listen=listen, history_max_bytes=0)
        self.made = {}

    def once(self, name, fill):
        """An account, and what `fill` returned for it."""
        if name not in self.made:
            account = Account(self.server, name)
            self.made[name] = (account, fill(account))
        return self.made[name]

    def count(self, usual):
        return max(1, round(usual * self.size))

    def file(self, name, content):
        path = os.path.join(os.path.abspath(self.folder), name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        return path

    def presets(self, name, count):
        return self.once(name, lambda account: account.create([preset(number) for number in range(self.count(count))]))[0]

    def document(self):
        def fill(account):
            body = preset(0, notes={f"note {number}": "x" * 10_000 for number in range(104)})
            account.call("POST", "/configurations", {"configuration": body})
            return body["id"]
        return self.once("document", fill)

    def conflicts(self):
        """A configuration with 100 documents of 40 KB that lost to it."""
        def fill(account):
            body = preset(0)
            account.call("POST", "/configurations", {"configuration": body})
            for number in range(self.count(100)):
                loser = {**body, "modified_at": BEFORE, "notes": f"{number} " + "x" * 40_000}
                refused = status_of(account, "PUT", "/configurations/" + body["id"], {"configuration": loser})
                assert refused == 409, refused
            return body["id"]
        return self.once("conflicts", fill)

    def events(self):
        def fill(account):
            account.call("PUT", "/account/consents", {"consents": {"analytics": {"granted": True, "version": "1"}}})
            now, count = datetime.datetime.now(datetime.timezone.utc), self.count(40_000)
            times = [now - datetime.timedelta(days=29) * number / count for number in range(count)]
            events = [{"name": f"event-{number % 20}", "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ")} for number, moment in enumerate(times)]
            for first in range(0, count, 1000):
                account.call("POST", "/analytics/events", {"events": events[first:first + 1000]})
        return self.once("events", fill)[0]

    def batches(self):
        """The paths of bodies that replace the same 500 configurations of 7 KB, each by others."""
        def fill(account):
            documents = [preset(number, notes=notes(0)) for number in range(self.count(BATCH))]
            account.create(documents)
            bodies = [[{"operation": "replace", "configuration": {**document, "modified_at": "2099-01-01T10:00:00Z", "notes": notes(variant)}}
                       for document in documents] for variant in range(1, 5)]
            return [self.file(f"batch-{number}", as_json({"operations": body})) for number, body in enumerate(bodies)]
        return self.once("batches", fill)

    def merges(self):
        """The paths of what merges.lua needs."""
        def fill(account):
            lines = []
            for number in range(12):
                body = preset(number, deep=nested(0))
                first = self.server.call("POST", "/configurations", {"configuration": body}, account.token)[1]["ETag"]
                second = self.server.call("PUT", "/configurations/" + body["id"], {"configuration": {
                    **body, "modified_at": "2026-01-02T10:00:00Z", "deep": nested(1)}}, account.token)[1]["ETag"]
                lines.append(f"{body['id']} {first} {second}\n")
            template = as_json({"configuration": {**preset(0, deep=nested("@COUNT@")), "id": "@ID@", "modified_at": "2026-01-03T10:00:00Z"}})
            return [self.file("merge", template.replace('"@COUNT@"', "@COUNT@")), self.file("merged", "".join(lines))]
        return self.once("merges", fill)

    def recording(self, name, size):
        """An account with a recording; the second part is its id."""
        return self.once(name, lambda account: account.record(os.urandom(size), "application/octet-stream"))

    def stop(self):
        self.server.stop()


def preset(number, **more):
    return {"id": str(uuid.uuid4()), "name": f"Moss {number}", "preset": "landscape", "video_format": "H.265", "resolution": "4K UHD", "frame_rate": 30,
            "exposure_settings": {"mode": "manual", "iso": 400, "shutter_speed": 0.008, "exposure_compensation": 0.5},
            "focus_settings": {"mode": "manual", "lens_position": 0.7}, "white_balance_settings": {"mode": "manual", "temperature": 5600, "tint": 3},
            "created_at": MOMENT, "modified_at": MOMENT, **more}


def notes(variant):
    """7 KB."""
    return {f"note {number}": f"{variant} " + "x" * 50 for number in range(95)}


def nested(value):
    """60 KB, 50 levels deep."""
    for level in range(50):
        value = {"inner": value, **{f"member {level} {number}": "x" * 30 for number in range(22)}}
    return value


def status_of(account, method, path, body):
    try:
        account.call(method, path, body)
        return 200
    except urllib.error.HTTPError as error:
        return error.code
