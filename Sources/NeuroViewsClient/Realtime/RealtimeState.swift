import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The answer to `GET /realtime/state`.
struct RealtimeState {
    /// The server answers then at the latest. Connections without progress for a minute are given up.
    private static let waitS = 50

    /// The ETag.
    let tag: String?
    let configurations: String
    let recordings: String
    let presence: Presence

    /// The present state.
    static func read(_ session: Session, as user: UUID?) async throws(ClientError) -> RealtimeState {
        let answer = try await session.ask("GET", path, as: user)
        return try RealtimeState(answer, without: session.deviceID)
    }

    /// The present state; with a tag, the server waits until it is another one. Nil if that did not happen.
    static func wait(_ tag: String?, _ session: Session, as user: UUID) async throws(ClientError) -> RealtimeState? {
        guard let tag else { return try await read(session, as: user) }
        var request = SessionRequest(
            "GET",
            "\(path)?wait_s=\(waitS)",
            fields: [HeaderField("If-None-Match", tag)],
            Expectation(.json, isConditional: true)
        )
        request.waits = true
        let answer = try await session.ask(request, as: user)
        if answer.status == 304 { return nil }
        return try RealtimeState(answer, without: session.deviceID)
    }

    private static let path = "/realtime/state"

    private init(_ answer: Answer, without own: String?) throws(ClientError) {
        guard let json = answer.json, let configurations = json["heads"]?["configurations"]?.string,
            let recordings = json["heads"]?["recordings"]?.string, let presence = Presence(json, without: own)
        else { throw .unexpectedAnswer("The answer to GET \(Self.path) is not as the interface has it.") }
        (tag, self.presence) = (answer.field("etag"), presence)
        (self.configurations, self.recordings) = (configurations, recordings)
    }
}
