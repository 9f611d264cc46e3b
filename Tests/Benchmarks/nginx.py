"""nginx as the measure of what a request has to cost: the same answer, returned from its configuration."""
import os
import shutil
import socket
import subprocess
import sys
import time

import processes

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Support"))
from ports import reserved_port  # noqa: E402

UNPACKED = ".build/peers/nginx/usr/sbin/nginx"
START_TIMEOUT_S = 10
# These nginx writes itself, two of them the server does not.
OWN_FIELDS = {"server", "date", "content-type", "content-length", "connection"}
SURPLUS_BYTES = len("Server: nginx/1.22.1\r\nConnection: keep-alive\r\n")

CONFIGURATION = """\
worker_processes {workers};
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
    access_log {folder}/access.log combined buffer=64k flush=1s;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    keepalive_requests 1000000000;
    keepalive_timeout 75s;
    default_type application/json;
    server {{
        listen 127.0.0.1:{port}{tls};
        location = /healthz {{
            {fields}
            return 200 '{body}';
        }}
        location /files/ {{
            alias {folder}/files/;
            dav_methods PUT;
            client_max_body_size 0;
        }}
    }}
}}
"""

TLS = """ ssl;
        ssl_certificate {certificate};
        ssl_certificate_key {key};
        ssl_protocols TLSv1.3"""


class Nginx:
    """A running nginx with as many workers as the server has loops, and with a log of every request."""

    name = "nginx"

    def __init__(self, folder, workers, answer, certificate=None, key=None):
        os.makedirs(folder, exist_ok=True)
        os.chmod(folder, 0o755)
        # The workers are another account.
        for name in ("files", "body"):
            os.makedirs(os.path.join(folder, name), exist_ok=True)
            os.chmod(os.path.join(folder, name), 0o777)
        program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin") or UNPACKED
        port = reserved_port()
        self.address = f"127.0.0.1:{port}"
        configuration = os.path.join(folder, "nginx.conf")
        with open(configuration, "w") as file:
            file.write(CONFIGURATION.format(
                workers=workers, folder=folder, port=port, body=answer.body, fields=field_lines(answer.fields),
                tls=TLS.format(certificate=certificate, key=key) if certificate else ""))
        self.process = subprocess.Popen([program, "-p", folder, "-e", folder + "/error.log", "-c", configuration])
        wait_for_port(port, self.process)

    def stop(self):
        self.process.terminate()
        self.process.wait(30)

    def cpu(self):
        return processes.cpu_of_family(self.process.pid)

    def database_cpu(self):
        return processes.NO_CPU

    def rss_kib(self):
        return sum(processes.rss_kib(pid) for pid in processes.family(self.process.pid))


def field_lines(fields):
    """The server's fields, without so many as nginx has more; the request's id is counted as the server does it."""
    lines, surplus = [], SURPLUS_BYTES
    for name, value in fields:
        if name.lower() == "x-request-id":
            lines.append(f"add_header {name} $connection-$connection_requests;")
        elif name.lower() not in OWN_FIELDS and surplus > 0:
            surplus -= len(f"{name}: {value}\r\n")
        elif name.lower() not in OWN_FIELDS:
            lines.append(f"add_header {name} \"{value.replace('$', '')}\";")
    return "\n            ".join(lines)


def wait_for_port(port, process):
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    process.kill()
    sys.exit("nginx did not start")
