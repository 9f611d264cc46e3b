"""Two servers behind HAProxy, with the configuration that deploy/proxy documents."""
import os
import re
import subprocess
import time
import urllib.request

from processes import run, wait_until
from server import Server, reserved_port

CONFIGURATION = "deploy/proxy/haproxy.cfg"
SERVERS = 2


class Front:
    def __init__(self, programs, folder, binary, cluster, has_all_hosts):
        self.programs, self.folder, self.port, self.admin = programs, folder, reserved_port(), reserved_port()
        self.process = None
        secret = folder + "/secret.key"
        with open(os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(os.urandom(32))
        settings = [
            "--secret-file", secret, "--public-url", f"http://127.0.0.1:{self.port}/v2", "--trusted-proxies", "127.0.0.1",
            "--background-database-url", cluster.url("background", has_all_hosts),
            "--owner-database-url", cluster.url("owner", has_all_hosts),
            # The history is what acknowledged writes are compared with.
            "--versions-max", "0"]
        objects = folder + "/objects"
        os.makedirs(objects, mode=0o700)
        self.servers = []
        for number in range(SERVERS):
            place = f"{folder}/server{number + 1}"
            # Recordings' files are on one volume, as on a shared disk.
            os.makedirs(place + "/data/objects", mode=0o700)
            os.chmod(place + "/data", 0o700)
            run(["mount", "--bind", objects, place + "/data/objects"])
            self.servers.append(Server(binary, place, settings, database=cluster.url("app", has_all_hosts)))

    def start(self):
        for server in self.servers:
            server.start()
        with open(self.folder + "/haproxy.cfg", "w", encoding="utf-8") as file:
            file.write(self.configuration())
        libraries = self.programs + "/usr/lib/" + run(["dpkg-architecture", "-qDEB_HOST_MULTIARCH"]).strip() \
            if os.path.exists("/usr/bin/dpkg-architecture") else f"{self.programs}/usr/lib/{os.uname().machine}-linux-gnu"
        with open(self.folder + "/haproxy.log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen([self.programs + "/usr/sbin/haproxy", "-db", "-f", self.folder + "/haproxy.cfg"],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env={**os.environ, "LD_LIBRARY_PATH": libraries})
        wait_until(lambda: self.states() == ["UP"] * SERVERS, 30, "HAProxy")

    def configuration(self):
        with open(CONFIGURATION, encoding="utf-8") as file:
            text = file.read()
        line = "server first 127.0.0.1:8080 check"
        servers = "\n    ".join(f"server server{number + 1} 127.0.0.1:{server.port} check" + text.partition(line)[2].split("\n")[0]
                                for number, server in enumerate(self.servers))
        for old, new in (
                ("bind :443 ssl crt /etc/ssl/private/cloud.pem alpn h2,http/1.1", f"bind 127.0.0.1:{self.port}"),
                ("X-Forwarded-Proto https", "X-Forwarded-Proto http"),
                ("    http-reuse safe\n", "    http-reuse safe\n    http-response set-header X-Served-By %s\n"),
                (line + text.partition(line)[2].split("\n")[0], servers)):
            # Else another configuration would be tested than the documented one.
            if old not in text:
                raise RuntimeError(f"{CONFIGURATION} has no {old}")
            text = text.replace(old, new)
        return text + f"\nlisten statistics\n    bind 127.0.0.1:{self.admin}\n    stats enable\n    stats uri /\n"

    def states(self):
        """What HAProxy thinks of each server."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.admin}/;csv", timeout=2) as answer:
                lines = [line.split(",") for line in answer.read().decode().split("\n") if line.startswith("neuroviews,server")]
        except OSError:
            return []
        return [re.sub(" .*", "", line[17]) for line in lines]

    def restart(self, server, binary=None):
        """The status of the one that ended. Returns when HAProxy uses the new one."""
        status = server.stop()
        server.binary = binary or server.binary
        server.start()
        wait_until(lambda: self.states() == ["UP"] * SERVERS, 30, "HAProxy's view of the server")
        time.sleep(1)
        return status
