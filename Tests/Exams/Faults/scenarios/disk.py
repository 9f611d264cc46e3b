"""The disk of PostgreSQL's data is full, and then it isn't."""
import os
import shutil
import subprocess

from postgres import Cluster, program
from processes import as_postgres, run
from scenarios.scenario import Scenario, Skipped
from server import Server, copy_data

DISK_MIB, FILES_MIB = 128, 256


class DiskFull(Scenario):
    """PostgreSQL's data are on a small tmpfs that a file fills up, and so are recordings' files on another: first the one is full, then
    the other, then both. Segments of PostgreSQL's log are small, so that they need room soon. A PostgreSQL that has ended over it is
    started again when there is room, as its service manager would."""

    name = "disk-full"
    upload_failures = frozenset({503, 507})
    rounds = 3
    hold_s = 3.0
    cluster = None
    filled = ()

    def install(self):
        self.mounted = []
        self.disk, self.files = self.folder + "/disk", self.folder + "/data/objects"
        copy_data(self.run.template, self.folder)
        self.mount(self.disk, DISK_MIB)
        self.mount(self.files, FILES_MIB)
        # The folder that the database knows as its store.
        shutil.copytree(self.run.template + "/data/objects", self.files, dirs_exist_ok=True)
        self.cluster = Cluster(self.folder + "/cluster", self.disk + "/data")
        self.cluster.take_from(self.run.template)
        run(as_postgres([program("pg_resetwal"), "--wal-segsize=1", "-D", self.cluster.data]), cwd="/")
        self.cluster.options |= {"min_wal_size": "2MB", "max_wal_size": "8MB"}
        self.cluster.start()
        self.server = Server(self.run.binary, self.folder, database=(
            f"host={self.cluster.socket_folder} user=neuroviews dbname=neuroviews"))
        self.server.start()

    def mount(self, folder, size_mib):
        os.makedirs(folder, exist_ok=True)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size_mib}m,mode=0755", "tmpfs", folder],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            reason = (done.stderr.strip() or "mount failed").splitlines()[0]
            raise Skipped(f"nothing can be mounted here: {reason}")
        self.mounted.append(folder)

    def database(self):
        return self.cluster.address()

    def strike(self, number):
        self.filled = ([self.disk], [self.files], [self.disk, self.files])[number % 3]
        # Without room for files everything else goes on.
        self.struck = [] if self.filled == [self.files] else None
        for folder in self.filled:
            fill(folder + "/ballast")

    def is_felt(self, before, after):
        if self.filled == [self.files]:
            return after["507 of uploads"] > before["507 of uploads"]
        return super().is_felt(before, after)

    def heal(self):
        """The time counts from here, since those who need no files were served all the time."""
        super().heal()
        for folder in self.filled:
            os.unlink(folder + "/ballast")
        if self.cluster.process.poll() is not None:
            self.findings.count("PostgreSQL ended")
            self.cluster.start()
            super().heal()

    def clean_up(self):
        super().clean_up()
        if self.cluster:
            self.cluster.clean_up()
        for folder in self.mounted:
            run(["umount", folder])


def fill(path):
    with open(path, "wb", buffering=0) as file:
        for size in (1 << 20, 4096):
            try:
                while file.write(b"\0" * size) == size:
                    pass
            except OSError:
                continue
