"""A PostgreSQL for tests from outside, and databases in it that the server's migrations have prepared: copies of one template."""
import glob
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time

STARTS_MAX_S = 60
ENDS_MAX_S = 60
TEMPLATE = "template_neuroviews"
MEMORY, MEMORY_MIN_BYTES = "/dev/shm", 2 << 30
# No test that uses it lets the machine crash.
OPTIONS = {"listen_addresses": "", "max_connections": "400", "shared_buffers": "64MB", "wal_level": "minimal", "max_wal_senders": "0",
           "fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "autovacuum": "off", "jit": "off"}


def place():
    """Where folders of tests are made: in memory, if there is enough of it."""
    has_room = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= MEMORY_MIN_BYTES
    return MEMORY if has_room else tempfile.gettempdir()


class Cluster:
    """Runs until `close`, or until the thread that made it ends."""

    def __init__(self, binary):
        self.folder, self.process = tempfile.mkdtemp(prefix="neuroviews-postgres-", dir=place()), None
        self.account = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        try:
            self.start(self.folder + "/postgres")
            self.make(TEMPLATE, "template1")
            run([os.path.abspath(binary), "migrate", "--data", self.folder + "/template", "--database-url", self.url(TEMPLATE)])
        except BaseException:
            self.close()
            raise

    def start(self, data):
        os.chmod(self.folder, 0o755)
        os.mkdir(data, 0o700)
        if self.account:
            for path in (self.folder, data):
                os.chown(path, self.account.pw_uid, self.account.pw_gid)
        run(self.command("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions", "-D", data))
        options = [word for name, value in {**OPTIONS, "unix_socket_directories": self.folder}.items() for word in ("-c", f"{name}={value}")]
        with open(self.folder + "/log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command("postgres", "-D", data, *options), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/")
        self.await_start()

    def command(self, program, *arguments):
        """PostgreSQL refuses root: root hands its programs to their account."""
        user = [f"--reuid={self.account.pw_uid}", f"--regid={self.account.pw_gid}", "--init-groups"] if self.account else []
        return ["setpriv", "--pdeathsig=INT", *user, "--", newest(program), *arguments]

    def await_start(self):
        deadline = time.monotonic() + STARTS_MAX_S
        while subprocess.run([newest("pg_isready"), "-q", "-h", self.folder], check=False).returncode:
            if self.process.poll() is not None or time.monotonic() > deadline:
                with open(self.folder + "/log", encoding="utf-8") as log:
                    raise RuntimeError("PostgreSQL did not start:\n" + log.read())
            time.sleep(0.02)

    def url(self, database):
        return f"host={self.folder} user=postgres dbname={database}"

    def make(self, database, template=TEMPLATE):
        self.execute(f'CREATE DATABASE "{database}" TEMPLATE "{template}"')

    def drop(self, database):
        self.execute(f'DROP DATABASE "{database}" WITH (FORCE)')

    def execute(self, statement):
        run([newest("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", statement, self.url("postgres")])

    def close(self):
        if self.process:
            # At once, whoever is connected.
            self.process.send_signal(signal.SIGINT)
            self.process.wait(ENDS_MAX_S)
        shutil.rmtree(self.folder)


def newest(program):
    paths = glob.glob(f"/usr/lib/postgresql/*/bin/{program}")
    if not paths:
        raise RuntimeError(f"PostgreSQL's {program} is not installed")
    return max(paths, key=lambda path: int(re.search(r"/postgresql/(\d+)", path).group(1)))


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stderr or done.stdout}")
