"""The ends of sessions: sockets and waits at the other server close within a second, whatever ended the session."""
import http.client
import subprocess
import threading
import time

from asking import Asker
from crowd import Crowd
from people import PASSWORD, fill

NEW_PASSWORD = {"current_password": PASSWORD, "new_password": "ten new lenses in the bag"}
# Of each session: as many as it may have.
SOCKETS, WAITS = 2, 4
SESSIONS = 17
CLOSED_MAX_S = 1.0
ENDED = 4001
# Times of tokens are whole seconds, and a server looks once a second.
LOOK_S = 0.5
# The next sweep comes within a minute.
SWEPT_MAX_S = 66


class Wait(threading.Thread):
    """A request for another state than the present one."""

    def __init__(self, host, token):
        super().__init__(daemon=True)
        self.asker, self.status, self.at = Asker(host.place_of_clients, token), None, None
        first = self.asker.ask("GET", "/realtime/state")
        self.tag = first.fields["ETag"]

    def run(self):
        try:
            self.status = self.asker.ask("GET", "/realtime/state?wait_s=50", fields=[("If-None-Match", self.tag)]).status
        except (OSError, http.client.HTTPException) as error:
            self.status = repr(error)
        self.at = time.monotonic()


class Held:
    """The sockets and waits at a server that belong to sessions which will end, and a socket of each account that stays."""

    def __init__(self, host, people, staying="", counter=1, waits=WAITS):
        self.crowd = Crowd()
        tokens = [person.token("victim", counter=counter) for person in people]
        self.sockets = self.crowd.open([{"address": host.place_of_clients, "token": token} for token in tokens for _ in range(SOCKETS)])
        self.others = self.crowd.open([{"address": host.place_of_clients, "token": person.token(staying)} for person in people] if staying else [])
        self.waits = [Wait(host, token) for token in tokens for _ in range(waits)]
        if not all(member.is_open for member in self.sockets + self.others):
            raise RuntimeError(f"sockets were refused: {[member.text[:80] for member in self.sockets + self.others if not member.is_open][:2]}")
        for wait in self.waits:
            wait.start()
        # Until the waits wait, and the snapshots are read.
        self.crowd.run(1)

    def ended(self, begun, seconds):
        """The times from `begun` to the end of each, by place, and what did not end as it should."""
        self.crowd.run(seconds, lambda: not any(member.is_open for member in self.sockets) and all(wait.at for wait in self.waits))
        wrong = [f"socket {member.code}" for member in self.sockets if member.code != ENDED]
        wrong += [f"wait {wait.status}" for wait in self.waits if wait.status != 401]
        wrong += [f"another socket {member.code}" for member in self.others if not member.is_open]
        times = [member.closed_at - at for member, at in zip(self.sockets, [at for at in begun for _ in range(SOCKETS)]) if member.closed_at]
        times += [wait.at - at for wait, at in zip(self.waits, [at for at in begun for _ in range(WAITS)]) if wait.at]
        self.crowd.close()
        return times, wrong


def asked(host, person, device, method, path, content=None, **more):
    asker = Asker(host.place_of_clients, person.token(device, **more))
    answer = asker.ask(method, path, content)
    asker.close()
    if answer.status >= 300:
        raise RuntimeError(f"{method} {path}: {answer.status} {answer.body[:200]}")


def by_operator(host, person):
    done = subprocess.run([host.binary, "user", "disable", person.email, "--data", host.data], env=host.environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr or done.stdout)


# How a person's session `victim` ends. `other` is another session of the same account, or of none.
WAYS = {
    "logout": lambda host, person: asked(host, person, "victim", "POST", "/auth/logout"),
    "end one": lambda host, person: asked(host, person, "other", "DELETE", "/auth/sessions/" + person.session("victim")),
    "end others": lambda host, person: asked(host, person, "other", "DELETE", "/auth/sessions"),
    "device": lambda host, person: asked(host, person, "other", "DELETE", "/devices/victim"),
    "password": lambda host, person: asked(host, person, "other", "POST", "/auth/password", NEW_PASSWORD),
    "reused token": lambda host, person: reuse(host, person),
    "account": lambda host, person: asked(host, person, "other", "DELETE", "/account", {"password": PASSWORD}),
    "disabled": by_operator,
}
# Those that end the other session, too.
END_ALL = {"password", "account", "disabled"}


def reuse(host, person):
    """The session's counter is 3: its first token is a thief's."""
    asker = Asker(host.place_of_clients, person.token("victim", counter=1))
    status = asker.ask("POST", "/auth/refresh", {}).status
    asker.close()
    if status != 401:
        raise RuntimeError(f"a reused token got {status}")


def password_hash(host):
    """Of an account that registers, for all."""
    Asker(host.place_of_clients).ask("POST", "/auth/register", {"email": "model@example.org", "password": PASSWORD})
    [[found]] = host.database().query("SELECT password_hash FROM users WHERE email = 'model@example.org'")
    return found


def prepare(host, name, count, stored):
    people = fill(host, host.key, name, count, ("victim", "other"), stored)
    database = host.database()
    if name == "reused-token":
        database.query(f"UPDATE sessions SET counter = 3, token_made_at = now() - interval '1 hour' WHERE device_id = 'victim' AND user_id IN ({listed(people)})")
    if name == "device":
        for person in people:
            asked(host, person, "other", "PUT", "/devices/victim", {"name": "The phone"})
    return people


def listed(people):
    return ", ".join(f"'{person.user}'" for person in people)


def play(exam):
    first = exam.host("first")
    second = exam.host("second", beside=first)
    stored, count = password_hash(first), exam.size(SESSIONS, 3)
    for way, end in WAYS.items():
        name = way.replace(" ", "-")
        people = prepare(first, name, count, stored)
        held = Held(second, people, "" if way in END_ALL else "other", 3 if way == "reused token" else 1)
        # The sockets are read meanwhile.
        begun, answered = end_all(first, people, end, held.crowd)
        times, wrong = held.ended(begun, 5)
        # The session ends before the answer, at the latest.
        late = max(times) if times else float("inf")
        exam.expect(not wrong and late <= CLOSED_MAX_S + max(answered),
                    f"{way}: {len(times)} sockets and waits at the other server ended within {late * 1000:.0f} ms of the request, whose answer took "
                    f"{max(answered) * 1000:.0f} ms {wrong[:3]}")
    expired(exam, first, second)
    if not exam.is_sample:
        outdated(exam, first, second)


def end_all(host, people, end, crowd):
    """Ends the sessions, one after the other. Returns when each began, and the seconds that each took."""
    begun, took, failures = [], [], []

    def work():
        for person in people:
            begun.append(time.monotonic())
            try:
                end(host, person)
            except (RuntimeError, OSError, http.client.HTTPException) as error:
                failures.append(error)
            took.append(time.monotonic() - begun[-1])

    thread = threading.Thread(target=work)
    thread.start()
    crowd.run(120, lambda: not thread.is_alive())
    thread.join()
    if failures:
        raise failures[0]
    return begun, took


def expired(exam, first, second):
    """A socket whose token ends."""
    people = fill(first, first.key, "expired", 5, ("victim",))
    crowd, ends = Crowd(), 4
    at = int(time.time()) + ends
    members = crowd.open([{"address": second.place_of_clients, "token": person.token("victim", expires_in_s=ends)} for person in people])
    crowd.run(ends + 5, lambda: not any(member.is_open for member in members))
    late = max((member.closed_at or float("inf")) for member in members) - time.monotonic() + time.time() - at
    exam.expect(all(member.code == ENDED for member in members) and late <= CLOSED_MAX_S + LOOK_S, f"tokens that expire: closed {late:.1f} s after their end")
    crowd.close()


def outdated(exam, first, second):
    """Sessions with two newer tokens: nothing is announced for these, so a sweep finds them."""
    people = fill(first, first.key, "outdated", 5, ("victim",))
    held = Held(second, people, waits=0)
    first.database().query(f"UPDATE sessions SET counter = 3 WHERE user_id IN ({listed(people)})")
    times, wrong = held.ended([time.monotonic()] * len(people), SWEPT_MAX_S)
    late = max(times, default=float("inf"))
    exam.expect(not wrong and late <= SWEPT_MAX_S, f"outdated tokens: {len(times)} sockets ended within {late:.0f} s, by the sweep {wrong[:3]}")
