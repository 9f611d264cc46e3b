/// The reason why bytes can't be read as CBOR.
package enum CBORError: Error, Equatable {
    /// The bytes end within a value.
    case truncated
    /// Bytes follow the value.
    case trailingBytes
    /// A float, a tag, an indefinite length or a reserved form.
    case unsupported
    /// A number that is not in its shortest form, or does not fit in a signed 64-bit integer.
    case number
    /// A text that is not UTF-8.
    case text
    /// A map with a duplicate key.
    case duplicateKey
    /// A key that is neither an integer nor a text.
    case key
    /// Too deep, or too many values.
    case tooLarge
}

/// Reads the CBOR of authenticators: CTAP2 canonical form, in any order of keys. Accepts only definite lengths,
/// shortest numbers and unique keys. Reserves no memory for a claimed length.
package struct CBORReader {
    /// The nesting limit of arrays and maps.
    package static let maxDepth = 8
    /// The limit of values in total.
    package static let maxValues = 512

    private let bytes: [UInt8]
    private var position: Int
    private var valuesLeft = Self.maxValues

    private init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        position = start
    }

    /// Reads one value. It must use all the bytes.
    package static func value(of bytes: [UInt8]) throws(CBORError) -> CBORValue {
        let (value, end) = try first(in: bytes, from: 0)
        guard end == bytes.count else { throw .trailingBytes }
        return value
    }

    /// Reads the value at `start`, and returns it with its end.
    package static func first(in bytes: [UInt8], from start: Int) throws(CBORError) -> (value: CBORValue, end: Int) {
        var reader = CBORReader(bytes, from: start)
        let value = try reader.value(depth: 0)
        return (value, reader.position)
    }

    private mutating func value(depth: Int) throws(CBORError) -> CBORValue {
        valuesLeft -= 1
        guard depth <= Self.maxDepth, valuesLeft >= 0 else { throw .tooLarge }
        let initial = try byte()
        let (major, info) = (initial >> 5, initial & 31)
        if major == 7 { return try simple(info) }
        let argument = try argument(info)
        switch major {
        case 0: return .integer(argument)
        case 1: return .integer(-1 - argument)
        case 2: return .bytes(Array(try take(argument)))
        case 3: return .text(try text(argument))
        case 4: return try array(argument, depth)
        case 5: return try map(argument, depth)
        default: throw .unsupported
        }
    }

    private func simple(_ info: UInt8) throws(CBORError) -> CBORValue {
        switch info {
        case 20: .bool(false)
        case 21: .bool(true)
        case 22: .null
        default: throw .unsupported
        }
    }

    /// The argument of a value: in the first byte, or in the 1, 2, 4 or 8 bytes after it. Rejects a form longer than
    /// needed.
    private mutating func argument(_ info: UInt8) throws(CBORError) -> Int64 {
        if info < 24 { return Int64(info) }
        guard info < 28 else { throw .unsupported }
        let count = 1 << Int(info - 24)
        let number = try take(Int64(count)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let least: UInt64 = count == 1 ? 24 : 1 << UInt64(count * 4)
        guard number >= least, let argument = Int64(exactly: number) else { throw .number }
        return argument
    }

    private mutating func text(_ count: Int64) throws(CBORError) -> String {
        guard let text = String(validating: try take(count), as: UTF8.self) else { throw .text }
        return text
    }

    private mutating func array(_ count: Int64, _ depth: Int) throws(CBORError) -> CBORValue {
        guard count <= Int64(valuesLeft) else { throw .tooLarge }
        var items: [CBORValue] = []
        for _ in 0..<count { items.append(try value(depth: depth + 1)) }
        return .array(items)
    }

    private mutating func map(_ count: Int64, _ depth: Int) throws(CBORError) -> CBORValue {
        guard count <= Int64(valuesLeft) / 2 else { throw .tooLarge }
        var pairs: [CBORValue.Pair] = []
        for _ in 0..<count {
            let key = try value(depth: depth + 1)
            guard key.integer != nil || key.text != nil else { throw .key }
            // There are at most 256 keys, so a linear search is cheap enough.
            guard !pairs.contains(where: { $0.key == key }) else { throw .duplicateKey }
            pairs.append(CBORValue.Pair(key: key, value: try value(depth: depth + 1)))
        }
        return .map(pairs)
    }

    private mutating func byte() throws(CBORError) -> UInt8 {
        guard position < bytes.count else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func take(_ count: Int64) throws(CBORError) -> ArraySlice<UInt8> {
        guard count <= Int64(bytes.count - position) else { throw .truncated }
        defer { position += Int(count) }
        return bytes[position..<position + Int(count)]
    }
}
