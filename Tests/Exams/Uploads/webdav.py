"""A large upload by one PUT, and its download, beside nginx's WebDAV on the same disk: seconds, and CPU seconds a GiB. Without fsync on both sides,
and ours with it beside nginx's PUT and `sync FILE`; plain and with TLS."""
import contextlib
import os
import shutil
import statistics
import subprocess
import time
import urllib.request

from scene import Account, Server, end, folder, options
# Behind the scene, which knows where these are.
from nginx import TLS, UNPACKED, reserved_port, wait_for_port
from server import certificate
import processes

MIB = 1 << 20
# Our throughput as a part of nginx's.
SHARE_MIN = 0.9
CURL_S = 600
CONFIGURATION = """\
{account}worker_processes {workers};
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    client_max_body_size 0;
    sendfile on;
    server {{
        listen 127.0.0.1:{port}{tls};
        root {folder}/files;
        location / {{ dav_methods PUT DELETE; }}
    }}
}}
"""
# Nothing waits for the disk: for the server and its PostgreSQL.
NO_SYNC = "int fsync(int f) { (void)f; return 0; } int fdatasync(int f) { (void)f; return 0; }"


class Certificate:
    """Of 127.0.0.1; curl and Python believe it."""

    def __init__(self, place):
        self.path, self.key = certificate(place)
        os.environ |= {"SSL_CERT_FILE": self.path, "CURL_CA_BUNDLE": self.path}


class Nginx:
    """An nginx that takes files by PUT."""

    name = "nginx"

    def __init__(self, place, workers, certificate):
        os.makedirs(place + "/files")
        program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin") or UNPACKED
        port = reserved_port()
        self.files = place + "/files"
        self.url = f"{'https' if certificate else 'http'}://127.0.0.1:{port}"
        tls = TLS.format(certificate=certificate.path, key=certificate.key) if certificate else ""
        with open(place + "/nginx.conf", "w") as file:
            file.write(CONFIGURATION.format(account="user root;\n" if os.geteuid() == 0 else "", workers=workers,
                                            folder=place, port=port, tls=tls))
        self.process = subprocess.Popen([program, "-p", place, "-e", place + "/error.log", "-c", place + "/nginx.conf"])
        wait_for_port(port, self.process)

    def target(self, _size):
        """Where a file is put."""
        return self.url + "/take"

    def stored(self):
        """Where it can be got, once it is put."""
        return self.url + "/take"

    def sync(self):
        subprocess.run(["sync", self.files + "/take"], check=True)

    def forget(self):
        os.unlink(self.files + "/take")

    def cpu(self):
        return processes.cpu_of_family(self.process.pid)

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


class Own:
    """The server, which has all bytes on the disk when it answers."""

    name = "neuroviews"

    def __init__(self, place, binary, workers, certificate):
        settings = {"tls_cert": certificate.path, "tls_key": certificate.key} if certificate else {}
        self.server = Server(place, binary, media_jobs=0, event_loops=workers, **settings)
        if certificate:
            self.server.url = self.server.url.replace("http://", "https://", 1)
        self.account = Account(self.server)
        self.recording = None

    def address(self, path):
        return self.server.url.removesuffix("/v2") + path

    def target(self, size):
        self.recording, path = self.account.open_upload(size)
        return self.address(path)

    def stored(self):
        self.account.complete(self.recording)
        request = urllib.request.Request(self.server.url + f"/recordings/{self.recording}/content",
                                         headers={"Authorization": "Bearer " + self.account.token})
        with urllib.request.build_opener(Stay).open(request) as answer:
            return self.address("/v2" + answer.headers["Location"].split("/v2", 1)[1])

    def sync(self):
        """It is on the disk."""

    def forget(self):
        for name, _, files in os.walk(self.server.data + "/objects/objects"):
            for file in files:
                if file != "store-id":
                    os.unlink(os.path.join(name, file))

    def cpu(self):
        return self.server.cpu()

    def stop(self):
        self.server.stop()


class Stay(urllib.request.HTTPRedirectHandler):
    """Takes a redirection for the answer."""

    def http_error_307(self, _request, answer, _code, _message, _headers):
        return answer


@contextlib.contextmanager
def without_sync(place):
    """What is started meanwhile waits for no disk."""
    library = place + "/nosync.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-o", library, "-"], input=NO_SYNC, text=True, check=True)
    os.environ["LD_PRELOAD"] = library
    try:
        yield
    finally:
        del os.environ["LD_PRELOAD"]


def curl(*words):
    """Throws where the answer is no success."""
    subprocess.run(["curl", "--silent", "--show-error", "--fail", "--max-time", str(CURL_S), "--output", "/dev/null", *words],
                   check=True)


class Measure:
    """Seconds, and CPU seconds a GiB, of the work in its `with` block."""

    def __init__(self, side, size):
        self.side, self.size = side, size

    def __enter__(self):
        self.cpu_before, self.began = self.side.cpu(), time.monotonic()
        return self

    def __exit__(self, *_):
        self.seconds = time.monotonic() - self.began
        self.cpu_seconds_per_gib = (self.side.cpu() - self.cpu_before).total / 1e6 / (self.size / (1 << 30))


def transfer(side, file, size, is_durable):
    """A PUT and a GET."""
    target = side.target(size)
    # What others have written is not waited for.
    os.sync()
    with Measure(side, size) as put:
        curl("--upload-file", file, "--header", "Expect:", target)
        if is_durable:
            side.sync()
    source = side.stored()
    with Measure(side, size) as get:
        curl(source)
    side.forget()
    return put, get


def compare(sides, file, size, rounds, is_durable):
    """Each side's PUTs and GETs; the sides take turns."""
    found = {side.name: [] for side in sides}
    for number in range(rounds):
        for side in sides if number % 2 == 0 else sides[::-1]:
            found[side.name].append(transfer(side, file, size, is_durable))
    return {name: list(zip(*both)) for name, both in found.items()}


def median(measures, what):
    return statistics.median(getattr(measure, what) for measure in measures)


def report(what, found, index, size, failures):
    own, peer = found[Own.name][index], found[Nginx.name][index]
    share = median(peer, "seconds") / median(own, "seconds")
    sides = ", ".join(
        f"{name} {median(measures, 'seconds'):.2f} s ({size / MIB / median(measures, 'seconds'):.0f} MiB/s, "
        f"CPU {median(measures, 'cpu_seconds_per_gib'):.2f} s/GiB)" for name, measures in [("ours", own), ("nginx", peer)])
    print(f"{what}: {sides}: {share:.2f} of nginx", flush=True)
    if share < SHARE_MIN:
        failures.append(f"{what}: {share:.2f} of nginx")


def measure(settings, place, file, scheme, certificate, is_durable, failures):
    size, workers = settings.mib * MIB, os.cpu_count()
    place += f"/{scheme}-{'durable' if is_durable else 'fast'}"
    os.makedirs(place)
    os.chmod(place, 0o755)
    with contextlib.nullcontext() if is_durable else without_sync(place):
        own = Own(place + "/server", settings.binary, workers, certificate)
    sides = [own]
    try:
        sides.append(Nginx(place + "/nginx", workers, certificate))
        found = compare(sides, file, size, settings.rounds, is_durable)
    finally:
        for side in sides:
            side.stop()
    ways = "with fsync, nginx with sync" if is_durable else "without fsync"
    report(f"{scheme} PUT {ways}", found, 0, size, failures)
    if not is_durable:
        report(f"{scheme} GET", found, 1, size, failures)


def main():
    settings = options(__doc__, mib=(2048, "size of the file in MiB"), rounds=(3, "transfers by each side, of which the median counts"))
    failures = []
    with folder() as place:
        certificate = Certificate(place)
        file = place + "/take.mov"
        with open(file, "wb") as made:
            for _ in range(settings.mib):
                made.write(os.urandom(MIB))
        for scheme, used in [("plain", None), ("TLS", certificate)]:
            for is_durable in [False, True]:
                measure(settings, place, file, scheme, used, is_durable, failures)
    end(failures)


if __name__ == "__main__":
    main()
