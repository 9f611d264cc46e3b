"""Households at two servers, while the connection for hints is cut, PostgreSQL or a server is killed, a standby takes over, or clocks are stepped."""
import asyncio
import concurrent.futures
import hashlib
import itertools
import json
import multiprocessing
import os
import pathlib
import random
import shutil
import subprocess
import time
import types

from exam import KEPT
from fake_clock import FakeClock
from household import Household
from people import Person
from postgres import Cluster, program
from processes import as_postgres, run, wait_until
from server import Server
from tokens import MasterKey

HOUSES, SEEDS = 6, 200
CONVERGED_MAX_S = 80
ENDED_MAX_S = 60
BUS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ '^(LISTEN|NOTIFY)'"
RECORD = ".build/realtime/seeds"


class Stage:
    """Two servers on one PostgreSQL of the exam's own. `strike` makes the fault, and returns when it is over."""

    has_standby = has_clock = False

    def __init__(self, binary, template, folder, chance):
        self.folder, self.chance, self.standby, self.clock, self.servers, self.houses = folder, chance, None, None, [], []
        self.primary = Cluster(folder + "/a", folder + "/a/data")
        try:
            self.primary.take_from(template)
            self.primary.start()
            if self.has_standby:
                self.add_standby()
            if self.has_clock:
                self.clock = FakeClock(folder)
            hosts = ",".join(cluster.socket_folder for cluster in (self.primary, self.standby) if cluster)
            url = f"host={hosts} user=neuroviews dbname=neuroviews target_session_attrs=read-write"
            settings = ["--secret-file", template + "/data/secret.key", "--signatures", "optional", "--media-jobs", "0",
                        "--database-connections-max", str(4 * (os.cpu_count() or 1) + 4)]
            for name in ("one", "two"):
                os.makedirs(f"{folder}/{name}")
                server = Server(binary, f"{folder}/{name}", settings, self.clock and self.clock.environment, url)
                self.servers.append(server)
                server.start()
        except BaseException:
            self.clean_up()
            raise

    def add_standby(self):
        """Commits wait for it, so that nothing is lost."""
        self.standby = Cluster(self.folder + "/b", self.folder + "/b/data")
        run(as_postgres([program("pg_basebackup"), "-R", "-X", "stream", "-c", "fast", "-D", self.standby.data, "-d",
                         f"host={self.primary.socket_folder} user=postgres application_name=standby"]), cwd="/")
        os.chmod(self.standby.data, 0o700)
        self.standby.start()
        self.primary.address().query("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        self.primary.address().query("SELECT pg_reload_conf()")
        wait_until(lambda: self.primary.address().query("SELECT sync_state FROM pg_stat_replication") == [["sync"]], 30, "the standby")

    def database(self):
        return (self.primary if self.primary.process.poll() is None else self.standby).address()

    async def strike(self):
        raise NotImplementedError

    def clean_up(self):
        for server in self.servers:
            server.clean_up()
        for cluster in (self.primary, self.standby):
            if cluster:
                cluster.clean_up()
        if self.clock:
            self.clock.clean_up()


class BusCut(Stage):
    async def strike(self):
        for _ in range(self.chance.randrange(1, 5)):
            self.database().query(BUS)
            await asyncio.sleep(self.chance.uniform(0, 3))


class PostgresKilled(Stage):
    async def strike(self):
        await asyncio.to_thread(self.primary.kill)
        await asyncio.sleep(self.chance.uniform(0, 5))
        await asyncio.to_thread(self.primary.start)


class ServerKilled(Stage):
    """Phones that are there stay away: all others must learn it."""

    async def strike(self):
        server = self.chance.choice(self.servers)
        for house in self.houses:
            house.followers[0].leave_with(server.port)
        await asyncio.to_thread(server.kill)
        await asyncio.sleep(self.chance.uniform(0, 8))
        await asyncio.to_thread(server.start)


class Failover(Stage):
    has_standby = True

    async def strike(self):
        await asyncio.to_thread(self.primary.kill)
        await asyncio.sleep(self.chance.uniform(0, 3))
        await asyncio.to_thread(self.standby.address().query, "SELECT pg_promote()")


class ClocksStepped(Stage):
    has_clock = True

    async def strike(self):
        for _ in range(2):
            self.clock.set(f"{self.chance.choice(('+', '-'))}{self.chance.choice((60, 3600, 86_400))}")
            await asyncio.sleep(self.chance.uniform(1, 4))
        self.clock.set("+0")


FAULTS = {"bus-cut": BusCut, "postgres-killed": PostgresKilled, "server-killed": ServerKilled, "failover": Failover, "clocks-stepped": ClocksStepped}


def commands_of(address):
    """By id outcome and deadline. An empty outcome is an open command."""
    rows = address.query("SELECT id, coalesce(outcome, ''), extract(epoch FROM deadline) FROM realtime_commands")
    return {number: (outcome, float(deadline)) for number, outcome, deadline in rows}


async def until_empty(question, seconds):
    """Asks until there is nothing left; returns what is left in the end, and how long it took."""
    begin = time.monotonic()
    while True:
        left = await question()
        if not left or time.monotonic() > begin + seconds:
            return left, time.monotonic() - begin
        await asyncio.sleep(0.5)


async def play_seed(stage, chance):
    """What was broken, and the figures."""
    houses = stage.houses
    # Each request waits in a thread, some for seconds.
    asyncio.get_running_loop().set_default_executor(concurrent.futures.ThreadPoolExecutor(64))
    tasks = [task for house in houses for task in house.tasks()]
    await asyncio.sleep(chance.uniform(4, 8))
    before = sum(follower.opened for house in houses for follower in house.followers)
    await stage.strike()
    healed = time.monotonic()
    await asyncio.sleep(3)
    for house in houses:
        house.is_resting = True

    async def differences():
        return [f"{house.person.name}: {text}" for house in houses for text in await house.differences()]

    async def open_commands():
        return [number for number, (outcome, _) in (await asyncio.to_thread(commands_of, stage.database())).items() if not outcome]

    left, _ = await until_empty(differences, CONVERGED_MAX_S - 3)
    breaches, converged = [f"80 s later {text}" for text in left], time.monotonic() - healed
    await asyncio.gather(*(house.quiet() for house in houses))
    left, _ = await until_empty(open_commands, ENDED_MAX_S)
    breaches += [f"command {number} has no outcome" for number in left]
    rows = commands_of(stage.database())
    for house in houses:
        breaches += await house.breaches_of_commands(rows)
        house.is_over = True
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    done = sum(len(house.done) for house in houses)
    writes = sum(house.counts["writes"] for house in houses)
    if not before or not done or not writes:
        breaches.append(f"this seed shows nothing: {before} sockets, {done} commands done, {writes} writes")
    away = sum(follower.is_leaving for house in houses for follower in house.followers)
    return breaches, {"converged_s": round(converged, 1), "writes": writes, "commands": len(rows), "done": done, "away": away}


def run_seed(job):
    """In a process of its own. Returns the seed's number, its fault, breaches and figures."""
    chance, folder = random.Random(job.seed), job.folder
    name = list(FAULTS)[job.seed % len(FAULTS)]
    os.makedirs(folder)
    os.chmod(folder, 0o755)
    stage, breaches, figures = None, [], {}
    try:
        key = MasterKey(job.template + "/data/secret.key")
        stage = FAULTS[name](job.binary, job.template, folder, chance)
        stage.houses = [Household(Person(key, f"house-{number}"), [server.port for server in stage.servers], random.Random(chance.random()))
                        for number in range(HOUSES)]
        breaches, figures = asyncio.run(play_seed(stage, chance))
    except Exception as error:  # pylint: disable=broad-except
        breaches.append(repr(error))
    finally:
        if stage:
            stage.clean_up()
        if breaches:
            kept = f"{KEPT}/seed-{job.seed}"
            os.makedirs(kept, exist_ok=True)
            subprocess.run(["sh", "-c", 'cp "$0"/*/*.log "$1"', folder, kept], check=False, capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)
    return job.seed, name, breaches, figures


def sources_of(exam):
    """The server and this exam: results of others count for nothing."""
    paths = [pathlib.Path(exam.binary), *sorted(pathlib.Path(__file__).parents[1].rglob("*.py"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def recorded(sources):
    """The seeds of earlier runs of these sources, and whether each passed the last time."""
    rows = [json.loads(line) for line in pathlib.Path(RECORD).read_text(encoding="utf-8").splitlines()] if os.path.exists(RECORD) else []
    return {row["seed"]: not row["breaches"] for row in rows if row.get("sources") == sources}


def wanted(exam, before):
    """The seeds of the command line. Where it has no number of them, those that a whole run lacks: first the ones that failed."""
    begin = exam.options.seed
    if exam.options.seeds or exam.is_sample:
        return range(begin, begin + (exam.options.seeds or 2))
    failed = [seed for seed, has_passed in before.items() if not has_passed]
    new = (seed for seed in itertools.count(begin) if seed not in before)
    return list(itertools.islice(itertools.chain(failed, new), max(0, SEEDS - sum(before.values()))))


def play(exam):
    template = exam.host("template")
    template.people("house", HOUSES, ("phone", "camera", "watch"))
    if template.stop() != 0:
        raise RuntimeError("the server did not stop")
    sources = sources_of(exam)
    before = recorded(sources)
    seeds = wanted(exam, before)
    jobs = (types.SimpleNamespace(seed=seed, binary=exam.binary, template=template.folder, folder=f"{exam.folder}/seed-{seed}") for seed in seeds)
    os.makedirs(os.path.dirname(RECORD), exist_ok=True)
    begin, done = time.monotonic(), 0

    def while_there_is_time():
        for job in jobs:
            if time.monotonic() > begin + exam.options.minutes * 60:
                return
            yield job

    # They wait for most of their time.
    with multiprocessing.Pool(2, maxtasksperchild=1) as pool, open(RECORD, "a", encoding="utf-8") as record:
        pending, source = [], while_there_is_time()
        while True:
            while len(pending) < 2 and (job := next(source, None)):
                pending.append(pool.apply_async(run_seed, (job,)))
            if not pending:
                break
            seed, name, breaches, figures = pending.pop(0).get()
            done += 1
            record.write(json.dumps({"seed": seed, "fault": name, "sources": sources, "breaches": breaches, **figures}) + "\n")
            record.flush()
            exam.expect(not breaches, f"seed {seed}, {name}: {figures} {'; '.join(breaches[:4])}")
    exam.expect(done == len(seeds), f"{done} of {len(seeds)} seeds were done, {sum(before.values())} have passed in earlier runs of the same sources"
                + (f"; the time is over: go on with faults --seed {seeds[done]} --seeds {len(seeds) - done}" if done < len(seeds) else ""))
