"""What a device asks to be written: one write in a request of its own, or several in a batch."""
import collections

POST, PUT, PATCH, MERGE, DELETE = "POST", "PUT", "PATCH", "MERGE", "DELETE"
OPERATIONS = {POST: "create", PUT: "replace", DELETE: "delete"}

# `document` is the patch of a PATCH; `base` the tag of the version that it names in If-Match, None for a new item.
Write = collections.namedtuple("Write", "name kind item base document")
Outcome = collections.namedtuple("Outcome", "status version current")


class Single:
    """A write that is its own request."""
    is_atomic = False

    def __init__(self, write, key=None):
        self.writes = [write]
        self.method = PUT if write.kind == MERGE else write.kind
        self.path = "/configurations" + ("" if write.kind == POST else f"/{write.item}")
        self.body = write.document if write.document is None or write.kind == PATCH else {"configuration": write.document}
        self.fields = {"If-Match": f'"{write.base}"'} if write.base else {}
        if write.kind == MERGE:
            self.fields["Prefer"] = "merge"
        if write.kind == PATCH:
            self.fields["Content-Type"] = "application/merge-patch+json"
        if key:
            self.fields["Idempotency-Key"] = key

    def outcomes(self, answer):
        return [Outcome(answer.status, answer.version, answer.body.get("current"))]


class Batch:
    """Writes in one transaction, which answers 200 whatever becomes of each."""
    method, path = "POST", "/configurations/batch"

    def __init__(self, writes, is_atomic, key=None):
        self.writes, self.is_atomic = writes, is_atomic
        self.body = {"operations": [operation(write) for write in writes], "atomic": is_atomic}
        self.fields = {"Idempotency-Key": key} if key else {}

    def outcomes(self, answer):
        if not answer.is_success:
            return [Outcome(answer.status, None, None) for _ in self.writes]
        return [Outcome(result["status"], result.get("version"), result.get("problem", {}).get("current"))
                for result in answer.body["results"]]


def operation(write):
    about = {"id": write.item} if write.kind == DELETE else {"configuration": write.document}
    return {"operation": OPERATIONS[write.kind]} | about | ({"if_match": write.base} if write.base else {})
