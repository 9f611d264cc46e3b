"""The command as a device of a real server: its size and start; first pulls, polls and pushes of a profile with 10,000 configurations; uploads beside curl, and
their hash pass beside openssl, in the same rounds. Fails beyond its limits."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

from device import Device, Log, cpu_ms, logged_in, median, memory
from server import BINARY, Server, certificate
from sync_benchmark import document
from uploads_benchmark import wait_until_ready

# The server's limit.
BATCH_MAX = 500
STARTS = 50
# Of a round, one a second.
POLLS = 5
PULL_MAX_S, POLL_MAX_MS = 2, 1
# Of the speed of the peer.
UPLOAD_MIN, HASH_MIN = 0.95, 0.9
# The fields of the command's own request.
FIELDS = {"Upload-Draft-Interop-Version": "8", "Upload-Offset": "0", "Upload-Complete": "?1", "Content-Type": "application/partial-upload", "Expect": ""}


class Report:
    is_missed = False

    def judge(self, text, is_met, limit):
        self.is_missed |= not is_met
        print(f"{text}, {'met' if is_met else 'NOT met'} ({limit})", flush=True)

    def compare(self, text, ratios, least):
        found = statistics.median(ratios)
        self.judge(f"{text}: ratio {found:.2f} ({min(ratios):.2f} to {max(ratios):.2f})", found >= least, f"at least {least}")


def fill(server, count):
    token = logged_in(server)
    for begin in range(0, count, BATCH_MAX):
        operations = [{"operation": "create", **document(number)} for number in range(begin, min(count, begin + BATCH_MAX))]
        server.call("POST", "/configurations/batch", {"operations": operations}, token)


def first_pulls(report, options, server, place):
    """The pull of a login begins when its line is written. Returns the last of the new devices."""
    devices = [Device(options.command, server, f"{place}/device-{number}") for number in range(options.rounds)]
    runs = [device.login for device in devices]
    seconds = statistics.median(run.seconds - run.lines[0][0] for run in runs)
    costs = f"with the login CPU {median(runs, 'cpu_ms'):.0f} ms, {memory(runs)}"
    report.judge(f"first pull of {options.count} configurations: {seconds:.2f} s; {costs}", seconds <= PULL_MAX_S, f"at most {PULL_MAX_S} s")
    return devices[-1]


def starts(options, device):
    runs = [device.run("version") for _ in range(STARTS)]
    print(f"binary: {os.path.getsize(options.command) / 1e6:.1f} MB; start: {median(runs, 'seconds') * 1000:.1f} ms, CPU {median(runs, 'cpu_ms'):.1f} ms, {memory(runs)}", flush=True)


def quiet_syncs(options, server, device):
    """`list`, and `sync` with nothing new."""
    lists, costs = [], []
    # The first one after a pull gets an empty page, whose ETag the next ones send.
    device.run("sync")
    for _ in range(options.rounds):
        lists.append(device.run("list"))
        assert len(lists[-1].lines) == options.count
        log = Log(server)
        whole = device.run("sync").cpu_ms
        assert [request.status for request in log.all()] == [304]
        costs.append(whole - device.run("version").cpu_ms)
    print(f"list of {options.count}: {median(lists, 'seconds'):.2f} s, {memory(lists)}")
    print(f"sync that gets 304: CPU {statistics.median(costs):.1f} ms more than a start; not judged, since it also opens store and connection", flush=True)


def unchanged(requests):
    return sum(request.status == 304 for request in requests)


def polls(report, options, server, device):
    """The CPU of a running `watch` from one poll to a later one."""
    log, marks = Log(server), []
    process = device.start("watch", "--every", "1", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for number in range(options.rounds + 1):
            # The first two have the start and the socket beside them.
            least = 2 + number * POLLS
            count = unchanged(log.until(lambda found: unchanged(found) >= least))
            marks.append((count, cpu_ms(process.pid)))
    finally:
        process.terminate()
        process.wait()
    costs = [(after[1] - before[1]) / (after[0] - before[0]) for before, after in zip(marks, marks[1:])]
    cost = statistics.median(costs)
    report.judge(f"poll that gets 304, in a running watch: CPU {cost:.2f} ms ({min(costs):.2f} to {max(costs):.2f})", cost <= POLL_MAX_MS, f"at most {POLL_MAX_MS} ms")


def pushes(options, server, device):
    ids = [line.split("\t")[0] for _, line in device.run("list").lines][:options.edits]
    runs, counts = [], []
    for number in range(options.rounds):
        for identifier in ids:
            device.run("edit", identifier, "--set", f'/name="Edit {number}"', "--offline")
        log = Log(server)
        runs.append(device.run("sync"))
        assert f"{len(ids)} sent" in runs[-1].lines[0][1]
        counts.append(len(log.all()))
    print(f"push of {len(ids)} edits: {median(runs, 'seconds'):.2f} s, CPU {median(runs, 'cpu_ms'):.0f} ms, {memory(runs)}, {statistics.median(counts):.0f} requests", flush=True)


def measure_sync(report, options, place):
    server = Server(place + "/server", options.binary, items_max=0, history_max_bytes=0)
    try:
        fill(server, options.count)
        device = first_pulls(report, options, server, place)
        starts(options, device)
        quiet_syncs(options, server, device)
        polls(report, options, server, device)
        pushes(options, server, device)
    finally:
        server.stop()


def the_one(requests, part):
    [request] = [request for request in requests if part in request.path]
    return request


def by_curl(server, token, path):
    recording, size = f"/recordings/{uuid.uuid4()}", os.path.getsize(path)
    url = server.call("POST", recording + "/upload-url", {"file_size": size, "content_type": "video/quicktime"}, token)[0]["upload_url"]
    fields = [word for name, value in {**FIELDS, "Upload-Length": size}.items() for word in ("-H", f"{name}: {value}".strip())]
    # What others have written is not waited for.
    os.sync()
    log = Log(server)
    subprocess.run(["curl", "-sSf", "-o", "/dev/null", "-X", "PATCH", "-T", path, *fields, url], check=True)
    sent = the_one(log.all(), "/uploads/")
    server.call("POST", recording + "/complete", {"metadata": {"created_at": "2026-11-20T18:00:00Z"}}, token)
    wait_until_ready(server, recording, token)
    server.call("DELETE", recording, token=token)
    return sent.seconds


def by_command(server, token, path, device):
    """The seconds of the request with the file, and those from the start to the first request after the hash pass."""
    os.sync()
    log = Log(server)
    run, requests = device.run("upload", path), log.all()
    asked = the_one(requests, "/upload-url")
    server.call("DELETE", asked.path.removeprefix("/v2").removesuffix("/upload-url"), token=token)
    return the_one(requests, "/uploads/").seconds, asked.began_s - run.began_s


def openssl_s(*paths):
    begin = time.monotonic()
    subprocess.run(["openssl", "dgst", "-sha256", *paths], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin


def upload_rounds(options, server, place, authorities=""):
    """Seconds by the command and by curl, which take turns, from the first byte on: the server's log has them, without the hash pass. Then seconds that the
    whole file takes longer than its quarter, until it is digested, with the command and with openssl: starts and connections take no part in them."""
    token = logged_in(server)
    device = Device(options.command, server, place + "/home", authorities)
    path, quarter = place + "/take.bin", place + "/quarter.bin"
    for name, mib in ((path, options.mib), (quarter, options.mib // 4)):
        with open(name, "wb") as file:
            file.writelines(os.urandom(1 << 20) for _ in range(mib))
    for number in range(options.rounds):
        # Until then the files may not be in memory.
        openssl_s(path, quarter)
        curl_s = by_curl(server, token, path) if number % 2 == 0 else None
        digest_s, quarter_s = openssl_s(path) - openssl_s(quarter), by_command(server, token, quarter, device)[1]
        own_s, asked_s = by_command(server, token, path, device)
        yield own_s, curl_s or by_curl(server, token, path), asked_s - quarter_s, digest_s


def measure_uploads(report, options, place, name, authorities="", **settings):
    server = Server(place + "/server", options.binary, recordings_max_bytes=0, **settings)
    try:
        rounds = list(upload_rounds(options, server, place, authorities))
    finally:
        server.stop()
    own_s, curl_s, hashed_s, digest_s = (statistics.median(values) for values in zip(*rounds))
    ratios = [(curl / own, openssl / hashed) for own, curl, hashed, openssl in rounds]
    report.compare(f"upload, {name}: {options.mib} MiB in {own_s:.2f} s, by curl in {curl_s:.2f} s", [upload for upload, _ in ratios], UPLOAD_MIN)
    speeds = [(options.mib - options.mib // 4) / seconds for seconds in (hashed_s, digest_s)]
    report.compare(f"hash pass, {name}: {speeds[0]:.0f} MiB/s, by openssl {speeds[1]:.0f} MiB/s", [digest for _, digest in ratios], HASH_MIN)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=BINARY, help="the server")
    parser.add_argument("--command", default=".build/release/neuroviews")
    parser.add_argument("--count", type=int, default=10_000, help="configurations of the account")
    parser.add_argument("--edits", type=int, default=500, help="of a push")
    parser.add_argument("--mib", type=int, default=1024, help="size of the file in MiB, 4 or more")
    parser.add_argument("--rounds", type=int, default=5, help="of which the median counts")
    options = parser.parse_args()
    report = Report()
    # On a disk, unlike /tmp, and PostgreSQL's account can enter it.
    with tempfile.TemporaryDirectory(prefix="neuroviews-command-", dir="/var/tmp") as folder:
        os.chmod(folder, 0o755)
        places = [os.path.join(folder, name) for name in ("sync", "plain", "tls")]
        for place in places:
            os.mkdir(place)
        measure_sync(report, options, places[0])
        measure_uploads(report, options, places[1], "plain HTTP")
        authorities, key = certificate(places[2])
        os.environ |= {"SSL_CERT_FILE": authorities, "CURL_CA_BUNDLE": authorities}
        measure_uploads(report, options, places[2], "TLS", authorities, tls_cert=authorities, tls_key=key)
    return int(report.is_missed)


if __name__ == "__main__":
    sys.exit(main())
