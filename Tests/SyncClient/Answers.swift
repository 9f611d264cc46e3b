import Foundation
import JSON
import TestSupport

/// Answers to writes (docs/client.md, "Answers to a write").
extension State {
    static let refusalsMax = 3

    /// Handles the answer to the request, in one step.
    mutating func handle(_ answer: HTTPAnswer, _ json: JSONValue) {
        guard let request else { return }
        self.request = nil
        seen = answer.field("sync-head") ?? seen
        if !request.isBatch {
            let tag = answer.field("etag")?.trimmingCharacters(in: ["\""]) ?? ""
            for part in request.parts { handle(part, answer.status, tag, json) }
        } else if answer.status == 200, let results = json["results"]?.array {
            refusals = json["outcome"]?.string == "refused" ? refusals + 1 : 0
            for (part, result) in zip(request.parts, results) {
                let status = result["status"]?.number?.int64.map { Int($0) } ?? 0
                handle(part, status, result["version"]?.string ?? "", result["problem"] ?? .null)
            }
        } else {
            // Which of them it is about, the next requests will tell.
            refusals = Self.refusalsMax
            for part in request.parts {
                giveBack(part)
                dropNeedless(part.id)
            }
        }
    }

    private mutating func handle(_ part: Part, _ status: Int, _ tag: String, _ json: JSONValue) {
        let type = json["type"]?.string.map { $0.split(separator: "/").last.map(String.init) ?? "" } ?? ""
        let version = json["version"]?.string ?? ""
        let document = part.edit?.document
        if status == 200 || status == 201 { return done(part, tag, json) }
        if type == "configuration-deleted", let document {
            lose(part.id, "deleted elsewhere", document: document)
            return deleted(part.id, version)
        }
        if status == 404, part.edit == .deletion, items[part.id]?.edit == nil { return items[part.id] = nil }
        // What the user did since may be what the server takes.
        let isSame = items[part.id]?.edit == nil && !part.isRestore
        giveBack(part)
        if status == 409 || status == 412, let current = json["current"], current.object != nil {
            arrive(part.id, Copy(tag: version, document: Document(current)))
        } else if ![404, 409, 412, 424].contains(status), type != "idempotency-key-reused", isSame {
            items[part.id]?.refusal = Refusal(status: status, type: type)
        }
        dropNeedless(part.id)
    }

    private mutating func done(_ part: Part, _ tag: String, _ json: JSONValue) {
        let id = part.id
        guard let sent = part.edit else { return }
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
        let since = items[id]?.edit
        guard let document = copy.document else {
            makeRoom()
            if since?.document == nil { items[id] = nil }
            return
        }
        if since == .deletion {
            if let merged, merged != sent.document { lose(id, "deleted unseen", document: merged) }
        } else if let since {
            let rebased = rebased(since, of: id, from: sent.document, onto: document)
            items[id]?.edit = rebased
        }
    }

    private mutating func makeRoom() {
        for (id, item) in items where item.refusal?.status == 403 { items[id]?.refusal = nil }
    }

    /// Another device has deleted the item. What was edited since waits for the user.
    private mutating func deleted(_ id: String, _ tag: String) {
        items[id]?.copy = Copy(tag: tag)
        if items[id]?.edit?.document == nil { items[id] = nil } else { items[id]?.isHeld = true }
    }

    /// Nothing was applied: the request's members are the edit's again.
    private mutating func giveBack(_ part: Part) {
        guard let sent = part.edit else { return }
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
