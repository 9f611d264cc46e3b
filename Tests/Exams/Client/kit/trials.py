"""Tries clients at seeds and points, in processes that share one PostgreSQL. Each has a server of its own."""
import concurrent.futures
import multiprocessing.util
import sys
import time
import traceback

from cluster import Cluster
from kit import points
from kit.chaos import Chaos
from kit.proxy import Proxy
from kit.server import Server

# Each restore leaves a schema behind that makes the next one slower.
RESTORES_A_SERVER = 3
# Of this process: see `begin`.
WORKER = None


class Worker:
    """Tries one name after the other."""

    def __init__(self, binary, cluster):
        self.binary, self.cluster, self.server = binary, cluster, None

    def failures(self, command, names):
        """What went wrong until the first failure, with the name: an empty list if nothing did. A name is a seed or a point."""
        for name in names:
            begin = time.monotonic()
            failure = self.failure(command, name)
            print(f"{title(name)}: {'FAILED' if failure else 'passed'}, {time.monotonic() - begin:.1f} s, {command[-1]}", file=sys.stderr, flush=True)
            if failure:
                print(failure, file=sys.stderr, flush=True)
                return [f"{title(name)} of {command[-1]}: {failure}"]
        return []

    def failure(self, command, name):
        failure = None
        try:
            self.server = self.server or Server(self.binary, self.cluster)
            if isinstance(name, int):
                Chaos(self.server, command, name).run()
            else:
                points.ALL[name].body(self.server, command)
        except Exception as error:  # pylint: disable=broad-except
            failure = str(error) if type(error).__name__ in ("Failure", "Silent") else traceback.format_exc()
        # After a failure the server may be in the middle of something.
        if failure or self.server.restores >= RESTORES_A_SERVER:
            self.close()
        return failure

    def close(self):
        if self.server:
            self.server.close()
        self.server = None


def title(name):
    return (f"seed {name}" if isinstance(name, int) else f"point {name}") + (" with a newer server" if Proxy.is_newer else "")


def begin(*arguments):
    """In each process, before its first trial."""
    global WORKER
    WORKER = Worker(*arguments)
    multiprocessing.util.Finalize(None, WORKER.close, exitpriority=1)


def failures(command, names, is_newer):
    Proxy.is_newer = is_newer
    return WORKER.failures(command, names)


class Trials:
    """`start(command, names, is_newer)` promises the failures of a client at these names, one after the other until one fails. `is_newer`: see `Proxy`."""

    def __init__(self, binary, jobs):
        self.binary, self.jobs = binary, jobs

    def __enter__(self):
        self.cluster = Cluster(self.binary)
        # Forked, for a cluster can't be sent to another process.
        self.pool = concurrent.futures.ProcessPoolExecutor(self.jobs, multiprocessing.get_context("fork"), begin, (self.binary, self.cluster))
        return self

    def start(self, command, names, is_newer=False):
        return self.pool.submit(failures, command, names, is_newer)

    def __exit__(self, *error):
        self.pool.shutdown(cancel_futures=True)
        self.cluster.close()
