"""The server under test, on a data folder of its own."""
import json
import os
import re
import subprocess
import sys
import time
import urllib.request

import processes
import psql

BINARY = ".build/release/neuroviews-server"
START_TIMEOUT_S = 60


class Server:
    """A running server with a private PostgreSQL, or with that of `beside`; its log goes to a file, as in production."""

    name = "neuroviews"

    def __init__(self, folder, binary=None, beside=None, listen="127.0.0.1:0", **settings):
        os.makedirs(folder, exist_ok=True)
        os.chmod(folder, 0o755)
        self.data = folder + "/data"
        self.log = os.path.join(folder, "log")
        environment = dict(os.environ, NEUROVIEWS_REGISTRATION="open", NEUROVIEWS_SIGNATURES="optional",
                           NEUROVIEWS_LOG_LEVEL="info", NEUROVIEWS_LOG_FORMAT="text")
        # Peers may be older servers.
        if has_setting("writes-per-hour-max", binary):
            environment["NEUROVIEWS_WRITES_PER_HOUR_MAX"] = "0"
        environment |= {f"NEUROVIEWS_{name.upper()}": str(value) for name, value in settings.items()}
        arguments = ["--listen", listen, "--admin-listen", "127.0.0.1:0", "--data", self.data]
        with open(self.log, "w") as log:
            self.process = subprocess.Popen([binary or BINARY, "serve", *arguments], stderr=log, env=environment)
        self.address = self.wait_for(r"listening on (?:https?://)?(\S+)")
        self.url = f"{'https' if 'tls_cert' in settings else 'http'}://{self.address}/v2"
        self.postmaster = beside.postmaster if beside else int(self.wait_for(r"postgresql (?:started|adopted)=(\d+)"))

    def wait_for(self, pattern):
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline and self.process.poll() is None:
            match = re.search(pattern, self.log_text())
            if match:
                return match.group(1)
            time.sleep(0.02)
        self.process.kill()
        sys.exit("the server did not start:\n" + self.log_text())

    def log_text(self):
        with open(self.log) as file:
            return file.read()

    def stop(self):
        self.process.terminate()
        self.process.wait(60)

    def call(self, method, path, body=None, token=None):
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = "Bearer " + token
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer), answer.headers

    def cpu(self):
        return processes.cpu_of(self.process.pid)

    def database_cpu(self):
        return processes.cpu_of_family(self.postmaster)

    def backends(self, program):
        """PostgreSQL's processes for a client of that name."""
        return psql.say(self, f"SELECT count(*) FROM pg_stat_activity WHERE application_name = '{program}'") != "0"

    def rss_kib(self):
        return processes.rss_kib(self.process.pid)


def has_setting(name, binary=None):
    """Whether a server knows a setting, by its help."""
    text = subprocess.run([binary or BINARY, "serve", "--help"], capture_output=True, text=True, check=True).stdout
    return f"--{name}," in text


def certificate(folder):
    """A new certificate of 127.0.0.1, which is its own authority, and its key."""
    path, key = folder + "/certificate.pem", folder + "/key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", path, "-days", "2",
                    "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    return path, key
