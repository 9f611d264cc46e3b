"""The invariants that are checked when everything is healed and the devices rest."""
import collections

import ledger
import tags
from processes import wait_until
from replica import Replica
from session import NoAnswer

FIGURES_FACTOR = 1.1
# What the factor leaves out of account, of small processes: some buffers of the allocator, connections of the pool.
RESIDENT_MORE_KIB, DESCRIPTORS_MORE = 4096, 8
FIGURES_WAIT_S = 15


def replays(load, findings):
    """2: pulls once more with every device, and compares with full sets, with and without pages. Returns them by account."""
    full_sets, unserved = {}, 0
    for device in load.devices:
        # Where nobody is served, three are enough to say so.
        if unserved == 3:
            break
        fresh = Replica(device.account, findings, device.replica.limit)
        try:
            if not (device.replica.pull(device.session) and fresh.pull(device.session)):
                findings.breach(5, f"{device.name} is not served after healing")
                unserved += 1
                continue
        except NoAnswer as error:
            findings.breach(5, f"{device.name} gets no answer after healing: {error}")
            unserved += 1
            continue
        for item in device.replica.differences(fresh)[:3]:
            findings.breach(2, f"{device.name} has {item} as {device.replica.items.get(item)}, the full set "
                               f"{fresh.items.get(item)}")
        first = full_sets.setdefault(device.account.number, fresh)
        for item in first.differences(fresh)[:3]:
            findings.breach(2, f"{device.name}: another device of the account gets {item} otherwise")
        device.session.close()
    return full_sets


class History:
    """What the database holds of an account."""

    def __init__(self):
        self.writes, self.deletions = collections.Counter(), collections.defaultdict(list)
        self.current, self.versions = {}, 0


def histories(address):
    """By the account's number."""
    found = collections.defaultdict(History)
    previous = (None, frozenset())
    for email, item, version, base, deleted, device, write, *merges in address.query(
            f"SELECT u.email, v.id, {tag('v')}, coalesce(lag({tag('v')}) OVER (PARTITION BY v.user_id, v.id ORDER BY v.version), ''), "
            "v.deleted, CASE WHEN v.by_device THEN v.author ELSE '' END, coalesce(v.document::json ->> 'write', ''), coalesce((SELECT string_agg(substr(name, 7), E'\\t') FROM json_object_keys(v.document::json) name "
            "WHERE name LIKE 'merge %'), '') "
            "FROM configuration_versions v JOIN users u ON u.id = v.user_id ORDER BY u.email, v.id, v.version"):
        history, marks = found[number_of(email)], frozenset(merges) - {""}
        history.versions += 1
        if deleted == "t":
            history.deletions[item].append((version, base, device))
        else:
            # A merge leaves the mark of what it was merged with where it is, and adds its own.
            history.writes.update(marks - (previous[1] if previous[0] == item else frozenset()) or [write])
        previous = (item, marks)
    for email, item, version, deleted in address.query(
            f"SELECT u.email, c.id, {tag('c')}, c.deleted FROM configurations c JOIN users u ON u.id = c.user_id"):
        found[number_of(email)].current[item] = (version, deleted == "t")
    return found


def tag(table):
    """SQL of a version's tag."""
    return f"{table}.version || '-' || left(encode({table}.chain, 'hex'), 12)"


def number_of(email):
    return int(email.split("@")[0].rsplit("-", 1)[1])


def writes(path, address, findings, may_lose):
    """1: holds the ledger against the history, and counts what became of the writes."""
    found = histories(address)
    known, kinds, lost = set(), collections.Counter(), 0
    for write in ledger.read(path):
        findings.count(write.state)
        findings.count("attempts", write.attempts)
        known.add(f"{write.item}:{tags.number(write.base) + 1}:device-{write.device}" if write.kind == "DELETE" else write.name)
        kinds[write.kind] += write.state == ledger.ACKED
        count = count_of(write, found[write.account])
        text = broken(write, count)
        if may_lose and write.state == ledger.ACKED and count == 0:
            lost += 1
        elif text:
            findings.breach(1, f"{write.kind} {write.name} of {write.item}, {write.state} after {write.attempts} attempts: "
                               f"{text}")
    for number, history in found.items():
        deletions = {f"{item}:{tags.number(version)}:{device}" for item, those in history.deletions.items()
                     for version, _, device in those}
        for name in (history.writes.keys() | deletions) - known:
            findings.breach(1, f"account-{number} has a write {name} that nobody sent")
    heads(address, found, findings)
    if may_lose:
        findings.remarks.append(f"{lost} acknowledged writes were lost")
        if not lost:
            findings.breach(4, "no write was lost: this run shows nothing")
    findings.remarks.append("acknowledged: " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
                            + f"; {findings.counts['merged']} merged, {findings.counts['revived']} revived, "
                            + f"{findings.counts['pulls by time']} pulls by time")
    return found


def count_of(write, history):
    """How often a write is in the history."""
    if write.kind != "DELETE":
        return history.writes[write.name]
    # It may be answered with a tombstone that another device made.
    versions = [version for version, base, device in history.deletions[write.item]
                if version == write.version or (base, device) == (write.base, f"device-{write.device}")]
    return len(versions) if write.version is None else versions.count(write.version)


def broken(write, count):
    """What is wrong with a write; None when nothing is."""
    if write.state == ledger.ACKED and count != 1:
        return f"it is there {count} times"
    if write.state == ledger.FAILED and count != 0:
        return "it is there"
    return f"it is there {count} times" if count > 1 else None


def heads(address, found, findings):
    """1: each write has moved its account's head by one, and the newest version is the current one."""
    for email, seq in address.query("SELECT email, seq FROM sync_heads h JOIN users u ON u.id = h.user_id "
                                    "WHERE h.collection = 'configurations'"):
        if int(seq) != found[number_of(email)].versions:
            findings.breach(1, f"{email}: head {seq}, {found[number_of(email)].versions} versions")
    for item, version in address.query(
            "SELECT id, c.version FROM configurations c WHERE NOT EXISTS (SELECT FROM configuration_versions v WHERE "
            "(v.user_id, v.id, v.version, v.chain) = (c.user_id, c.id, c.version, c.chain) AND v.document IS NOT DISTINCT FROM c.document "
            "AND c.version = (SELECT count(*) FROM configuration_versions w WHERE (w.user_id, w.id) = (c.user_id, c.id)))"):
        findings.breach(1, f"{item}: version {version} is not the newest of its history, or the history has gaps")


def contents(full_sets, found, findings):
    """2: the full sets are what the database holds."""
    for number, full_set in full_sets.items():
        held = {item: (version, document is None) for item, (version, document) in full_set.items.items()}
        for item in [item for item in held.keys() | found[number].current.keys()
                     if held.get(item) != found[number].current.get(item)][:3]:
            findings.breach(2, f"account-{number}: {item} is {held.get(item)} in the full set, "
                               f"{found[number].current.get(item)} in the database")


def resets(load, address, findings):
    """3: a pull is a reset exactly when it names a change that this history does not have. Pulls answered from a history that was lost
    since are none."""
    here = {(number_of(email), int(seq), chain) for email, seq, chain in address.query(
        "SELECT u.email, v.seq, encode(v.chain, 'hex') FROM configuration_versions v JOIN users u ON u.id = v.user_id "
        "UNION ALL SELECT u.email, 0, encode(h.genesis, 'hex') FROM sync_heads h JOIN users u ON u.id = h.user_id "
        "WHERE h.collection = 'configurations'")}
    for pull in [pull for device in load.devices for pull in device.replica.pulls]:
        lost = [cursor.token for cursor in pull.named if (pull.account, cursor.seq, cursor.chain) not in here]
        if pull.is_cut and not pull.answer.read_at:
            findings.breach(3, f"account-{pull.account}: a page names no newest change: {pull.answer.token}")
        is_from_here = all((pull.account, change.seq, change.chain) in here for change in pull.answer.changes())
        findings.count("judged pulls")
        if is_from_here and lost and not pull.is_reset:
            findings.breach(3, f"account-{pull.account}: no reset, though {lost} is not in the history, to {pull.answer.token}")
        if pull.is_reset and not lost and not pull.is_by_time:
            named = [cursor.token for cursor in pull.named]
            findings.breach(3, f"account-{pull.account}: a reset, though the history has {named}, to {pull.answer.token}")


def figures(server, before, findings):
    """6: waits a while for memory and descriptors to come back."""
    allowed = (before[0] * FIGURES_FACTOR + RESIDENT_MORE_KIB, before[1] * FIGURES_FACTOR + DESCRIPTORS_MORE)

    def are_back():
        return all(now <= most for now, most in zip(server.figures(), allowed))

    try:
        wait_until(are_back, FIGURES_WAIT_S, "figures")
    except RuntimeError:
        findings.breach(6, f"{server.figures()[0]} KiB and {server.figures()[1]} descriptors, before the fault {before[0]} KiB "
                           f"and {before[1]}")
    findings.remarks.append(f"RSS {before[0]} KiB before, {server.figures()[0]} after; descriptors {before[1]} before, "
                            f"{server.figures()[1]} after")


def is_running(server, findings):
    """4: nothing of this may end the server."""
    if server.process.poll() is not None:
        findings.breach(4, f"the server has ended with status {server.process.returncode}")
        return False
    return True
