import CloudSync
import HTTP

extension Problem {
    /// The answer where there is no request to answer.
    init(_ reason: Server.RefusalReason) {
        switch reason {
        case .malformed(let error): self.init(error)
        case .tooManyConnections: self.init(CloudSyncError.overloaded)
        case .notTLS: self.init(.badRequest, "This port speaks TLS: begin the URL with https.")
        }
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
