"""Greedy and slow clients from 127.0.0.1, and a good one at 127.0.0.2 that must hardly notice."""
import argparse
import base64
import hashlib
import hmac
import http.client
import json
import os
import random
import re
import resource
import select
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid

BINARY = os.environ.get("SERVER_PROGRAM", ".build/release/neuroviews-server")
GOOD_ADDRESS = "127.0.0.2"
MODES = {
    # Headers that never end, a line every second.
    "headers": ["-H", "-i", "1", "-t", "GET", "-u", "{origin}/healthz"],
    # Bodies that come in drops.
    "body": ["-B", "-i", "1", "-s", "8192", "-t", "POST", "-f", "application/json", "-u",
             "{origin}/v2/auth/login"],
    # Answers that are read in drops, several asked for at a time.
    "read": ["-X", "-w", "512", "-y", "1024", "-n", "1", "-z", "32", "-k", "3", "-u", "{origin}/v2/openapi.json"],
}
# Bodies of batches that lack their last byte, of one account: more than fit into the memory for all bodies.
HELD_BODIES = "bodies"
HELD_BYTES = 4 * 1024 * 1024
HELD_COUNT = 24
# Bodies that take as long to be read as bodies can, of one account, over so many connections.
LARGE_WORK = "work"
WORK_CONNECTIONS = 4
# Logins with a wrong password from one address, over so many connections, which hang up now and then.
LOGINS = "logins"
LOGIN_CONNECTIONS = 36
# A login under attack may take so long, or so many times the slowest one without it, as cores differ in the time of a hash.
LOGIN_MAX_MS = 2000
LOGIN_FACTOR = 5
# Each of these connections asks at most so often: the attack must not take the machine's cores itself.
GREEDY_PAUSE_S = 0.05
P99_MORE_MS = 50
FIGURES_FACTOR = 1.1
# What the last passwords and large bodies may leave in the allocator.
MEMORY_MORE_KIB = 64 * 1024
REQUESTS_PER_SECOND = 50


class Server:
    """The server with its defaults, on a data folder of its own."""

    def __init__(self, folder, extra):
        self.log = os.path.join(folder, "log")
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [BINARY, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", folder + "/data",
                 "--registration", "open", "--signatures", "optional", *extra], stderr=log)
        deadline = time.monotonic() + 300
        while True:
            match = re.search(r"listening on (?:https?://)?127\.0\.0\.1:(\d+)", open(self.log).read())
            if match:
                break
            if time.monotonic() > deadline or self.process.poll() is not None:
                sys.exit("the server did not start:\n" + open(self.log).read())
            time.sleep(0.05)
        self.port = int(match.group(1))

    def figures(self):
        status = open(f"/proc/{self.process.pid}/status").read()
        resident = int(re.search(r"VmRSS:\s+(\d+)", status).group(1))
        return resident, self.descriptors()

    def descriptors(self):
        """But for connections to the database: the pools make and keep them when they first need them, sweeps among others."""
        unix = {line.split()[6] for line in open("/proc/net/unix").readlines()[1:]}
        folder = f"/proc/{self.process.pid}/fd"
        count = 0
        for name in os.listdir(folder):
            try:
                count += os.readlink(f"{folder}/{name}").removeprefix("socket:[").removesuffix("]") not in unix
            except FileNotFoundError:
                pass
        return count

    def peak_kib(self):
        return int(re.search(r"VmHWM:\s+(\d+)", open(f"/proc/{self.process.pid}/status").read()).group(1))

    def forget_peak(self):
        with open(f"/proc/{self.process.pid}/clear_refs", "w") as file:
            file.write("5")

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


class GoodClient:
    """Asks at a steady pace for /healthz, for one configuration, for one with a signature, and changes it, each a quarter of the time,
    every tenth time over a new connection."""

    def __init__(self, port):
        self.port = port
        self.connection = None
        # The token of another account, for an attack.
        self.stranger = self.register()["token"]
        login = self.register()
        self.bearer = {"Authorization": "Bearer " + login["token"]}
        self.key = base64.b64decode(login["signing_key"])
        # Each login is a session, and the hundredth ends the one that was used the longest ago: another account has them.
        self.register()
        self.target = "/v2/configurations/" + str(uuid.uuid4())
        moment = "2026-01-01T10:00:00Z"
        self.document = {
            "id": self.target.rsplit("/", 1)[1], "name": "Moss", "preset": "macro", "video_format": "H.265",
            "resolution": "4K UHD", "frame_rate": 30, "created_at": moment, "modified_at": moment}
        self.call("POST", "/v2/configurations", {"configuration": self.document}, self.bearer)

    def register(self):
        self.credentials = {"email": f"{uuid.uuid4()}@example.org", "password": "three quiet lenses", "device_id": "phone"}
        self.call("POST", "/v2/auth/register", self.credentials)
        return self.log_in()

    def log_in(self):
        return json.loads(self.call("POST", "/v2/auth/login", self.credentials))

    def call(self, method, target, body=None, headers=None):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30,
                                                         source_address=(GOOD_ADDRESS, 0))
        data = json.dumps(body) if body is not None else None
        fields = {"Content-Type": "application/json"} if data else {}
        self.connection.request(method, target, data, fields | (headers or {}))
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {target}: {answer.status} {content.decode()}")
        return content

    def signature(self, target):
        moment, nonce = str(int(time.time())), str(uuid.uuid4())
        text = "\n".join(["GET", f"http://127.0.0.1:{self.port}{target}", moment, nonce])
        value = base64.b64encode(hmac.new(self.key, text.encode(), hashlib.sha256).digest()).decode()
        return {"X-Timestamp": moment, "X-Nonce": nonce, "X-Signature": value}

    def change(self, number):
        self.document["name"] = f"Moss {number} {time.monotonic_ns()}"
        self.call("PUT", self.target, {"configuration": self.document}, self.bearer | {"If-Match": "*"})

    def run(self, seconds):
        """The milliseconds that each request took, and what failed."""
        times, failures = [], []
        begin = time.monotonic()
        count = 0
        while time.monotonic() < begin + seconds:
            if count % 10 == 0 and self.connection:
                self.connection.close()
                self.connection = None
            wanted = begin + count / REQUESTS_PER_SECOND
            time.sleep(max(0, wanted - time.monotonic()))
            asked = time.monotonic()
            try:
                if count % 4 == 0:
                    self.call("GET", "/healthz")
                elif count % 4 == 1:
                    self.call("GET", self.target, headers=self.bearer)
                elif count % 4 == 2:
                    self.change(count)
                else:
                    self.call("GET", self.target, headers=self.bearer | self.signature(self.target))
                times.append((time.monotonic() - asked) * 1000)
            except (OSError, http.client.HTTPException, RuntimeError) as error:
                failures.append(repr(error))
                self.connection = None
            count += 1
        return times, failures


def p99(times):
    return statistics.quantiles(times, n=100)[98] if len(times) > 1 else float("inf")


class HeldBodies(threading.Thread):
    """Keeps connections open in the middle of a body, and opens another one for each that the server ends."""

    def __init__(self, port, token, seconds):
        super().__init__()
        self.end = time.monotonic() + seconds
        self.head = (f"POST /v2/configurations/batch HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n"
                     f"Content-Type: application/json\r\nContent-Length: {HELD_BYTES}\r\n\r\n").encode()
        self.address = ("127.0.0.1", port)
        self.start()

    def run(self):
        held = [self.begin() for _ in range(HELD_COUNT)]
        while time.monotonic() < self.end:
            for index, connection in enumerate(held):
                if select.select([connection], [], [], 0)[0]:
                    connection.close()
                    held[index] = self.begin()
            time.sleep(0.05)
        for connection in held:
            connection.close()

    def begin(self):
        connection = socket.create_connection(self.address)
        try:
            connection.sendall(self.head + b" " * (HELD_BYTES - 1))
        except OSError:
            pass
        return connection

    def wait(self, seconds):
        self.join(seconds)
        if self.is_alive():
            raise subprocess.TimeoutExpired("held bodies", seconds)

    def kill(self):
        self.end = 0


class Greedy:
    """Threads that do the same thing over and over."""

    def __init__(self, count, seconds, act):
        self.end = time.monotonic() + seconds
        self.done = 0
        self.threads = [threading.Thread(target=self.run, args=(act,)) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def run(self, act):
        connection = None
        while time.monotonic() < self.end:
            next = time.monotonic() + GREEDY_PAUSE_S
            try:
                connection = act(connection)
                self.done += 1
            except (OSError, http.client.HTTPException):
                connection = None
            time.sleep(max(0, next - time.monotonic()))

    def wait(self, seconds):
        for thread in self.threads:
            thread.join(seconds)

    def kill(self):
        self.end = 0


def ask(connection, port, target, body, headers):
    connection = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", target, body, {"Content-Type": "application/json"} | headers)
    connection.getresponse().read()
    return connection


def large_work(port, token, seconds):
    members = ",".join(f'"k{number}":{{}}' for number in range(400_000))
    body = ('{"operations":[{"operation":"create","configuration":{' + members).encode()[:HELD_BYTES - 8]
    body = body[:body.rindex(b",")] + b"}}]}"
    headers = {"Authorization": "Bearer " + token}
    return Greedy(WORK_CONNECTIONS, seconds, lambda one: ask(one, port, "/v2/configurations/batch", body, headers))


def logins(port, seconds):
    def act(connection):
        body = json.dumps({"email": f"{uuid.uuid4()}@example.org", "password": "a wrong guess"})
        if random.random() < 0.5:
            return ask(connection, port, "/v2/auth/login", body, {})
        with socket.create_connection(("127.0.0.1", port)) as gone:
            gone.sendall(f"POST /v2/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                         f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
        return connection

    return Greedy(LOGIN_CONNECTIONS, seconds, act)


class LoggingIn(threading.Thread):
    """The good person's other phone, which logs in every second."""

    def __init__(self, client, seconds):
        super().__init__()
        self.client = GoodClient.__new__(GoodClient)
        self.client.__dict__ = {"port": client.port, "connection": None, "credentials": client.credentials}
        self.end = time.monotonic() + seconds
        self.times, self.failures = [], []
        self.start()

    def slowest_ms(self):
        return max(self.times, default=0)

    def run(self):
        while time.monotonic() < self.end:
            begun = time.monotonic()
            try:
                self.client.log_in()
                self.times.append((time.monotonic() - begun) * 1000)
            except (OSError, http.client.HTTPException, RuntimeError) as error:
                self.failures.append(repr(error))
                self.client.connection = None
            time.sleep(max(0, begun + 1 - time.monotonic()))
        if self.client.connection:
            self.client.connection.close()


def begin(name, server, client, options, folder):
    if name == LARGE_WORK:
        return large_work(server.port, client.stranger, options.seconds)
    if name == LOGINS:
        return logins(server.port, options.seconds)
    if name == HELD_BODIES:
        return HeldBodies(server.port, client.stranger, options.seconds)
    return attack(MODES[name], f"http://127.0.0.1:{server.port}", options, folder)


def attack(arguments, origin, options, folder):
    command = ["slowhttptest", "-c", str(options.connections), "-r", str(max(50, options.connections // 5)), "-l",
               str(options.seconds), "-p", "3", *[word.format(origin=origin) for word in arguments]]
    with open(folder + "/slowhttptest.log", "w") as log:
        return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)


def allowed_figures(name, before):
    """The memory and the descriptors that are left when an attack is over."""
    more = MEMORY_MORE_KIB if name in (HELD_BODIES, LARGE_WORK, LOGINS) else 0
    return FIGURES_FACTOR * before[0] + more, FIGURES_FACTOR * before[1]


def back(server, allowed, seconds=45):
    """Waits until memory and descriptors are as low as they may be, and returns what they are then."""
    deadline = time.monotonic() + seconds
    while True:
        now = server.figures()
        if all(new <= most for new, most in zip(now, allowed)) or time.monotonic() > deadline:
            return now
        time.sleep(0.2)


def judge(name, server, client, before, options, folder):
    server.forget_peak()
    alone = LoggingIn(client, options.baseline)
    baseline, failures = client.run(options.baseline)
    alone.join()
    failures += alone.failures
    process = begin(name, server, client, options, folder)
    held = [0]
    watching = threading.Event()

    def watch():
        while not watching.wait(0.25):
            held[0] = max(held[0], server.figures()[1] - before[1])

    watcher = threading.Thread(target=watch)
    watcher.start()
    other = LoggingIn(client, options.seconds - 1)
    times, more = client.run(options.seconds)
    other.join()
    more += other.failures
    try:
        process.wait(options.seconds + 60)
    except subprocess.TimeoutExpired:
        process.kill()
        more.append("the attack did not end")
    watching.set()
    watcher.join()
    most = allowed_figures(name, before)
    after = back(server, most)
    allowed = p99(baseline) + P99_MORE_MS
    reasons = [f"a good request failed: {failure}" for failure in (failures + more)[:3]]
    if p99(times) > allowed:
        reasons.append(f"the good client's p99 is beyond {allowed:.1f} ms")
    login_max_ms = max(LOGIN_MAX_MS, LOGIN_FACTOR * alone.slowest_ms())
    if other.slowest_ms() > login_max_ms:
        reasons.append(f"a login took more than {login_max_ms:.0f} ms")
    if name in (LARGE_WORK, LOGINS):
        print(f"{name}: the attack had {process.done} answers")
    elif held[0] < (HELD_COUNT // 2 if name == HELD_BODIES else options.connections // 20):
        reasons.append(f"the attack held {held[0]} connections only")
    if after[0] > most[0]:
        reasons.append("the memory did not come back")
    if after[1] > most[1]:
        reasons.append("the descriptors did not come back")
    print(f"{name}: p99 {p99(baseline):.1f} ms alone, {p99(times):.1f} ms under attack ({len(times)} requests, "
          f"{len(failures + more)} failed); logins at most {alone.slowest_ms():.0f} ms alone, {other.slowest_ms():.0f} ms; {held[0]} connections held; RSS {before[0]} KiB before, {server.peak_kib()} at most, "
          f"{after[0]} after; descriptors {before[1]} before, {after[1]} after; load {os.getloadavg()[0]:.1f}")
    for reason in reasons:
        print(f"{name}: {reason}")
    return not reasons


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("modes", nargs="*", metavar="MODE", help=", ".join([*MODES, HELD_BODIES, LARGE_WORK, LOGINS]))
    parser.add_argument("--seconds", type=int, default=60, help="of each mode")
    parser.add_argument("--baseline", type=int, default=10, help="seconds of the good client alone")
    parser.add_argument("--connections", type=int, default=1000)
    options = parser.parse_args()
    known = [*MODES, HELD_BODIES, LARGE_WORK, LOGINS]
    unknown = set(options.modes) - set(known)
    if unknown:
        sys.exit(f"no such mode: {', '.join(unknown)}; there are {', '.join(known)}")
    # slowhttptest takes a descriptor for each connection.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory(prefix="neuroviews-attacks-") as folder:
        # PostgreSQL's account must be able to enter the folder.
        os.chmod(folder, 0o755)
        # Every slow connection gets in: with the default for one address, 1000, one or two would not.
        server = Server(folder, ["--connections-per-address-max", str(options.connections + 100)])
        try:
            client = GoodClient(server.port)
            # Once through, so that the memory that is compared has been used: allocators keep some. On every loop, as the first
            # request there opens its connections to the database.
            for _ in range(12):
                client.connection = None
                client.run(0.2)
            warm = attack(MODES["headers"], f"http://127.0.0.1:{server.port}", argparse.Namespace(
                connections=options.connections, seconds=3), folder)
            warm.wait(60)
            time.sleep(1)
            deadline = time.monotonic() + 30
            while server.figures()[1] > 100 and time.monotonic() < deadline:
                time.sleep(0.2)
            client.run(0.2)
            before = server.figures()
            names = [name for name in known if not options.modes or name in options.modes]
            passed = [judge(name, server, client, before, options, folder) for name in names]
        finally:
            server.stop()
    print(f"attacks: {sum(passed)} passed, {len(passed) - sum(passed)} failed")
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    main()
