import HTTP

extension Problem {
    /// The answer to a message that is no request.
    init(_ error: WireError) {
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
