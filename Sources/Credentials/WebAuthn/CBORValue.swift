/// A value of CBOR (RFC 8949) as far as WebAuthn needs it: no floats, no tags.
public enum CBORValue: Sendable, Equatable {
    /// An integer of either sign.
    case integer(Int64)
    /// A byte string.
    case bytes([UInt8])
    /// A text string.
    case text(String)
    /// An array.
    case array([CBORValue])
    /// A map, in the order it was written, each key once.
    case map([Pair])
    /// True or false.
    case bool(Bool)
    /// Null.
    case null

    /// A key of a map with its value.
    public struct Pair: Sendable, Equatable {
        /// The key.
        public let key: CBORValue
        /// The value.
        public let value: CBORValue
    }
}

extension CBORValue {
    /// The integer, when this is one.
    public var integer: Int64? {
        if case .integer(let integer) = self { integer } else { nil }
    }

    /// The bytes, when this is a byte string.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// The text, when this is one.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The value of a key, when this is a map that has it.
    public subscript(key: CBORValue) -> CBORValue? {
        guard case .map(let pairs) = self else { return nil }
        return pairs.first { $0.key == key }?.value
    }

    /// The value of a text key, when this is a map that has it.
    public subscript(name: String) -> CBORValue? { self[.text(name)] }
}
