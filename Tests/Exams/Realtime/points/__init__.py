"""The points of the exam, each a function that gets the exam."""
from points import attacks, clients, ends, faults, idle, notices, proxies, put_cost, races, relay, restart, slow_reader

ALL = {
    "idle": idle.play, "relay": relay.play, "notices": notices.play, "put-cost": put_cost.play, "races": races.play, "faults": faults.play,
    "session-ends": ends.play, "slow-reader": slow_reader.play, "attacks": attacks.play, "restart": restart.play, "proxies": proxies.play,
    "specification": clients.specification, "watch": clients.watch, "signed": clients.signed,
}
# Of those that take a minute, a sample has so many. It has none that needs another build or ten minutes.
LONG, DRAWN = ("idle", "relay", "faults", "slow-reader", "attacks", "restart"), 3


def sampled(chance):
    left_out = {"put-cost", "proxies", *chance.sample(LONG, len(LONG) - DRAWN)}
    return [name for name in ALL if name not in left_out]
