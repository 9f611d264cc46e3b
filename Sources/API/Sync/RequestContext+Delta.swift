import CloudSync
import HTTP
import NeuroViewsCrypto

extension RequestContext {
    /// Returns the changes after the cursor of the parameters. With `acceptsEmptyToken`,
    /// an empty token requests all changes.
    func delta(
        of changes: DeltaReader,
        acceptsEmptyToken: Bool = false,
        _ answer: (Delta, _ hasLimit: Bool) -> DeltaAnswer
    ) async throws -> Response {
        var request = try deltaRequest(acceptsEmptyToken)
        let tag = DeltaTag(request)
        // Only saves work: `Preconditions` decides, and If-Match has precedence.
        let known = try tags("if-none-match")
        if try tags("if-match") == nil { request.knownState = tag.knownState(known) }
        let caller = try caller()
        guard let delta = try await changes.delta(request, for: caller) else {
            return Response(.notModified, fields: [("ETag", tag.text(request.knownState ?? ""))])
        }
        let fields: FieldBlock = [("ETag", tag.text(delta.state))]
        let answer = answer(delta, request.limit != nil)
        if delta.isWhole { return .json(.ok, fields: fields, answer.whole()) }
        let pages = { @Sendable kind in try DeltaPages(kind, of: delta, changes, caller) }
        return .json(.ok, fields: fields, keepingBytes: answer.keptBytes + changes.pageMemoryBytes) { stream in
            try await answer.send(to: stream, pages)
        }
    }

    /// The most heads that a client may send in `seen`.
    private static let seenMax = 32

    /// The parameters of a delta. An invalid token is no error: the client gets the full set.
    private func deltaRequest(_ acceptsEmptyToken: Bool) throws(Problem) -> DeltaRequest {
        let tokens = try parameter("sync_token").map { acceptsEmptyToken && $0.isEmpty ? [] : [$0] } ?? []
        let heads = try parameter("seen").map { $0.split(separator: ",").map(String.init) } ?? []
        guard heads.count <= Self.seenMax else {
            let rule = "must have at most \(Self.seenMax) values of Sync-Head, separated by commas"
            throw Problem(parameter: "seen", rule, keyword: "maxItems")
        }
        let seen = heads.compactMap { SyncToken($0) }
        let time = try lastSync()
        var request = DeltaRequest(cursor: time.map { .lastSync($0) } ?? .none, seen: seen)
        request.isUnreadable = seen.count < heads.count
        if let text = tokens.first {
            let token = SyncToken(text)
            request.cursor = token.map { .token($0) } ?? .none
            if token == nil { request.isUnreadable = true }
        }
        request.limit = try limit()
        request.deviceID = try deviceID()
        return request
    }

    private func lastSync() throws(Problem) -> Timestamp? {
        guard let text = try parameter("last_sync") else { return nil }
        guard let time = Timestamp(text) else {
            throw Problem(parameter: "last_sync", "must be an RFC 3339 time such as 2026-03-01T12:00:00Z")
        }
        return time
    }
}

/// The entity tag of a delta: its state, and a digest of the parameters.
private struct DeltaTag {
    /// Changes with the form of the response, so that no client keeps an old one.
    private static let release = 2
    private let digest: String

    init(_ request: DeltaRequest) {
        var text = "\(Self.release) \(request.limit ?? 0) \(request.isUnreadable) "
        switch request.cursor {
        case .none: text += "none"
        case .token(let token): text += token.text
        case .lastSync(let time): text += String(time.microseconds)
        }
        for head in request.seen { text += " " + head.text }
        digest = Hex.encode(Array(SHA256.hash(Array(text.utf8)).prefix(4)))
    }

    func text(_ state: String) -> String { "\"\(state)-\(digest)\"" }

    /// The state of a listed tag with the same parameters.
    func knownState(_ tags: [EntityTag.Listed]?) -> String? {
        guard let tag = tags?.first(where: { $0.opaque.hasSuffix("-\(digest)") }) else { return nil }
        return String(tag.opaque.dropLast(digest.utf8.count + 1))
    }
}
