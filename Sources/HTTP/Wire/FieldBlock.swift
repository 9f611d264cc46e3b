/// Header fields as they are written, checked and encoded when they are added: a head copies them as one piece. The
/// fields of every response are encoded once, at the start.
///
/// A field whose name is no token, or that the encoder writes itself (framing, Connection and Date), is left out.
/// Control characters in a value become spaces. So one response can't be read as two.
public struct FieldBlock: Sendable, Hashable {
    /// Each field with its CRLF.
    private(set) var bytes: [UInt8] = []

    /// No fields.
    public init() {}

    /// These fields in this order; a name may repeat.
    public init(_ fields: [(name: String, value: String)]) {
        for field in fields { append(field.name, field.value) }
    }

    /// Adds a field after the others.
    public mutating func append(_ name: String, _ value: String) {
        guard FieldBlock.isWritable(name.utf8.span) else { return }
        let roomBytes = name.utf8.count + value.utf8.count + 4
        makeRoom(for: roomBytes)
        bytes.append(addingCapacity: roomBytes) { output in
            output.append(name)
            output.append(.colon)
            output.append(.space)
            output.appendSafe(value)
            output.append(.carriageReturn)
            output.append(.lineFeed)
        }
    }

    /// Adds a field with a checked name after the others.
    public mutating func append(_ name: FieldName, _ value: String) {
        guard !name.bytes.isEmpty else { return }
        let roomBytes = name.bytes.count + value.utf8.count + 2
        makeRoom(for: roomBytes)
        bytes.append(addingCapacity: roomBytes) { output in
            output.append(copying: name.bytes.span)
            output.appendSafe(value)
            output.append(.carriageReturn)
            output.append(.lineFeed)
        }
    }

    /// Adds fields after the others.
    public mutating func append(_ fields: FieldBlock) {
        // Even appending nothing would copy shared bytes.
        guard !fields.bytes.isEmpty else { return }
        makeRoom(for: fields.bytes.count)
        bytes.append(contentsOf: fields.bytes)
    }

    /// Also makes room for the other fields of most responses: each further step would copy all fields.
    private mutating func makeRoom(for count: Int) {
        if bytes.capacity - bytes.count < count { bytes.reserveCapacity(max(bytes.count + count, 256)) }
    }

    fileprivate static func isWritable(_ name: borrowing Span<UInt8>) -> Bool {
        for index in name.indices where !name[index].isToken { return false }
        return !name.isEmpty && !isOwn(name)
    }

    /// Returns true if the encoder itself writes this field. The length excludes nearly all other names.
    private static func isOwn(_ name: borrowing Span<UInt8>) -> Bool {
        return switch name.count {
        case 4: name.equals("date", ignoringCaseIn: 0..<4)
        case 10: name.equals("connection", ignoringCaseIn: 0..<10)
        case 14: name.equals("content-length", ignoringCaseIn: 0..<14)
        case 17: name.equals("transfer-encoding", ignoringCaseIn: 0..<17)
        default: false
        }
    }
}

/// A field name for many responses: checked and encoded once.
public struct FieldName: Sendable {
    /// With colon and space; empty when such a field is left out.
    fileprivate let bytes: [UInt8]

    /// The name in the spelling that is sent.
    public init(_ name: String) {
        bytes = FieldBlock.isWritable(name.utf8.span) ? Array("\(name): ".utf8) : []
    }
}

extension FieldBlock: ExpressibleByArrayLiteral {
    /// `[("ETag", "\"7\"")]`
    public init(arrayLiteral fields: (name: String, value: String)...) {
        self.init(fields)
    }

    /// The value of the first field with exactly this spelling.
    public func value(_ name: String) -> String? { list.first { $0.name == name }?.value }

    /// Names and values as they will be sent.
    public var list: [(name: String, value: String)] {
        bytes.split(separator: .lineFeed).map { line in
            let colon = line.firstIndex(of: .colon) ?? line.endIndex
            let value = line[colon...].dropFirst(2).dropLast()
            return (String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
        }
    }
}
