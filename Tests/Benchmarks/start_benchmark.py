"""Start to first answer: from the start of the program to the first 200 of /healthz, with the cluster present: budget 7."""
import http.client
import os
import subprocess
import sys
import time

from nginx import reserved_port
from results import cell, spread, store
from server import BINARY, START_TIMEOUT_S, Server

STARTS_PER_ROUND = 3
MAX_S = 1


def measure(options, folder):
    # Makes the cluster.
    server = Server(os.path.join(folder, "start"))
    server.stop()
    seconds = [start(server.data, folder) for _ in range(options.rounds * STARTS_PER_ROUND)]
    result = spread(seconds)
    print(f"start to first answer, PostgreSQL with it: {cell(result, 3)} s of {len(seconds)} starts, "
          f"{'met' if result['median'] < MAX_S else 'NOT met'} (under {MAX_S} s)")
    store(".build/benchmarks-start.json", {"seconds": result, "starts": len(seconds)}, options)


def start(data, folder):
    port = reserved_port()
    with open(os.path.join(folder, "start-log"), "w") as log:
        begin = time.monotonic()
        process = subprocess.Popen([BINARY, "serve", "--listen", f"127.0.0.1:{port}", "--admin-listen", "127.0.0.1:0", "--data", data], stderr=log)
    try:
        return first_answer(process, port, begin)
    finally:
        process.terminate()
        process.wait(60)


def first_answer(process, port, begin):
    while time.monotonic() < begin + START_TIMEOUT_S and process.poll() is None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return time.monotonic() - begin
        except OSError:
            time.sleep(0.001)
        finally:
            connection.close()
    sys.exit("the server did not answer")
