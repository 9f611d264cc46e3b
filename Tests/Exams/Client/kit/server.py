"""The server that clients are tried against: it can be backed up and restored."""
import http.client
import json
import os
import subprocess
import tempfile
import threading
import uuid
from urllib.parse import urlsplit

import signing
from cluster import place
from server import is_for_tests, settings, start

PASSWORD = "nine old lenses on the shelf"


def compact(content):
    return json.dumps(content, separators=(",", ":"))


class Server:
    """Its database is one of a cluster that others use too: starting PostgreSQL for each takes longer than most tests."""

    def __init__(self, binary, cluster, others=()):
        self.binary, self.cluster = binary, cluster
        self.place = tempfile.TemporaryDirectory(prefix="neuroviews-client-", dir=place())
        self.folder = self.place.name
        self.database = str(uuid.uuid4())
        cluster.make(self.database)
        self.settings = {**settings(binary), "NEUROVIEWS_DATABASE_URL": cluster.url(self.database), **dict(others)}
        self.backups = self.restores = 0
        # Held while a backup is brought back.
        self.restoring = threading.Lock()
        self.run()

    def run(self):
        self.process, url = start(self.binary, self.folder, self.settings)
        parts = urlsplit(url)
        self.address = (parts.hostname, parts.port)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)

    def operate(self, *words):
        done = subprocess.run([self.binary, *words, "--data", self.folder + "/data"], env=dict(os.environ, **self.settings), capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{words[0]}: {done.stderr}")

    def back_up(self):
        self.backups += 1
        path = f"{self.folder}/backup-{self.backups}.tar"
        self.operate("backup", path)
        return path

    def restore(self, path):
        with self.restoring:
            self.stop()
            self.operate("restore", path, "--unauthenticated", "--replace")
            self.run()
            self.restores += 1

    def register(self, email=None):
        """A new account: its address and password."""
        email = email or f"{uuid.uuid4()}@example.org"
        status, _ = self.ask("POST", "/auth/register", {"email": email, "password": PASSWORD})
        assert status == 201, status
        return email, PASSWORD

    def ask(self, method, path, content):
        """The status and content of the answer to a request without a session."""
        return self.exchange(method, path, json.dumps(content).encode(), {"Content-Type": "application/json"})[::2]

    def exchange(self, method, path, body, fields):
        host, port = self.address
        connection = http.client.HTTPConnection(host, port, timeout=60)
        connection.request(method, "/v2" + path, body or None, fields)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, json.loads(text) if text else {}

    def close(self):
        with self.restoring:
            self.process.kill()
            self.process.wait()
            self.cluster.drop(self.database)
            self.place.cleanup()


class Observer:
    """Looks at an account's items, from outside."""

    def __init__(self, server, account):
        self.server, self.account = server, account
        self.session = None

    def get(self, path):
        return self.send("GET", path)[::2]

    def send(self, method, path, content=None, fields=()):
        """The status, fields and content of the answer to a signed request."""
        body = compact(content).encode() if content is not None else b""
        fields = [*fields, *([] if content is None or "Content-Type" in dict(fields) else [("Content-Type", "application/json")])]
        for _ in range(2):
            if not self.session:
                status, self.session = self.server.ask("POST", "/auth/login", {"email": self.account[0], "password": self.account[1], "device_id": "observer"})
                assert status == 200, (status, self.session)
            host, port = self.server.address
            url = f"http://{host}:{port}/v2{path}"
            signature = signing.headers(self.session["signing_key"], method, url, body, fields)
            status, received, answer = self.server.exchange(method, path, body, {**dict(fields), **signature, "Authorization": "Bearer " + self.session["token"]})
            if status != 401:
                break
            self.session = None
        return status, received, answer

    def documents(self):
        status, content = self.get("/configurations")
        assert status == 200, (status, content)
        return {document["id"].lower(): document for document in content["configurations"]}

    def losers(self, id):
        """The documents of which a merge may have dropped something, as the server keeps them."""
        status, content = self.get(f"/configurations/{id}/conflicts")
        return [conflict["document"] for conflict in content["conflicts"]] + [self.version(id, tag) for tag in self.versions(id)] if status == 200 else []

    def version(self, id, tag):
        return self.get(f"/configurations/{id}/versions/{tag.partition('-')[0]}")[1]

    def versions(self, id):
        status, content = self.get(f"/configurations/{id}/versions")
        return [version["version"] for version in content.get("versions", []) if version["has_document"]] if status == 200 else []
