import CloudSync
import Crypto
import HTTP
import JSON

extension ConfigurationRoutes {
    private static let limitMax = 1000
    private static let deviceIDMaxCharacters = 200

    func delta(_ context: RequestContext) async throws -> Response {
        var request = DeltaRequest(cursor: try cursor(context))
        request.limit = try limit(context)
        request.deviceID = try deviceID(context)
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
        return .json(.ok, fields: fields, streaming: { stream in try await answer.send(to: stream, pages) })
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

    private func limit(_ context: RequestContext) throws(Problem) -> Int? {
        guard let text = try context.parameter("limit") else { return nil }
        let isNumber = text.utf8.allSatisfy { (48...57).contains($0) }
        guard isNumber, let limit = Int(text), (1...Self.limitMax).contains(limit) else {
            throw Problem(.invalidParameter, "limit takes a number from 1 to \(Self.limitMax).")
        }
        return limit
    }

    private func deviceID(_ context: RequestContext) throws(Problem) -> String? {
        guard let id = try context.parameter("device_id") else { return nil }
        guard (1...Self.deviceIDMaxCharacters).contains(id.unicodeScalars.count), !id.utf8.contains(0) else {
            throw Problem(.invalidParameter, "device_id takes 1 to \(Self.deviceIDMaxCharacters) characters.")
        }
        return id
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
