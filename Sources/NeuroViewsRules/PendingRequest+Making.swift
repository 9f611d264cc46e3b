import NeuroViewsJSON

/// Makes requests from edits (docs/client.md, "Push").
extension PendingRequest {
    /// A request, and the items that it takes along: both are stored before it is sent.
    package struct Made: Sendable, Equatable {
        /// The request.
        package let request: PendingRequest
        /// The items, with their parts.
        package let items: [Item]
    }

    /// The most items of a batch.
    package static let batchMax = 50
    private static let bodyMaxBytes = 1 << 20
    /// The bytes around the operations of a batch.
    private static let envelopeBytes = 64

    /// Makes the next request of the dirty ones among the items. Nil if there is nothing to push, or if a pull must come
    /// first. `key`: a new name for the request.
    package static func make(of items: [Item], _ style: PushStyle, _ push: PushState, key: String, at now: Instant)
        -> Made?
    {
        let dirty = items.filter { $0.isDirty(at: now) }
        guard let first = dirty.first, !push.needsPull else { return nil }
        if let batchFrom = style.batchFrom, !push.isOneByOne {
            let operations = operations(of: dirty)
            if operations.count >= batchFrom {
                let taken = dirty.prefix(operations.count).map { $0.takenAlong() }
                return Made(request: batch(operations, of: taken, isAtomic: style.isAtomic, key: key), items: taken)
            }
        }
        let taken = first.takenAlong()
        return single(taken, style.single).map { Made(request: $0, items: [taken]) }
    }

    private static func batch(_ operations: [[UInt8]], of items: [Item], isAtomic: Bool, key: String)
        -> PendingRequest
    {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("operations")
        writer.beginArray()
        for operation in operations { writer.raw(operation) }
        writer.endArray()
        if isAtomic { writer.member("atomic", bool: true) }
        writer.endObject()
        return PendingRequest(
            method: "POST",
            path: batchPath,
            fields: [.json, HeaderField("Idempotency-Key", "\"\(key)\"")],
            body: writer.bytes,
            ids: items.map(\.id)
        )
    }

    /// The operations of the first items that fit into one body; of the first item in any case.
    private static func operations(of items: [Item]) -> [[UInt8]] {
        var operations: [[UInt8]] = []
        var bytes = envelopeBytes
        for item in items.prefix(batchMax) {
            let operation = operation(of: item)
            bytes += operation.count + 1
            if bytes > bodyMaxBytes, !operations.isEmpty { break }
            operations.append(operation)
        }
        return operations
    }

    private static func operation(of item: Item) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        if let document = item.edit?.document {
            writer.member("operation", string: item.copy == nil ? "create" : "replace")
            writer.member("configuration", raw: document.text)
        } else {
            writer.member("operation", string: "delete")
            writer.member("id", string: item.id)
        }
        if let tag = item.copy?.tag { writer.member("if_match", string: tag) }
        writer.endObject()
        return writer.bytes
    }

    /// The request for the part of one item.
    private static func single(_ item: Item, _ style: PushStyle.Single) -> PendingRequest? {
        guard let part = item.part else { return nil }
        let path = "/configurations/\(item.id)"
        let condition = part.copy.map { [HeaderField("If-Match", "\"\($0.tag)\"")] } ?? []
        func request(_ method: String, _ path: String, _ fields: [HeaderField], _ body: [UInt8]) -> PendingRequest {
            PendingRequest(method: method, path: path, fields: fields, body: body, ids: [item.id])
        }
        guard let document = part.edit.document else { return request("DELETE", path, condition, []) }
        let body = Array(#"{"configuration":"#.utf8) + document.text + [UInt8(ascii: "}")]
        guard let copy = part.copy else { return request("POST", "/configurations", [.json], body) }
        if style == .patch, let patch = copy.document?.mergePatch(to: document) {
            return request("PATCH", path, [.mergePatch] + condition, patch.text)
        }
        let prefer = style == .merge && part.canMerge ? [HeaderField("Prefer", "merge")] : []
        return request("PUT", path, [.json] + condition + prefer, body)
    }
}

extension Item {
    /// The item whose edit is in the request.
    fileprivate func takenAlong() -> Item {
        var taken = self
        taken.part = edit.map { Part(copy: copy, edit: $0) }
        (taken.edit, taken.refusal) = (nil, nil)
        return taken
    }
}

extension Part {
    /// True if each member differs from the copy's and is no object. The server takes an equal value, or an equal part
    /// of an object, for unchanged.
    fileprivate var canMerge: Bool {
        guard case .document(let document, let members) = edit else { return false }
        return members.all.allSatisfy { pointer, _ in
            let mine = document.value(at: pointer)
            return mine?.object == nil && mine != copy?.document?.value(at: pointer)
        }
    }
}
