"""One large upload by each protocol, cut at random points: the connection is reset or closed, the server or PostgreSQL is killed."""
import base64
import hashlib
import http.client
import os
import random
import re
import signal
import socket
import struct
import time
import urllib.error

from scene import Account, Server, end, folder, options

MIB = 1 << 20
TIMEOUT_S = 60
# What the uploads of a phone may cost.
RESENT_MAX = 0.05
RSS_GROWTH_MAX_KIB = 32 << 10
DRAFTS = {"draft-3": "3", "draft-6": "6", "draft-8": "8"}
CUTS = ["reset", "close", "kill server", "kill PostgreSQL"]


class File:
    """Random bytes that are made as they are needed: one block, in which each MiB begins with its number."""

    def __init__(self, size):
        self.size = size
        self.block = os.urandom(MIB)

    def piece(self, offset, count):
        """At most to the end of a MiB."""
        number, start = divmod(offset, MIB)
        bytes_ = struct.pack(">Q", number) + self.block[8:]
        return bytes_[start:start + min(count, MIB - start)]

    def sha256(self):
        digest = hashlib.sha256()
        for offset in range(0, self.size, MIB):
            digest.update(self.piece(offset, self.size - offset))
        return base64.b64encode(digest.digest()).decode()


class Upload:
    """A client of one protocol that goes on where the server says."""

    def __init__(self, protocol, path, file):
        self.protocol, self.path, self.file = protocol, path, file
        self.sent = 0
        self.own = {"Tus-Resumable": "1.0.0"} if protocol == "tus" else {"Upload-Draft-Interop-Version": DRAFTS[protocol]}

    def fields(self, offset):
        fields = dict(self.own, **{"Upload-Offset": offset, "Content-Length": self.file.size - offset})
        if self.protocol == "tus":
            return fields | {"Content-Type": "application/offset+octet-stream"}
        if self.protocol == "draft-3":
            return fields | {"Upload-Incomplete": "?0"}
        return fields | {"Upload-Complete": "?1", "Content-Type": "application/partial-upload"}

    def create(self, server):
        """Only tus needs that."""
        if self.protocol == "tus":
            connection = http.client.HTTPConnection(server.address, timeout=TIMEOUT_S)
            connection.request("POST", self.path, headers=self.own | {"Upload-Length": str(self.file.size)})
            assert connection.getresponse().status == 201

    def offset(self, server):
        """Asked for until the server and its database are there again."""
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            try:
                connection = http.client.HTTPConnection(server.address, timeout=TIMEOUT_S)
                connection.request("HEAD", self.path, headers=self.own)
                answer = connection.getresponse()
                if answer.status in (200, 204):
                    return int(answer.headers["Upload-Offset"])
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.1)
        raise TimeoutError("no offset")

    def send(self, server, offset, stop):
        """Sends the bytes up to `stop`; returns the connection, which may be broken by then."""
        host, port = server.address.rsplit(":", 1)
        connection = socket.create_connection((host, int(port)), TIMEOUT_S)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 256 << 10)
        head = "".join(f"{name}: {value}\r\n" for name, value in self.fields(offset).items())
        try:
            connection.sendall(f"PATCH {self.path} HTTP/1.1\r\nHost: {server.address}\r\n{head}\r\n".encode())
            while offset < stop:
                piece = self.file.piece(offset, stop - offset)
                connection.sendall(piece)
                offset += len(piece)
                self.sent += len(piece)
        except OSError:
            pass
        return connection


def is_stored(connection):
    """Whether the last answer is a success."""
    data = b""
    while not re.search(rb"HTTP/1\.1 [2-5]\d\d [^\n]*\r\n", data):
        more = connection.recv(65536)
        if not more:
            return False
        data += more
    return b"HTTP/1.1 2" in data


def cut(kind, connection, server, start):
    """Returns the server that runs then."""
    if kind == "reset":
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    elif kind == "kill server":
        server.process.kill()
        server.process.wait()
        server = start()
    elif kind == "kill PostgreSQL":
        with open(os.path.join(server.data, "postgres", "postmaster.pid")) as file:
            os.kill(int(file.readline()), signal.SIGKILL)
    connection.close()
    return server


def outcome(account, recording):
    """The recording once it was verified."""
    deadline = time.monotonic() + TIMEOUT_S * 5
    while time.monotonic() < deadline:
        try:
            account.complete(recording)
            found = account.call("GET", f"/recordings/{recording}")
            if found["processing_status"] in ("ready", "failed"):
                return found
        except (urllib.error.HTTPError, OSError):
            pass
        time.sleep(0.2)
    raise TimeoutError("not verified")


def measure(protocol, settings, place):
    """Returns what was broken."""
    start = lambda: Server(os.path.join(place, protocol), settings.binary)  # noqa: E731
    server = start()
    account = Account(server)
    file = File(settings.mib * MIB)
    recording, path = account.open_upload(file.size)
    upload = Upload(protocol, path, file)
    upload.create(server)
    points = sorted(random.sample(range(1, file.size), settings.cuts))
    before = peak = server.rss_kib()
    began = time.monotonic()
    for number, point in enumerate([*points, file.size]):
        offset = upload.offset(server)
        connection = upload.send(server, offset, max(offset, point))
        peak = max(peak, server.rss_kib())
        if point < file.size:
            server = cut(CUTS[number % len(CUTS)], connection, server, start)
            account.server = server
    stored = is_stored(connection)
    took = time.monotonic() - began
    found = outcome(account, recording)
    server.stop()
    resent = (upload.sent - file.size) / file.size
    equal = stored and found["sha256"] == file.sha256() and found["processing_status"] == "ready"
    print(f"{protocol}: equal={equal} cuts={len(points)} sent again {100 * resent:.2f} % memory +{(peak - before) / 1024:.1f} MiB "
          f"{took:.1f} s", flush=True)
    return [f"{protocol}: {what}" for what, is_broken in [
        ("the stored bytes differ", not equal), ("too much was sent again", resent > RESENT_MAX),
        ("the server's memory grew", peak - before > RSS_GROWTH_MAX_KIB)] if is_broken]


def main():
    settings = options(__doc__, mib=(256, "size of the file"), cuts=(8, "how often it is cut"), seed=(7, "of the points"))
    failures = []
    with folder() as place:
        for protocol in [*DRAFTS, "tus"]:
            random.seed(settings.seed)
            failures += measure(protocol, settings, place)
    end(failures)


if __name__ == "__main__":
    main()
