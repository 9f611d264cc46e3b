"""The disk of PostgreSQL's data is full, and then it isn't."""
import os
import subprocess

from postgres import Cluster, program
from processes import as_postgres, run
from scenarios.scenario import Scenario, Skipped
from server import Server, copy_data

DISK_MIB = 128


class DiskFull(Scenario):
    """PostgreSQL's data are on a small tmpfs that a file fills up. Segments of its log are small, so that they need room
    soon. A PostgreSQL that has ended over it is started again when there is room, as its service manager would."""

    name = "disk-full"
    hold_s = 3.0
    cluster = None
    is_mounted = False

    def install(self):
        self.disk = self.folder + "/disk"
        os.makedirs(self.disk)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m,mode=0755", "tmpfs", self.disk],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            reason = (done.stderr.strip() or "mount failed").splitlines()[0]
            raise Skipped(f"nothing can be mounted here: {reason}")
        self.is_mounted = True
        self.cluster = Cluster(self.folder + "/cluster", self.disk + "/data")
        self.cluster.take_from(self.run.template)
        run(as_postgres([program("pg_resetwal"), "--wal-segsize=1", "-D", self.cluster.data]), cwd="/")
        self.cluster.options |= {"min_wal_size": "2MB", "max_wal_size": "8MB"}
        self.cluster.start()
        copy_data(self.run.template, self.folder)
        self.server = Server(self.run.binary, self.folder, database=(
            f"host={self.cluster.socket_folder} user=neuroviews dbname=neuroviews"))
        self.server.start()

    def database(self):
        return self.cluster.address()

    def strike(self, number):
        with open(self.disk + "/ballast", "wb", buffering=0) as file:
            for size in (1 << 20, 4096):
                try:
                    while file.write(b"\0" * size) == size:
                        pass
                except OSError:
                    continue

    def heal(self):
        os.unlink(self.disk + "/ballast")
        if self.cluster.process.poll() is not None:
            self.findings.count("PostgreSQL ended")
            self.cluster.start()
        super().heal()

    def clean_up(self):
        super().clean_up()
        if self.cluster:
            self.cluster.clean_up()
        if self.is_mounted:
            run(["umount", self.disk])
