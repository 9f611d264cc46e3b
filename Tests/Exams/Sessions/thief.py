"""The courses of a thief who has copied the token, and the key if the session signs. Each says what the owner and the thief get, and what is expected in the end."""
from owner import ENDED, Client, new_attempt
from scene import ELSEWHERE, REUSED, Scene

DAY_S = 86_400
# Later than 5 minutes after what came before, which takes at least a second less: within the token's hour, after it, and offline for a week.
LATER_S = (320, 900, 2 * 3600, 7 * DAY_S)


class Play(Scene):
    """The thief is at the owner's site, or more often elsewhere."""

    def begin(self):
        super().begin()
        self.is_elsewhere = self.rng.random() < 0.7
        self.thief = Client(self.wire(), self.outside() if self.is_elsewhere else self.inside(), self.key)
        # A session has signed by version 3 from its first request on.
        self.owner_goes_on()
        self.counts["thieves elsewhere" if self.is_elsewhere else "thieves at the owner's site"] += 1

    def run(self):
        COURSES[self.task.kind](self)

    def steal(self, token=None, attempt=None):
        """The thief refreshes, with an attempt of its own or none. Returns the answer."""
        return self.thief.refresh(token or self.token, attempt)

    def own_attempt_or_none(self):
        return new_attempt(self.rng) if self.rng.random() < 0.5 else None

    def noted(self):
        """The newest token was given a second time, not to the attempt that made it."""
        if self.is_elsewhere:
            self.events.add(ELSEWHERE)

    def owner_goes_on(self):
        self.expect("the owner's request", self.owner.request(), "200")

    def old_token_is_good(self, after):
        self.expect(f"the owner's request {after}", self.owner.ask(self.token).verdict, "200")

    def owner_ends_it(self, newest):
        """By the first request later than 5 minutes; then nobody has a token."""
        self.clock.wait(self.rng.choice(LATER_S))
        self.expect("the owner's request later than 5 minutes after the thief's refresh", self.owner.request(), ENDED)
        self.ended(newest)

    def ended(self, newest):
        self.ends = True
        self.events.add(REUSED)
        for who, client in (("owner", self.owner), ("thief", self.thief)):
            self.expect(f"the {who}'s request after the end", client.ask(newest).verdict, ENDED)

    def steals_again(self, number):
        """Of two with the newest token the thief refreshes first."""
        self.clock.wait(self.rng.choice((60, 1200)))
        newest = self.expect_token("the thief's next refresh", self.steal(self.owner.store.token, self.own_attempt_or_none()), number)
        self.owner_ends_it(newest)


def keeps(play):
    newest = play.expect_token("the thief's refresh", play.steal(attempt=play.own_attempt_or_none()), 2)
    for seconds in (50, 200):
        play.clock.wait(seconds)
        play.old_token_is_good("within 5 minutes of the thief's refresh")
    play.owner_ends_it(newest)


def uses(play):
    newest = play.expect_token("the thief's refresh", play.steal(attempt=play.own_attempt_or_none()), 2)
    play.expect("the thief's request", play.thief.ask(newest).verdict, "200")
    play.clock.wait(40)
    play.old_token_is_good("within 60 s of the thief's first request")
    play.clock.wait(play.rng.choice((40, 200)))
    play.expect("the owner's request later than 60 s after the thief's first one", play.owner.request(), ENDED)
    play.ended(newest)


def owner_follows(play):
    """Within 60 s: both have the newest token, and the owner gets a mail if the thief is elsewhere."""
    play.expect_token("the thief's refresh", play.steal(attempt=play.own_attempt_or_none()), 2)
    play.clock.wait(play.rng.choice((1, 20, 40)))
    play.expect_token("the owner's refresh within 60 s of the thief's", play.owner.renew(), 2)
    play.noted()
    play.owner_goes_on()
    play.steals_again(3)


def owner_follows_at_two_minutes(play):
    newest = play.expect_token("the thief's refresh", play.steal(attempt=play.own_attempt_or_none()), 2)
    play.clock.wait(120)
    play.expect("the owner's refresh 2 minutes after the thief's", play.owner.renew().verdict, ENDED)
    play.ended(newest)


def old_client(play):
    """An owner whose client has no attempts."""
    newest = play.expect_token("the thief's refresh", play.steal(attempt=play.own_attempt_or_none()), 2)
    play.clock.wait(240)
    play.expect_token("the owner's refresh without an attempt at 4 minutes", play.owner.refresh(play.token), 2)
    play.noted()
    play.clock.wait(120)
    play.expect("the owner's refresh without an attempt at 6 minutes", play.owner.refresh(play.token).verdict, ENDED)
    play.ended(newest)


def follows(play):
    """The thief has the former token within 60 s of the owner's refresh."""
    play.expect_token("the owner's refresh", play.owner.renew(), 2)
    if play.rng.random() < 0.5:
        play.owner_goes_on()
    play.clock.wait(play.rng.choice((1, 20, 40)))
    play.expect_token("the thief's refresh within 60 s of the owner's", play.steal(attempt=play.own_attempt_or_none()), 2)
    play.noted()
    play.owner_goes_on()
    play.steals_again(3)


def follows_later(play):
    """With an attempt of its own at 2 minutes, or with none at 6."""
    newest = play.expect_token("the owner's refresh", play.owner.renew(), 2)
    attempt = play.own_attempt_or_none()
    play.clock.wait(120 if attempt else 360)
    play.expect(f"the thief's refresh at {'2 minutes with its own attempt' if attempt else '6 minutes with none'}", play.steal(attempt=attempt).verdict, ENDED)
    play.ended(newest)


def follows_without_attempt(play):
    """At 4 minutes, with no attempt: the newest again, and the owner learns of it."""
    play.expect_token("the owner's refresh", play.owner.renew(), 2)
    play.owner_goes_on()
    play.clock.wait(240)
    play.expect_token("the thief's refresh without an attempt at 4 minutes", play.steal(), 2)
    play.noted()
    play.owner_goes_on()
    play.steals_again(3)


def older_token(play):
    for number in (2, 3):
        newest = play.expect_token("the owner's refresh", play.owner.renew(), number)
    play.expect("the thief's refresh with the token before the former one", play.steal(attempt=play.own_attempt_or_none()).verdict, ENDED)
    play.ended(newest)


def together(play):
    """Both refresh at the same time."""
    former, attempt = play.owner.store.begin()
    play.owner.begin_refresh(former, attempt)
    play.thief.begin_refresh(former, play.own_attempt_or_none())
    answer = play.owner.wire.end()
    play.expect_token("the owner's refresh beside the thief's", answer, 2)
    play.expect_token("the thief's refresh beside the owner's", play.thief.wire.end(), 2)
    play.owner.store.end(former, answer)
    play.noted()
    play.owner_goes_on()
    play.steals_again(3)


def without_key(play):
    """A session that signs gives a thief nothing who has the token alone, and does not end."""
    play.thief.key = None
    wanted = "401 signature-missing" if play.task.signatures == "required" else "401 signature-version-low"
    play.expect("the thief's refresh without a signature", play.steal(attempt=play.own_attempt_or_none()).verdict, wanted)
    play.expect("the thief's request without a signature", play.thief.ask(play.token).verdict, wanted)
    play.clock.wait(play.rng.choice(LATER_S))
    play.owner_goes_on()


COURSES = {course.__name__: course for course in (
    keeps, uses, owner_follows, owner_follows_at_two_minutes, old_client, follows, follows_later, follows_without_attempt, older_token, together, without_key)}
# The others are tried by sessions without signatures, too.
SIGNED_ONLY = {"without_key"}
