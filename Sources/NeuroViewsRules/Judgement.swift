/// What follows from an answer (docs/client.md, "Answers to any request").
package enum Judgement: Sendable, Equatable {
    /// The server did what was asked, or has nothing new (304).
    case done
    /// The server will not do it. A 413 or 414 counts whoever gave it.
    case refused(Problem)
    /// The result is unknown: pause, then send it again. The seconds are the server's.
    case unknown(retryAfterSeconds: Int64?)
    /// 401: repeat after the repair; if the same is due again for this request, tell the user and pause.
    case unauthorized(Repair, Problem)

    /// The repair of a session, a row of the table each.
    package enum Repair: Sendable, Hashable {
        /// Refresh the token.
        case tokenExpired
        /// Read the stored token again; without a newer one, refresh.
        case tokenOutdated
        /// Correct the time of signatures by the problem's `serverTime`.
        case clockSkew
        /// An attempt arrived before this one: repeat.
        case nonceUsed
        /// The password, or what stands for it, was wrong: ask for it again. The session is good.
        case credentialsInvalid
        /// Log in with the same device.
        case loginNeeded
    }
}

extension Answer {
    /// Statuses about the way to the server or its load, not about the request.
    private static let statusesOfTheWay: Set<Int64> = [405, 408, 417, 421, 429, 431]
    /// Statuses that count from a proxy, too.
    private static let statusesOfAnybody: Set<Int64> = [413, 414]

    /// Judges the answer to a request.
    package func judgement(_ expected: Expectation) -> Judgement {
        let isFault = status >= 500 && status != 501 && status != 505
        guard !isFault, !Self.statusesOfTheWay.contains(status), isOfServer(expected) else {
            return .unknown(retryAfterSeconds: retryAfterSeconds)
        }
        if status < 400 { return .done }
        guard status == 401 else { return .refused(problem) }
        let repair = problem.repair
        if repair == .clockSkew, problem.serverTime == nil { return .unknown(retryAfterSeconds: nil) }
        return .unauthorized(repair, problem)
    }

    private func isOfServer(_ expected: Expectation) -> Bool {
        switch status {
        case 200...299: expected.isMet(by: self)
        case 304: expected.isConditional
        case 400...: isProblem || Self.statusesOfAnybody.contains(status)
        default: false
        }
    }
}

extension Problem {
    private static let timesS: ClosedRange<Int64> = 0...253_402_300_799

    /// The server's clock in Unix seconds, in `clock-skew`; nil if it is no such time.
    package var serverTime: Int64? {
        members["server_time"]?.number?.int64.flatMap { Self.timesS.contains($0) ? $0 : nil }
    }

    fileprivate var repair: Judgement.Repair {
        switch code {
        case "token-expired": .tokenExpired
        case "token-outdated": .tokenOutdated
        case "clock-skew": .clockSkew
        case "nonce-used": .nonceUsed
        case "credentials-invalid", "code-invalid", "passkey-invalid", "id-token-invalid": .credentialsInvalid
        default: .loginNeeded
        }
    }
}
