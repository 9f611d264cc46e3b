/// A CBOR value (RFC 8949) of the kinds that WebAuthn needs: no floats, no tags.
package enum CBORValue: Sendable, Equatable {
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
    package struct Pair: Sendable, Equatable {
        /// The key.
        package let key: CBORValue
        /// The value.
        package let value: CBORValue
    }
}

extension CBORValue {
    /// The integer, if this is one.
    package var integer: Int64? {
        if case .integer(let integer) = self { integer } else { nil }
    }

    /// The bytes, if this is a byte string.
    package var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// The text, if this is one.
    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The value of a key, if this is a map with that key.
    package subscript(key: CBORValue) -> CBORValue? {
        guard case .map(let pairs) = self else { return nil }
        return pairs.first { $0.key == key }?.value
    }

    /// The value of a text key, if this is a map with that key.
    package subscript(name: String) -> CBORValue? { self[.text(name)] }
}
