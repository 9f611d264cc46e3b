"""What an idle socket costs: memory, and the processor time of its heartbeats; beside the package `websockets`."""
import math
import multiprocessing
import resource
import ssl
import subprocess
import sys
import time

from crowd import Crowd
from points.relay import Peer, has_started
from processes import wait_until

BYTES_MAX = {"plain": 2560, "tls": 17 * 1024}
SOCKETS, PER_SERVER_MAX = 45_000, 15_000
# A server keeps half of its connections for requests, and each takes a descriptor.
PER_SERVER = min(PER_SERVER_MAX, (resource.getrlimit(resource.RLIMIT_NOFILE)[1] - 3000) // 2)
SERVERS = math.ceil(SOCKETS / PER_SERVER)
# Each socket gets a ping after 30 s of silence.
REST_S, BEAT_S = 5, 45
LOOKS, SETTLED_BYTES, SETTLED_MAX_S = 50, 64 << 10, 60
# Of a core, for as many sockets as a server may have here.
HEARTBEAT_CORE_MAX = 0.05
SOURCES = [f"127.1.0.{number}" for number in range(1, 31)]


def client_context():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def hold(pipe, address, tokens, is_tls, target):
    """A process with sockets: opens them, and keeps them while it is wanted."""
    wrap = client_context().wrap_socket if is_tls else None
    crowd = Crowd(wrap=wrap)
    crowd.open([{"address": address, "token": token, "source": SOURCES[number % len(SOURCES)], "target": target}
                for number, token in enumerate(tokens)], seconds=600)
    pipe.send(crowd.count())
    crowd.run(3600, pipe.poll)
    pipe.send((crowd.count(), crowd.pinged(since=pipe.recv())))
    crowd.close()


class Holder:
    def __init__(self, address, tokens, is_tls=False, target="/v2"):
        self.pipe, inner = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=hold, args=(inner, address, tokens, is_tls, target), daemon=True)
        self.process.start()

    def opened(self):
        return self.pipe.recv()

    def end(self, since=0.0):
        """The sockets that were open to the end, and those that got a ping after `since`."""
        self.pipe.send(since)
        counts = self.pipe.recv()
        self.process.join(60)
        return counts


def certificate(folder):
    paths = folder + "/certificate.pem", folder + "/key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", paths[1], "-out", paths[0],
                    "-days", "2", "-subj", "/CN=127.0.0.1"], check=True, capture_output=True)
    return paths


def crowds(hosts, people, is_tls):
    """Holders of one socket of each person, spread over the servers, and the number of sockets that opened."""
    share = len(people) // len(hosts)
    holders = [Holder(host.place_of_clients, [person.token() for person in people[number * share:(number + 1) * share]], is_tls)
               for number, host in enumerate(hosts)]
    return holders, sum(holder.opened() for holder in holders)


def settled_bytes(hosts):
    """The memory of each server, as soon as many looks in a row find about the same."""
    looks = []

    def is_settled():
        looks.append([host.resident_bytes() for host in hosts])
        return len(looks) >= LOOKS and all(max(found) - min(found) <= SETTLED_BYTES for found in zip(*looks[-LOOKS:]))

    wait_until(is_settled, SETTLED_MAX_S, "the memory of the servers settles")
    return looks[-1]


def measured(exam, hosts, people, is_tls):
    """Bytes a socket, the cores that heartbeats take, and the sockets that opened, that stayed, and that got a ping meanwhile. The memory is
    measured over the second half: the first one has allocated what concurrent openings share."""
    half = len(people) // 2
    first, begun = crowds(hosts, people[:half], is_tls)
    before = settled_bytes(hosts)
    second, added = crowds(hosts, people[half:], is_tls)
    time.sleep(REST_S)
    begin, cpu = time.monotonic(), [host.cpu_us() for host in hosts]
    time.sleep(exam.size(BEAT_S, 35))
    seconds = time.monotonic() - begin
    cores = sum(host.cpu_us() - used for host, used in zip(hosts, cpu)) / 1e6 / seconds
    grown = sum(host.resident_bytes() - used for host, used in zip(hosts, before))
    left, pinged = map(sum, zip(*(holder.end(begin) for holder in first + second)))
    return grown / max(1, added), cores, begun + added, left, pinged


def play(exam):
    count = exam.size(SOCKETS // (2 * SERVERS) * 2 * SERVERS, 3000)
    for scheme in exam.size(["plain", "tls"], ["plain"]):
        settings = []
        if scheme == "tls":
            path, key = certificate(exam.folder)
            settings = ["--tls-cert", path, "--tls-key", key]
        room = 2 * count // exam.size(SERVERS, 1) + 2000
        first = exam.host(scheme, *settings, connections=room)
        hosts = [first, *(exam.host(f"{scheme}-{number}", *settings, beside=first, connections=room) for number in range(1, exam.size(SERVERS, 1)))]
        people = first.people(scheme, count)
        each, cores, opened, left, pinged = measured(exam, hosts, people, scheme == "tls")
        exam.expect(opened == count == left, f"{scheme}: {opened} of {count} sockets opened on {len(hosts)} servers, {left} stayed")
        # A small number pays for arrays that grow for more.
        exam.expect(each <= BYTES_MAX[scheme] * exam.size(1, 1.5), f"{scheme}: {each:.0f} bytes a socket (at most {BYTES_MAX[scheme]})")
        share = cores / count * PER_SERVER_MAX
        exam.expect(pinged == count and share <= HEARTBEAT_CORE_MAX,
                    f"{scheme}: {pinged} got a ping; heartbeats and sweeps take {100 * cores:.1f} % of a core, {100 * share:.1f} % for each "
                    f"{PER_SERVER_MAX:,} sockets (at most {100 * HEARTBEAT_CORE_MAX:.0f})")
        for host in reversed(hosts):
            host.clean_up()
    peer_figure(exam, exam.size(5000, 1000))


def peer_figure(exam, count):
    peer = Peer("websockets", sys.executable)
    try:
        if not has_started(exam, peer):
            return
        before = peer.resident_bytes()
        holder = Holder(peer.address, [None] * count, target="/0")
        opened = holder.opened()
        time.sleep(REST_S)
        grown = peer.resident_bytes() - before
        exam.say(f"websockets: {grown / max(1, opened):.0f} bytes a socket, {opened} sockets")
        holder.end()
    finally:
        peer.end()


