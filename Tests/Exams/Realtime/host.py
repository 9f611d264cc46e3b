"""A server of the fault exam with room for many sockets, and what it takes of the machine."""
import os

from frames import Line
from people import fill
from postgres import children_of
from server import Server
from tokens import MasterKey

TICK_US = 1_000_000 / os.sysconf("SC_CLK_TCK")
CONNECTIONS_MAX = 10_000


def cpu_us(pid):
    """User and system time of a process and of its children that have ended; 0 when it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return sum(int(field) for field in file.read().rsplit(") ", 1)[1].split()[11:15]) * TICK_US
    except (FileNotFoundError, ProcessLookupError):
        return 0.0


class Host(Server):
    """`beside`: a host whose database and secret this one uses. `connections`: connections_max."""

    def __init__(self, binary, folder, settings=(), beside=None, connections=CONNECTIONS_MAX, signatures="optional", environment=None):
        self.first = beside or self
        database, shared = None, []
        if beside:
            database = f"host={beside.data}/socket user=neuroviews dbname=neuroviews"
            shared = ["--secret-file", beside.data + "/secret.key", "--database-connections-max", str(4 * (os.cpu_count() or 1) + 4)]
        usual = ["--signatures", signatures, "--media-jobs", "0", "--log-format", "json", "--idle-timeout-ms", "600000",
                 "--connections-max", str(connections), "--connections-per-address-max", str(connections)]
        super().__init__(binary, folder, [*usual, *shared, *settings], environment=environment, database=database)
        self.kept_key = None

    @property
    def key(self):
        self.kept_key = self.kept_key or MasterKey(self.first.data + "/secret.key")
        return self.kept_key

    @property
    def place_of_clients(self):
        return ("127.0.0.1", self.port)

    @property
    def address(self):
        """As the watchers of Tests/Exams/Attacks want it."""
        return f"127.0.0.1:{self.port}"

    def database(self):
        return super().database() if self.first is self else self.first.database()

    def people(self, name, count, devices=("phone",), **more):
        return fill(self, self.key, name, count, devices, **more)

    def line(self, person, device="phone", **more):
        return Line(self.place_of_clients, person.token(device), **more)

    def cpu_us(self):
        return cpu_us(self.process.pid)

    def database_cpu_us(self):
        number = self.first.postmaster[0]
        return sum(cpu_us(pid) for pid in [number, *children_of(number)])

    def resident_bytes(self):
        return self.figures()[0] * 1024

    def log_text(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()
