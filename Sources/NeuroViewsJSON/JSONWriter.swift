/// Writes JSON straight into bytes, without building a tree first. It adds the commas;
/// the caller closes all that it opens.
public struct JSONWriter: Sendable {
    /// The bytes so far.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Makes an empty writer with reserved room.
    public init(reservingBytes capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// Opens an object, as a value.
    public mutating func beginObject() {
        open(Byte.openBrace)
    }

    /// Closes an object.
    public mutating func endObject() {
        close(Byte.closeBrace)
    }

    /// Opens an array, as a value.
    public mutating func beginArray() {
        open(Byte.openBracket)
    }

    /// Closes an array.
    public mutating func endArray() {
        close(Byte.closeBracket)
    }

    /// Writes the name of a member. Its value must be written next.
    public mutating func member(_ name: String) {
        separate()
        JSONEscaping.appendQuoted(name, to: &bytes)
        bytes.append(Byte.colon)
        needsComma = false
    }

    /// Writes a string.
    public mutating func string(_ value: String) {
        separate()
        JSONEscaping.appendQuoted(value, to: &bytes)
    }

    /// Writes an integer.
    public mutating func integer(_ value: Int64) {
        separate()
        appendDecimal(value)
    }

    /// Writes a number as it was read.
    public mutating func number(_ value: JSONNumber) {
        separate()
        bytes.append(contentsOf: value.literal.utf8)
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes a value that is already JSON, byte for byte.
    public mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Writes a value that is already JSON; `append` appends it.
    public mutating func raw(_ append: (inout [UInt8]) -> Void) {
        separate()
        append(&bytes)
    }

    /// Continues a value that `raw` began.
    public mutating func append(_ append: (inout [UInt8]) -> Void) { append(&bytes) }

    /// Writes a string without escapes; `append` appends it.
    public mutating func string(plain append: (inout [UInt8]) -> Void) {
        separate()
        appendQuoted(append)
    }

    /// Writes the name of a member without escapes; `append` appends it. The value must be written next.
    public mutating func member(plain append: (inout [UInt8]) -> Void) {
        separate()
        appendQuoted(append)
        bytes.append(Byte.colon)
        needsComma = false
    }

    /// Removes bytes that were sent, and continues after them. The memory is kept.
    public mutating func removeBytes() { bytes.removeAll(keepingCapacity: true) }

    private mutating func appendQuoted(_ append: (inout [UInt8]) -> Void) {
        bytes.append(Byte.quote)
        append(&bytes)
        bytes.append(Byte.quote)
    }

    /// Adds the comma before a value if needed, and records that the next value needs one.
    private mutating func separate() {
        if needsComma { bytes.append(Byte.comma) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func appendDecimal(_ value: Int64) {
        if value < 0 { bytes.append(Byte.minus) }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(Byte.zero + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }
}
