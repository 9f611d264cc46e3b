"""What a camera has of its account's recordings: by replaying deltas, and by the list."""
from urllib.parse import quote

from tags import number

PAGE_ITEMS = 20


class Recordings:
    """`items`: by id in lower case the version's tag and the document, which is None for a tombstone."""

    def __init__(self, account, findings):
        self.account, self.findings = account, findings
        self.items, self.token = {}, ""

    def pull(self, session):
        """False when an answer was no success. Raises NoAnswer."""
        while True:
            answer = session.ask("GET", "/recordings?sync_token=" + quote(self.token))
            if not answer.is_success:
                return False
            page = answer.body
            if page["reset"]:
                self.items = {}
            self.store(page)
            self.token = page["sync_token"]
            if not page.get("has_more"):
                self.findings.count("pulls of recordings")
                return True

    def store(self, page):
        documents = {document["id"].lower(): document for document in page["recordings"]}
        versions = {item.lower(): version for item, version in page["versions"].items()}
        if versions.keys() != documents.keys() | {item.lower() for item in page["deleted"]}:
            self.findings.breach(2, f"{self.account.name}: versions and recordings differ in {page['sync_token']}")
        for item, version in versions.items():
            held = self.items.get(item, (None, None))[0]
            if not self.account.owns(item):
                self.findings.breach(7, f"{self.account.name} was given the recording {item}")
            if number(version) < number(held):
                self.findings.breach(3, f"{self.account.name}: {item}, from version {held} back to {version}")
            self.items[item] = (version, documents.get(item))

    @property
    def live(self):
        return {item: document for item, (_, document) in self.items.items() if document}


def listed(session):
    """By id the documents of the list, page by page; None when an answer was no success."""
    found, before = {}, None
    while True:
        answer = session.ask("GET", f"/recordings?limit={PAGE_ITEMS}" + (f"&before={quote(before)}" if before else ""))
        if not answer.is_success:
            return None
        found |= {document["id"].lower(): document for document in answer.body["recordings"]}
        if not answer.body["has_more"]:
            return found
        before = answer.body["next"]
