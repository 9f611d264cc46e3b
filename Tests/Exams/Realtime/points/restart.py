"""A stop of the server: clients come back evenly, waits end, and no command is without an outcome."""
import collections
import json
import threading
import time
import uuid

from asking import Asker
from crowd import Crowd
from frames import CLOSE
from points.clients import status_of, wait_until_seen
from points.ends import Wait
from points.idle import PER_SERVER

# Where descriptors are few, as many as one server has places for: each server spreads its own clients.
SOCKETS, A_SECOND_MAX = min(10_000, PER_SERVER), 1500
RESTART = 1012
# A wait looks every two seconds.
WAIT_ENDS_MAX_S = 5


class Returning(Crowd):
    """Each socket that is closed comes back after the milliseconds of the reason, at the server that is then there."""

    def __init__(self):
        super().__init__(on_end=self.ended)
        self.due, self.codes, self.came, self.is_watching = [], collections.Counter(), [], False
        self.pauses = []

    def ended(self, member):
        if self.is_watching and member.status == 101:
            self.codes[member.code] += 1
            pause = int(member.reason) / 1000 if member.code == RESTART else 1.0
            self.pauses.append(pause)
            self.due.append((time.monotonic() + pause, member.tag))

    def come_back(self, address):
        """Opens what is due."""
        now = time.monotonic()
        due, self.due = [tag for at, tag in self.due if at <= now], [pair for pair in self.due if pair[0] > now]
        for tag in due:
            try:
                self.add(address, **tag, tag=tag)
                self.came.append(now)
            except OSError:
                self.due.append((now + 0.5, tag))


class Commander(threading.Thread):
    """Sends commands that nobody answers, until the server refuses them."""

    def __init__(self, host, person):
        super().__init__(daemon=True)
        self.asker, self.outcomes, self.refusal = Asker(host.place_of_clients, person.token("watch")), [], ""

    def run(self):
        try:
            while True:
                answer = self.asker.ask("POST", "/realtime/commands", {"to": "camera", "command": "capture_photo", "timeout_ms": 20_000})
                self.outcomes.append((answer.status, answer.content["status"] if answer.status == 200 else None))
                if answer.status == 503:
                    return
        except Exception as error:  # pylint: disable=broad-except
            # It listens no more.
            self.refusal = repr(error)


def command_of(line):
    """Sends a command that nobody answers."""
    data = {"command": "capture_photo"}
    line.send(json.dumps({"type": "remote_command", "id": str(uuid.uuid4()), "to": "camera", "timeout_ms": 20_000, "data": data}).encode())


def outcomes_of(line):
    """Of the commands of a socket: those that it was sent before its close frame."""
    found = []
    while (received := line.next())[0] != CLOSE:
        message = json.loads(received[1])
        if message["type"] == "command_result":
            found.append(message["data"]["status"])
    return found


def play(exam):
    count = exam.size(SOCKETS, 1000)
    # The half of this for sockets; those that have closed wait for their clients.
    first = exam.host("first", connections=2 * count + 2000)
    second = exam.host("second", beside=first, connections=2 * count + 2000)
    crowd, tags = Returning(), []
    for number, person in enumerate(first.people("guest", count)):
        tags.append({"token": person.token(), "source": f"127.1.3.{number % 200 + 1}"})
    # `second` has no database of its own, which the other one goes on using.
    members = crowd.open([{"address": second.place_of_clients, **tag, "tag": tag} for tag in tags], seconds=300)
    exam.expect(all(member.is_open for member in members), f"{crowd.count()} of {count} sockets opened")
    [person] = first.people("commander", 1, ("watch", "camera", "phone"))
    camera = second.line(person, "camera")
    camera.send(status_of("camera"))
    wait_until_seen(second, person, "camera", by="watch")
    commander, wait, phone = Commander(second, person), Wait(second, person.token("watch")), second.line(person, "phone")
    commander.start()
    wait.start()
    command_of(phone)
    crowd.run(0.5)
    crowd.is_watching, begin = True, time.monotonic()
    second.process.terminate()
    while time.monotonic() < begin + 90 and len(crowd.came) < count:
        crowd.step(0.02)
        crowd.come_back(first.place_of_clients)
    crowd.run(10, lambda: crowd.count() >= count)
    commander.join(30)
    status = second.process.wait(60)
    seconds = collections.Counter(int(at - begin) for at in crowd.came)
    most = max(seconds.values(), default=0)
    exam.expect(crowd.codes[RESTART] == count, f"{dict(crowd.codes)} of {count} sockets closed, the last pause {max(crowd.pauses, default=0):.1f} s")
    exam.expect(most <= A_SECOND_MAX, f"at most {most} came back in a second, over {len(seconds)} s (at most {A_SECOND_MAX})")
    exam.expect(crowd.count() == count, f"{crowd.count()} of {count} are open at the other server")
    exam.expect(status == 0, f"the server ended with {status}")
    is_good = commander.outcomes and all(pair in ((200, "timeout"), (503, None)) for pair in commander.outcomes)
    exam.expect(is_good, f"commands: {commander.outcomes} {commander.refusal}")
    outcomes = outcomes_of(phone)
    exam.expect(outcomes == ["timeout"] and phone.code == RESTART, f"a command of a socket: {outcomes}, then {phone.code}")
    wait.join(30)
    late = (wait.at or float("inf")) - begin
    exam.expect(wait.status in (200, 304) and 0 <= late <= WAIT_ENDS_MAX_S, f"a wait under way ends with {wait.status} after {late:.1f} s")
    left = first.database().query("SELECT count(*) FROM realtime_commands WHERE outcome IS NULL")
    exam.expect(left == [["0"]], f"{left[0][0]} commands have no outcome")
    for line in (camera, phone):
        line.close()
    crowd.close()
