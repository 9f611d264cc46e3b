"""The processor time of a PUT, server and PostgreSQL together: against the release before without sockets, and with a socket of each account."""
import os

from crowd import Crowd
from points.notices import Writers

ACCOUNTS, PUTS = 500, 4000
RATIO_MAX = {"no sockets": 1.03, "a socket of each account": 1.15}


def put_us(host, people, chance):
    """Of PUTs at full speed."""
    jobs = [(number, people[number].token("phone")) for number in (chance.randrange(len(people)) for _ in range(PUTS))]
    server, database = host.cpu_us(), host.database_cpu_us()
    Writers(host.place_of_clients, jobs).written()
    return (host.cpu_us() - server + host.database_cpu_us() - database) / PUTS


class Listeners:
    """A process would take less from the writers; but it answers pings only, and hears a frame for each PUT."""

    def __init__(self, host, people):
        self.crowd = Crowd()
        self.crowd.open([{"address": host.place_of_clients, "token": person.token("tablet")} for person in people])

    def end(self):
        self.crowd.close()


def play(exam):
    if not exam.against or not os.path.exists(exam.against):
        exam.say("skipped: --against names the server of the release before")
        return
    other = exam.host("other", binary=exam.against)
    own = exam.host("own")
    everybody = {}
    for host in (other, own):
        everybody[host] = host.people("writer", ACCOUNTS, ("phone", "tablet"))
        Writers(host.place_of_clients, [(number, person.token("phone")) for number, person in enumerate(everybody[host])], is_first=True).written()
        put_us(host, everybody[host], exam.chance)
    ratios = {name: [] for name in RATIO_MAX}
    for number in range(exam.options.rounds):
        # Each begins as often as the other.
        figures = {host: put_us(host, everybody[host], exam.chance) for host in ((other, own) if number % 2 else (own, other))}
        listeners = Listeners(own, everybody[own])
        listened = put_us(own, everybody[own], exam.chance)
        listeners.end()
        ratios["no sockets"].append((figures[own] / figures[other],))
        ratios["a socket of each account"].append((listened / figures[other],))
        exam.say(f"round {number + 1}: {figures[other]:.0f} us before, {figures[own]:.0f} us now, {listened:.0f} us with sockets")
    for name, most in RATIO_MAX.items():
        [ratio] = exam.medians(ratios[name])
        exam.expect(ratio <= most, f"{name}: {ratio:.3f} times the CPU of a PUT of {os.path.basename(exam.against)} (at most {most}), {exam.options.rounds} rounds")
