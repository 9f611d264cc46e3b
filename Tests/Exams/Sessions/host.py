"""A server with its accounts, its mail and its database."""
import concurrent.futures
import contextlib
import dataclasses
import queue
import time

from clock import Rows
from kit.server import Server
from post import Post

SETTINGS = {"NEUROVIEWS_TRUSTED_PROXIES": "127.0.0.1", "NEUROVIEWS_MEDIA_JOBS": "0"}
# How many scenes take place at once.
WORKERS = 6
# The server looks for mails every 30 s.
MAILS_MAX_S = 180
# Every session has these, or may have them.
USUAL_EVENTS = "'login', 'device-new'"
# The mails by the kinds of their events.
SUBJECTS = {"token-reused": "One of your devices was logged out", "token-elsewhere": "A login was renewed from two networks"}


@dataclasses.dataclass
class Account:
    email: str
    password: str
    address: str


class Host:
    def __init__(self, binary, cluster, signatures):
        self.post = Post()
        try:
            self.server = Server(binary, cluster, {**SETTINGS, "NEUROVIEWS_SIGNATURES": signatures})
        except BaseException:
            self.post.close()
            raise
        self.free = queue.Queue()

    @property
    def address(self):
        return self.server.address

    def register(self, homes):
        """New accounts, which log in from these addresses. With mail each of them would have to confirm its own."""
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            return list(pool.map(lambda home: Account(*self.server.register(), home), homes))

    def open(self):
        """From now on it sends mail, and scenes can take place."""
        self.server.stop()
        self.server.settings |= self.post.settings
        self.server.run()
        for _ in range(WORKERS):
            self.free.put(Rows(self.server.cluster.url(self.server.database)))

    @contextlib.contextmanager
    def rows(self):
        rows = self.free.get()
        try:
            yield rows
        finally:
            self.free.put(rows)

    def sessions(self):
        """Of each session whether it has ended, and the kinds of its events."""
        with self.rows() as rows:
            found = rows.ask(f"""SELECT s.id, s.ended_at IS NOT NULL, coalesce(string_agg(DISTINCT e.kind, ' '), '') FROM sessions s
                LEFT JOIN account_events e ON e.user_id = s.user_id AND e.session_id = s.id AND e.kind NOT IN ({USUAL_EVENTS}) GROUP BY s.user_id, s.id""")
        return {session: (ended == "t", set(kinds.split())) for session, ended, kinds in found}

    def mails(self):
        """The subjects of the mails, by recipient, when all were sent."""
        deadline = time.monotonic() + MAILS_MAX_S
        with self.rows() as rows:
            while rows.ask("SELECT (SELECT count(*) FROM mails WHERE ended_at IS NULL) + (SELECT count(*) FROM account_events WHERE mail_due)") != [["0"]]:
                if time.monotonic() > deadline:
                    raise RuntimeError("the mails were not sent")
                time.sleep(0.1)
        return self.post.subjects()

    def close(self):
        while not self.free.empty():
            self.free.get().close()
        self.server.close()
        self.post.close()
