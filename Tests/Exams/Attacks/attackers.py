"""Attacks. Each begins with `start`, is in effect after `take_effect`, and ends with `end`, which returns how it fared. wrk and the holders of
connections are processes of their own, and cheap: two cores have the servers and their PostgreSQL, too."""
import errno
import multiprocessing
import os
import re
import resource
import select
import socket
import subprocess
import time
from typing import NamedTuple

import processes

FOLDER = "Tests/Exams/Attacks"
WARM_S = 1
# IP_BIND_ADDRESS_NO_PORT, which Python does not name: `connect` chooses the port, so one in TIME_WAIT is no obstacle.
BIND_ADDRESS_NO_PORT = 24
# How long an attack may take until it is in effect.
EFFECT_MAX_S = 30


class Fared(NamedTuple):
    """What the attacker got: a second, the share that was refused, and whether it was an attack at all."""

    per_second: float
    refused: float
    took_effect: bool
    unit: str


class Flood:
    """wrk on so many connections, each with one request at a time."""

    def __init__(self, server, connections, headers, target, script="answers.lua", arguments=()):
        fields = [word for name, value in headers.items() for word in ("-H", f"{name}: {value}")]
        self.words = [f"-c{connections}", "-t1", "--timeout", "60s", *fields, "-s", f"{FOLDER}/{script}", server.url + target,
                      *(["--", *arguments] if arguments else [])]

    def start(self, seconds):
        self.seconds = seconds + 2 * WARM_S
        self.process = subprocess.Popen(["wrk", f"-d{self.seconds}s", *self.words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def take_effect(self):
        time.sleep(WARM_S)

    def end(self):
        try:
            output = self.process.communicate(timeout=self.seconds + 60)[0]
        except subprocess.TimeoutExpired:
            self.process.kill()
            output = self.process.communicate()[0]
        found = re.search(r"attack: (\d+) answers, (\d+) refused, (\d+) broken, ([\d.]+) s", output)
        if not found:
            raise RuntimeError("wrk failed:\n" + output)
        answers, refused, broken, seconds = (float(word) for word in found.groups())
        served = answers - refused
        return Fared(served / seconds, (refused + broken) / max(1, answers + broken), served > 0, "answers/s")


class Holder(multiprocessing.Process):
    """Holds so many connections, from each of `sources` as many: each asks once and then is idle, or reads its answer in drops. One that is
    refused or closed is opened again."""

    TURN_S = 0.05
    OPENED_A_TURN = 250
    DROP_BYTES = 512
    DROPS_EACH_S = 0.25
    # After a refusal and after a close.
    AGAIN_S = 1

    def __init__(self, server, count, sources, target="/healthz", reads_slowly=False, settle_s=0.0):
        super().__init__(daemon=True)
        host, port = server.address.rsplit(":", 1)
        self.address = (host.strip("[]"), int(port))
        self.family = socket.AF_INET6 if ":" in self.address[0] else socket.AF_INET
        self.request = f"GET {target} HTTP/1.1\r\nHost: {server.address}\r\n\r\n".encode()
        self.count, self.sources, self.reads_slowly, self.settle_s = count, sources, reads_slowly, settle_s
        self.pipe, self.inner = multiprocessing.Pipe()

    def start(self, seconds):
        self.seconds = seconds + EFFECT_MAX_S
        super().start()

    def take_effect(self):
        self.pipe.poll(EFFECT_MAX_S)
        time.sleep(self.settle_s)

    def end(self):
        self.pipe.send(None)
        while True:
            if not self.pipe.poll(EFFECT_MAX_S):
                self.kill()
                raise RuntimeError("the holder of connections hangs")
            answer = self.pipe.recv()
            if answer:
                break
        self.join()
        held, opened, refused = answer
        # Slow readers keep what is theirs, and lose the rest.
        least = 0 if self.reads_slowly else self.count / 2
        return Fared(held, refused / max(1, opened), held > least, "held")

    def run(self):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.poll, self.connections, self.asking = select.epoll(), {}, set()
        # Numbers of connections that are to be opened, and when.
        self.waiting = [(0.0, number) for number in range(self.count)]
        self.opened = self.refused = self.most = 0
        over, dropped, is_ready = time.monotonic() + self.seconds, 0.0, False
        while time.monotonic() < over and not self.inner.poll():
            self.open_some()
            for descriptor, event in self.poll.poll(self.TURN_S):
                self.hear(descriptor, event)
            if self.reads_slowly and time.monotonic() > dropped + self.DROPS_EACH_S:
                dropped = time.monotonic()
                self.read_drops()
            self.most = max(self.most, len(self.connections) - len(self.asking))
            if not is_ready and self.opened >= self.count and not self.asking:
                is_ready = True
                self.inner.send(None)
        self.inner.send((self.most, self.opened, self.refused))
        for connection, _ in self.connections.values():
            connection.close()

    def open_some(self):
        now, later, opened = time.monotonic(), [], 0
        for when, number in self.waiting:
            if when > now or opened >= self.OPENED_A_TURN:
                later.append((when, number))
            else:
                opened += 1
                self.open(number)
        self.waiting = later + self.waiting[len(later) + opened:]

    def open(self, number):
        connection = socket.socket(self.family, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        connection.setsockopt(socket.IPPROTO_IP, BIND_ADDRESS_NO_PORT, 1)
        if self.reads_slowly:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.bind((self.sources[number % len(self.sources)], 0))
        self.opened += 1
        if connection.connect_ex(self.address) not in (0, errno.EINPROGRESS):
            connection.close()
            self.give_up(number)
            return
        self.connections[connection.fileno()] = (connection, number)
        self.asking.add(connection.fileno())
        self.poll.register(connection, select.EPOLLOUT)

    def give_up(self, number):
        self.refused += 1
        self.waiting.append((time.monotonic() + self.AGAIN_S, number))

    def close(self, descriptor):
        connection, number = self.connections.pop(descriptor)
        self.asking.discard(descriptor)
        connection.close()
        self.give_up(number)

    def hear(self, descriptor, event):
        connection, _ = self.connections[descriptor]
        try:
            if event & select.EPOLLOUT:
                connection.send(self.request)
                self.poll.modify(descriptor, select.EPOLLIN)
                return
            data = connection.recv(self.DROP_BYTES if self.reads_slowly else 4096)
        except OSError:
            data = b""
        if not data or (descriptor in self.asking and not data.startswith(b"HTTP/1.1 200")):
            self.close(descriptor)
            return
        self.asking.discard(descriptor)
        if self.reads_slowly:
            # From now on by `read_drops` alone; the kernel still reports an end.
            self.poll.modify(descriptor, 0)

    def read_drops(self):
        for descriptor, (connection, _) in list(self.connections.items()):
            if descriptor in self.asking:
                continue
            try:
                is_over = not connection.recv(self.DROP_BYTES)
            except BlockingIOError:
                is_over = False
            except OSError:
                is_over = True
            if is_over:
                self.close(descriptor)


class Films:
    """Files of an account whose measuring and thumbnails take all the processor time that a program may use."""

    def __init__(self, server, account, files):
        self.server, self.account, self.files = server, account, files

    def start(self, _):
        for content, content_type in self.files:
            self.account.record(content, content_type)

    def take_effect(self):
        """Until ffprobe or ffmpeg runs for the server."""
        deadline = time.monotonic() + EFFECT_MAX_S
        while not (took := self.is_decoding()) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.took_effect = took

    def end(self):
        return Fared(len(self.files), 0.0, self.took_effect, "films")

    def is_decoding(self):
        for name in os.listdir("/proc"):
            if name.isdigit() and program(name) in ("ffprobe", "ffmpeg") and self.server.process.pid in ancestors(name):
                return True
        return False


def program(process):
    try:
        with open(f"/proc/{process}/comm", encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def ancestors(process):
    found = []
    while (fields := processes.fields_of(process)) and fields[1] != "0":
        process = fields[1]
        found.append(int(process))
    return found
