"""An hour's writes of one account, of each kind, and the rows that they leave."""
import base64
import hashlib
import hmac
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../Benchmarks"))
import psql  # noqa: E402

BINARY = os.environ.get("SERVER_PROGRAM", ".build/release/neuroviews-server")
CONNECTIONS = 8
WRITES_MAX = 10_000
# Credit grows back while the writes are sent.
GROWN_MAX = 1000
# What a request may leave of its own kind, indexes included.
BYTES_MAX = 2000
MOMENT = "2026-01-01T10:00:00Z"


class Server:
    def __init__(self, folder):
        self.log, self.data = folder + "/log", folder + "/data"
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [BINARY, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "off", "--data", self.data,
                 "--registration", "open", "--signatures", "optional", "--log-format", "text"], stderr=log)
        deadline = time.monotonic() + 120
        while not (match := re.search(r"listening on 127\.0\.0\.1:(\d+)", open(self.log).read())):
            if time.monotonic() > deadline or self.process.poll() is not None:
                sys.exit("the server did not start:\n" + open(self.log).read())
            time.sleep(0.05)
        self.port = int(match.group(1))

    def tables(self):
        """Rows and bytes of each table."""
        names = psql.say(self, "SELECT relname FROM pg_class WHERE relnamespace = 'neuroviews'::regnamespace AND relkind = 'r'").split()
        rows = " UNION ALL ".join(
            f"SELECT '{name}', (SELECT count(*) FROM {name}), pg_total_relation_size('{name}')" for name in names)
        lines = [line.split("|") for line in psql.say(self, rows).split()]
        return {name: (int(count), int(size)) for name, count, size in lines}


class Account:
    def __init__(self, port):
        self.port, self.connection = port, None
        self.credentials = {"email": f"{uuid.uuid4()}@example.org", "password": "three quiet lenses", "device_id": "phone"}
        self.send("POST", "/v2/auth/register", self.credentials)
        login = json.loads(self.send("POST", "/v2/auth/login", self.credentials)[1])
        self.bearer = {"Authorization": "Bearer " + login["token"]}
        self.key = base64.b64decode(login["signing_key"])

    def copy(self):
        """The same session over another connection."""
        other = Account.__new__(Account)
        other.__dict__ = self.__dict__ | {"connection": None}
        return other

    def send(self, method, target, body=None, fields=None):
        self.connection = self.connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        data = json.dumps(body) if body is not None else None
        media = "application/merge-patch+json" if method == "PATCH" else "application/json"
        self.connection.request(method, target, data, ({"Content-Type": media} if data else {}) | (fields or {}))
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def write(self, method, target, body=None, fields=None):
        return self.send(method, "/v2" + target, body, self.bearer | (fields or {}))

    def signature(self, method, target):
        moment, nonce = str(int(time.time())), str(uuid.uuid4())
        text = "\n".join([method, f"http://127.0.0.1:{self.port}/v2{target}", moment, nonce])
        value = base64.b64encode(hmac.new(self.key, text.encode(), hashlib.sha256).digest()).decode()
        return {"X-Timestamp": moment, "X-Nonce": nonce, "X-Signature": value}


def document(number=0, item=None):
    return {"configuration": {
        "id": item or str(uuid.uuid4()), "name": f"Moss {number}", "preset": "macro", "video_format": "H.265", "resolution": "4K UHD",
        "frame_rate": 30, "created_at": MOMENT, "modified_at": MOMENT}}


def on_one_item(write):
    """Writes to an item of the connection's own."""
    def begin(account):
        item = str(uuid.uuid4())
        account.write("POST", "/configurations", document(0, item))
        return lambda number: write(account, item, number)
    return begin


def flip(account, item, number):
    if number % 2 == 0:
        return account.write("DELETE", f"/configurations/{item}", None, {"If-Match": "*"})
    return account.write("PUT", f"/configurations/{item}", document(number, item), {"If-None-Match": "*"})


def keyed(account, item, number):
    return account.write("POST", "/configurations", document(number), {"Idempotency-Key": f'"{uuid.uuid4()}"'})


def signed(account, item, number):
    target = f"/configurations/{item}"
    return account.write("DELETE", target, None, account.signature("DELETE", target) | {"If-Match": '"1-000000000000"'})


def event(account, item, number):
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return account.write("POST", "/analytics/events", {"events": [{"id": str(uuid.uuid4()), "name": f"tap {number}", "timestamp": now}]})


def batch(account, item, number):
    """Creates and deletes the same items in turn."""
    items = [str(uuid.uuid5(uuid.UUID(item), str(index))) for index in range(OPERATIONS["batch"])]
    if number % 2:
        operations = [{"operation": "delete", "id": item} for item in items]
    else:
        operations = [{"operation": "create"} | document(number, item) for item in items]
    return account.write("POST", "/configurations/batch", {"operations": operations})


def consent(account, item, number):
    return account.write("PUT", "/account/consents", {"consents": {"analytics": {"granted": number % 2 == 0, "version": f"{number}"}}})


KINDS = {
    "replace": on_one_item(lambda a, i, n: a.write("PUT", f"/configurations/{i}", document(n, i), {"If-Match": "*"})),
    "patch that changes nothing": on_one_item(lambda a, i, n: a.write("PATCH", f"/configurations/{i}", {"name": "Moss 0"})),
    "patch": on_one_item(lambda a, i, n: a.write("PATCH", f"/configurations/{i}", {"name": f"Moss {n}"})),
    "create": on_one_item(lambda a, i, n: a.write("POST", "/configurations", document(n))),
    "create with a key": on_one_item(keyed),
    "delete and bring back": on_one_item(flip),
    "batch": on_one_item(batch),
    "signed and refused": on_one_item(signed),
    "consent": on_one_item(consent),
    "event": on_one_item(event),
    "device": on_one_item(lambda a, i, n: a.write("PUT", f"/devices/{uuid.uuid4()}", {"name": "Tent"})),
    "confirm": on_one_item(lambda a, i, n: a.write("POST", "/auth/confirm", {"password": a.credentials["password"]})),
    "upload": on_one_item(lambda a, i, n: a.write("POST", f"/recordings/{uuid.uuid4()}/upload-url", {
        "filename": "a.mov", "file_size": 1, "content_type": "video/quicktime"})),
}
# Hashed passwords take their time: the hour's writes would take an hour.
SLOW = {"confirm": 50}
# The operations of a request. Ten of them count as one write.
OPERATIONS = {"batch": 500}


def run(account, kind, most):
    """The statuses of the answers, by how often they came."""
    counts, lock, left = {}, threading.Lock(), [most]

    def work():
        own = account.copy()
        act = KINDS[kind](own)
        number = 0
        while True:
            with lock:
                left[0] -= 1
                if left[0] < 0:
                    return
            status, _ = act(number)
            number += 1
            with lock:
                counts[status] = counts.get(status, 0) + 1
                if status == 429:
                    return

    threads = [threading.Thread(target=work) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return counts


def judge(server, kind):
    account = Account(server.port)
    if kind == "event":
        account.write("PUT", "/account/consents", {"consents": {"analytics": {"granted": True, "version": "1"}}})
    before, begun = server.tables(), time.monotonic()
    most = (WRITES_MAX + GROWN_MAX) * 10 // OPERATIONS.get(kind, 10)
    counts = run(account, kind, SLOW.get(kind, most))
    after = server.tables()
    gained = {name: (after[name][0] - before.get(name, (0, 0))[0], after[name][1] - before.get(name, (0, 0))[1]) for name in after}
    gained = {name: gain for name, gain in gained.items() if gain[0] > 0 or gain[1] > 65536}
    taken = sum(count for status, count in counts.items() if status != 429)
    print(f"{kind}: {taken} requests in {time.monotonic() - begun:.0f} s, answers {dict(sorted(counts.items()))}")
    for name, (rows, size) in sorted(gained.items(), key=lambda item: -item[1][1]):
        print(f"    {name}: {rows} rows, {size // 1024} KiB")
    reasons = []
    if kind not in SLOW and 429 not in counts:
        reasons.append("the limit was not reached")
    if sum(size for _, size in gained.values()) > BYTES_MAX * max(taken * OPERATIONS.get(kind, 1), 1000):
        reasons.append("more bytes than allowed")
    for reason in reasons:
        print(f"{kind}: {reason}")
    return not reasons


def main():
    names = sys.argv[1:] or list(KINDS)
    with tempfile.TemporaryDirectory(prefix="neuroviews-rows-") as folder:
        os.chmod(folder, 0o755)
        server = Server(folder)
        try:
            passed = [judge(server, name) for name in names]
        finally:
            server.process.terminate()
            server.process.wait(60)
    print(f"rows: {sum(passed)} passed, {len(passed) - sum(passed)} failed")
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    main()
