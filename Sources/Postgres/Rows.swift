import CPostgres

/// The result of one statement. Values are read where libpq keeps them.
///
/// `@unchecked Sendable`: a PGresult is never changed after it was received.
public final class Rows: @unchecked Sendable {
    private let result: OpaquePointer
    /// How many rows there are.
    public let count: Int
    /// How many columns each row has.
    let columnCount: Int

    /// Takes over the PGresult.
    init(_ result: OpaquePointer) {
        self.result = result
        count = Int(PQntuples(result))
        columnCount = Int(PQnfields(result))
    }

    deinit { PQclear(result) }

    /// What it takes in memory, in bytes.
    public var memoryBytes: Int { PQresultMemorySize(result) }

    /// The row at `index`, which must be below `count`.
    public subscript(index: Int) -> Row {
        precondition(index < count)
        return Row(rows: self, index: Int32(index))
    }

    /// The first row, if there is one.
    public var first: Row? { count > 0 ? self[0] : nil }

    /// Text of a value, without a copy; valid during `body` only.
    fileprivate func withBytes<R>(_ row: Int32, _ column: Int32, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let length = Int(PQgetlength(result, row, column))
        return body(UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: length))
    }

    fileprivate func isNull(_ row: Int32, _ column: Int32) -> Bool { PQgetisnull(result, row, column) != 0 }
}

/// One row; columns are counted from 0. A value that is NULL, or not of the type asked for, reads as nil.
public struct Row {
    private let rows: Rows
    private let index: Int32

    fileprivate init(rows: Rows, index: Int32) {
        self.rows = rows
        self.index = index
    }

    /// How many columns the row has.
    package var columnCount: Int { rows.columnCount }

    /// Whether the value is NULL.
    public func isNull(_ column: Int) -> Bool { rows.isNull(index, Int32(column)) }

    /// The value's text.
    public func text(_ column: Int) -> String? {
        isNull(column) ? nil : rows.withBytes(index, Int32(column)) { String(decoding: $0, as: UTF8.self) }
    }

    /// The value as an integer.
    public func int(_ column: Int) -> Int? {
        isNull(column) ? nil : rows.withBytes(index, Int32(column), Self.parseInt)
    }

    /// The value as a boolean.
    public func bool(_ column: Int) -> Bool? {
        isNull(column) ? nil : rows.withBytes(index, Int32(column), Self.parseBool)
    }

    /// Whether the value is a boolean and true.
    public func isTrue(_ column: Int) -> Bool { bool(column) == true }

    /// The bytes of the value's text.
    public func utf8(_ column: Int) -> [UInt8]? {
        isNull(column) ? nil : rows.withBytes(index, Int32(column)) { [UInt8]($0) }
    }

    /// Appends the bytes of the value's text; nothing for NULL.
    public func append(_ column: Int, to buffer: inout [UInt8]) {
        rows.withBytes(index, Int32(column)) { buffer.append(contentsOf: $0) }
    }

    /// How many bytes the value's text has; 0 for NULL.
    public func byteCount(_ column: Int) -> Int { rows.withBytes(index, Int32(column)) { $0.count } }

    /// Appends a part of the value's text, which must be within it.
    public func append(_ column: Int, _ range: Range<Int>, to buffer: inout [UInt8]) {
        rows.withBytes(index, Int32(column)) { buffer.append(contentsOf: $0[range]) }
    }

    /// Counts below zero, where there is room for one more value than above it.
    private static func parseInt(_ text: UnsafeRawBufferPointer) -> Int? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = text.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty else { return nil }
        var value = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (difference, borrow) = product.subtractingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            if overflow || borrow { return nil }
            value = difference
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    private static func parseBool(_ text: UnsafeRawBufferPointer) -> Bool? {
        guard text.count == 1 else { return nil }
        switch text[0] {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: return nil
        }
    }
}
