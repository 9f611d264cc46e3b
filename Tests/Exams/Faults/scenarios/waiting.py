"""Locks that others hold, and too few connections."""
import template
from scenarios.scenario import Scenario

STRUCK = 3
# The pace of devices while the pool is exhausted, and one that a single connection serves with ease.
HURRIED_THINK_S, CALM_THINK_S = 0.02, 0.25


class Lock:
    """A transaction of somebody else's that holds rows of some accounts."""

    def __init__(self, address, table, numbers):
        emails = ", ".join(f"'{template.email(number)}'" for number in numbers)
        self.session = address.session()
        self.say(f"BEGIN; SELECT count(*) FROM (SELECT FROM neuroviews.{table} WHERE user_id IN "
                 f"(SELECT id FROM neuroviews.users WHERE email IN ({emails})) FOR UPDATE) held;")
        answer = self.session.stdout.readline().strip()
        if not answer.isdigit() or int(answer) == 0:
            self.release()
            raise RuntimeError(f"no rows of {table} could be locked: {answer}")

    def say(self, sql):
        self.session.stdin.write(sql + "\n")
        self.session.stdin.flush()

    def release(self):
        if self.session.poll() is None:
            self.session.communicate("ROLLBACK;\n\\q\n", timeout=30)


class RowLocked(Scenario):
    """Some accounts' sync heads, then their items, are locked for longer than a write waits; all others go on."""

    name = "row-locked"
    hold_s = 5.0
    lock = None

    def strike(self, number):
        self.struck = self.chance.sample(self.run.load.accounts, STRUCK)
        table = ("sync_heads", "configurations")[number % 2]
        self.lock = Lock(self.database(), table, [account.number for account in self.struck])

    def heal(self):
        super().heal()
        self.lock.release()

    def clean_up(self):
        if self.lock:
            self.lock.release()
        super().clean_up()


class PoolExhausted(RowLocked):
    """One connection for all writes, devices that hurry, and one account's lock that holds the connection for longer than a request waits."""

    name = "pool-exhausted"
    settings = ("--event-loops", "1", "--database-connections-max", "8")
    hold_s = 7.0

    def strike(self, number):
        self.run.load.think_s = HURRIED_THINK_S
        self.lock = Lock(self.database(), "sync_heads", [self.chance.randrange(template.ACCOUNTS)])

    def heal(self):
        self.run.load.think_s = CALM_THINK_S
        super().heal()
