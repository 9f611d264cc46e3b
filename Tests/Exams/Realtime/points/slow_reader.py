"""Sockets that read nothing, and one that sends too much: the others hardly notice, and the server keeps no copies for them."""
import json
import socket
import time

from crowd import Crowd
from exam import quantile
from frames import TEXT, Refused, frame
from people import id_of
from points.clients import status_of

READERS, SECONDS = 1000, 10
MEMORY_MORE_BYTES = 128 << 10
FACTOR_MAX, SLACK_MS = 1.2, 2.0
# The states of all fit into an account.
DEAF, STATUS_BYTES, A_SECOND = [f"deaf-{number}" for number in range(15)], 4000, 15
OPENING_MAX_S, FULL_MAX_S = 10, 30


def kernel_max_bytes():
    """What the kernel may keep for a socket that is not read."""
    with open("/proc/sys/net/ipv4/tcp_wmem", encoding="utf-8") as file:
        return int(file.read().split()[2])


def opened(host, person, device):
    """An account may open five a second: asks until the server has room for another."""
    deadline = time.monotonic() + OPENING_MAX_S
    while True:
        try:
            return host.line(person, device)
        except Refused:
            if time.monotonic() > deadline:
                raise


class Audience:
    """Accounts with a sender and listeners each; every sender sends its time, and each listener notes how late it is."""

    def __init__(self, host, people):
        self.crowd, self.times = Crowd(self.take), []
        wishes = [{"address": host.place_of_clients, "token": person.token(device), "tag": device, "source": f"127.1.2.{number % 200 + 1}"}
                  for number, person in enumerate(people) for device in ("sender", "listener")]
        members = self.crowd.open(wishes)
        if not all(member.is_open for member in members):
            raise RuntimeError("sockets were refused")
        self.senders = members[::2]

    def take(self, member, opcode, payload):
        if opcode == TEXT and member.tag == "listener" and b'"streaming_metrics"' in payload:
            self.times.append((time.monotonic() - json.loads(payload)["data"]["metrics"]["at"]) * 1000)

    def p99(self, seconds, meanwhile=lambda: None):
        """Each sender sends once a second."""
        self.times, begin = [], time.monotonic()
        dues = [(begin + number / len(self.senders), self.senders[number % len(self.senders)]) for number in range(int(len(self.senders) * seconds))]
        for number, (due, sender) in enumerate(dues):
            while (left := due - time.monotonic()) > 0:
                self.crowd.step(left)
                meanwhile()
            data = {"session_id": id_of(f"stream-{sender.number}"), "metrics": {"at": time.monotonic(), "number": number}}
            sender.send(frame(json.dumps({"type": "streaming_metrics", "data": data}).encode()))
        self.crowd.run(2, lambda: len(self.times) == len(dues))
        return quantile(self.times, .99), len(self.times) / len(dues)


class Deaf:
    """Devices of an account that read nothing. Each sends states, and the server has them for the others."""

    def __init__(self, host, person):
        self.lines, self.sent = [], 0
        for device in DEAF:
            line = opened(host, person, device)
            line.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            self.lines.append(line)
        self.began_at = time.monotonic()

    def talk(self):
        """Less than what each may send."""
        while self.sent < (time.monotonic() - self.began_at) * A_SECOND * len(DEAF):
            place = self.sent % len(DEAF)
            self.lines[place].send(status_of(DEAF[place], pad=f"{self.sent} " + "x" * STATUS_BYTES))
            self.sent += 1

    def is_stuck(self):
        """Talks. Returns whether the kernel takes no more for any of them."""
        self.talk()
        return self.unsent_bytes() > 0

    def unsent_bytes(self):
        """What the server could not write to them, at least: the memory of one that keeps each message."""
        return self.sent * (len(DEAF) - 1) * STATUS_BYTES - len(DEAF) * kernel_max_bytes()

    def end(self):
        for line in self.lines:
            line.close()


class Loud:
    """Sends 1,000 messages a second, until it is closed."""

    def __init__(self, host, person):
        self.crowd = Crowd()
        [self.member] = self.crowd.open([{"address": host.place_of_clients, "token": person.token("talker")}])
        self.frame, self.sent, self.began_at = frame(status_of("talker")), 0, time.monotonic()

    def talk(self):
        while self.member.is_open and self.sent < (time.monotonic() - self.began_at) * 1000:
            self.member.send(self.frame)
            self.sent += 1
        self.crowd.step(0)

    def end(self):
        self.crowd.close()


def play(exam):
    host = exam.host("server")
    audience = Audience(host, host.people("audience", exam.size(READERS, 200) // 2, ("sender", "listener")))
    [person, other] = host.people("hostile", 2, (*DEAF, "talker"))
    seconds = exam.size(SECONDS, 5)
    audience.p99(3)
    rows = {"nothing": [], "devices that read nothing": [], "a sender of 1,000 messages a second": []}
    grown, unsent = 0, float("inf")
    for _ in range(exam.size(3, 2)):
        rows["nothing"].append(audience.p99(seconds))
        before = host.resident_bytes()
        deaf = Deaf(host, person)
        audience.crowd.run(FULL_MAX_S, deaf.is_stuck)
        rows["devices that read nothing"].append(audience.p99(seconds, deaf.talk))
        grown, unsent = max(grown, host.resident_bytes() - before), min(unsent, deaf.unsent_bytes())
        deaf.end()
        loud = Loud(host, other)
        rows["a sender of 1,000 messages a second"].append(audience.p99(seconds, loud.talk))
        loud.end()
        audience.crowd.run(1.2)
    control, _ = exam.medians(rows.pop("nothing"))
    for name, rounds in rows.items():
        p99, served = exam.medians(rounds)
        exam.expect(served > 0.999 and p99 <= max(FACTOR_MAX * control, control + SLACK_MS),
                    f"beside {name}: p99 {p99:.2f} ms, alone {control:.2f} ms; {100 * served:.1f} % arrived")
    # The rest is the grain of the allocator.
    most = len(DEAF) * MEMORY_MORE_BYTES + (1 << 20)
    exam.expect(grown <= most < unsent / 2,
                f"{len(DEAF)} devices that read nothing take {grown / 1024:.0f} KiB (at most {most / 1024:.0f}); each message kept would take {unsent / 1024:.0f}")
    is_closed = limits(exam, host, other)
    exam.expect(is_closed == 1008, f"a sender that goes on for 12 s is closed with {is_closed}")
    audience.crowd.close()


def limits(exam, host, person):
    """The close code of a sender that never pauses."""
    loud = Loud(host, person)
    deadline = time.monotonic() + 15
    while loud.member.is_open and time.monotonic() < deadline:
        loud.talk()
        time.sleep(0.005)
    code = loud.member.code
    loud.end()
    return code
