"""What an idle connection costs: opens 10,000 of them to the server, each after one answered request, and compares its memory."""
import argparse
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time

BINARY = os.environ.get("SERVER_PROGRAM", ".build/release/neuroviews-server")
BUDGET_BYTES = 4096
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"


def resident_kib(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{pid}/status").read()).group(1))


def cpu_s(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(") ", 1)[1].split()
    return sum(int(field) for field in fields[11:13]) / os.sysconf("SC_CLK_TCK")


def start(folder, count):
    with open(folder + "/log", "w") as log:
        process = subprocess.Popen(
            [BINARY, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", folder + "/data",
             "--connections-max", str(count + 100), "--connections-per-address-max", str(count + 100),
             "--idle-timeout-ms", "600000"], stderr=log)
    return process


def listening_port(process, folder, seconds=300):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        match = re.search(r"listening on (?:https?://)?127\.0\.0\.1:(\d+)", open(folder + "/log").read())
        if match:
            return int(match.group(1))
        time.sleep(0.05)
    sys.exit("the server did not start:\n" + open(folder + "/log").read())


def ask(port):
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    connection.sendall(REQUEST)
    if not connection.recv(4096).startswith(b"HTTP/1.1 200"):
        sys.exit("the server did not answer")
    return connection


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--connections", type=int, default=10_000)
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard < options.connections + 100:
        sys.exit(f"{hard} descriptors are too few: raise ulimit -Hn")
    with tempfile.TemporaryDirectory(prefix="neuroviews-idle-") as folder:
        os.chmod(folder, 0o755)
        process = start(folder, options.connections)
        try:
            port = listening_port(process, folder)
            # The first ones pay for what is made once.
            for connection in [ask(port) for _ in range(200)]:
                connection.close()
            time.sleep(0.5)
            before = resident_kib(process.pid)
            connections = [ask(port) for _ in range(options.connections)]
            bytes_each = (resident_kib(process.pid) - before) * 1024 / len(connections)
            begin, cpu_begin = time.monotonic(), cpu_s(process.pid)
            time.sleep(5)
            cpu_share = (cpu_s(process.pid) - cpu_begin) / (time.monotonic() - begin)
            for connection in connections[::100]:
                connection.sendall(REQUEST)
                if not connection.recv(4096).startswith(b"HTTP/1.1 200"):
                    sys.exit("an idle connection does not serve any more")
        finally:
            process.terminate()
            process.wait(60)
    print(f"idle: {len(connections)} connections, {bytes_each:.0f} bytes of memory each (budget {BUDGET_BYTES}), "
          f"{cpu_share * 100:.2f} % of a core while idle")
    sys.exit(0 if bytes_each <= BUDGET_BYTES else 1)


if __name__ == "__main__":
    main()
