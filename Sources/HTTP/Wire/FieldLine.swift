/// One header or trailer field: the ranges of its name and its value, without the white space around the value.
struct FieldLine: Sendable, Hashable {
    var name: ByteRange
    var value: ByteRange

    /// Reads a line that the scanner has already checked (RFC 9112, section 5).
    init(_ bytes: borrowing Span<UInt8>, line: Range<Int>) throws(WireError) {
        var colon = line.lowerBound
        while colon < line.upperBound, bytes[colon].isToken { colon += 1 }
        guard colon < line.upperBound, bytes[colon] == .colon else {
            throw FieldLine.nameError(bytes, line: line, stoppedAt: colon)
        }
        guard colon > line.lowerBound else { throw .emptyFieldName }
        let value = bytes.trimmingBlanks((colon + 1)..<line.upperBound)
        self.name = ByteRange(line.lowerBound, colon)
        self.value = ByteRange(value.lowerBound, value.upperBound)
    }

    private static func nameError(_ bytes: borrowing Span<UInt8>, line: Range<Int>, stoppedAt stop: Int) -> WireError {
        guard stop > line.lowerBound else { return .invalidFieldName }
        let rest = bytes.trimmingBlanks(stop..<line.upperBound)
        let isColonNext = rest.lowerBound > stop && !rest.isEmpty && bytes[rest.lowerBound] == .colon
        return isColonNext ? .whitespaceBeforeColon : .invalidFieldName
    }
}
