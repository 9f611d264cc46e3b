import Foundation
import NeuroViewsJSON

/// The way to push edits.
enum Style: String { case put, merge, patch, batch, atomic }

/// Makes requests from edits (docs/client.md, "Push").
extension State {
    private static let batchMax = 50
    private static let seenMax = 16
    private static let json = ["Content-Type", "application/json"]

    var unsent: [String] { items.filter(\.value.isUnsent).keys.sorted() }

    /// Makes the next request. Returns false if there is nothing to push.
    mutating func makeRequest(_ style: Style) -> Bool {
        let unsent = unsent
        if unsent.isEmpty { refusals = 0 }
        let dirty = unsent.filter { items[$0]?.waits == false && items[$0]?.isNeedless == false }
        guard let first = dirty.first, seen.count < Self.seenMax else { return false }
        if style == .batch || style == .atomic, refusals < Self.refusalsMax {
            let parts = dirty.prefix(Self.batchMax).compactMap { take($0) }
            let operations = parts.map(Self.operation).joined(separator: ",")
            request = PendingRequest(
                method: "POST",
                path: "/configurations/batch",
                fields: [Self.json, Self.key()],
                body: #"{"operations":[\#(operations)]\#(style == .atomic ? #","atomic":true"# : "")}"#,
                parts: parts
            )
        } else {
            request = take(first).map { Self.single($0, style) }
        }
        return true
    }

    private mutating func take(_ id: String) -> Part? {
        guard let edit = items[id]?.edit else { return nil }
        items[id]?.edit = nil
        items[id]?.refusal = nil
        return Part(id: id, copy: items[id]?.copy, edit: edit)
    }

    private static func single(_ part: Part, _ style: Style) -> PendingRequest {
        let path = "/configurations/\(part.id)"
        let condition = ifMatch(part.copy)
        func request(_ method: String, _ path: String, _ fields: [[String]], _ body: String) -> PendingRequest {
            PendingRequest(method: method, path: path, fields: fields, body: body, parts: [part])
        }
        guard let document = part.edit.document else { return request("DELETE", path, condition, "") }
        let body = #"{"configuration":\#(document.text)}"#
        guard let copy = part.copy else { return request("POST", "/configurations", [json], body) }
        if style == .patch, let old = copy.document, let patch = Members.patch(from: old.value, to: document.value) {
            let type = ["Content-Type", "application/merge-patch+json"]
            return request("PATCH", path, [type] + condition, Document(patch).text)
        }
        let prefer = style == .merge && part.canMerge ? [["Prefer", "merge"]] : []
        return request("PUT", path, [json] + condition + prefer, body)
    }

    private static func operation(_ part: Part) -> String {
        let condition = part.copy.map { #","if_match":"\#($0.tag)""# } ?? ""
        guard let document = part.edit.document else {
            return #"{"operation":"delete","id":"\#(part.id)"\#(condition)}"#
        }
        return
            #"{"operation":"\#(part.copy == nil ? "create" : "replace")","configuration":\#(document.text)\#(condition)}"#
    }

    private static func ifMatch(_ copy: Copy?) -> [[String]] { copy.map { [["If-Match", "\"\($0.tag)\""]] } ?? [] }

    private static func key() -> [String] { ["Idempotency-Key", "\"\(UUID().uuidString)\""] }
}

extension Part {
    /// True if each edited member differs from the copy and is not an object. The server treats an equal value, or a
    /// part of an object, as unchanged.
    fileprivate var canMerge: Bool {
        guard case .document(let document, let members) = edit else { return false }
        return members.keys.allSatisfy { pointer in
            let mine = Members.value(of: document.value, at: pointer)
            return mine != Members.value(of: copy?.document?.value, at: pointer) && mine?.object == nil
        }
    }
}
