"""Behind each proxy of deploy/proxy, as shipped: 3,000 silent sockets of 30 addresses stay, and requests beside them are as fast as before."""
import importlib
import os
import socket
import ssl
import subprocess
import sys
import time

from asking import Asker
from crowd import Crowd
from exam import quantile
from frames import PONG, PING
from http2_line import Http2Line
from people import fill
from ports import reserved_port
from postgres import Address
from processes import wait_until
from tokens import MasterKey

SOCKETS, ADDRESSES, SILENCE_S = 3000, 30, 600
GET_MAX_MS = 50
PROGRAMS = ".build/proxies"
PACKAGES = ("caddy", "haproxy", "nginx", "liblua5.3-0", "libopentracing-c-wrapper0", "libopentracing1")


def documented(binary):
    """The module of Tests/Exams/Proxies, which has the changes that a test makes to each configuration. It reads its place when it is imported."""
    os.environ["SERVER_PROGRAM"] = binary
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Proxies"))
    words, sys.argv = sys.argv, ["proxies.py", PROGRAMS]
    try:
        return importlib.import_module("proxies")
    finally:
        sys.argv = words


def certificates(folder, name):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}",
                    "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem"], check=True, capture_output=True)
    with open(folder + "/both.pem", "w", encoding="utf-8") as both:
        for path in ("cert.pem", "key.pem"):
            with open(f"{folder}/{path}", encoding="utf-8") as part:
                both.write(part.read())


class Behind:
    """A proxy before the server, with accounts."""

    def __init__(self, exam, module, name):
        self.name, self.port, self.folder = module.NAME, reserved_port(), f"{exam.folder}/{name}"
        os.makedirs(self.folder)
        os.chmod(self.folder, 0o755)
        certificates(self.folder, module.NAME)
        self.server, self.process = module.Server(self.folder, self.port), None
        try:
            command = module.PROXIES[name](self.folder, self.port, self.server)
            machine = os.uname().machine
            environment = {**os.environ, "LD_LIBRARY_PATH": os.path.abspath(f"{PROGRAMS}/usr/lib/{machine}-linux-gnu"), "HOME": self.folder,
                           "XDG_DATA_HOME": self.folder, "XDG_CONFIG_HOME": self.folder}
            with open(self.folder + "/proxy.log", "w", encoding="utf-8") as log:
                self.process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=environment)
            wait_until(lambda: module.is_listening(self.port), 30, name)
        except BaseException:
            self.end()
            raise

    def wrap(self, plain, protocols=()):
        context = ssl.create_default_context(cafile=self.folder + "/cert.pem")
        if protocols:
            context.set_alpn_protocols(list(protocols))
        return context.wrap_socket(plain, server_hostname=self.name)

    def end(self):
        if self.process:
            self.process.terminate()
            self.process.wait(30)
        self.server.stop()


class Database:
    """What `fill` wants of a server."""

    def __init__(self, folder):
        self.folder = folder

    def database(self):
        with open(self.folder + "/data/postgres/postmaster.pid", encoding="utf-8") as file:
            return Address(file.read().split("\n")[4])


def gets_ms(behind, token):
    """p99 of requests on one connection through the proxy."""
    asker, times = Asker(("127.0.0.1", behind.port), token), []
    asker.connection.sock = behind.wrap(socket.create_connection(("127.0.0.1", behind.port), timeout=20, source_address=("127.0.0.7", 0)))
    for _ in range(100):
        begun = time.monotonic()
        answer = asker.ask("GET", "/configurations", fields=[("Host", f"{behind.name}:{behind.port}")])
        if answer.status != 200:
            raise RuntimeError(f"a GET beside sockets got {answer.status} {answer.body[:200]}")
        times.append((time.monotonic() - begun) * 1000)
    asker.close()
    return quantile(times, .99)


def play(exam):
    # As Tests/Exams/Proxies/run has them.
    subprocess.run(["Tests/Support/debian-programs", PROGRAMS, *PACKAGES], check=True)
    module = documented(exam.binary)
    for name in module.PROXIES:
        behind = Behind(exam, module, name)
        try:
            play_proxy(exam, behind, name)
        finally:
            behind.end()


def play_proxy(exam, behind, name):
    key, count = MasterKey(behind.folder + "/data/secret.key"), exam.size(SOCKETS, 300)
    people = fill(Database(behind.folder), key, "guest", count)
    crowd = Crowd(wrap=behind.wrap)
    host = f"{behind.name}:{behind.port}"
    members = crowd.open([{"address": ("127.0.0.1", behind.port), "token": person.token(), "source": f"127.1.4.{number % ADDRESSES + 1}", "host": host}
                          for number, person in enumerate(people)], seconds=300)
    exam.expect(all(member.is_open for member in members),
                f"{name}: {crowd.count()} of {count} sockets of {ADDRESSES} addresses opened {[member.text[:60] for member in members if not member.is_open][:2]}")
    p99 = gets_ms(behind, people[0].token())
    exam.expect(p99 < GET_MAX_MS, f"{name}: p99 of a GET beside them is {p99:.1f} ms (under {GET_MAX_MS})")
    crowd.run(exam.size(SILENCE_S, 40))
    exam.expect(crowd.count() == count, f"{name}: {crowd.count()} of {count} are open after {exam.size(SILENCE_S, 40)} s of silence")
    crowd.close()
    if name == "haproxy":
        over_http2(exam, behind, people[0].token())


def over_http2(exam, behind, token):
    line = Http2Line(behind.wrap(socket.create_connection(("127.0.0.1", behind.port), timeout=20), ["h2"]), f"{behind.name}:{behind.port}", token)
    exam.expect(line.is_possible and line.is_open, f"haproxy: a WebSocket opens over HTTP/2 (offered: {line.is_possible})")
    line.send(b"hi", PING)
    while (found := line.next())[0] != PONG:
        pass
    exam.expect(found[1] == b"hi", "haproxy: frames go both ways over HTTP/2")
    line.close()
