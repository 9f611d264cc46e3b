"""The lines of the table: an attack each, and who watches meanwhile."""
import datetime
import errno
import socket
from typing import Callable, NamedTuple

from attackers import Films, Flood, Holder
from bystander import Bystander, Recorder

IPV4, IPV6 = "127.0.0.1:0", "[::1]:0"
# The attackers' are a customer's; the others' of another one. The script `fairness` makes them addresses of its namespace.
CUSTOMER, OTHERS = "fd49:0:0:{}::1", "fd50:0:0:{}::1"
JSON = {"Content-Type": "application/json"}


class Line(NamedTuple):
    """`attack` and `watchers` are made for a scene; `is_fresh` if its servers are to be of use for nothing else."""

    name: str
    attack: Callable
    watchers: Callable
    listen: str = IPV4
    is_fresh: bool = False


def bystander(scene, sources=("127.0.0.2",)):
    account = scene.presets("bystander", 10)
    return Bystander("bystander", scene.server, "/v2/configurations", sources, account.headers)


def alone(scene):
    return [bystander(scene)]


def newcomers(scene, sources):
    return Bystander("newcomers", scene.server, "/healthz", sources, keeps=False)


def pulls(connections):
    return lambda scene: Flood(scene.server, scene.count(connections), scene.presets("presets", 3000).headers, "/configurations")


def document(scene):
    account, item = scene.document()
    return Flood(scene.server, scene.count(100), account.headers, "/configurations/" + item)


def conflicts(scene):
    account, item = scene.conflicts()
    return Flood(scene.server, scene.count(100), account.headers, f"/configurations/{item}/conflicts")


def usage(scene):
    today = datetime.datetime.now(datetime.timezone.utc).date()
    target = f"/analytics/usage?start_date={today - datetime.timedelta(days=365)}&end_date={today}&tz=Europe/Berlin"
    return Flood(scene.server, scene.count(32), scene.events().headers, target)


def gets(scene):
    account = scene.presets("gets", 1)
    item = account.call("GET", "/configurations")["configurations"][0]["id"]
    return Flood(scene.server, scene.count(400), account.headers, "/configurations/" + item)


def batches(scene):
    account, paths = scene.batches()
    return Flood(scene.server, 6, {**account.headers, **JSON}, "/configurations/batch", "batches.lua", paths)


def merges(scene):
    account, paths = scene.merges()
    return Flood(scene.server, 12, {**account.headers, **JSON, "Prefer": "merge"}, "/configurations", "merges.lua", paths)


def idle(scene):
    return Holder(scene.server, scene.count(10_500), [f"127.1.0.{number}" for number in range(1, 41)])


def idle_watchers(scene):
    return [bystander(scene), newcomers(scene, [f"127.2.{number // 250}.{number % 250 + 1}" for number in range(5000)])]


def idle_customer(scene):
    return Holder(scene.server, scene.count(10_000), [CUSTOMER.format(number) for number in range(10)])


def idle_customer_watchers(scene):
    return [bystander(scene, (OTHERS.format(1),)), newcomers(scene, [OTHERS.format(number) for number in range(10, 5000)])]


def downloads(scene):
    account, recording = scene.recording("attacker", 16 << 20)
    return Holder(scene.server, scene.count(900), ["127.0.0.1"], account.link(recording), reads_slowly=True, settle_s=3)


def downloads_watchers(scene):
    account, recording = scene.recording("downloader", 1 << 20)
    reader = scene.presets("reader", 600 / scene.size)
    return [Bystander("downloads", scene.server, account.link(recording), ("127.0.0.2",), size=1 << 20),
            Bystander("300 KB answers", scene.server, "/v2/configurations", ("127.0.0.3",), reader.headers)]


def films(scene):
    return Films(scene.server, scene.once("films", lambda account: None)[0], scene.films())


def recorder(scene):
    account, _ = scene.once("recorder", lambda account: None)
    return [Recorder("receipts", account)]


LINES = [
    Line("pulls-24", pulls(24), alone), Line("pulls-200", pulls(200), alone), Line("pulls-800", pulls(800), alone), Line("document", document, alone),
    Line("conflicts", conflicts, alone), Line("usage", usage, alone), Line("gets", gets, alone), Line("batches", batches, alone),
    Line("merges", merges, alone), Line("idle", idle, idle_watchers), Line("idle-customer", idle_customer, idle_customer_watchers, listen=IPV6),
    Line("downloads", downloads, downloads_watchers), Line("films", films, recorder, is_fresh=True),
]


def can_use(listen):
    """Whether this machine lets the exam use the addresses that a line needs."""
    if listen != IPV6:
        return True
    with socket.socket(socket.AF_INET6) as attempt:
        try:
            attempt.bind((CUSTOMER.format(0), 0))
        except OSError as error:
            if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                return False
            raise
    return True
