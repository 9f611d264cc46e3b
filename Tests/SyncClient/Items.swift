import Foundation
import NeuroViewsJSON

/// The user's edits, and the copies that arrive (docs/client.md, "A copy arrives").
struct Items {
    static func now() -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let seconds = Date(timeIntervalSince1970: Double(time.tv_sec)).formatted(.iso8601).dropLast()
        return "\(seconds).\(String(format: "%06d", time.tv_nsec / 1000))Z"
    }

    /// Compares two RFC 3339 times.
    static func isLater(_ time: String, than other: JSONValue?) -> Bool {
        guard let other = other?.string.flatMap(instant), let time = instant(time) else { return true }
        return time > other
    }

    /// True if the time is after the second that begins at the server's time.
    static func isLater(_ time: String, thanSecondAt serverTime: String?) -> Bool {
        guard let (second, digits) = serverTime.flatMap(instant), let time = instant(time) else { return false }
        return time > (second + 1, digits)
    }

    /// The whole seconds, and the digits of the fraction.
    private static func instant(_ text: String) -> (Int, String)? {
        let form = /(\d{4}-\d\d-\d\dT\d\d:\d\d:)(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)/
        // Foundation does not support leap seconds.
        guard let parts = text.uppercased().wholeMatch(of: form)?.output, let seconds = Int(parts.2),
            let minute = try? Date("\(parts.1)00\(parts.4)", strategy: .iso8601)
        else { return nil }
        var digits = (parts.3 ?? "").dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return (Int(minute.timeIntervalSince1970) + seconds, String(digits))
    }

    // MARK: The user

    /// Sets members of the shown document (nil removes one), or begins with `new`. Returns the document shown before;
    /// nil if there is no document to edit.
    static func edit(_ id: String, _ members: [(String, JSONValue?)], new: JSONValue?, in state: inout State)
        -> JSONValue??
    {
        let shown = state.shown(id)
        if shown == nil {
            guard let new else { return .none }
            replace(id, Members.putting(.string(now()), into: new, at: ["created_at"]) ?? new, in: &state)
        }
        guard var document = state.shown(id) else { return .none }
        let time = now()
        var noted: [String: String] = [:]
        if case .document(_, let earlier) = state.items[id]?.edit { noted = earlier }
        for (pointer, value) in members {
            document = Members.putting(value, into: document, at: Members.names(pointer)) ?? document
            Members.note(pointer, time, in: &noted)
        }
        document = Members.putting(.string(time), into: document, at: ["modified_at"]) ?? document
        keep(.document(Document(document), members: noted), id, in: &state)
        return .some(shown)
    }

    /// Replaces the shown document, if there is one, with a whole document.
    static func replace(_ id: String, _ new: JSONValue, in state: inout State) {
        let time = now()
        let sent = state.part(id)?.edit.document?.value
        let documents = [new, state.shown(id), sent, state.items[id]?.copy?.document?.value]
        let names = Set(documents.compactMap { $0?.object?.members.map(\.name) }.joined())
        let noted = names.subtracting(["id", "created_at", "modified_at"]).map { ("/" + Members.escaped($0), time) }
        let document = Members.putting(.string(time), into: new, at: ["modified_at"]) ?? new
        keep(.document(Document(document), members: Dictionary(uniqueKeysWithValues: noted)), id, in: &state)
    }

    private static func keep(_ edit: Edit, _ id: String, in state: inout State) {
        var item = state.items[id] ?? Item()
        (item.edit, item.refusal, item.isHeld) = (edit, nil, false)
        state.items[id] = item
    }

    /// Deletes the item. Returns the document shown before; nil if there is none.
    static func delete(_ id: String, in state: inout State) -> JSONValue? {
        guard let shown = state.shown(id) else { return nil }
        keep(.deletion, id, in: &state)
        return shown
    }
}

extension State {
    /// The item's part of the request without an answer.
    func part(_ id: String) -> Part? { request?.parts.first { $0.id == id } }

    /// The items that wait for a pull, or for another edit.
    var refused: Set<String> { Set(items.filter { $0.value.waits || $0.value.refusal != nil }.keys) }

    /// The document that the app shows.
    func shown(_ id: String) -> JSONValue? {
        guard let item = items[id] else { return nil }
        if let edit = item.edit { return edit.document?.value }
        if let edit = part(id)?.edit { return edit.document?.value }
        return item.copy?.document?.value
    }

    mutating func lose(_ id: String, _ why: String, document: Document?) {
        lost.append(Loss(id: id, why: why, document: document))
    }

    mutating func lose(_ id: String, at pointer: String, _ value: JSONValue?) {
        lost.append(Loss(id: id, why: "conflict", pointer: pointer, value: value.map { Document($0) }))
    }

    /// Prepares the store for a device. Returns true if it was used by another device: it is a clone or a backup, and
    /// each edit may have been sent since.
    mutating func adopt(by device: String) -> Bool {
        let known = deviceID
        deviceID = device
        guard let known, known != device else { return false }
        for part in request?.parts ?? [] { giveBack(part) }
        (request, token, seen) = (nil, nil, [])
        for (id, item) in items where item.edit != nil { items[id]?.isUnsure = true }
        return true
    }

    /// Stores a copy from the server. Nil means that a full set does not list the item. `serverTime` is that of the
    /// answer.
    mutating func arrive(_ id: String, _ new: Copy?, inFullSet: Bool = false, at serverTime: String? = nil) {
        guard var item = items[id] else {
            if let new, new.document != nil { items[id] = Item(copy: new) }
            return
        }
        let old = item.copy
        if old == new { return }
        let base = item.isUnsure ? nil : old?.document
        (item.copy, item.refusal, item.isUnsure) = (new, nil, false)
        items[id] = item
        if inFullSet, let replaced = old?.document, replaced != new?.document {
            lose(id, "replaced by a full set", document: replaced)
        }
        guard let edit = item.edit else {
            if new?.document == nil { items[id] = nil }
            return
        }
        if let document = new?.document {
            put(edit, of: id, onto: document, insteadOf: base, at: serverTime)
        } else if edit == .deletion || new != nil && !item.isHeld {
            if let document = edit.document { lose(id, "deleted elsewhere", document: document) }
            items[id] = nil
        }
    }

    private mutating func put(
        _ edit: Edit,
        of id: String,
        onto new: Document,
        insteadOf old: Document?,
        at serverTime: String?
    ) {
        items[id]?.isHeld = false
        if case .document = edit {
            let rebased = rebased(edit, of: id, from: old, onto: new, at: serverTime)
            items[id]?.edit = rebased
        } else if old != new {
            // The user was not asked: the document stays.
            lost.append(Loss(id: id, why: "changed elsewhere", deletion: true))
            items[id]?.edit = nil
        }
    }

    /// Rebases the edit onto another document. Returns nil if no member is left. The document was stored by the end of
    /// `serverTime`, even if the clock of its device is ahead.
    mutating func rebased(
        _ edit: Edit,
        of id: String,
        from old: Document?,
        onto new: Document,
        at serverTime: String?
    ) -> Edit? {
        guard case .document(let edited, let members) = edit else { return edit }
        var (document, placed, kept) = (new.value, [String: String](), [String: String]())
        for (pointer, time) in members.sorted(by: { Items.isLater($1.value, than: .string($0.value)) }) {
            Members.note(Members.reachable(pointer, in: new.value), time, in: &placed)
        }
        for (pointer, time) in placed {
            let mine = Members.value(of: edited.value, at: pointer)
            let theirs = Members.value(of: new.value, at: pointer)
            if mine == theirs { continue }
            if old == nil || theirs != Members.value(of: old?.value, at: pointer) {
                let mineStays =
                    Items.isLater(time, than: new.value["modified_at"])
                    || Items.isLater(time, thanSecondAt: serverTime)
                lose(id, at: pointer, mineStays ? theirs : mine)
                if !mineStays { continue }
            }
            document = Members.putting(mine, into: document, at: Members.names(pointer)) ?? document
            kept[pointer] = time
        }
        if kept.isEmpty { return nil }
        document = Members.putting(.string(Items.now()), into: document, at: ["modified_at"]) ?? document
        return .document(Document(document), members: kept)
    }
}
