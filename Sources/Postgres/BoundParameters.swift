import CPostgres

/// Parameters laid out as libpq takes them. One is kept for each connection and used again.
struct BoundParameters {
    private var arena: [UInt8] = []
    private var offsets: [Int] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var pointers: [UnsafePointer<CChar>?] = []

    private static let text: Int32 = 0
    private static let binary: Int32 = 1
    private static let nullOffset = -1
    /// A larger arena does not stay with its connection.
    private static let keptMaxBytes = 256 << 10

    /// Replaces what was bound before.
    mutating func bind(_ parameters: [Parameter]) {
        arena.removeAll(keepingCapacity: arena.capacity <= Self.keptMaxBytes)
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        formats.removeAll(keepingCapacity: true)
        for parameter in parameters { append(parameter) }
    }

    /// Calls `body` with count, values, lengths and formats, as `PQsendQueryPrepared` wants them.
    mutating func withPointers<R>(
        _ body: (Int32, [UnsafePointer<CChar>?], [Int32], [Int32]) -> R
    ) -> R {
        pointers.removeAll(keepingCapacity: true)
        // The pointers stay good during `body`: nothing else touches the arena until it returns.
        return arena.withUnsafeBytes { raw in
            let base = raw.baseAddress?.assumingMemoryBound(to: CChar.self)
            for offset in offsets { pointers.append(offset == Self.nullOffset ? nil : base?.advanced(by: offset)) }
            return body(Int32(offsets.count), pointers, lengths, formats)
        }
    }

    private mutating func append(_ parameter: Parameter) {
        switch parameter {
        case .null: place(offset: Self.nullOffset, length: 0, format: Self.text)
        case .text(let value): append(value.utf8, format: Self.text)
        case .utf8(let value): append(value, format: Self.text)
        case .int(let value): append(String(value).utf8, format: Self.text)
        case .bool(let value): append((value ? "t" : "f").utf8, format: Self.text)
        case .bytes(let value): append(value, format: Self.binary)
        }
    }

    /// The NUL ends a text for libpq, and gives an empty value an address of its own: a null pointer would mean NULL.
    private mutating func append(_ value: some Collection<UInt8>, format: Int32) {
        place(offset: arena.count, length: value.count, format: format)
        arena.append(contentsOf: value)
        arena.append(0)
    }

    private mutating func place(offset: Int, length: Int, format: Int32) {
        offsets.append(offset)
        lengths.append(Int32(length))
        formats.append(format)
    }
}
