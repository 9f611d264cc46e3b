"""Honest sessions: answers are lost, apps killed, networks changed. None may end."""
import places
from owner import OUTDATED, Client, counter
from scene import ELSEWHERE, Scene

HOUR_S, DAY_S, WEEK_S = 3600, 86_400, 7 * 86_400
# Before a refresh, and between its tries.
PAUSES_S = (0, 600, HOUR_S + 60, HOUR_S + 60, DAY_S, WEEK_S)
GAPS_S = (1, 20, 45, 110, 200, 400, HOUR_S + 60, WEEK_S)
LOSSES = (0, 1, 1, 2, 4)
# Times that are nearer to a limit are judged either way: some time really passes, too.
SLACK_S = 10


class Honest(Scene):
    """Two processes share the store in half of the sessions: each reads it before it sends."""

    def begin(self):
        super().begin()
        self.other = Client(self.wire(), self.owner.address, self.key)
        self.has_two = self.rng.random() < 0.5
        self.newest = counter(self.token)
        # When the newest token was made and first used. That of the login was never another's successor.
        self.made = self.used = None

    def run(self):
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            self.pass_time(PAUSES_S)
            self.renew()
            if self.rng.random() < 0.7:
                self.use()
        self.use()

    def pass_time(self, choices):
        seconds = self.rng.choice(choices)
        if seconds:
            self.clock.wait(seconds)
        self.counts["weeks offline"] += seconds == WEEK_S
        if self.rng.random() < 0.4:
            self.move()

    def move(self):
        self.owner.address = self.other.address = self.outside() if self.rng.random() < 0.7 else self.inside()
        self.counts["changes of the network"] += 1

    def use(self):
        self.expect("the owner's request", self.owner.ask(self.owner.store.token).verdict, "200")
        self.used = self.used or self.clock.now

    def renew(self):
        former, attempt = self.owner.store.begin()
        self.made = self.used = None
        for _ in range(self.rng.choice(LOSSES)):
            # Else the request was lost on its way, or the app was killed before it sent it.
            if self.rng.random() < 0.75:
                self.counts["answers lost"] += len(self.refresh_once())
            self.pass_time(GAPS_S)
            if not self.owner.store.is_expired and self.rng.random() < 0.5:
                self.ask_with(former)
        for answer in self.refresh_once():
            self.owner.store.end(former, answer)
        if self.has_two and self.rng.random() < 0.4:
            self.other_is_late(former, attempt)

    def refresh_once(self):
        """The answers of one try: of one process, or of two at the same time."""
        senders = [self.owner, self.other] if self.has_two and self.rng.random() < 0.5 else [self.owner]
        for sender in senders:
            sender.begin_refresh(*self.sent())
        answers = [sender.wire.end() for sender in senders]
        if self.made is None:
            self.made, self.newest = self.clock.now, self.newest + 1
        for answer in answers:
            self.expect_token(f"a refresh {self.clock.now - self.made:.0f} s after the newest token was made", answer, self.newest)
        self.counts["refreshes of two processes at once"] += len(answers) == 2
        return answers

    def sent(self):
        return self.owner.store.begin()

    def ask_with(self, former):
        """A request with the token before the newest."""
        self.expect("a request with the former token", self.other.ask(former).verdict, *self.expected_of_former())
        self.counts["requests with the former token"] += 1

    def expected_of_former(self):
        if self.made is None:
            return ("200",)
        over = self.clock.now - self.made - 300
        if self.used is not None:
            over = max(over, self.clock.now - self.used - 60)
        return ("200", OUTDATED) if abs(over) < SLACK_S else (OUTDATED,) if over > 0 else ("200",)

    def other_is_late(self, former, attempt):
        """The other process has read the store before the token was stored, and sends only now."""
        if self.rng.random() < 0.5:
            self.use()
        self.pass_time(GAPS_S)
        if self.rng.random() < 0.5:
            self.ask_with(former)
        self.expect_token("a late refresh of the other process", self.other.refresh(former, attempt), self.newest)
        self.counts["late refreshes of the other process"] += 1


class Plain(Honest):
    """A client without attempts, which repeats within a minute. From another site the owner learns of it."""

    def renew(self):
        former = self.owner.store.token
        self.made = self.used = None
        answers = self.refresh_once()
        made_at = self.owner.address
        for seconds in self.rng.choice(((), (1,), (45,), (20, 20))):
            self.clock.wait(seconds)
            self.owner.address = self.other.address = self.outside() if self.rng.random() < 0.15 else self.inside()
            if places.site(self.owner.address) != places.site(made_at):
                self.events.add(ELSEWHERE)
            self.counts["answers lost"] += len(answers)
            answers = self.refresh_once()
        for answer in answers:
            self.owner.store.end(former, answer)

    def sent(self):
        return (self.owner.store.token,)


# A run in which one of these never happened has shown nothing of it.
TROUBLES = ("answers lost", "weeks offline", "changes of the network", "requests with the former token", "refreshes of two processes at once",
            "late refreshes of the other process")
KINDS = {"attempt": Honest, "plain": Plain}
