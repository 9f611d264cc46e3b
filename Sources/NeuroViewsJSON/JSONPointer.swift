/// A JSON Pointer (RFC 6901): the path from a document's root to one of its values.
public struct JSONPointer: Sendable, Hashable {
    /// The steps, unescaped.
    public private(set) var tokens: [String] = []

    /// The pointer to the whole document.
    public init() {}

    /// Reads the text form (`/exposure_settings/iso`); nil when it doesn't follow RFC 6901.
    public init?(_ text: String) {
        if text.isEmpty { return }
        let parts = text.utf8.split(separator: Byte.slash, omittingEmptySubsequences: false)
        guard parts[0].isEmpty else { return nil }
        for part in parts.dropFirst() {
            guard let token = Self.unescape(part) else { return nil }
            tokens.append(token)
        }
    }

    /// True for the whole document.
    public var isRoot: Bool { tokens.isEmpty }

    /// Steps into a member of an object.
    public mutating func append(member name: String) {
        tokens.append(name)
    }

    /// Steps into an item of an array, counted from 0.
    public mutating func append(index: Int) {
        tokens.append(String(index))
    }

    /// The pointer one step further, to a member of an object.
    public func appending(member name: String) -> JSONPointer {
        var longer = self
        longer.append(member: name)
        return longer
    }

    /// The pointer one step further, to an item of an array.
    public func appending(index: Int) -> JSONPointer {
        var longer = self
        longer.append(index: index)
        return longer
    }

    /// This pointer, or its nearest ancestor with at most this many bytes of text:
    /// responses must not echo names of any length.
    public func bounded(maxBytes: Int = 1000) -> JSONPointer {
        var shorter = JSONPointer()
        var byteCount = 0
        for token in tokens {
            byteCount += 1 + token.utf8.reduce(0) { $0 + ($1 == Self.tilde || $1 == Byte.slash ? 2 : 1) }
            if byteCount > maxBytes { break }
            shorter.tokens.append(token)
        }
        return shorter
    }

    /// The value at the pointer, nil when there is none.
    public func evaluate(in document: JSONValue) -> JSONValue? {
        var value = document
        for token in tokens {
            switch value {
            case .object(let object):
                guard let next = object[token] else { return nil }
                value = next
            case .array(let items):
                guard let index = Self.index(token), index < items.count else { return nil }
                value = items[index]
            default: return nil
            }
        }
        return value
    }

    /// Compares the steps by their bytes.
    public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
        left.tokens.elementsEqual(right.tokens) { $0.hasSameBytes(as: $1) }
    }

    /// Hashes the steps by their bytes.
    public func hash(into hasher: inout Hasher) {
        for token in tokens { token.hashBytes(into: &hasher) }
    }

    private static let tilde: UInt8 = 0x7E

    private static func index(_ token: String) -> Int? {
        let isPlain = token.utf8.allSatisfy(Byte.isDigit) && (token.utf8.first != Byte.zero || token.utf8.count == 1)
        return isPlain ? Int(token) : nil
    }

    private static func unescape(_ part: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = part.makeIterator()
        while let byte = rest.next() {
            guard byte == tilde else {
                bytes.append(byte)
                continue
            }
            switch rest.next() {
            case Byte.zero: bytes.append(tilde)
            case Byte.zero + 1: bytes.append(Byte.slash)
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The text form, with `~` and `/` in names escaped.
    public var description: String {
        var bytes: [UInt8] = []
        for token in tokens {
            bytes.append(Byte.slash)
            for byte in token.utf8 {
                switch byte {
                case Self.tilde: bytes.append(contentsOf: [Self.tilde, Byte.zero])
                case Byte.slash: bytes.append(contentsOf: [Self.tilde, Byte.zero + 1])
                default: bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
