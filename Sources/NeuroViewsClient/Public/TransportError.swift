/// The reason why a request got no answer. The server may have received it, unless the case excludes that.
public enum TransportError: Error, Hashable, Sendable {
    /// The host's name has no address: the device is offline, or the name is wrong. Nothing was sent.
    case unknownHost(String)
    /// Nobody answers at the host and port, or a proxy refuses. Nothing was sent.
    case notConnected(String)
    /// The connection ended before the answer was complete.
    case cut(String)
    /// Nothing was sent or received for so many seconds.
    case stalled(seconds: Int)
    /// The only network is the mobile one, which ``Options/allowsCellularUploads`` or the user's settings forbid. Nothing was sent.
    case cellularForbidden
    /// The peer is not trusted. Nothing was sent.
    case untrusted(TrustProblem)
    /// The answer is not HTTP.
    case notHTTP(String)
    /// The answer is larger than so many bytes.
    case tooLarge(maxBytes: Int)
    /// The request can't be sent: its URL, or a character in a field. Nothing was sent.
    case badRequest(String)
    /// The local file that is sent or received can't be read or written; an errno, such as ENOSPC.
    case file(code: Int32)
    /// The local file ended before the bytes that were to be sent.
    case fileEnded
    /// The local file has other bytes than those whose SHA-256 was taken.
    case fileChanged
    /// The task was cancelled.
    case cancelled
    /// Another failure, such as exhausted memory.
    case other(String)

    /// True if a network that is back, or some patience, may be all that is needed.
    public var isOffline: Bool {
        switch self {
        case .unknownHost, .notConnected, .cut, .stalled, .cellularForbidden: true
        default: false
        }
    }
}

extension TransportError: CustomStringConvertible {
    /// The reason, with its remedy where there is one.
    public var description: String {
        switch self {
        case .unknownHost(let reason): "The server's name has no address: \(reason)"
        case .notConnected(let reason): "The server can't be reached: \(reason)"
        case .cut(let reason): "The connection ended early: \(reason)"
        case .stalled(let seconds): "The connection made no progress for \(seconds) seconds."
        case .cellularForbidden: "The mobile network may not be used for this: it goes on in another one."
        case .untrusted(let problem): problem.description
        case .notHTTP(let reason): "The answer is not HTTP: \(reason)"
        case .tooLarge(let maxBytes): "The answer is larger than \(maxBytes) bytes."
        case .badRequest(let reason): "The request can't be sent: \(reason)"
        case .file(let code): "The local file can't be used: \(SystemCall.reason(code))."
        case .fileEnded: "The local file became shorter while it was sent."
        case .fileChanged: "The local file changed while it was sent."
        case .cancelled: "The request was cancelled."
        case .other(let reason): "The request failed: \(reason)"
        }
    }
}
