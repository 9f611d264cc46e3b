"""What the checks share: servers, which are started when the first check needs them, and one browser."""
import contextlib
import functools
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile

from browser import Browser
from cluster import ENDS_MAX_S, OPTIONS, Cluster, place
from house import BINARY, House, Store, wait_for
from person import Person, film
from ports import reserved_port

FAILED = ".build/console/failed"
FULL_DISK_MIB = 16


class Database(Cluster):
    """A PostgreSQL that can be stopped and started again."""

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(ENDS_MAX_S)

    def again(self):
        options = [word for name, value in {**OPTIONS, "unix_socket_directories": self.folder}.items() for word in ("-c", f"{name}={value}")]
        with open(self.folder + "/log", "a", encoding="utf-8") as log:
            command = self.command("postgres", "-D", self.folder + "/postgres", *options)
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/")
        self.await_start()


class World:
    def __init__(self, options):
        self.options = options
        self.ends = contextlib.ExitStack()
        self.folder = self.ends.enter_context(tempfile.TemporaryDirectory(prefix="neuroviews-console-", dir=place()))
        os.chmod(self.folder, 0o755)
        self.browser = Browser()
        self.ends.callback(self.browser.close)

    def random(self, name):
        return random.Random(f"{self.options.seed} {name}")

    def build(self, name, **others):
        house = House(f"{self.folder}/{name}", **others)
        self.ends.callback(house.stop)
        return house

    @functools.cached_property
    def house(self):
        return self.build("house")

    @functools.cached_property
    def database(self):
        database = Database(BINARY)
        self.ends.callback(database.close)
        return database

    @functools.cached_property
    def weak(self):
        """A server whose database can be stopped."""
        self.database.make("weak")
        return self.build("weak", database_url=self.database.url("weak"))

    @functools.cached_property
    def tight(self):
        """A server on which an account is full with three presets, and the disk is full."""
        house = House(f"{self.folder}/tight", items_max=3)
        house.stop()
        objects = house.data + "/objects"
        shutil.move(objects, objects + "-before")
        os.makedirs(objects)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={FULL_DISK_MIB}m,mode=0700", "tmpfs", objects], check=True)
        self.ends.callback(subprocess.run, ["umount", objects], check=False)
        shutil.copytree(objects + "-before", objects, dirs_exist_ok=True)
        # Less than the server's reserve stays free: a tenth.
        with open(objects + "/ballast", "wb") as ballast:
            ballast.write(bytes(FULL_DISK_MIB * 15 // 16 << 20))
        self.ends.callback(house.stop)
        house.start()
        return house

    @contextlib.contextmanager
    def without_database(self):
        """The weak server's."""
        self.database.stop()
        try:
            yield
        finally:
            self.database.again()
            wait_for("the server", self.weak.is_ready)

    def with_store(self, name, is_open):
        """A server whose recordings are in S3; the service permits its pages or not."""
        folder, port = f"{self.folder}/store-{name}", reserved_port()
        os.makedirs(folder)
        store = Store(folder, f"http://127.0.0.1:{port}" if is_open else "")
        self.ends.callback(store.stop)
        return self.build(name, port=port, **store.settings())

    @functools.cached_property
    def open_store(self):
        return self.with_store("open", True)

    @functools.cached_property
    def closed_store(self):
        return self.with_store("closed", False)

    def person(self, name="ana", house=None):
        return Person(house or self.house, name)

    @functools.cached_property
    def film(self):
        return film(self.folder + "/Harbour.mp4")

    def large_file(self, mebibytes=40):
        """A file that no server can measure, with bytes of chance."""
        path = f"{self.folder}/Night {mebibytes}.mp4"
        if not os.path.exists(path):
            with open(path, "wb") as file:
                for _ in range(mebibytes):
                    file.write(os.urandom(1 << 20))
        return path

    @functools.cached_property
    def has_realtime(self):
        return self.person().device().ask("GET", "/realtime/state?wait_s=0")[0] == 200

    def picture_failure(self, title):
        """What the windows show."""
        os.makedirs(FAILED, exist_ok=True)
        name = re.sub(r"\W+", "-", title.lower()).strip("-")[:60]
        for number, page in enumerate(self.browser.pages()):
            with contextlib.suppress(Exception):
                page.screenshot(path=f"{FAILED}/{name}-{number}.png")

    def close(self):
        self.ends.close()
