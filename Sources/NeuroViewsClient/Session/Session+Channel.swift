import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An open WebSocket of a session.
struct OpenedChannel: Sendable {
    let channel: any Channel
    /// The time after which another one with the next token must take its place.
    let renewAfter: Duration
}

extension Session {
    /// The subprotocol of clients that know all messages.
    private static let subprotocol = "neuroviews.v2"
    /// A token that could not be refreshed opens no socket after the other.
    private static let renewMinS: Int64 = 60

    /// Opens a WebSocket with the token of an account, and repeats that after repairs of the session. Throws a refusal.
    func channel(by channels: any ChannelTransport, as user: UUID) async throws(ClientError) -> OpenedChannel {
        let request = SessionRequest(
            "GET",
            "",
            fields: [HeaderField("Sec-WebSocket-Protocol", Self.subprotocol)],
            Expectation(.json)
        )
        var mended: Set<Judgement.Repair> = []
        while true {
            let login = try await login(of: user, .logsIn)
            let answer: Answer
            switch try await opening(try signed(request, by: login), channels) {
            case .opened(let channel):
                let renewAfter = max(Self.renewMinS, login.secondsUntilDue(at: now()))
                return OpenedChannel(channel: channel, renewAfter: .seconds(renewAfter))
            case .refused(let refusal): answer = Answer(refusal)
            }
            switch request.judgement(answer) {
            case .refused(let problem): throw .refused(Problem(problem))
            case .done: throw request.unknown(answer, retryAfterSeconds: nil)
            case .unknown(let seconds): throw request.unknown(answer, retryAfterSeconds: seconds)
            case .unauthorized(let repair, let problem):
                guard mended.insert(repair).inserted else { throw .tryLater(Problem(problem), seconds: nil) }
                if let reason = try await mend(repair, problem, login, as: user, .logsIn) { throw .needsLogIn(reason) }
            }
        }
    }

    private func opening(
        _ request: TransferRequest,
        _ channels: any ChannelTransport
    ) async throws(ClientError) -> ChannelOpening {
        do throws(TransportError) { return try await channels.open(request) } catch { throw ClientError(error) }
    }
}
