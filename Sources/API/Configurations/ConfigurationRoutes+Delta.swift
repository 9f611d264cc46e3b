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
        let caller = try context.caller()
        guard let delta = try await configurations.delta(request, for: caller) else {
            return Response(.notModified, fields: [("ETag", tag.text(request.knownHead))])
        }
        let fields: FieldBlock = [("ETag", tag.text(delta.head))]
        let answer = DeltaAnswer(delta, hasLimit: request.limit != nil)
        if delta.isWhole { return .json(.ok, fields: fields, answer.whole()) }
        let pages = { @Sendable [configurations] kind in configurations.pages(kind, of: delta, for: caller) }
        return .json(.ok, fields: fields, keepingBytes: answer.keptBytes + configurations.pageMemoryBytes) { stream in
            try await answer.send(to: stream, pages)
        }
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
