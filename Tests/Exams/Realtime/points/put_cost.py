"""The processor time of a PUT, server and PostgreSQL together, without sockets and with a socket of each account: against the release before, or
against the same server without realtime."""
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
        self.crowd.run(1)
        if self.crowd.count() < len(self.crowd.all):
            raise RuntimeError("sockets were refused, or did not stay")
        self.crowd.close()


def other_server(exam):
    """The server to compare with, and its name."""
    if exam.against:
        return exam.host("other", binary=exam.against), exam.against
    exam.say("without --against it is compared with this server without realtime, not with the release before")
    return exam.host("other", "--realtime", "off"), "the same server without realtime"


def play(exam):
    other, name_of_other = other_server(exam)
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
        exam.say(f"round {number + 1}: {figures[other]:.0f} us at the other, {figures[own]:.0f} us here, {listened:.0f} us with sockets")
    for name, most in RATIO_MAX.items():
        [ratio] = exam.medians(ratios[name])
        exam.expect(ratio <= most, f"{name}: {ratio:.3f} times the CPU of a PUT of {name_of_other} (at most {most}), {exam.options.rounds} rounds")
