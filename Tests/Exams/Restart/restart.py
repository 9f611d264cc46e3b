"""Restarts the server on a passed socket as systemd does, and stops it on a socket of its own, both under load."""
import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from load import Load

# Where a passed socket begins (sd_listen_fds(3)).
PASSED = 3
CLIENTS, THINKERS = 48, 16


class Server:
    """The server on a data folder, started again and again."""

    def __init__(self, binary, folder):
        self.binary, self.folder, self.process, self.starts = binary, folder, None, 0

    def start(self, passed):
        self.starts += 1
        self.log = f"{self.folder}/log-{self.starts}"
        settings = dict(os.environ, NEUROVIEWS_REGISTRATION="open", NEUROVIEWS_SIGNATURES="optional",
                        NEUROVIEWS_WRITES_PER_HOUR_MAX="0")
        # The number of the process is known only when it is there.
        prefix = ["/bin/sh", "-c", 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" "$@"'] if passed else []
        arguments = ["serve", "--listen", "127.0.0.1:0", "--admin-listen", "off", "--data", self.folder + "/data"]
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(prefix + [self.binary] + arguments, stderr=log, env=settings,
                                            pass_fds=[PASSED] if passed else [])

    def port(self):
        """Returns when it listens."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            match = re.search(r"listening on 127\.0\.0\.1:(\d+)", open(self.log).read())
            if match:
                return int(match.group(1))
            time.sleep(0.005)
        sys.exit("the server did not start:\n" + open(self.log).read())

    def stop(self):
        """Returns the milliseconds it took."""
        begin = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(60)
        if status != 0:
            sys.exit(f"the server ended with status {status}:\n" + open(self.log).read())
        return int((time.monotonic() - begin) * 1000)


def call(port, path, body=None, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = "Bearer " + token
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v2{path}", data, headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def prepare(port):
    """Makes an account with some items, and returns the requests of the load: one in four goes to the database."""
    account = {"email": "load@example.org", "password": "three quiet lenses"}
    call(port, "/auth/register", account)
    token = call(port, "/auth/login", account)["token"]
    time_text = "2026-11-20T18:00:00Z"
    for number in range(3):
        call(port, "/configurations", token=token, body={"configuration": {
            "id": f"11111111-0000-4000-8000-00000000000{number}", "name": "Moss", "preset": "macro",
            "video_format": "AV1", "resolution": "8K UHD", "frame_rate": 60, "created_at": time_text,
            "modified_at": time_text}})
    health = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    pull = f"GET /v2/configurations HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    return [health, health, health, pull]


def restarts(server, requests, count, total):
    """Restarts on the passed socket `count` times while `total` requests are made."""
    port = socket.socket(fileno=os.dup(PASSED)).getsockname()[1]
    server.start(passed=True)
    server.port()
    load = Load(("127.0.0.1", port), requests, CLIENTS, THINKERS)
    stops = []
    for number in range(count):
        load.until(total * (number + 1) // (count + 1), server.process)
        stops.append(server.stop())
        server.start(passed=True)
        server.port()
    load.until(total, server.process)
    load.stop()
    server.stop()
    return report(f"{count} restarts on a passed socket", [load], stops)


def stops(server, requests, count, total):
    """Stops a server on its own socket under load, `count` times."""
    loads, took = [], []
    for _ in range(count):
        server.start(passed=False)
        load = Load(("127.0.0.1", server.port()), requests, CLIENTS, THINKERS)
        load.until(total // count, server.process)
        load.may_refuse = True
        took.append(server.stop())
        load.thread.join(90)
        loads.append(load)
    return report(f"{count} stops", loads, took)


def report(title, loads, took):
    sent, answered = sum(load.sent for load in loads), sum(load.answered for load in loads)
    failures, counts = sum((load.failures for load in loads), type(loads[0].failures)()), \
        sum((load.counts for load in loads), type(loads[0].counts)())
    is_good = sent == answered and not failures and not any(load.thread.is_alive() for load in loads)
    print(f"{title}: {sent} requests, {answered} answered, {sum(failures.values())} failed; SIGTERM to end "
          f"{min(took)}-{max(took)} ms; connections {dict(counts)}")
    for what, number in failures.items():
        print(f"  {what}: {number}")
    return is_good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--restarts", type=int, default=6)
    parser.add_argument("--stops", type=int, default=5)
    arguments = parser.parse_args()
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    os.dup2(listener.fileno(), PASSED)
    folder = tempfile.mkdtemp(prefix="nv-")
    # Root's PostgreSQL is another user.
    os.chmod(folder, 0o711)
    server = Server(os.path.abspath(arguments.binary), folder)
    try:
        server.start(passed=False)
        requests = prepare(server.port())
        server.stop()
        is_good = restarts(server, requests, arguments.restarts, arguments.requests)
        is_good &= stops(server, requests, arguments.stops, arguments.requests // 5)
    finally:
        if server.process and server.process.poll() is None:
            server.process.terminate()
            server.process.wait(60)
        shutil.rmtree(folder, ignore_errors=True)
    # Clients that still wait for an answer are counted, and not waited for.
    sys.stdout.flush()
    os._exit(0 if is_good else 1)


main()
