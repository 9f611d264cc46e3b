import HTTP
import Synchronization

/// Gives each request an id: the client's own `X-Request-Id` when it is one, else a new one, unique among the servers' logs and
/// of no meaning, whose 15 bytes at most are a string without an allocation.
final class RequestIdentifier: Sendable {
    private static let maxBytes = 64
    private let prefix: String
    private let counter = Atomic<UInt32>(0)

    init() {
        prefix = String(UInt32.random(in: .min ... .max), radix: 36) + "-"
    }

    func next() -> String {
        prefix + String(counter.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36)
    }

    /// The client's id if there is one that can stand in a log line and in a header as it is.
    func id(of head: RequestHead) -> String {
        guard let sent = head.headers.bytes(of: "x-request-id"), Self.isWellFormed(sent),
            head.headers.count(of: "x-request-id") == 1
        else { return next() }
        return String(decoding: sent, as: UTF8.self)
    }

    /// 1 to 64 letters, digits, `.`, `_` and `-`: UUIDs, ULIDs and what proxies make.
    static func isWellFormed(_ id: ArraySlice<UInt8>) -> Bool {
        (1...maxBytes).contains(id.count)
            && id.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }
}
