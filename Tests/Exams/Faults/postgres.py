"""PostgreSQL: statements by psql, and clusters of the exam's own for faults that a private one can't have."""
import glob
import os
import re
import signal
import subprocess

from processes import as_postgres, give_to_postgres, is_alive, run, wait_until

STARTS_MAX_S = 60
ENDS_MAX_S = 30


def program(name):
    """The newest installed one."""
    paths = glob.glob(f"/usr/lib/postgresql/*/bin/{name}")
    if not paths:
        raise RuntimeError(f"PostgreSQL's {name} is not installed")
    return max(paths, key=lambda path: int(re.search(r"/postgresql/(\d+)", path).group(1)))


class Address:
    """Where a cluster is reached, by its administrator."""

    def __init__(self, socket_folder):
        self.socket_folder = socket_folder

    def psql(self, *arguments):
        return [program("psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.socket_folder, "-U", "postgres",
                "-d", "neuroviews", *arguments]

    def query(self, sql):
        """The rows' columns as text."""
        text = run(as_postgres(self.psql("-F", "\t", "-c", "SET search_path = neuroviews", "-c", sql)), cwd="/")
        return [line.split("\t") for line in text.split("\n") if line]

    def session(self):
        """A psql that takes statements on its input, for a transaction that stays open."""
        return subprocess.Popen(as_postgres(self.psql()), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, cwd="/")


def end(number):
    """A fast shutdown, and if that takes too long the hard way."""
    for sent in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        try:
            os.kill(number, sent)
        except ProcessLookupError:
            return
        try:
            wait_until(lambda: not is_alive(number), ENDS_MAX_S, "PostgreSQL's end")
            return
        except RuntimeError:
            continue


class Cluster:
    """A cluster in `folder`, reached by a socket beside it; fsync is on. It is started by `start` and ended by `clean_up`."""

    def __init__(self, folder, data, environment=None):
        self.folder, self.data, self.process = folder, data, None
        self.environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", **(environment or {})}
        self.socket_folder = folder + "/socket"
        self.options = {"unix_socket_directories": self.socket_folder, "hba_file": folder + "/hba.conf",
                        "listen_addresses": "", "logging_collector": "off", "log_min_messages": "warning"}
        for path in (folder, self.socket_folder):
            os.makedirs(path, exist_ok=True)
            os.chmod(path, 0o755)
        os.makedirs(data, mode=0o700, exist_ok=True)
        give_to_postgres(self.socket_folder)
        give_to_postgres(data)
        # The socket's folder is this exam's alone, and gone after it.
        with open(folder + "/hba.conf", "w", encoding="utf-8") as file:
            file.write("local all all trust\nlocal replication all trust\n")

    def take_from(self, template):
        """Makes it a copy of the template's cluster."""
        run(["cp", "-a", template + "/data/postgres/.", self.data])

    def address(self):
        return Address(self.socket_folder)

    def start(self):
        """Returns when it answers; raises RuntimeError when it doesn't come."""
        options = [word for name, value in self.options.items() for word in ("-c", f"{name}={value}")]
        with open(self.folder + "/postgres.log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                as_postgres([program("postgres"), "-D", self.data, *options]), stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, env=self.environment, cwd="/", start_new_session=True)
        wait_until(self.answers, STARTS_MAX_S, "PostgreSQL's start")

    def answers(self):
        if self.process.poll() is not None:
            raise RuntimeError("PostgreSQL did not start:\n" + self.log_text()[-2000:])
        ready = subprocess.run([program("pg_isready"), "-q", "-h", self.socket_folder], check=False)
        return ready.returncode == 0

    def log_text(self):
        with open(self.folder + "/postgres.log", encoding="utf-8", errors="replace") as file:
            return file.read()

    def kill(self):
        """As a machine that fails does it: everything at once."""
        children = children_of(self.process.pid)
        self.process.kill()
        for child in children:
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait(60)
        for child in children:
            wait_until(lambda child=child: not is_alive(child), ENDS_MAX_S, "the end of PostgreSQL's processes")

    def clean_up(self):
        if self.process and self.process.poll() is None:
            end(self.process.pid)
            self.process.wait(60)


def children_of(number):
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                    if file.read().rsplit(") ", 1)[1].split()[1] == str(number):
                        found.append(int(name))
            except (FileNotFoundError, ProcessLookupError):
                continue
    return found
