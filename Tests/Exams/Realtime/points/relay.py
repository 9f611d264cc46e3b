"""Processor time of a relayed message: pairs of sockets answer each other in turn, here and at peers in the same rounds."""
import json
import os
import select
import subprocess
import sys
import time

from crowd import Crowd
from exam import quantile
from frames import frame
from host import cpu_us
from people import id_of
from ports import reserved_port

PAIRS, BYTES, SECONDS, ROUNDS = 500, 200, 8, 3
# A socket may send 20 messages a second.
TURN_S = 1 / 16
RATIO_MIN = {"websockets": 2.5, "socketify": 0.3}
# With a fifth of the pairs each look at the sockets finds fewer messages, and one round has noise.
SAMPLE_RATIO_MIN = {"websockets": 1.5}
STARTS_MAX_S = 20
SOCKETIFY = ".build/realtime/socketify"
PEERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../peers.py")


class Peer:
    """A process of another's library that relays."""

    def __init__(self, name, python):
        self.name, self.address = name, ("127.0.0.1", reserved_port())
        self.process = subprocess.Popen([python, PEERS, name, str(self.address[1])], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def begins(self):
        """Whether it listens. It ends without a line when it can't start."""
        is_readable, _, _ = select.select([self.process.stdout], [], [], STARTS_MAX_S)
        return bool(is_readable) and self.process.stdout.readline().strip() == "listening"

    def cpu_us(self):
        return cpu_us(self.process.pid)

    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="utf-8") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def end(self):
        self.process.kill()
        self.process.wait(30)


def has_started(exam, peer):
    is_there = peer.begins()
    if not is_there:
        exam.say(f"{peer.name} does not start here: not compared")
    return is_there


def message(number):
    """200 bytes of a type that goes to all others."""
    content = {"type": "streaming_metrics", "data": {"session_id": id_of(f"stream-{number}"), "metrics": {"bitrate": 6_000_000, "pad": ""}}}
    content["data"]["metrics"]["pad"] = "x" * (BYTES - len(json.dumps(content)))
    return json.dumps(content).encode()


class Turns:
    """Pairs in a crowd. The first of a pair sends; the other answers at once; the first sends again when its turn has come."""

    def __init__(self):
        self.crowd, self.received, self.times, self.pairs = Crowd(self.take), 0, [], []
        self.due, self.is_over = {}, False

    def open(self, wishes):
        members = self.crowd.open(wishes)
        if not all(member.is_open for member in members):
            raise RuntimeError(f"{sum(not member.is_open for member in members)} sockets were refused")
        for number, (first, second) in enumerate(zip(members[::2], members[1::2])):
            first.tag, second.tag = [number, second, 0.0, frame(message(2 * number))], [number, None, 0.0, frame(message(2 * number + 1))]
            self.pairs.append(first)

    def take(self, member, _, payload):
        if b"streaming_metrics" not in payload or self.is_over:
            return
        self.received += 1
        now = time.monotonic()
        if member.tag[1] is None:
            member.send(member.tag[3])
        elif member.tag[2]:
            self.times.append(now - member.tag[2])
            self.due[member] = max(now, member.tag[2] + TURN_S)
            member.tag[2] = 0.0

    def run(self, seconds):
        deadline = time.monotonic() + seconds
        self.due = {member: time.monotonic() + TURN_S * number / len(self.pairs) for number, member in enumerate(self.pairs)}
        while time.monotonic() < deadline:
            now = time.monotonic()
            for member in [member for member, due in self.due.items() if due <= now]:
                del self.due[member]
                member.tag[2] = now
                member.send(member.tag[3])
            self.crowd.step(0.002)

    def figures(self, cpu, seconds):
        """Microseconds of the processor a message, messages a second, p99 of a turn in milliseconds."""
        self.run(1)
        self.received, self.times = 0, []
        begin, used = time.monotonic(), cpu()
        self.run(seconds)
        used, took = cpu() - used, time.monotonic() - begin
        return used / max(1, self.received), self.received / took, quantile(self.times, .99) * 1000

    def end(self):
        self.is_over = True
        self.crowd.close()


def own_round(host, people, seconds):
    turns = Turns()
    try:
        turns.open([{"address": host.place_of_clients, "token": person.token(device), "protocol": None} for person in people for device in ("phone", "tablet")])
        return turns.figures(host.cpu_us, seconds)
    finally:
        turns.end()


def peer_round(exam, name, python, pairs, seconds):
    """None when it does not start. A fresh process each time: one of them ends with many sockets."""
    peer, turns = Peer(name, python), Turns()
    try:
        if not has_started(exam, peer):
            return None
        turns.open([{"address": peer.address, "token": None, "protocol": None, "target": f"/{number // 2}/{number % 2}"} for number in range(2 * pairs)])
        return turns.figures(peer.cpu_us, seconds)
    except (OSError, RuntimeError) as error:
        exam.say(f"{name} failed: {error}")
        return None
    finally:
        turns.end()
        peer.end()


def is_fetched(exam):
    """Whether PyPI has the peer for this machine."""
    done = subprocess.run(["Tests/Support/python-environment", SOCKETIFY, "Tests/Exams/Realtime/socketify.txt"], check=False, capture_output=True)
    if done.returncode:
        exam.say("socketify could not be fetched from PyPI: not compared")
    return done.returncode == 0


def play(exam):
    pairs, seconds = exam.size(PAIRS, 100), exam.size(SECONDS, 4)
    host = exam.host("server")
    people = host.people("pair", pairs, ("phone", "tablet"))
    pythons = {"websockets": sys.executable}
    if not exam.is_sample and is_fetched(exam):
        pythons["socketify"] = SOCKETIFY + "/bin/python"
    own, others = [], {name: [] for name in pythons}
    for _ in range(exam.size(ROUNDS, 1)):
        own.append(own_round(host, people, seconds))
        for name, python in pythons.items():
            found = peer_round(exam, name, python, pairs, seconds)
            if found:
                others[name].append(found)
    each, rate, late = exam.medians(own)
    # Microseconds depend on the machine: the peers of the same run judge them.
    exam.say(f"{each:.1f} us a message, {rate:.0f} messages a second, p99 of a turn {late:.1f} ms, {pairs} pairs")
    for name, rounds in others.items():
        if rounds:
            theirs, rate, late = exam.medians(rounds)
            limit = (SAMPLE_RATIO_MIN if exam.is_sample else RATIO_MIN)[name]
            exam.expect(theirs / each >= limit, f"{theirs / each:.2f} times the messages a CPU second of {name} (at least {limit}): {theirs:.1f} us, {rate:.0f} a second, "
                        f"p99 {late:.1f} ms")
