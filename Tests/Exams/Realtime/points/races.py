"""One id of a command at two servers at once: the camera gets it once, and both senders get its one outcome."""
import collections
import http.client
import json
import threading
import time
import uuid

from asking import Asker
from frames import CLOSE, TEXT
from points.clients import status_of, wait_until_seen

RACES, ACCOUNTS, RATE_MAX = 1000, 8, 15


class Camera(threading.Thread):
    """Answers each command with its own count, until its socket ends."""

    def __init__(self, line):
        super().__init__(daemon=True)
        self.line, self.seen = line, collections.Counter()
        line.send(status_of("camera"))

    def run(self):
        try:
            while True:
                opcode, payload = self.line.next(600)
                if opcode == CLOSE:
                    return
                message = json.loads(payload) if opcode == TEXT else {}
                if message.get("type") == "remote_command":
                    self.seen[message["id"]] += 1
                    result = {"reply_to": message["id"], "status": "done", "result": self.seen[message["id"]]}
                    self.line.send(json.dumps({"type": "command_result", "data": result}).encode())
        except (OSError, ValueError):
            return


def race(hosts, person, count, found):
    """Sends ids to both servers, one after the other; notes the pair of answers of each."""
    askers = [Asker(host.place_of_clients, person.token("watch")) for host in hosts]
    begin = time.monotonic()
    for number in range(count):
        # The camera may send 20 results a second.
        time.sleep(max(0, begin + number / RATE_MAX - time.monotonic()))
        body = {"id": str(uuid.uuid4()), "to": "camera", "command": "capture_photo"}
        answers = [None, None]

        def send(place, asker, body=body, answers=answers):
            try:
                answers[place] = asker.ask("POST", "/realtime/commands", body)
            except (OSError, http.client.HTTPException) as error:
                answers[place] = error

        threads = [threading.Thread(target=send, args=pair) for pair in enumerate(askers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found.append((body["id"], answers))


def play(exam):
    first = exam.host("first")
    second = exam.host("second", beside=first)
    people = first.people("racer", ACCOUNTS, ("watch", "camera"))
    cameras = [Camera((first, second)[number % 2].line(person, "camera")) for number, person in enumerate(people)]
    for camera, person in zip(cameras, people):
        camera.start()
        for host in (first, second):
            wait_until_seen(host, person, "camera", by="watch")
    found = [[] for _ in people]
    threads = [threading.Thread(target=race, args=((first, second), person, exam.size(RACES, 80) // ACCOUNTS, pairs)) for person, pairs in zip(people, found)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    doubled, wrong = 0, []
    for camera, pairs in zip(cameras, found):
        doubled += sum(count > 1 for count in camera.seen.values())
        for number, answers in pairs:
            contents = [getattr(answer, "content", repr(answer)) for answer in answers]
            if contents[0] != contents[1] or contents[0] != {"id": number, "status": "done", "result": 1} or camera.seen[number] != 1:
                wrong.append(contents)
        camera.line.close()
    exam.expect(not doubled, f"{doubled} commands were delivered more than once")
    exam.expect(not wrong, f"{len(wrong)} of {sum(map(len, found))} races had another end than done at both servers: {wrong[:2]}")
