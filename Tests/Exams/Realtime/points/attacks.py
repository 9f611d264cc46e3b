"""Hostile clients beside good ones: each attack goes against a second server first, so that the good ones meet the same load on the machine."""
import itertools
import multiprocessing
import statistics
import time

from asking import Asker
from bystander import Bystander
from crowd import Crowd
from exam import quantile
from frames import CLOSE, PING, TEXT, connect, frame, request
from points.clients import status_of
from watchers import Newcomers, Pinger, all_of

SECONDS, CONNECTIONS = 10, 10_000
FACTOR_MAX, SLACK_MS = 1.2, 3.0
# A p99 that is too high is measured so often in all, and judged by the medians.
ROUNDS = 3
# New connections are accepted and read in their order, so newcomers wait behind those of an attack: at most the system's queue of 1,024.
NEWCOMERS_MAX_MS = 1000
NEW_ATTACKS = ("half-handshakes", "openings")
# Beside 1,000 openings a second, each of which reads the database.
OPENINGS_FACTOR_MAX = 2.5
# The room of the servers: sockets may be half of it.
ROOM = 12_000
NEW = [f"127.9.{number // 250}.{number % 250 + 1}" for number in range(500)]


def sources(net, count):
    return itertools.cycle([f"127.{net}.0.{number + 1}" for number in range(count)])


def half_handshakes(address, _, count, go, is_over):
    """The head of an upgrade without its end, from 40 addresses; connections that the server closes are opened again."""
    places, held = sources(5, 40), []
    go()
    while not is_over():
        for _ in range(50):
            if len(held) < count:
                try:
                    stream = connect(address, next(places))
                    stream.send(request("a", "token")[0][:-2])
                    held.append(stream)
                except OSError:
                    pass
        if len(held) >= count:
            held, old = held[count // 10:], held[:count // 10]
            for stream in old:
                stream.close()
            time.sleep(0.05)


def with_sockets(address, tokens, count, go, is_over, act, each=2):
    """`act` gets each open member in turn. Sockets that are closed are opened again."""
    crowd, places = Crowd(), sources(6, 1)
    wishes = itertools.cycle({"address": address, "token": token, "source": next(places)} for token in tokens for _ in range(each))
    crowd.open([next(wishes) for _ in range(min(count, each * len(tokens)))], seconds=30)
    go()
    while not is_over():
        members = list(crowd.members.values())
        for number, member in enumerate(members):
            if member.is_open:
                act(member)
            if number % 50 == 0:
                crowd.step(0)
        if len(members) < min(count, each * len(tokens)):
            try:
                crowd.add(**next(wishes))
            except OSError:
                pass
        crowd.step(0.005)
        # Members that have ended are not needed.
        crowd.all = [member for member in crowd.all if member.closed_at is None]


def slow_frames(address, tokens, count, go, is_over):
    """A message of 16 KiB, of which a byte comes at a time."""
    whole, sent = frame(status_of("slow", pad="x" * 15_000)), {}

    def act(member):
        place = sent.get(member.number, 0)
        member.send(whole[place:place + 1])
        sent[member.number] = (place + 1) % len(whole)

    with_sockets(address, tokens, count, go, is_over, act)


def fragments(address, tokens, count, go, is_over):
    """Messages in frames of a byte."""
    text = status_of("fragments")[:60]
    parts = [frame(text[place:place + 1], TEXT if place == 0 else 0, place == len(text) - 1) for place in range(len(text))]
    whole = b"".join(parts)
    with_sockets(address, tokens, min(count, 200), go, is_over, lambda member: member.send(whole) if len(member.output) < 65_536 else None)


def pings(address, tokens, count, go, is_over):
    """As many as the server takes."""
    whole = frame(b"x" * 100, PING) * 50
    with_sockets(address, tokens, min(count, 200), go, is_over, lambda member: member.send(whole) if len(member.output) < 65_536 else None)


def wrong_messages(address, tokens, count, go, is_over):
    """What no schema allows, until the socket is closed; then again."""
    whole = frame(b'{"type":"remote_command","data":{"command":""},"id":7}') * 5
    with_sockets(address, tokens, min(count, 200), go, is_over, lambda member: member.send(whole) if len(member.output) < 65_536 else None)


def many_accounts(address, tokens, count, go, is_over):
    """One person with 200 accounts, each with as many sockets as it may have, fills the half of all connections."""
    with_sockets(address, tokens, count, go, is_over, lambda member: None, each=2)


def openings(address, tokens, _, go, is_over):
    """Opens and drops, again and again."""
    places, wanted = sources(7, 40), itertools.cycle(tokens)
    go()
    while not is_over():
        try:
            stream = connect(address, next(places))
            stream.sendall(request("a", next(wanted))[0])
            stream.close()
        except OSError:
            pass


ATTACKS = {"half-handshakes": half_handshakes, "slow-frames": slow_frames, "fragments": fragments, "pings": pings, "wrong-messages": wrong_messages,
           "many-accounts": many_accounts, "openings": openings}


class Attack:
    """A process, so that watchers do not wait for it."""

    def __init__(self, name, host, tokens, count):
        self.stop, is_ready = multiprocessing.Event(), multiprocessing.Event()
        self.process = multiprocessing.Process(target=ATTACKS[name], args=(host.place_of_clients, tokens, count, is_ready.set, self.stop.is_set), daemon=True)
        self.process.start()
        if not is_ready.wait(90):
            raise RuntimeError(f"{name} did not begin")
        time.sleep(1)

    def end(self):
        is_alive = self.process.is_alive()
        self.stop.set()
        self.process.join(20)
        self.process.kill()
        return is_alive


def watched(host, people, attacked, name, tokens, count, seconds):
    """What good clients of `host` hear while `attacked` is attacked."""
    watchers = [Bystander("requests", host, "/v2/configurations", ["127.0.0.2"], {"Authorization": "Bearer " + people[0].token()}).begin(),
                Pinger(host, people[1]).begin(), Newcomers(host, people[2:], NEW).begin()]
    attack = Attack(name, attacked, tokens, count)
    heard = all_of(watchers, seconds)
    return heard, attack.end()


def play(exam):
    names = sorted(exam.chance.sample(list(ATTACKS), 2)) if exam.is_sample else list(ATTACKS)
    seconds, count = exam.size(SECONDS, 5), exam.size(CONNECTIONS, 2000)
    room = exam.size(ROOM, 3000)
    host, other = exam.host("server", connections=room), exam.host("control", connections=room)
    people = host.people("good", 102)
    # An account opens five sockets a second: those that follow each other are of different ones.
    names_of_devices = [f"device-{number}" for number in range(16)]
    hostile = {one: one.people("bad", 200, names_of_devices) for one in (host, other)}
    tokens = {one: [person.token(device) for device in names_of_devices for person in people_of_one] for one, people_of_one in hostile.items()}
    descriptors = host.figures()[1]

    def measure(name):
        control, _ = watched(host, people, other, name, tokens[other], count, seconds)
        heard, is_alive = watched(host, people, host, name, tokens[host], count, seconds)
        exam.expect(is_alive, f"{name}: the attack went on to the end")
        return control, heard

    for name in names:
        rounds = [measure(name)]
        if not all(verdict(name, watcher, rounds)[0] for watcher in rounds[0][0]):
            rounds += [measure(name) for _ in range(ROUNDS - 1)]
        for watcher in rounds[0][0]:
            exam.expect(*verdict(name, watcher, rounds))
    smuggling(exam, host, people[0])
    time.sleep(8)
    exam.expect(host.figures()[1] <= descriptors + 64, f"{host.figures()[1]} descriptors, {descriptors} before")


def verdict(name, watcher, rounds):
    """Whether `watcher` was served in each round, and in time by the medians of their p99; and the figures."""
    heard = [heard[watcher] for _, heard in rounds]
    took = statistics.median(quantile(one.times, .99) for one in heard)
    usual = statistics.median(quantile(control[watcher].times, .99) for control, _ in rounds)
    served = sum(len(one.times) for one in heard) / sum(one.asked for one in heard)
    limit = max((OPENINGS_FACTOR_MAX if name == "openings" else FACTOR_MAX) * usual, usual + SLACK_MS)
    if name in NEW_ATTACKS and watcher == "newcomers":
        limit = NEWCOMERS_MAX_MS
    failures = [failure for one in heard for failure in one.failures][:3]
    return served == 1 and took <= limit, f"{name}: {watcher} {100 * served:.1f} % served, p99 {took:.1f} ms, control {usual:.1f} ms {failures or ''}"


def smuggling(exam, host, person):
    """Bytes behind a refused upgrade are the next request, and no more than one; those behind an accepted one are frames."""
    inner = "GET /v2/smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    bearer = f"Authorization: Bearer {person.token()}\r\n"
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    cases = {
        "version 12": (f"GET /v2 HTTP/1.1\r\nHost: a\r\n{bearer}{upgrade}{key}Sec-WebSocket-Version: 12\r\n\r\n{inner}", ["426", "404"]),
        "no key": (f"GET /v2 HTTP/1.1\r\nHost: a\r\n{bearer}{upgrade}Sec-WebSocket-Version: 13\r\n\r\n{inner}", ["426", "404"]),
        "no token": (f"GET /v2 HTTP/1.1\r\nHost: a\r\n{upgrade}{key}Sec-WebSocket-Version: 13\r\n\r\n{inner}", ["401", "404"]),
        "a body that holds a request": (f"GET /v2 HTTP/1.1\r\nHost: a\r\n{bearer}{upgrade}{key}Sec-WebSocket-Version: 12\r\nContent-Length: {len(inner)}\r\n\r\n"
                                        f"{inner}", ["426"]),
        "accepted": (f"GET /v2 HTTP/1.1\r\nHost: a\r\n{bearer}{upgrade}{key}Sec-WebSocket-Version: 13\r\n\r\n{inner}", ["101"]),
    }
    for name, (text, expected) in cases.items():
        stream = connect(host.place_of_clients)
        stream.settimeout(2)
        stream.sendall(text.encode())
        answer = b""
        try:
            while piece := stream.recv(65_536):
                answer += piece
        except OSError:
            pass
        stream.close()
        found = [part[:3].decode() for part in answer.split(b"HTTP/1.1 ")[1:]]
        # The server may close instead of reading what follows a refusal.
        exam.expect(found == expected or (found == expected[:1] and expected[0] != "101"), f"smuggling, {name}: {found}")
        if name == "accepted":
            exam.expect(bytes([0x80 | CLOSE]) in answer, "smuggling: bytes that are no frames close the socket")
    asker = Asker(host.place_of_clients, person.token())
    exam.expect(asker.ask("GET", "/realtime/state").status == 200, "the account is served after all that")
    asker.close()


