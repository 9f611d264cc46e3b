/// A CBOR value (RFC 8949) of the kinds that WebAuthn needs: no floats, no tags.
public enum CBORValue: Sendable, Equatable {
    /// An integer of either sign.
    case integer(Int64)
    /// A byte string.
    case bytes([UInt8])
    /// A text string.
    case text(String)
    /// An array.
    case array([CBORValue])
    /// A map in its written order, with unique keys.
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
    /// The integer, if this is one.
    public var integer: Int64? {
        if case .integer(let integer) = self { integer } else { nil }
    }

    /// The bytes, if this is a byte string.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// The text, if this is one.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The value of a key, if this is a map with that key.
    public subscript(key: CBORValue) -> CBORValue? {
        guard case .map(let pairs) = self else { return nil }
        return pairs.first { $0.key == key }?.value
    }

    /// The value of a text key, if this is a map with that key.
    public subscript(name: String) -> CBORValue? { self[.text(name)] }
}
