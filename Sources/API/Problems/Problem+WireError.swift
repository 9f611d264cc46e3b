import CloudSync
import HTTP
import Problems

extension Problem {
    /// The response to a refused connection or request.
    init(_ reason: Server.RefusalReason) {
        switch reason {
        case .malformed(let error): self.init(error)
        case .timedOut: self.init(ProblemType.requestTimeout)
        case .tooManyConnections, .overloaded: self.init(CloudSyncError.problem(.overloaded))
        case .tooManyConnectionsOfAddress: self.init(.tooManyConnections, retrySeconds: 10)
        case .unanswered: self.init(.answerTimeout, retrySeconds: 10)
        case .notTLS: self.init(.badRequest, "This port requires TLS: use an https URL.")
        }
    }

    private init(_ type: ProblemType, retrySeconds: Int) {
        self.init(type)
        self.retrySeconds = retrySeconds
    }

    private init(_ error: WireError) {
        let type: ProblemType =
            switch error.status.code {
            case 414: .targetTooLong
            case 417: .expectationFailed
            case 431: .headerTooLarge
            case 501: .codingNotImplemented
            case 505: .versionNotSupported
            default: .badRequest
            }
        self.init(type, "\(error)")
    }
}
