import Glibc
import Synchronization

/// SQL text that each connection prepares once, on first use. Declare it as a constant; values are always bound.
public final class Statement: Sendable {
    private static let counter = Atomic<Int>(0)

    /// The SQL with `$1`, `$2`, … for its parameters.
    public let sql: String
    /// Which prepared statement it is on every connection.
    let number: Int
    /// The prepared statement's name, NUL-terminated for libpq.
    let name: [CChar]

    /// Declares a statement.
    public init(_ sql: String) {
        self.sql = sql
        number = Self.counter.add(1, ordering: .relaxed).oldValue
        name = Array("s\(number)".utf8CString)
    }

    /// This statement with its parameters in order.
    public func callAsFunction(_ parameters: Parameter...) -> Step {
        Step(statement: self, parameters: parameters)
    }

    /// This statement with its parameters in order.
    public func callAsFunction(_ parameters: [Parameter]) -> Step { Step(statement: self, parameters: parameters) }
}

/// A statement with its parameters.
public struct Step: Sendable {
    let statement: Statement
    /// The values of `$1`, `$2`, ….
    package let parameters: [Parameter]

    /// The statement's SQL.
    package var sql: String { statement.sql }

    /// PostgreSQL can't store U+0000, and libpq would cut the text there.
    var isStorable: Bool {
        parameters.allSatisfy { parameter in
            switch parameter {
            case .text(let value): !Self.hasNUL(value.utf8)
            case .utf8(let value): !Self.hasNUL(value)
            case .null, .int, .bool, .bytes: true
            }
        }
    }

    /// By `memchr`: `contains` looks at one byte at a time, and took 4 % of a read's instructions.
    private static func hasNUL(_ bytes: some Sequence<UInt8>) -> Bool {
        let found = bytes.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        }
        return found ?? bytes.contains(0)
    }
}

/// A bound value. PostgreSQL takes its type from the statement.
public enum Parameter: Sendable {
    /// SQL NULL.
    case null
    /// Text, a UUID, a timestamp: anything in PostgreSQL's text form. U+0000 is refused.
    case text(String)
    /// The same from UTF-8 bytes.
    case utf8(ArraySlice<UInt8>)
    /// An integer.
    case int(Int)
    /// A boolean.
    case bool(Bool)
    /// A `bytea`.
    case bytes([UInt8])

    /// Text, or NULL for nil.
    public static func text(_ value: String?) -> Parameter { value.map { .text($0) } ?? .null }
    /// An integer, or NULL for nil.
    public static func int(_ value: Int?) -> Parameter { value.map { .int($0) } ?? .null }
}
