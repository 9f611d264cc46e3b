import HTTP
import Synchronization

/// Assigns an id to each request: the client's valid `X-Request-Id`, or else a new one. A new id is unique among the
/// servers' logs and has no meaning. It has at most 15 bytes, which fit into a string without an allocation.
final class RequestIdentifier: Sendable {
    private static let maxBytes = 64
    private static let ownMaxBytes = 15
    private let prefix: String
    private let counter = Atomic<UInt32>(0)

    init() {
        // Six digits.
        prefix = String(UInt32.random(in: 1 << 25..<1 << 30), radix: 32) + "-"
    }

    func next() -> String {
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        return String(unsafeUninitializedCapacity: Self.ownMaxBytes) { room in
            var count = 0
            for byte in prefix.utf8 {
                room[count] = byte
                count += 1
            }
            // Seven digits of five bits hold a 32-bit number.
            var shift = 30
            while shift > 0, number >> shift == 0 { shift -= 5 }
            while shift >= 0 {
                room[count] = Self.digit(UInt8(truncatingIfNeeded: number >> shift) & 31)
                count += 1
                shift -= 5
            }
            return count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    /// The client's id if it can be written to a log line and a header as it is; else a new id.
    func id(of head: RequestHead) -> String {
        guard let sent = head.headers.bytes(of: "x-request-id"), Self.isWellFormed(sent),
            head.headers.count(of: "x-request-id") == 1
        else { return next() }
        return String(decoding: sent, as: UTF8.self)
    }

    /// 1 to 64 letters, digits, `.`, `_` and `-`: UUIDs, ULIDs and the ids of proxies.
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
