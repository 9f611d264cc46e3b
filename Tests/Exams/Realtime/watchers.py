"""Those who are asked how others' sockets feel: a process each, beside the HTTP client of Tests/Exams/Attacks."""
import itertools
import time

from bystander import INTERVAL_S, PATIENCE_S, Heard, Watcher
from frames import Line


class Pinger(Watcher):
    """Has a socket, and sends a ping every 100 ms."""

    def __init__(self, host, person, source="127.0.0.2"):
        super().__init__("pings")
        self.address, self.token, self.source = host.place_of_clients, person.token(), source

    def prepare(self):
        self.line = Line(self.address, self.token, source=self.source)
        for _ in range(3):
            self.line.ping()

    def watch(self, seconds):
        return paced(seconds, self.ask)

    def ask(self, _):
        return self.line.ping()


class Newcomers(Watcher):
    """Opens a socket every 100 ms, each time of another account and from another address, and closes it."""

    def __init__(self, host, people, sources):
        super().__init__("newcomers")
        self.address, self.tokens, self.sources = host.place_of_clients, [person.token() for person in people], sources

    def watch(self, seconds):
        tokens, sources = itertools.cycle(self.tokens), itertools.cycle(self.sources)
        return paced(seconds, lambda _: self.open(next(tokens), next(sources)))

    def open(self, token, source):
        begun = time.monotonic()
        line = Line(self.address, token, source=source)
        took = time.monotonic() - begun
        line.close()
        return took


def paced(seconds, ask):
    """What `ask` returns in seconds, every 100 ms, counted from the moment when it was due."""
    times, failures, begin = [], [], time.monotonic()
    dues = [begin + number * INTERVAL_S for number in range(max(1, round(seconds / INTERVAL_S)))]
    for number, due in enumerate(dues):
        now = time.monotonic()
        if now > begin + seconds + PATIENCE_S:
            break
        time.sleep(max(0, due - now))
        try:
            times.append((ask(number) + max(0, now - due)) * 1000)
        except Exception as error:  # pylint: disable=broad-except
            failures.append(repr(error))
            if isinstance(error, (ConnectionError, TimeoutError)) and len(failures) > 20:
                break
    return Heard(times, len(dues), failures[:3])


def all_of(watchers, seconds):
    """Has prepared watchers watch at the same time; what each has heard, by its name."""
    for watcher in watchers:
        watcher.go(seconds)
    return {watcher.name: watcher.result() for watcher in watchers}
