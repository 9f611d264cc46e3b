"""Uploads and downloads of a file through HTTP, beside nginx with WebDAV's PUT and sendfile, in the same rounds."""
import os
import subprocess
import time
import uuid

from nginx import Nginx
from results import cell, spread, store, summary
from server import Server

FILE_MIB = 256
HEADINGS = f"{'case':<10} {'':<10} {'MiB/s':>22} {'CPU us a MiB':>22}"


class Plain:
    """What nginx answers beside files."""

    fields, body = [], "{}"


def measure(options, folder):
    path = folder + "/take"
    with open(path, "wb") as file:
        file.write(os.urandom(FILE_MIB << 20))
    server = Server(os.path.join(folder, "uploads"))
    peer = None
    try:
        peer = Nginx(os.path.join(folder, "uploads-nginx"), os.cpu_count(), Plain)
        credentials = {"email": "uploads@example.org", "password": "benchmark password"}
        server.call("POST", "/auth/register", credentials)
        token = server.call("POST", "/auth/login", credentials)[0]["token"]
        rounds = [round_of(server, peer, token, path) for _ in range(options.rounds)]
    finally:
        server.stop()
        if peer:
            peer.stop()
    report(rounds, options)


def round_of(server, peer, token, path):
    """The figures of each case, by side."""
    recording = f"/recordings/{uuid.uuid4()}"
    url = server.call("POST", recording + "/upload-url", {"file_size": FILE_MIB << 20, "content_type": "video/quicktime"}, token)[0]["upload_url"]
    bearer = ["-H", f"Authorization: Bearer {token}"]
    there = f"http://{peer.address}/files/take"
    upload = {"neuroviews": moved(server, ["-T", path, url]), "nginx": moved(peer, ["-T", path, there])}
    server.call("POST", recording + "/complete", {"metadata": {"filename": "take.mov", "created_at": "2026-11-20T18:00:00Z"}}, token)
    wait_until_ready(server, recording, token)
    download = {"neuroviews": moved(server, [*bearer, "-L", server.url + recording + "/content"]), "nginx": moved(peer, [there])}
    server.call("DELETE", recording, token=token)
    return {"upload": upload, "download": download}


def wait_until_ready(server, recording, token):
    """The server reads the file again to verify it, which is no part of the upload."""
    while server.call("GET", recording, token=token)[0]["processing_status"] in ("pending", "processing"):
        time.sleep(0.1)


def moved(side, arguments):
    own, begin = side.cpu(), time.monotonic()
    subprocess.run(["curl", "-sf", "-o", "/dev/null", *arguments], check=True)
    seconds = time.monotonic() - begin
    return {"mib_per_second": FILE_MIB / seconds, "cpu_us_per_mib": (side.cpu() - own).total / FILE_MIB}


def report(rounds, options):
    print(f"a file of {FILE_MIB} MiB, {len(rounds)} rounds; median (minimum–maximum). The server digests an upload and has it on the disk when it answers; nginx does neither.")
    print(HEADINGS)
    content = {}
    for case in rounds[0]:
        sides = {name: summary([one[case][name] for one in rounds]) for name in rounds[0][case]}
        ratio = spread([one[case]["neuroviews"]["cpu_us_per_mib"] / one[case]["nginx"]["cpu_us_per_mib"] for one in rounds])
        content[case] = {"sides": sides, "cpu_ratio": ratio}
        for name, side in sides.items():
            print(f"{case:<10} {name:<10} {cell(side['mib_per_second'], 0):>22} {cell(side['cpu_us_per_mib'], 0):>22}")
        print(f"{'':<10} {'ratio':<10} {'':>22} {cell(ratio, 2):>22}")
    store(".build/benchmarks-uploads.json", {"cases": content}, options)
