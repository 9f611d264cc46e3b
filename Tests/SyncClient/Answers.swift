import Foundation
import NeuroViewsJSON
import TestSupport

extension HTTPAnswer {
    /// The text between the quotes of the ETag, which a proxy that compresses may have made weak.
    var versionTag: String { (field("etag") ?? "").components(separatedBy: "\"").dropFirst().first ?? "" }
}

/// Answers to writes (docs/client.md, "Answers to a write").
extension State {
    static let refusalsMax = 3
    private static let keyReused = "idempotency-key-reused"

    /// Handles the answer to the request, in one step.
    mutating func handle(_ answer: HTTPAnswer, _ json: JSONValue) {
        guard let request else { return }
        self.request = nil
        if let head = answer.field("sync-head"), !seen.contains(head) { seen.append(head) }
        if !request.isBatch {
            let tag = answer.versionTag
            for part in request.parts {
                handle(part, answer.status, tag, json)
                if !Session.isCertain(answer) { items[part.id]?.isUnsure = true }
            }
        } else if answer.status == 200, let results = json["results"]?.array {
            refusals = json["outcome"]?.string == "refused" ? refusals + 1 : 0
            for (part, result) in zip(request.parts, results) {
                let status = result["status"]?.number?.int64.map { Int($0) } ?? 0
                handle(part, status, result["version"]?.string ?? "", result["problem"] ?? .null)
            }
        } else if answer.problem == Self.keyReused {
            for part in request.parts { handle(part, answer.status, "", json) }
        } else {
            // The refusal does not name the item; single requests will show it.
            refusals = Self.refusalsMax
            for part in request.parts {
                giveBack(part)
                if !Session.isCertain(answer) { items[part.id]?.isUnsure = true }
            }
        }
    }

    private mutating func handle(_ part: Part, _ status: Int, _ tag: String, _ json: JSONValue) {
        let type = json["type"]?.string.map { $0.split(separator: "/").last.map(String.init) ?? "" } ?? ""
        let version = json["version"]?.string ?? ""
        let document = part.edit.document
        let since = items[part.id]?.edit
        if status == 200 || status == 201 { return done(part, tag, json) }
        if status == 404, document == nil { return deleted(part.id, nil) }
        if type == "configuration-deleted", let document {
            lose(part.id, "deleted elsewhere", document: document)
            deleted(part.id, Copy(tag: version))
            let since = items[part.id]?.edit
            items[part.id]?.isHeld = since != .deletion
            return
        }
        giveBack(part)
        if [404, 409, 412, 424].contains(status) || type == Self.keyReused {
            items[part.id]?.waits = true
        } else if since == nil {
            items[part.id]?.refusal = Refusal(type: type)
        }
    }

    private mutating func done(_ part: Part, _ tag: String, _ json: JSONValue) {
        let id = part.id
        let sent = part.edit
        for conflict in json["conflicts"]?.array ?? [] {
            lose(
                id,
                at: conflict["pointer"]?.string ?? "",
                conflict[conflict["winner"]?.string == "mine" ? "theirs" : "mine"]
            )
        }
        let merged = json["configuration"].map { Document($0) }
        let copy = Copy(tag: tag, document: sent == .deletion ? nil : merged ?? sent.document)
        items[id]?.copy = copy
        items[id]?.isUnsure = false
        let since = items[id]?.edit
        guard let document = copy.document else { return deleted(id, copy) }
        if since == .deletion {
            if let merged, merged != sent.document { lose(id, "deleted unseen", document: merged) }
        } else if let since {
            let rebased = rebased(
                since,
                of: id,
                from: sent.document,
                onto: document,
                at: json["updated_at"]?.string
            )
            items[id]?.edit = rebased
        }
    }

    /// Stores the deletion. A later edit stays.
    private mutating func deleted(_ id: String, _ copy: Copy?) {
        items[id]?.copy = copy
        if items[id]?.edit == nil { items[id] = nil }
    }

    /// Returns the part's members to the item's edit.
    mutating func giveBack(_ part: Part) {
        let sent = part.edit
        switch (sent, items[part.id]?.edit) {
        case (_, nil): items[part.id]?.edit = sent
        case (.document(_, let members), .document(let document, let since)):
            var all = members
            for (pointer, time) in since { Members.note(pointer, time, in: &all) }
            items[part.id]?.edit = .document(document, members: all)
        default: break
        }
    }
}
