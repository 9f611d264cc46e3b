"""Hummingbird as a peer: a server in Swift that many use, with the same answer, the same fields and a log of every request."""
import json
import os
import subprocess

import processes
from nginx import OWN_FIELDS, reserved_port, wait_for_port

FOLDER = ".build/peers/hummingbird-peer"


class Hummingbird:
    """A running Hummingbird whose answer is a text or is encoded as JSON. It has a thread for each core."""

    def __init__(self, folder, answer, kind):
        self.name = f"hummingbird {kind}"
        port = reserved_port()
        self.address = f"127.0.0.1:{port}"
        fields = [f"{name}={value}" for name, value in fields_of(answer, kind)]
        self.process = subprocess.Popen([FOLDER + "/.build/release/hummingbird-peer", str(port), kind, os.path.join(folder, kind + ".log"), *fields])
        wait_for_port(port, self.process)

    def stop(self):
        self.process.terminate()
        self.process.wait(30)

    def cpu(self):
        return processes.cpu_of(self.process.pid)

    def database_cpu(self):
        return processes.NO_CPU

    def rss_kib(self):
        return processes.rss_kib(self.process.pid)


def fields_of(answer, kind):
    """The server's fields, without those that the peer writes itself. The text gets the server's type too."""
    own = OWN_FIELDS - ({"content-type"} if kind == "text" else set()) | {"x-request-id"}
    return [(name, value) for name, value in answer.fields if name.lower() not in own]


def why_missing():
    """Builds the peer. Returns why there is none, or nothing."""
    done = subprocess.run(["Tests/Benchmarks/build-hummingbird"], capture_output=True, text=True)
    return None if done.returncode == 0 else (done.stderr.strip() or "it was not built")


def version():
    """The version that was resolved."""
    with open(FOLDER + "/.build/workspace-state.json") as file:
        dependencies = json.load(file)["object"]["dependencies"]
    states = {entry["packageRef"]["identity"]: entry["state"] for entry in dependencies}
    return states["hummingbird"].get("checkoutState", {}).get("version", "unknown")
