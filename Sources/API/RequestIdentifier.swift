import Synchronization

/// Makes an id for each request: unique on all servers, cheap, and of no meaning.
final class RequestIdentifier: Sendable {
    private let prefix: String
    private let counter = Atomic<UInt32>(0)

    init() {
        prefix = String(UInt64.random(in: .min ... .max), radix: 36)
    }

    func next() -> String {
        "\(prefix)-\(String(counter.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36))"
    }
}
