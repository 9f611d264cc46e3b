import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Session {
    private static let earlyRefreshPauseS: Int64 = 60

    /// Makes the repair that a 401 names. Returns the problem if the session has ended and the caller wants to know.
    func mend(
        _ repair: Judgement.Repair,
        _ problem: NeuroViewsRules.Problem,
        _ used: SessionRecord.Login,
        as user: UUID?,
        _ end: SessionEnd
    ) async throws(ClientError) -> Problem? {
        switch repair {
        case .clockSkew: try await setClock(problem)
        case .nonceUsed, .credentialsInvalid: break
        case .tokenExpired, .tokenOutdated:
            if end == .isReturned { return try await renew(used, as: user) }
            try await renewInTurn(used, as: user)
        case .loginNeeded:
            if end == .isReturned { return Problem(problem) }
            try await inTurn { () throws(ClientError) in
                try await logInAgain(after: used, Problem(problem), as: user)
            }
        }
        return nil
    }

    /// Corrects the time of signatures. Times of edits stay the device's.
    func setClock(_ problem: NeuroViewsRules.Problem) async throws(ClientError) {
        guard let serverTime = problem.serverTime else { return }
        let ahead = serverTime - now()
        try await change { $0.clockS = ahead }
    }

    /// Refreshes a token that is still good. A failure can wait; a session that ended can't.
    func renewEarly(_ used: SessionRecord.Login, as user: UUID?) async throws(ClientError) {
        do throws(ClientError) {
            try await renewInTurn(used, as: user)
        } catch {
            guard error.isResultUnknown else { throw error }
            earlyRefreshAt = now() + Self.earlyRefreshPauseS
        }
    }

    private func renewInTurn(_ used: SessionRecord.Login, as user: UUID?) async throws(ClientError) {
        try await inTurn { () throws(ClientError) in
            if let problem = try await renew(used, as: user) {
                try await logInAgain(after: record?.login, problem, as: user)
            }
        }
    }

    /// Stores the next token, unless there is a newer one or no session. The caller has the turn. Returns the problem of a
    /// refused token: the session has ended.
    func renew(_ used: SessionRecord.Login, as user: UUID?) async throws(ClientError) -> Problem? {
        try readAgain(as: user)
        guard let current = record?.login, current.token == used.token else { return nil }
        let name = current.attempt ?? UUID()
        try await change { if $0.login?.token == current.token { $0.login?.attempt = name } }
        let answer = try await refresh(current, name)
        let request = Self.refreshRequest(name)
        switch request.judgement(answer) {
        case .done: try await storeToken(answer, of: current)
        case .unauthorized(_, let problem): return Problem(problem)
        case .refused(let problem): throw .tryLater(Problem(problem), seconds: nil)
        case .unknown(let seconds): throw request.unknown(answer, retryAfterSeconds: seconds)
        }
        return nil
    }

    /// The answer to a refresh. Its own clock-skew and nonce-used are no end of the session.
    func refresh(_ login: SessionRecord.Login, _ name: UUID) async throws(ClientError) -> Answer {
        let request = Self.refreshRequest(name)
        var mended: Set<Judgement.Repair> = []
        while true {
            let answer = try await attempt(request, by: login)
            guard case .unauthorized(let repair, let problem) = request.judgement(answer),
                repair == .clockSkew || repair == .nonceUsed
            else { return answer }
            guard mended.insert(repair).inserted else { throw .tryLater(Problem(problem), seconds: nil) }
            if repair == .clockSkew { try await setClock(problem) }
        }
    }

    private static func refreshRequest(_ name: UUID) -> SessionRequest {
        let body = JSON.object(JSONObject([.text("attempt", name.uuidString.lowercased())])).serialized()
        return SessionRequest("POST", "/auth/refresh", body: body, Expectation(.strings(["token"])))
    }

    /// A token that comes late, after the session was ended or replaced, is dropped.
    private func storeToken(_ answer: Answer, of used: SessionRecord.Login) async throws(ClientError) {
        guard let token = answer.json?["token"]?.string else { return }
        let received = now()
        try await change { record in
            guard record.login?.key == used.key, record.login?.token == used.token else { return }
            record.login?.token = token
            record.login?.receivedAt = received
            record.login?.attempt = nil
        }
    }
}
