"""A camera of an account: it uploads one recording after the other, and deletes some of them."""
import http.client
from urllib.parse import urlsplit

import ledger
from account import chance_of
from recordings import Recordings
from session import NoAnswer, kind_of
from take import Take
from tags import is_tag
from ways import WAYS
from wire import Cut, exchange
from worker import Worker

PULLS_SHARE, DELETIONS_SHARE = 0.2, 0.12
# Of the requests to upload URLs.
CUTS_SHARE = 0.2
# Of the cut ones: the recording is deleted while the server waits for the rest.
CANCELLED_SHARE = 0.25
# Of what is asked for on the way, though it was answered or comes too early.
REPEATS_SHARE, EARLY_SHARE = 0.1, 0.15
# Of whole uploads that nobody completes, and that are deleted instead.
LEFT_SHARE, DROPPED_SHARE = 0.1, 0.05
OPEN, WHOLE, COMPLETE, DELETE = "open", "whole", "complete", "delete"


class Camera(Worker):
    """Its ledger has of each recording the attempts to OPEN it (ask for its upload URL), to COMPLETE and to DELETE it, and that it was
    WHOLE: all its bytes were confirmed."""

    def __init__(self, load, account, session):
        super().__init__(load, account, "camera", session, chance_of(load.seed, account.number, "camera"))
        self.ledger, self.may_lose = load.ledgers.recordings, load.may_lose
        self.recordings = Recordings(account, load.findings)
        # The one under way; those that were completed, and those whose deletion was not answered.
        self.take, self.completed, self.doomed = None, [], []

    def step(self):
        if self.take:
            return self.go_on(self.take)
        if self.doomed:
            return self.delete(self.doomed[0])
        roll = self.chance.random()
        if roll < PULLS_SHARE:
            return self.recordings.pull(self.session)
        if self.completed and roll < PULLS_SHARE + DELETIONS_SHARE:
            return self.delete(self.chance.choice(self.completed))
        way = self.chance.choice(WAYS)(self.chance)
        self.take = Take(self.account.new_item(self.chance), way, self.load.seed, self.chance)
        return self.open(self.take)

    def go_on(self, take):
        if not take.target:
            return self.open(take)
        if take.is_whole:
            return self.end(take)
        if take.is_unsure and take.way.resumes:
            return self.resume(take)
        if 0 < take.offset < take.size and self.chance.random() < EARLY_SHARE:
            return self.complete_early(take)
        return self.send(take)

    def wrong(self, take, text):
        """Gives the recording up. Where rows are lost, so are uploads."""
        self.take = None
        if self.may_lose:
            return self.findings.count("uploads lost")
        return self.findings.breach(8, f"{self.name}: {take.item}, {type(take.way).__name__}: {text}")

    def ask(self, step, take, method, path, content=None):
        """One attempt, in the ledger. None for an answer that leaves it open; what is refused is no breach yet."""
        self.note("sent", step, take)
        try:
            answer = self.session.ask(method, f"/recordings/{take.item}{path}", content, expected={404, 409})
        except NoAnswer:
            self.note(ledger.UNKNOWN, step, take)
            raise
        if answer.status >= 500:
            self.note(ledger.UNKNOWN, step, take)
            return self.load.interrupted.wait(answer.retry_after_s) and None
        self.note(ledger.ACKED if answer.is_success else ledger.FAILED, step, take)
        return answer

    def note(self, state, step, take):
        self.ledger.note(state=state, step=step, item=take.item.lower(), account=self.account.number, size=take.size,
                         type=take.content_type)

    # From upload-url to complete

    def open(self, take):
        answer = self.ask(OPEN, take, "POST", "/upload-url", take.wish)
        if not answer:
            return None
        if not answer.is_success:
            return self.wrong(take, f"upload-url was answered {answer.status} {answer.problem}")
        target = urlsplit(answer.body["upload_url"]).path
        if take.target not in (None, target):
            return self.wrong(take, f"another upload URL, {target} after {take.target}")
        take.target = target
        return self.judge_offset(take, answer.body["upload_offset"], is_asked=take.way.resumes)

    def send(self, take):
        """The next request, which may end early. What it brings beyond the confirmed offset is known by asking."""
        method, fields, body = take.way.request(take)
        cut = self.cut(take, body) if body and self.chance.random() < CUTS_SHARE else None
        take.is_begun = take.is_unsure = True
        take.sent = max(take.sent, take.offset + (cut.sent if cut else len(body)))
        offset = take.offset
        answer = self.to_upload(take, method, fields, body, cut)
        if not answer:
            return None
        if answer.status == 409 and answer.offset is not None and answer.offset > offset:
            # A cut request may reach the server behind the question how far it came: it is asked again.
            return self.findings.count("uploads overtaken")
        if answer.status not in (200, 201, 204):
            return self.wrong(take, f"{method} from {offset} was answered {answer.status} {answer.body[:300]}")
        take.is_unsure = False
        take.offset = offset + len(body)
        if answer.offset != take.offset:
            return self.wrong(take, f"{method} of {offset} to {take.offset} was confirmed to {answer.offset}")
        if take.offset == take.size:
            self.whole(take)
        return None

    def cut(self, take, body):
        cut = Cut(self.chance.randrange(len(body)), self.chance.random() < 0.5)
        if self.chance.random() < CANCELLED_SHARE:
            cut.meanwhile = lambda: self.delete(take)
        return cut

    def resume(self, take):
        answer = self.to_upload(take, "HEAD", take.way.question)
        if not answer:
            return None
        if answer.status not in (200, 204) or answer.offset is None:
            return self.wrong(take, f"HEAD was answered {answer.status}")
        take.is_unsure = False
        self.judge_offset(take, answer.offset)
        is_tus = "Tus-Resumable" in take.way.question
        if self.take and (answer.is_complete or is_tus and take.offset == take.size):
            self.whole(take)
        return None

    def judge_offset(self, take, offset, is_asked=True):
        if is_asked and not take.offset <= offset <= take.sent:
            return self.wrong(take, f"offset {offset}, {take.offset} was confirmed and {take.sent} sent")
        take.offset = offset if is_asked else take.offset
        return None

    def whole(self, take):
        take.is_whole = True
        self.note("sent", WHOLE, take)
        self.note(ledger.ACKED, WHOLE, take)

    def to_upload(self, take, method, fields, body=b"", cut=None):
        """One request to the upload URL. None without a final answer: the server may break connections there where it answers 503
        elsewhere."""
        try:
            answer = exchange(self.load.port, method, take.target, fields, body, cut)
        except (OSError, http.client.HTTPException) as error:
            how = kind_of(error)
            self.findings.count("uploads broken")
            if how not in self.session.allowed | {"reset", "closed", "cut"}:
                self.findings.breach(4, f"{self.name}: {method} to the upload URL: the connection was {how} ({error!r})")
            raise NoAnswer(how) from error
        if not answer:
            self.findings.count("uploads cut")
        elif answer.status in self.load.upload_failures:
            self.findings.count(f"{answer.status} of uploads")
            take.is_unsure = True
            return self.load.interrupted.wait(float(answer.fields.get("Retry-After", 0.5))) and None
        return answer

    def complete_early(self, take):
        """Bytes are missing, so this must be refused."""
        answer = self.session.ask("POST", f"/recordings/{take.item}/complete", {"metadata": take.metadata}, expected={404, 409})
        if answer.is_success:
            self.wrong(take, f"completed with {take.offset} of {take.size} bytes")
        elif answer.status < 500 and answer.problem != "upload-incomplete":
            self.wrong(take, f"completed early: {answer.status} {answer.problem}")

    def end(self, take):
        roll = self.chance.random()
        if roll < LEFT_SHARE and not self.may_lose:
            self.take = None
            return None
        if roll < LEFT_SHARE + DROPPED_SHARE:
            return self.delete(take)
        if roll < LEFT_SHARE + DROPPED_SHARE + REPEATS_SHARE and not take.is_completing:
            self.open(take)
        return self.complete(take) if self.take else None

    def complete(self, take):
        take.is_completing = True
        answer = self.ask(COMPLETE, take, "POST", "/complete", {"metadata": take.metadata})
        if not answer:
            return None
        if not answer.is_success:
            return self.wrong(take, f"complete was answered {answer.status} {answer.problem}")
        if not is_tag(answer.version):
            self.findings.breach(4, f"{self.name}: complete was answered without a version")
        if self.chance.random() < REPEATS_SHARE:
            self.ask(COMPLETE, take, "POST", "/complete", {"metadata": take.metadata})
        self.findings.count("recordings")
        self.completed.append(take)
        # Bytes can be made again.
        self.take, take.bytes = None, None
        return None

    # The end

    def delete(self, take):
        """Of one that was completed, or in the middle of its upload. What is not answered is repeated."""
        if take is self.take:
            self.take = None
        if take in self.completed:
            self.completed.remove(take)
        if take not in self.doomed:
            self.doomed.append(take)
        answer = self.ask(DELETE, take, "DELETE", "")
        if not answer:
            return None
        self.doomed.remove(take)
        if not answer.is_success:
            return self.wrong(take, f"DELETE was answered {answer.status} {answer.problem}")
        if self.chance.random() < REPEATS_SHARE and not self.may_lose:
            again = self.ask(DELETE, take, "DELETE", "")
            if again and again.body != answer.body:
                self.wrong(take, f"DELETE was answered {answer.body} and, repeated, {again.status} {again.body}")
        return None
