/// A value for a statement's parameter.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// NULL for nil.
    init(_ text: String?) { self = text.map { .text($0) } ?? .null }

    /// NULL for nil.
    init(_ integer: Int64?) { self = integer.map { .integer($0) } ?? .null }

    /// 0 or 1.
    init(_ bool: Bool) { self = .integer(bool ? 1 : 0) }

    /// NULL for nil.
    init(_ bytes: [UInt8]?) { self = bytes.map { .blob($0) } ?? .null }
}
