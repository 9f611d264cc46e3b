"""Many slow uploads at once: each goes at its own rate, and another client's requests hardly notice."""
import asyncio
import hashlib
import http.client
import multiprocessing
import os
import threading
import time

from scene import Account, Server, end, folder, options, quantile

P99_GROWTH_MAX_MS = 20
PIECE_BYTES = 20_000
# Twice the ideal time: none may starve.
SLOWNESS_MAX = 2


async def upload(address, path, settings, number):
    """Returns the seconds that it took, and the status."""
    host, port = address.rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port))
    size = settings.rate * settings.seconds
    writer.write(f"PUT {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {size}\r\n\r\n".encode())
    piece = (hashlib.sha256(str(number).encode()).digest() * (PIECE_BYTES // 32 + 1))[:PIECE_BYTES]
    began = time.perf_counter()
    sent = 0
    while sent < size:
        writer.write(piece[:size - sent])
        sent += min(len(piece), size - sent)
        await writer.drain()
        await asyncio.sleep(max(0, began + sent / settings.rate - time.perf_counter()))
    status = (await reader.readline()).split()[1]
    writer.close()
    return time.perf_counter() - began, int(status)


def upload_all(address, paths, settings, results):
    """In a process of its own, so that Python's lock does not slow the other client."""
    async def run():
        return await asyncio.gather(*[upload(address, path, settings, n) for n, path in enumerate(paths)])
    results.put(asyncio.run(run()))


class Bystander(threading.Thread):
    """Asks for its configurations until it is stopped, and notes how long each answer took, in milliseconds."""

    def __init__(self, server, token):
        super().__init__()
        self.server, self.token = server, token
        self.is_over = threading.Event()
        self.latencies = []

    def run(self):
        connection = http.client.HTTPConnection(self.server.address, timeout=60)
        while not self.is_over.wait(0.005):
            began = time.perf_counter()
            connection.request("GET", "/v2/configurations", headers={"Authorization": "Bearer " + self.token})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
            self.latencies.append((time.perf_counter() - began) * 1000)

    def stop(self):
        self.is_over.set()
        self.join()
        return self.latencies


def show(name, latencies):
    print(f"{name}: p50 {quantile(latencies, .5):.2f} ms, p99 {quantile(latencies, .99):.2f} ms ({len(latencies)} requests)")


def main():
    settings = options(__doc__, uploads=(100, "at once"), rate=(100_000, "bytes a second of each"),
                       seconds=(10, "that each takes"))
    with folder() as place:
        server = Server(os.path.join(place, "server"), settings.binary)
        account = Account(server)
        paths = [account.open_upload(settings.rate * settings.seconds)[1] for _ in range(settings.uploads)]
        idle = Bystander(server, account.token)
        idle.start()
        time.sleep(settings.seconds / 2)
        before = idle.stop()
        rss = peak = server.rss_kib()
        results = multiprocessing.Queue()
        busy = Bystander(server, account.token)
        uploads = multiprocessing.Process(target=upload_all, args=(server.address, paths, settings, results))
        uploads.start()
        busy.start()
        while results.empty() and uploads.is_alive():
            peak = max(peak, server.rss_kib())
            time.sleep(0.1)
        meanwhile = busy.stop()
        ended = results.get()
        uploads.join()
        server.stop()
    show("alone", before)
    show(f"beside {settings.uploads} uploads", meanwhile)
    times = [took for took, _ in ended]
    print(f"uploads: {min(times):.1f} to {max(times):.1f} s each, memory +{(peak - rss) / 1024:.1f} MiB")
    growth = quantile(meanwhile, .99) - quantile(before, .99)
    end([what for what, is_broken in [
        ("an upload was refused", any(status != 201 for _, status in ended)),
        ("an upload starved", max(times) > settings.seconds * SLOWNESS_MAX),
        (f"p99 grew by {growth:.1f} ms", growth > P99_GROWTH_MAX_MS)] if is_broken])


if __name__ == "__main__":
    main()
