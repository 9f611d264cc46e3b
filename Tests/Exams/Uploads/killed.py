"""An upload by the command `neuroviews`, whose way is cut and which is killed and started again, to a disk and to an S3 service: the bytes that were sent, and the memory of the command.
`--command` is beside the server's binary. Ends with "uploads: N passed, M failed"."""
import base64
import hashlib
import json
import os
import socket
import subprocess
import sys
import threading
import time

from scene import CREDENTIALS, Server, folder, options

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "Support"))
from s3_service import TOOLS, Store  # noqa: E402

MIB = 1 << 20
# Of the cuts, every fourth is a kill.
KILL_EVERY = 4
MEMORY_MAX_MIB = 64
SENT_MAX = 1.01
# The server's choice.
PART_BYTES = 16 * MIB
RUNS_MAX = 60
ENDS_MAX_S = 600
# The command ends by itself when some attempts in a row brought nothing: its user calls it again.
AGAIN = (69, 75)


class Way:
    """A way to a server. The connection that carries one of the bytes in `cuts` ends there; one with a byte of `kills` rests until `killed`."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.port, self.bytes, self.cuts, self.kills, self.open = 0, 0, [], [], 0
        self.lock = threading.Lock()
        self.wants_kill, self.killed = threading.Event(), threading.Event()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            try:
                server = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                client.close()
                continue
            with self.lock:
                self.open += 1
            up = threading.Thread(target=self.pump, args=(client, server, True), daemon=True)
            up.start()
            threading.Thread(target=self.down, args=(client, server, up), daemon=True).start()

    def down(self, client, server, up):
        """The client notices a cut when the server has read everything."""
        self.pump(server, client, False)
        for side in (client, server):
            try:
                side.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        up.join()
        client.close()
        server.close()
        with self.lock:
            self.open -= 1

    def pump(self, source, target, is_up):
        try:
            while piece := source.recv(65536):
                count, end = self.count(len(piece)) if is_up else (len(piece), None)
                target.sendall(piece[:count])
                if end == "cut":
                    break
                if end == "kill":
                    self.killed.clear()
                    self.wants_kill.set()
                    self.killed.wait()
                    target.sendall(piece[count:])
        except OSError:
            pass
        if is_up:
            try:
                target.shutdown(socket.SHUT_WR)
            except OSError:
                pass

    def count(self, count):
        """Returns how many of the bytes go on at once, and what happens then."""
        with self.lock:
            before, self.bytes = self.bytes, self.bytes + count
            for points, end in ((self.cuts, "cut"), (self.kills, "kill")):
                if points and self.bytes >= points[0]:
                    passed = max(0, points.pop(0) - before)
                    if end == "cut":
                        self.bytes = before + passed
                    return passed, end
        return count, None


class Command:
    """The command, with a profile of its own."""

    def __init__(self, binary, place, server):
        self.binary, self.peak_mib = os.path.join(os.path.dirname(binary), "neuroviews"), 0
        usual = {name: value for name, value in os.environ.items() if not name.startswith("NEUROVIEWS_")}
        self.environment = {**usual, "HOME": place, "XDG_DATA_HOME": place, "XDG_CONFIG_HOME": place, "NEUROVIEWS_CLI_SERVER": server, "LANG": "C.UTF-8"}

    def run(self, words, text=""):
        done = subprocess.run([self.binary, *words], env=self.environment, input=text, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{words[0]}: {done.returncode} {done.stderr}")
        return done.stdout

    def transfer(self, words, way):
        """Runs until it ends or is killed. Returns the status; None after a kill."""
        process = subprocess.Popen([self.binary, *words], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + ENDS_MAX_S
        while process.poll() is None:
            self.note(process.pid)
            if time.monotonic() > deadline:
                process.kill()
                raise TimeoutError(f"{words[0]} does not end")
            if way.wants_kill.wait(0.02):
                process.kill()
                process.wait()
                way.wants_kill.clear()
                way.killed.set()
                return None
        if process.returncode not in (0, *AGAIN):
            raise RuntimeError(f"{words[0]}: {process.returncode} {process.stderr.read()}")
        return process.returncode

    def note(self, pid):
        try:
            with open(f"/proc/{pid}/status", encoding="ascii") as file:
                lines = [line for line in file if line.startswith("VmHWM")]
        except OSError:
            return
        if lines:
            self.peak_mib = max(self.peak_mib, int(lines[0].split()[1]) / 1024)


def make_file(path, mib):
    """Random bytes; each MiB begins with its number. Returns the digest."""
    block, digest = os.urandom(MIB), hashlib.sha256()
    with open(path, "wb") as file:
        for number in range(mib):
            piece = number.to_bytes(8, "big") + block[8:]
            file.write(piece)
            digest.update(piece)
    return digest


def measure(name, settings, place, way, slack, **server_settings):
    """Returns what was broken."""
    os.makedirs(place, mode=0o755)
    server = Server(os.path.join(place, "server"), settings.binary, **server_settings)
    host = f"http://{server.address}"
    if not way.port:
        way.port, host = int(server.address.rsplit(":", 1)[1]), way.url
    home = os.path.join(place, "home")
    os.makedirs(home, mode=0o700)
    command = Command(settings.binary, home, host)
    command.run(["register", CREDENTIALS["email"], "--password-stdin"], CREDENTIALS["password"] + "\n")
    path = os.path.join(home, "take.bin")
    digest, size = make_file(path, settings.mib), settings.mib * MIB
    points = [size * number // (settings.cuts + 1) for number in range(1, settings.cuts + 1)]
    way.bytes = 0
    way.kills, way.cuts = points[KILL_EVERY - 1::KILL_EVERY], [point for number, point in enumerate(points) if number % KILL_EVERY != KILL_EVERY - 1]
    cuts, kills, begin = len(way.cuts), len(way.kills), time.monotonic()
    status, runs, words = None, 0, ["upload", path, "--json"]
    while status != 0 and runs < RUNS_MAX:
        status, runs, words = command.transfer(words, way), runs + 1, ["uploads", "resume", "--json"]
        drain(way, slack)
    took, sent = time.monotonic() - begin, way.bytes
    found = json.loads(command.run(["recordings", "--json"]))["recordings"]
    server.stop()
    print(f"{name}: {settings.mib} MiB, {cuts - len(way.cuts)} cuts, {kills - len(way.kills)} kills, {runs} runs, {100 * (sent / size - 1):.2f} % sent again, "
          f"memory {command.peak_mib:.0f} MiB, {took:.0f} s", flush=True)
    is_whole = status == 0 and len(found) == 1 and found[0]["sha256"] == base64.b64encode(digest.digest()).decode()
    return [(f"{name}: {what}", not is_broken) for what, is_broken in [
        ("the file is whole at the server", not is_whole), ("each cut and kill happened", bool(way.cuts or way.kills)),
        ("little is sent again", sent > size * SENT_MAX + slack), ("memory is bounded", command.peak_mib > MEMORY_MAX_MIB)]]


def drain(way, slack):
    """What a killed command had handed to the network arrives. A server's own connections to its S3 service stay open."""
    deadline = time.monotonic() + 10
    while not slack and way.open and time.monotonic() < deadline:
        time.sleep(0.01)


def main():
    settings = options(__doc__, mib=(256, "size of the file"), cuts=(20, "how often it is cut or killed"))
    results = []
    with folder() as place:
        way = Way()
        results += measure("disk", settings, os.path.join(place, "disk"), way, 0, public_url=way.url + "/v2")
        if os.path.exists(TOOLS):
            results += measure_s3(settings, place)
        else:
            print("skipped: S3, since Tests/Support/tools has not run")
    for what, is_passed in results:
        print(f"{'ok  ' if is_passed else 'FAIL'} {what}")
    failed = sum(not is_passed for _, is_passed in results)
    print(f"uploads: {len(results) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def measure_s3(settings, place):
    store = Store(place)
    try:
        way = Way()
        way.port = store.port
        # Parts under way are lost with their connection.
        slack = settings.cuts * PART_BYTES
        return measure("S3", settings, os.path.join(place, "s3"), way, slack, **{**store.settings(), "s3_endpoint": way.url})
    finally:
        store.stop()


if __name__ == "__main__":
    main()
