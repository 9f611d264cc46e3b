/// A statement with the Swift value of its rows, declared beside its SQL. `decode` takes all columns in order.
public struct Query<Value>: Sendable {
    /// Takes the values of one row.
    public typealias Decode = @Sendable (inout Columns) throws(UnexpectedResult) -> Value

    private let statement: Statement
    private let decode: Decode

    /// Declares a query.
    public init(_ sql: String, _ decode: @escaping Decode) {
        statement = Statement(sql)
        self.decode = decode
    }

    /// This query with its parameters in order.
    public func callAsFunction(_ parameters: Parameter...) -> BoundQuery<Value> { self(parameters) }

    /// This query with its parameters in order.
    public func callAsFunction(_ parameters: [Parameter]) -> BoundQuery<Value> {
        BoundQuery(step: statement(parameters), decode: decode)
    }
}

/// A query with its parameters.
public struct BoundQuery<Value>: Sendable {
    /// What is sent.
    public let step: Step
    private let decode: Query<Value>.Decode

    init(step: Step, decode: @escaping Query<Value>.Decode) {
        self.step = step
        self.decode = decode
    }

    /// The values of the rows. Throws where a row does not have the columns that the query declares.
    public func values(of rows: Rows) throws(UnexpectedResult) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            var columns = Columns(rows[index])
            values.append(try decode(&columns))
            try columns.end()
        }
        return values
    }
}

/// A row that is not what its query declares: a mistake of ours, never of a caller.
public struct UnexpectedResult: Error, Sendable, CustomStringConvertible {
    /// For the log: names the column, counted from 1, never its value.
    public let description: String

    /// Says what is wrong.
    public init(_ description: String) { self.description = description }
}

/// The columns of one row, read one after the other. Each has the type that is asked for, or the row is refused.
public struct Columns {
    private let row: Row
    private var index: Int

    /// Begins at a column, counted from 0.
    public init(_ row: Row, from index: Int = 0) {
        self.row = row
        self.index = index
    }

    /// The next value. Throws for NULL and for another type.
    public mutating func next<T: ColumnValue>() throws(UnexpectedResult) -> T {
        guard let value: T = try next() else { throw unexpected(index, "is NULL") }
        return value
    }

    /// The next value, nil for NULL. Throws for another type.
    public mutating func next<T: ColumnValue>() throws(UnexpectedResult) -> T? {
        guard index < row.columnCount else { throw unexpected(index + 1, "is missing") }
        defer { index += 1 }
        if row.isNull(index) { return nil }
        guard let value = T(row, index) else { throw unexpected(index + 1, "is no \(T.self)") }
        return value
    }

    /// Leaves the rest of the row unread.
    public mutating func skip() { index = row.columnCount }

    func end() throws(UnexpectedResult) {
        if index < row.columnCount { throw unexpected(index + 1, "was not asked for") }
    }

    /// Counts from 1.
    private func unexpected(_ column: Int, _ problem: String) -> UnexpectedResult {
        UnexpectedResult("column \(column) \(problem)")
    }
}

/// What a column can be read as.
public protocol ColumnValue {
    /// Reads a value that is not NULL; nil when it is not of this type.
    init?(_ row: Row, _ column: Int)
}

extension String: ColumnValue {
    /// The value's text.
    public init?(_ row: Row, _ column: Int) {
        guard let text = row.text(column) else { return nil }
        self = text
    }
}

extension Int: ColumnValue {
    /// An integer of any size.
    public init?(_ row: Row, _ column: Int) {
        guard let value = row.int(column) else { return nil }
        self = value
    }
}

extension Bool: ColumnValue {
    /// A boolean.
    public init?(_ row: Row, _ column: Int) {
        guard let value = row.bool(column) else { return nil }
        self = value
    }
}

extension [UInt8]: ColumnValue {
    /// The bytes of the value's text, in UTF-8.
    public init?(_ row: Row, _ column: Int) {
        guard let bytes = row.utf8(column) else { return nil }
        self = bytes
    }
}

extension ColumnValue where Self: RawRepresentable, RawValue == String {
    /// Reads a value of an enum type.
    public init?(_ row: Row, _ column: Int) {
        guard let value = row.text(column).flatMap(Self.init(rawValue:)) else { return nil }
        self = value
    }
}

extension Query where Value == Void {
    /// Declares a query whose rows say nothing.
    public init(_ sql: String) {
        self.init(sql) { columns throws(UnexpectedResult) in columns.skip() }
    }
}
