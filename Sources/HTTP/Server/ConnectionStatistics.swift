/// The state of one loop's connections, and how they ended. Counts only grow, except the first four.
public struct ConnectionStatistics: Sendable, Equatable {
    /// Open connections, including idle ones.
    public internal(set) var open = 0
    /// Connections that wait for their next request.
    public internal(set) var idle = 0
    /// Bytes that were received and not parsed yet.
    public internal(set) var inputBytes = 0
    /// Bytes that count against `buffersMaxBytes`: of bodies, and of large responses and their sources.
    public internal(set) var reservedBytes = 0
    /// Connections that were accepted.
    public internal(set) var accepted = 0
    /// Connections rejected because there were `connectionsMax`, and no idle one gave way.
    public internal(set) var refusedByTotal = 0
    /// Connections rejected because their address had `connectionsPerAddressMax`.
    public internal(set) var refusedByAddress = 0
    /// Rejected connections that were closed without a response: too many others were
    /// being answered, or it needed a handshake.
    public internal(set) var refusedSilently = 0
    /// Messages that were no requests.
    public internal(set) var malformed = 0
    /// Handshakes and records that TLS rejected: an old version, no common cipher, a client
    /// that does not trust the certificate.
    public internal(set) var insecure = 0
    /// Connections closed after `idleTimeoutMs`, or without a first request.
    public internal(set) var idleTimeouts = 0
    /// Heads that were not complete in time.
    public internal(set) var headerTimeouts = 0
    /// Bodies that were too slow.
    public internal(set) var bodyTimeouts = 0
    /// Requests that were not answered within `requestTimeoutMs`.
    public internal(set) var requestTimeouts = 0
    /// Responses that the client did not read in time.
    public internal(set) var writeTimeouts = 0
    /// Bodies and responses for which `buffersMaxBytes` left no room.
    public internal(set) var overBudget = 0

    /// Requests ended to make room for others' bodies and responses.
    public internal(set) var evicted = 0
    /// Idle connections that were closed for new ones, because there were `connectionsMax`.
    public internal(set) var idleEvicted = 0

    /// All counts are 0.
    public init() {}

    /// Adds the counts of another loop.
    public mutating func add(_ other: ConnectionStatistics) {
        for count in Self.all { self[keyPath: count] += other[keyPath: count] }
    }

    private static var all: [WritableKeyPath<Self, Int>] {
        [
            \.open, \.idle, \.inputBytes, \.reservedBytes, \.accepted, \.refusedByTotal, \.refusedByAddress,
            \.refusedSilently,
            \.malformed, \.insecure, \.idleTimeouts, \.headerTimeouts, \.bodyTimeouts, \.requestTimeouts,
            \.writeTimeouts, \.overBudget, \.evicted, \.idleEvicted,
        ]
    }
}
