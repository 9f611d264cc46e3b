"""What the checks of a request cost: token, signature, limits of attempts. `run checks` sends each kind of request in turn over one
connection and prints the CPU microseconds a request, ours and PostgreSQL's (medians of the rounds)."""
import argparse
import json
import os
import socket
import statistics
import sys
import tempfile

from server import Server

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Interface"))
import signing  # noqa: E402

PASSWORD = "three quiet lenses"
LIMITS = ["login_failures_max", "login_failures_per_device_max", "login_failures_per_known_address_max",
          "login_failures_per_address_max", "registrations_per_address_max"]


class Connection:
    def __init__(self, server):
        self.server = server
        host, port = server.address.split(":")
        self.socket = socket.create_connection((host, int(port)))
        self.file = self.socket.makefile("rb")

    def message(self, method, path, headers, body=b""):
        lines = [f"{method} /v2{path} HTTP/1.1", f"Host: {self.server.address}", f"Content-Length: {len(body)}",
                 *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join(lines + ["", ""]).encode() + body

    def send(self, message, status):
        self.socket.sendall(message)
        line = self.file.readline()
        if line.split()[1] != status:
            sys.exit(f"{status} was expected, not {line!r} {self.file.peek()!r} for {message!r}")
        length = 0
        while (header := self.file.readline()) != b"\r\n":
            if header.lower().startswith(b"content-length:"):
                length = int(header.split(b":")[1])
        self.file.read(length)

    def cost(self, messages, status):
        """CPU microseconds of a request: ours, and PostgreSQL's."""
        own, database = self.server.cpu().total, self.server.database_cpu().total
        for message in messages:
            self.send(message, status)
        return ((self.server.cpu().total - own) / len(messages), (self.server.database_cpu().total - database) / len(messages))


class Account:
    def __init__(self, server, email):
        self.connection = Connection(server)
        self.credentials = {"email": email, "password": PASSWORD}
        server.call("POST", "/auth/register", self.credentials)
        # Many logins end an account's older sessions.
        self.others = {"email": "other-" + email, "password": PASSWORD}
        server.call("POST", "/auth/register", self.others)
        session, _ = server.call("POST", "/auth/login", self.credentials)
        self.token = session["token"]
        # A session that has signed by version 3 signs every request.
        self.signer, _ = server.call("POST", "/auth/login", self.credentials)
        pull, _ = server.call("GET", "/configurations", token=self.token)
        self.path = f"/configurations?sync_token={pull['sync_token']}"
        self.url = server.url

    def poll(self, token):
        return self.connection.message("GET", self.path, {"Authorization": f"Bearer {token}"} if token else {})

    def signed_poll(self):
        headers = signing.headers(self.signer["signing_key"], "GET", self.url + self.path, b"")
        return self.connection.message("GET", self.path, {"Authorization": f"Bearer {self.signer['token']}", **headers})

    def login(self):
        return self.connection.message("POST", "/auth/login", {"Content-Type": "application/json"}, json.dumps(self.others).encode())


def kinds(limited, unlimited, count, logins):
    other_token = limited.token[:-4] + ("AAAA" if limited.token[-4:] != "AAAA" else "BBBB")
    return {
        "without a token": lambda: limited.connection.cost([limited.poll(None)] * count, b"401"),
        "forged token": lambda: limited.connection.cost([limited.poll(other_token)] * count, b"401"),
        "poll": lambda: limited.connection.cost([limited.poll(limited.token)] * count, b"200"),
        "poll, signed": lambda: limited.connection.cost([limited.signed_poll() for _ in range(count)], b"200"),
        "poll, no limits": lambda: unlimited.connection.cost([unlimited.poll(unlimited.token)] * count, b"200"),
        "login": lambda: limited.connection.cost([limited.login()] * logins, b"200"),
        "login, no limits": lambda: unlimited.connection.cost([unlimited.login()] * logins, b"200"),
    }


def measure(limited, unlimited, options):
    rounds = {}
    for _ in range(options.rounds):
        for name, cost in kinds(limited, unlimited, options.requests, options.logins).items():
            rounds.setdefault(name, []).append(cost())
    return rounds


def difference(rounds, more, less):
    """Paired by round."""
    return [statistics.median(a[which] - b[which] for a, b in zip(rounds[more], rounds[less])) for which in (0, 1)]


def show(rounds):
    for name, costs in rounds.items():
        print(f"{name:18} ours {statistics.median(cost[0] for cost in costs):9.1f} us, "
              f"PostgreSQL {statistics.median(cost[1] for cost in costs):8.1f} us")
    added = {"the token's form and MAC": ("forged token", "without a token"), "a signature": ("poll, signed", "poll"),
             "limits, on a read": ("poll", "poll, no limits"), "limits, on a login": ("login", "login, no limits")}
    for name, (more, less) in added.items():
        own, database = difference(rounds, more, less)
        print(f"{name} adds {own:+.1f} us of ours and {database:+.1f} us of PostgreSQL's")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=20000)
    parser.add_argument("--logins", type=int, default=40)
    parser.add_argument("--binary")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="neuroviews-checks-") as folder:
        os.chmod(folder, 0o755)
        servers = [Server(folder + "/limited", options.binary), Server(folder + "/unlimited", options.binary, **dict.fromkeys(LIMITS, 0))]
        try:
            rounds = measure(*(Account(server, "ana@example.org") for server in servers), options)
        finally:
            for server in servers:
                server.stop()
    show(rounds)
    with open(".build/benchmark-checks.json", "w") as file:
        json.dump(rounds, file, indent=1)


if __name__ == "__main__":
    main()
