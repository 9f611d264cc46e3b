import CloudSync
import Crypto
import HTTP
import JSON

extension ConfigurationRoutes {
    func delta(_ context: RequestContext) async throws -> Response {
        var request = DeltaRequest(cursor: try cursor(context))
        request.limit = try context.limit()
        request.deviceID = try context.deviceID()
        let tag = DeltaTag(request)
        // Only to save the work: `Preconditions` decides, and If-Match comes first.
        let known = try context.tags("if-none-match")
        if try context.tags("if-match") == nil { request.knownHead = tag.knownHead(known) }
        let delta = try await configurations.delta(request, for: context.caller())
        guard let delta else {
            return Response(.notModified, fields: [("ETag", tag.text(request.knownHead))])
        }
        return .json(.ok, fields: [("ETag", tag.text(delta.head))], reservingBytes: 256 + delta.count * 1024) {
            writer in
            Self.write(delta, hasLimit: request.limit != nil, to: &writer)
        }
    }

    private static func write(_ delta: Delta, hasLimit: Bool, to writer: inout JSONWriter) {
        writer.member("configurations")
        writer.beginArray()
        for index in 0..<delta.count { if let document = delta[index].document { writer.raw(document) } }
        writer.endArray()
        writer.member("deleted")
        writer.beginArray()
        for index in 0..<delta.count where delta[index].document == nil { writer.string(delta[index].id) }
        writer.endArray()
        writer.member("versions")
        writer.beginObject()
        for index in 0..<delta.count { writer.member(delta[index].id, integer: Int64(delta[index].version)) }
        writer.endObject()
        writer.member("sync_token", string: delta.next.text)
        writer.member("server_time", string: delta.serverTime)
        writer.member("reset", bool: delta.isReset)
        if hasLimit { writer.member("has_more", bool: delta.hasMore) }
    }

    private func cursor(_ context: RequestContext) throws(Problem) -> DeltaRequest.Cursor {
        let lastSync = try context.parameter("last_sync")
        if let token = try context.parameter("sync_token") {
            guard let token = SyncToken(token) else {
                throw Problem(.invalidParameter, "sync_token takes the value that an earlier answer gave.")
            }
            return .token(token)
        }
        guard let lastSync else { return .none }
        guard let time = Timestamp(lastSync) else {
            throw Problem(.invalidParameter, "last_sync takes an RFC 3339 time, such as 2026-03-01T12:00:00Z.")
        }
        return .lastSync(time)
    }
}

/// The entity tag of a delta: the head it was made from, and a digest of the parameters.
private struct DeltaTag {
    private let digest: String

    init(_ request: DeltaRequest) {
        var text = "\(request.limit ?? 0) "
        switch request.cursor {
        case .none: text += "none"
        case .token(let token): text += token.text
        case .lastSync(let time): text += String(time.microseconds)
        }
        digest = Hex.encode(Array(SHA256.hash(Array(text.utf8)).prefix(4)))
    }

    func text(_ head: SyncToken?) -> String { "\"\(head?.text ?? "")-\(digest)\"" }

    /// The head of a listed tag that has the same parameters.
    func knownHead(_ tags: [EntityTag.Listed]?) -> SyncToken? {
        guard let tag = tags?.first(where: { $0.opaque.hasSuffix("-\(digest)") }) else { return nil }
        let head = SyncToken(String(tag.opaque.dropLast(digest.utf8.count + 1)))
        return head?.fullSetEnd == nil ? head : nil
    }
}
