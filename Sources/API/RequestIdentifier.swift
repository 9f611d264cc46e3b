import Synchronization

/// Makes an id for each request: unique among the servers' logs, and of no meaning. Its 15 bytes at most are a string
/// without an allocation.
final class RequestIdentifier: Sendable {
    private let prefix: String
    private let counter = Atomic<UInt32>(0)

    init() {
        prefix = String(UInt32.random(in: .min ... .max), radix: 36) + "-"
    }

    func next() -> String {
        prefix + String(counter.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36)
    }
}
