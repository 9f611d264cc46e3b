"""Three PostgreSQL under Patroni, and the etcd that they agree by."""
import json
import os
import subprocess
import threading
import time
import urllib.request

import psycopg2

import network
from postgres import Address, program
from processes import as_postgres, give_to_postgres, run, wait_until

NODES = 3
SCOPE = "exam"
# How long nobody notices a lost primary. Patroni needs loop_wait + 2 * retry_timeout <= ttl.
TTL_S, LOOP_S, RETRY_S = 10, 1, 3
HEALTHY_MAX_S = 120
LOOK_S = 0.01
# No number of the exam's own accounts.
CROWD_FROM = 1_000_000


class Cluster:
    """`programs`: where Debian's packages are unpacked. `folder` is this exam's own."""

    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        self.etcd = None
        self.machines = []

    def start(self):
        network.prepare()
        self.machines = [network.Machine(number + 1) for number in range(NODES)]
        url = f"http://{network.HERE}:2379"
        with open(self.folder + "/etcd.log", "w", encoding="utf-8") as log:
            self.etcd = subprocess.Popen(
                [self.programs + "/usr/bin/etcd", "--data-dir", self.folder + "/etcd", "--listen-client-urls", url,
                 "--advertise-client-urls", url, "--listen-peer-urls", "http://127.0.0.1:2380", "--enable-v2", "--logger", "zap"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for machine in self.machines:
            self.prepare_node(machine)
            self.start_node(machine)
        self.wait_until_healthy()

    def prepare_node(self, machine):
        place = f"{self.folder}/{machine.name}"
        os.makedirs(place)
        give_to_postgres(place)
        settings = {
            "scope": SCOPE, "name": machine.name,
            "restapi": {"listen": f"{machine.address}:8008", "connect_address": f"{machine.address}:8008"},
            # By the older interface. With etcd3, Patroni 3.0.2 takes the leader key back without a comparison (`_update_leader`): a primary
            # that was stopped and goes on would win over the new one, and what that one has acknowledged would be rewound.
            "etcd": {"hosts": [f"{network.HERE}:2379"]},
            "bootstrap": {
                "dcs": {"ttl": TTL_S, "loop_wait": LOOP_S, "retry_timeout": RETRY_S, "synchronous_mode": True,
                        "primary_start_timeout": 0, "master_start_timeout": 0,
                        "postgresql": {"use_pg_rewind": True, "use_slots": True, "parameters": {
                            "wal_keep_size": "1GB", "max_wal_size": "2GB", "log_min_messages": "warning"}}},
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, {"auth": "trust"}, "data-checksums"],
                "pg_hba": ["local all all trust", "host all all 10.77.0.0/24 trust", "host replication all 10.77.0.0/24 trust"]},
            "postgresql": {
                "listen": f"{machine.address}:5432", "connect_address": f"{machine.address}:5432", "data_dir": place + "/data",
                "bin_dir": os.path.dirname(program("postgres")), "pgpass": place + "/pgpass",
                "authentication": {"superuser": {"username": "postgres", "password": "-"},
                                   "replication": {"username": "replicator", "password": "-"}},
                "parameters": {"unix_socket_directories": place}},
        }
        # JSON is YAML.
        with open(self.settings(machine), "w", encoding="utf-8") as file:
            json.dump(settings, file)

    def settings(self, machine):
        return f"{self.folder}/{machine.name}.yml"

    def start_node(self, machine):
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "PYTHONPATH": self.programs + "/usr/lib/python3/dist-packages"}
        machine.start(as_postgres(["python3", self.programs + "/usr/bin/patroni", self.settings(machine)]),
                      f"{self.folder}/{machine.name}.log", env=environment)

    # What Patroni thinks

    def members(self):
        """By name what any node that answers thinks; empty when none does."""
        for machine in self.machines:
            try:
                with urllib.request.urlopen(f"http://{machine.address}:8008/cluster", timeout=1) as answer:
                    return {member["name"]: member for member in json.load(answer)["members"]}
            except (OSError, ValueError):
                continue
        return {}

    def machine_with(self, *roles):
        """The first one with a role; None when there is none."""
        names = [name for name, member in self.members().items() if member["role"] in roles]
        return next((machine for machine in self.machines if machine.name in names), None)

    def primary(self):
        return self.machine_with("leader", "master", "primary")

    def synchronous(self):
        return self.machine_with("sync_standby")

    def is_healthy(self):
        """A primary that takes writes, and two standbys that stream, one of which confirms commits."""
        members = self.members().values()
        primary = self.primary()
        if not primary or len(members) < NODES or not self.synchronous():
            return False
        try:
            connection = connect(primary)
            with connection.cursor() as cursor:
                cursor.execute("SELECT state, sync_state FROM pg_stat_replication")
                states = cursor.fetchall()
            connection.close()
        except psycopg2.Error:
            return False
        return sorted(states) == [("streaming", "async"), ("streaming", "sync")]

    def wait_until_healthy(self):
        def question():
            time.sleep(0.2)
            return self.is_healthy()
        wait_until(question, HEALTHY_MAX_S, "three nodes of PostgreSQL")

    def switch(self, candidate):
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "PYTHONPATH": self.programs + "/usr/lib/python3/dist-packages"}
        run(["python3", self.programs + "/usr/bin/patronictl", "-c", self.settings(candidate), "switchover", "--candidate",
             candidate.name, "--force", SCOPE], env=environment, cwd="/")

    # The database

    def address_of(self, machine):
        return Address(machine.address)

    def address(self):
        return self.address_of(self.primary())

    def make_database(self, binary):
        primary = self.primary()
        run(as_postgres([program("createdb"), "-h", primary.address, "-U", "postgres", "--encoding=UTF8", "neuroviews"]), cwd="/")
        done = subprocess.run(as_postgres(self.address_of(primary).psql()), input=run([binary, "roles"]), text=True, cwd="/",
                              capture_output=True, check=False)
        if done.returncode != 0:
            raise RuntimeError("the roles were not made: " + done.stderr)
        run(as_postgres([program("psql"), "-q", "-h", primary.address, "-U", "postgres", "-d", "postgres", "-c",
                         "CREATE TABLE looked (at timestamptz)"]), cwd="/")

    def url(self, role, is_complete=True):
        hosts = ",".join(machine.address for machine in (self.machines if is_complete else [self.primary()]))
        return f"postgresql://neuroviews_{role}@{hosts}/neuroviews"

    def fill(self, accounts):
        """Accounts that nobody uses, each with its heads."""
        first = CROWD_FROM
        self.address().query(
            "WITH account AS (INSERT INTO users (email, password_hash) SELECT 'crowd-' || n || '@example.org', '-' "
            f"FROM generate_series({first}, {first + accounts - 1}) n RETURNING id) "
            "INSERT INTO sync_heads (user_id, collection, genesis, chain) SELECT id, c, uuid_send(id), uuid_send(id) FROM account, "
            "unnest(enum_range(NULL::collection)) c")
        run(as_postgres(self.address().psql("-c", "VACUUM ANALYZE neuroviews.users, neuroviews.sync_heads")), cwd="/")


def connect(machine):
    """As the administrator, without a transaction."""
    connection = psycopg2.connect(host=machine.address, user="postgres", dbname="postgres", connect_timeout=2)
    connection.autocommit = True
    return connection


class Look:
    """Notes when one of the standbys has become a primary that takes connections, and when that one commits."""

    def __init__(self, standbys):
        self.accepts_at = self.commits_at = self.machine = None
        self.is_over = threading.Event()
        self.failures = []
        self.threads = [threading.Thread(target=self.watch, args=[machine, connect(machine)], daemon=True) for machine in standbys]
        for thread in self.threads:
            thread.start()

    def watch(self, machine, connection):
        """The connection is there before the fault: a standby keeps its connections when it is promoted."""
        while not self.is_over.is_set():
            try:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_is_in_recovery()")
                    if cursor.fetchone() == (False,):
                        self.found(machine)
                        break
            except psycopg2.Error as error:
                self.failures.append(f"{machine.name}: {error}")
                try:
                    connection = connect(machine)
                except psycopg2.Error:
                    pass
            time.sleep(LOOK_S)
        connection.close()

    def found(self, machine):
        connection = connect(machine)
        self.machine, self.accepts_at = machine, time.monotonic()
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO looked VALUES (now())")
        self.commits_at = time.monotonic()
        connection.close()
        self.is_over.set()

    def wait(self, seconds):
        """False when no standby was promoted."""
        self.is_over.wait(seconds)
        self.is_over.set()
        for thread in self.threads:
            thread.join(5)
        return self.commits_at is not None
