"""Answers that never reach the client."""
from proxy import LosingProxy
from scenarios.scenario import Scenario


class AnswerLost(Scenario):
    """Between devices and server something forwards requests and swallows some answers, all or half of them."""

    name = "answer-lost"
    breaks = frozenset({"closed", "cut", "reset"})
    hold_s = 3.0
    share = 0.25

    def install(self):
        super().install()
        self.proxy = LosingProxy(self.server.port, self.chance)
        self.proxy.start()

    @property
    def port(self):
        return self.proxy.port

    def strike(self, number):
        self.proxy.share = self.share

    def heal(self):
        self.proxy.share = 0.0
        super().heal()
        self.findings.counts["answers lost"] = self.proxy.lost

    def clean_up(self):
        if hasattr(self, "proxy"):
            self.proxy.end()
        super().clean_up()
