/// The header fields that a version 3 signature covers: those that change the meaning of a request.
public struct SignedFields: Sendable, Equatable {
    /// The field names, in the order of their lines.
    public static let names = [
        "content-type", "content-encoding", "if-match", "if-none-match", "idempotency-key", "prefer",
    ]

    /// One line per field: its value and a line feed. The line of an absent field is empty.
    let lines: [UInt8]

    /// `values` returns all values of a field, in the order sent and without surrounding white space. They are joined
    /// by `, ` (RFC 9110, 5.3). Nil if a value contains a line feed or is empty: an empty line means an absent field.
    public init?(_ values: (String) -> [ArraySlice<UInt8>]) {
        var lines: [UInt8] = []
        for name in Self.names {
            let values = values(name)
            let value = values.joined(separator: [UInt8(ascii: ","), UInt8(ascii: " ")])
            let start = lines.count
            lines += value
            guard values.isEmpty || lines.count > start, !lines[start...].contains(UInt8(ascii: "\n")) else {
                return nil
            }
            lines.append(UInt8(ascii: "\n"))
        }
        self.lines = lines
    }

    /// Takes fields as the client will send them, with names in any case. Fields with other names are not covered.
    public init?(_ fields: [(name: String, value: String)]) {
        self.init { name in
            fields.filter { $0.name.lowercased() == name }.map { Self.trimmed($0.value) }
        }
    }

    private static func trimmed(_ value: String) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var bytes = Array(value.utf8)[...].drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }
}
