#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The reason of a failed call. Secrets are never in it.
public enum ClientError: Error, Hashable, Sendable {
    /// The server can't be reached, or the connection broke. Edits stay on the device and are sent later.
    case offline(TransportError)
    /// The server can't do it now. `seconds` is its own wish; without one, wait longer each time.
    case tryLater(Problem?, seconds: Int64?)
    /// Nobody is logged in, or the session has ended: log in. Edits stay on the device.
    case needsLogIn(Problem?)
    /// The session belongs to another account now, so the request was not sent or not repeated.
    case otherAccount
    /// The server wants to know who asks: call ``NeuroViews/confirm(password:)``, then repeat.
    case confirmationRequired
    /// The server will not do it. The problem's detail names the remedy.
    case refused(Problem)
    /// Others have deleted the item that the user changed: the user decides.
    case held(UUID)
    /// No configuration with this id is shown.
    case nothingShown(UUID)
    /// So many edits and uploads would be lost.
    case unsentEdits(Int)
    /// An assigned value that no configuration, and no metadata, can have.
    case invalid(InvalidEdit)
    /// An argument that can't be used, for the reason given.
    case invalidArgument(String)
    /// The store on the device can't be used.
    case store(StoreError)
    /// The secret store can't be used. While it is locked, nobody knows whether somebody is logged in.
    case secrets(SecretError)
    /// The server is not trusted. Nothing was sent.
    case untrusted(TrustProblem)
    /// The answer is not the server's, but that of a proxy or of a network that wants a log in.
    case unexpectedAnswer(String)
    /// The answer has more bytes than the library takes.
    case answerTooLarge(maxBytes: Int)
    /// The file was changed after it was queued.
    case fileChanged(URL)
    /// A recording can't be sealed, or a sealed one not opened.
    case sealing(SealingError)
    /// The task was cancelled.
    case cancelled
}

extension ClientError {
    /// The transport's failure in the words of the library.
    init(_ error: TransportError) {
        switch error {
        case .untrusted(let problem): self = .untrusted(problem)
        case .cancelled: self = .cancelled
        case .notHTTP: self = .unexpectedAnswer(error.description)
        case .tooLarge(let maxBytes): self = .answerTooLarge(maxBytes: maxBytes)
        case .badRequest: self = .invalidArgument(error.description)
        default: self = .offline(error)
        }
    }

    /// True if the result at the server is unknown: pause, then send it again.
    package var isResultUnknown: Bool {
        switch self {
        case .offline, .tryLater, .unexpectedAnswer, .answerTooLarge: true
        default: false
        }
    }

    /// True if the request never left the device.
    var hasSentNothing: Bool {
        switch self {
        case .offline(.unknownHost), .offline(.notConnected), .offline(.cellularForbidden): true
        case .untrusted, .invalidArgument: true
        default: false
        }
    }

    /// The server's own `Retry-After`.
    package var retryAfterSeconds: Int64? { if case .tryLater(_, let seconds) = self { seconds } else { nil } }
}

extension ClientError: CustomStringConvertible {
    /// The reason with its remedy.
    public var description: String {
        switch self {
        case .offline(let error): error.description
        case .tryLater(let problem, let seconds): Self.later(problem, seconds)
        case .needsLogIn(let problem): "Log in." + (problem.map { " \($0)" } ?? "")
        case .otherAccount: "Another account is logged in now: ask again."
        case .confirmationRequired: "Confirm the password, then repeat."
        case .refused(let problem): problem.description
        case .held(let id): "Others have deleted \(Self.text(id)): edit it to keep it, or delete it."
        case .nothingShown(let id): "There is no configuration \(Self.text(id))."
        case .unsentEdits(let count): "\(count) edits and uploads are not sent: sync first, or keep or discard them."
        case .invalid(let edit): edit.description
        case .invalidArgument(let reason): reason
        case .store(let error): error.description
        case .secrets(let error): error.description
        case .untrusted(let problem): problem.description
        case .unexpectedAnswer(let reason): reason
        case .answerTooLarge(let maxBytes): TransportError.tooLarge(maxBytes: maxBytes).description
        case .fileChanged(let file): "\(file.path) was changed after it was queued: upload it again."
        case .sealing(let error): error.description
        case .cancelled: "The request was cancelled."
        }
    }

    private static func later(_ problem: Problem?, _ seconds: Int64?) -> String {
        let reason = problem?.description ?? "The server can't do it now."
        return reason + (seconds.map { " Try again in \($0) seconds." } ?? " Try again later.")
    }

    private static func text(_ id: UUID) -> String { id.uuidString.lowercased() }
}
