"""What an idle connection costs, plain and over TLS: opens 10,000 of them to the server, each after one answered request, and
compares its memory once they are at rest."""
import argparse
import os
import re
import resource
import socket
import ssl
import subprocess
import sys
import tempfile
import time

import results

BINARY = os.environ.get("SERVER_PROGRAM", ".build/release/neuroviews-server")
BUDGET_BYTES = {"plain": 4096, "tls": 24 * 1024}
REST_SECONDS = 2
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"


def resident_kib(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{pid}/status").read()).group(1))


def cpu_s(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(") ", 1)[1].split()
    return sum(int(field) for field in fields[11:13]) / os.sysconf("SC_CLK_TCK")


def start(folder, count, scheme):
    words = [BINARY, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", folder + "/data",
             "--log-format", "text", "--connections-max", str(count + 100),
             "--connections-per-address-max", str(count + 100), "--idle-timeout-ms", "600000"]
    if scheme == "tls":
        words += ["--tls-cert", folder + "/certificate.pem", "--tls-key", folder + "/key.pem"]
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-keyout", words[-1], "-out", words[-3], "-days", "2", "-subj", "/CN=127.0.0.1"],
                       check=True, capture_output=True)
    with open(folder + "/log", "w") as log:
        return subprocess.Popen(words, stderr=log)


def listening_port(process, folder, seconds=300):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        match = re.search(r"listening on (?:https?://)?127\.0\.0\.1:(\d+)", open(folder + "/log").read())
        if match:
            return int(match.group(1))
        time.sleep(0.05)
    sys.exit("the server did not start:\n" + open(folder + "/log").read())


def client_context():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def ask(connection):
    connection.sendall(REQUEST)
    if not connection.recv(4096).startswith(b"HTTP/1.1 200"):
        sys.exit("the server did not answer")


def connect(port, context):
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    if context:
        connection = context.wrap_socket(connection)
    ask(connection)
    return connection


def measure(scheme, count):
    """Bytes a connection at rest, and the share of a core that they all take."""
    with tempfile.TemporaryDirectory(prefix="neuroviews-idle-") as folder:
        os.chmod(folder, 0o755)
        process = start(folder, count, scheme)
        try:
            port = listening_port(process, folder)
            context = client_context() if scheme == "tls" else None
            # The first ones pay for what is made once.
            for connection in [connect(port, context) for _ in range(200)]:
                connection.close()
            time.sleep(0.5)
            before = resident_kib(process.pid)
            connections = [connect(port, context) for _ in range(count)]
            time.sleep(REST_SECONDS)
            bytes_each = (resident_kib(process.pid) - before) * 1024 / count
            begin, cpu_begin = time.monotonic(), cpu_s(process.pid)
            time.sleep(5)
            cpu_share = (cpu_s(process.pid) - cpu_begin) / (time.monotonic() - begin)
            for connection in connections[::100]:
                ask(connection)
            return bytes_each, cpu_share
        finally:
            process.terminate()
            process.wait(60)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--connections", type=int, default=10_000)
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard < options.connections + 100:
        sys.exit(f"{hard} descriptors are too few: raise ulimit -Hn")
    is_met, content = True, {}
    for scheme, budget_bytes in BUDGET_BYTES.items():
        bytes_each, cpu_share = measure(scheme, options.connections)
        print(f"idle, {scheme}: {options.connections} connections, {bytes_each:.0f} bytes of memory each "
              f"(budget {budget_bytes}), {cpu_share * 100:.2f} % of a core")
        is_met = is_met and bytes_each <= budget_bytes
        content[scheme] = {"bytes": bytes_each, "core_share": cpu_share, "budget_bytes": budget_bytes}
    results.store(".build/benchmarks-idle.json", {"results": content}, options)
    sys.exit(0 if is_met else 1)


if __name__ == "__main__":
    main()
