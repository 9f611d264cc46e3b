"""The time from a commit to the notice at another device, on the same server and across two."""
import http.client
import json
import multiprocessing
import time

from crowd import Crowd
from exam import quantile
from frames import TEXT
from people import preset

SOCKETS, RATE, SECONDS, WRITERS = 10_000, 500, 20, 8
# Of the rate: a slower run shows nothing. A machine that writes less than twice the rate before there are sockets has no room for it.
RATE_SHARE_MIN, ROOM = 0.9, 2
P99_MAX_MS = {"same server": 50, "other server": 100}


class Written:
    """What a writer notes of a PUT: the account's number, the head, the times of sending and of the answer."""

    def __init__(self, number, head, sent, answered):
        self.number, self.head, self.sent, self.answered = number, head, sent, answered


def write(pipe, address, jobs, rate, is_first):
    """Creates or replaces the configuration of each of the accounts, so many a second on one connection."""
    connection, written = http.client.HTTPConnection(*address, timeout=60), []
    begin = time.monotonic()
    for place, (number, token) in enumerate(jobs):
        if rate:
            time.sleep(max(0, begin + place / rate - time.monotonic()))
        document = preset(number) if is_first else preset(number, modified_at="2099-01-01T10:00:00Z", count=time.monotonic_ns())
        path = "/v2/configurations" + ("" if is_first else "/" + document["id"])
        sent = time.monotonic()
        connection.request("POST" if is_first else "PUT", path, json.dumps({"configuration": document}).encode(),
                           {"Authorization": "Bearer " + token, "Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        if answer.status not in (200, 201):
            raise RuntimeError(f"a write got {answer.status}")
        written.append(Written(number, answer.headers["Sync-Head"], sent, time.monotonic()))
    pipe.send(written)


class Writers:
    """Processes that write, so that nobody who receives waits for them."""

    def __init__(self, address, jobs, rate=0, is_first=False):
        self.parts = []
        for number in range(WRITERS):
            pipe, inner = multiprocessing.Pipe()
            process = multiprocessing.Process(target=write, args=(inner, address, jobs[number::WRITERS], rate / WRITERS, is_first), daemon=True)
            process.start()
            self.parts.append((process, pipe))

    def are_done(self):
        return all(pipe.poll() or not process.is_alive() for process, pipe in self.parts)

    def written(self):
        found = []
        for process, pipe in self.parts:
            if not pipe.poll(300):
                raise RuntimeError("a writer has failed")
            found += pipe.recv()
            process.join(30)
        return found


class Heads:
    """Sockets that note when they hear of a head."""

    def __init__(self):
        self.crowd, self.heard = Crowd(self.take), {}

    def take(self, member, opcode, payload):
        if opcode == TEXT and b'"account_changed"' in payload:
            head = json.loads(payload)["data"]["configurations"]
            self.heard.setdefault((member.tag, head), time.monotonic())

    def open(self, wishes):
        return self.crowd.open(wishes, seconds=300)


def a_second(written):
    """The writes a second, from the first one's sending to the last one's answer."""
    return len(written) / (max(one.answered for one in written) - min(one.sent for one in written))


def play(exam):
    count, rate = exam.size(SOCKETS, 1000), exam.size(RATE, 100)
    first = exam.host("first", connections=2 * count + 2000)
    second = exam.host("second", beside=first, connections=2 * count + 2000)
    people = first.people("reader", count, ("phone", "tablet"))
    jobs = [(number, person.token("phone")) for number, person in enumerate(people)]
    possible = a_second(Writers(first.place_of_clients, jobs, is_first=True).written())
    heads = Heads()
    # Half of the readers are at each server; each account writes at the first.
    wishes = [{"address": (first, second)[number % 2].place_of_clients, "token": person.token("tablet"), "tag": number,
               "source": f"127.1.1.{number % 200 + 1}"} for number, person in enumerate(people)]
    members = heads.open(wishes)
    exam.expect(all(member.is_open for member in members), f"{heads.crowd.count()} of {count} sockets opened")
    exam.chance.shuffle(jobs)
    jobs = jobs[:rate * exam.size(SECONDS, 8)]
    writers = Writers(first.place_of_clients, jobs, rate)
    heads.crowd.run(300, writers.are_done)
    written = writers.written()
    is_whole = heads.crowd.run(5, lambda: all((one.number, one.head) in heads.heard for one in written))
    exam.expect(is_whole, f"each of {len(written)} writes was heard of")
    reached = a_second(written)
    text = f"{reached:.0f} of {rate} writes a second; {possible:.0f} before there were sockets"
    if reached < RATE_SHARE_MIN * rate and possible < ROOM * rate:
        exam.say(f"not judged, the machine is too slow: {text}")
    else:
        exam.expect(reached >= RATE_SHARE_MIN * rate, text)
        judge(exam, heads, written)
    heads.crowd.close()


def judge(exam, heads, written):
    """The times to the notices at each server."""
    for place, name in enumerate(P99_MAX_MS):
        those = [one for one in written if one.number % 2 == place and (one.number, one.head) in heads.heard]
        since_answer = [max(0.0, heads.heard[one.number, one.head] - one.answered) * 1000 for one in those]
        since_sending = [(heads.heard[one.number, one.head] - one.sent) * 1000 for one in those]
        p99 = quantile(since_answer, .99)
        exam.expect(p99 < P99_MAX_MS[name],
                    f"{name}: p50 {quantile(since_answer, .5):.1f} ms, p99 {p99:.1f} ms from the answer of the PUT (under {P99_MAX_MS[name]}); from its "
                    f"sending p50 {quantile(since_sending, .5):.1f} ms, p99 {quantile(since_sending, .99):.1f} ms")
