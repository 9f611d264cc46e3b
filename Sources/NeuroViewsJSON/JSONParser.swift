/// Reads JSON texts (RFC 8259) strictly, without recursion and without Foundation.
public struct JSONParser {
    let policy: Policy
    /// The next byte to read.
    var position = 0
    private var valueCount = 0
    /// The open arrays and objects, the innermost last.
    private var frames: [Frame] = []

    /// An open array or object with its values so far.
    private struct Frame {
        let isObject: Bool
        var items: [JSONValue] = []
        var object = JSONObject()
        /// The name of the next value.
        var name: String?
    }

    private init(policy: Policy) {
        self.policy = policy
        frames.reserveCapacity(4)
    }

    /// Reads one value, with nothing but white space around it.
    public static func parse(_ text: borrowing Span<UInt8>, policy: Policy) throws(JSONError) -> JSONValue {
        var parser = JSONParser(policy: policy)
        return try parser.document(text)
    }

    /// Reads one value, with nothing but white space around it.
    public static func parse(_ bytes: [UInt8], policy: Policy) throws(JSONError) -> JSONValue {
        try parse(bytes[...], policy: policy)
    }

    /// Reads one value, with nothing but white space around it; error offsets count from the start of the slice.
    public static func parse(_ bytes: ArraySlice<UInt8>, policy: Policy) throws(JSONError) -> JSONValue {
        try parse(bytes.span, policy: policy)
    }

    private mutating func document(_ text: borrowing Span<UInt8>) throws(JSONError) -> JSONValue {
        if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF { throw error(.byteOrderMark) }
        while true {
            skipSpace(text)
            guard var value = try opening(text) else { continue }
            while !frames.isEmpty {
                try add(value)
                guard let closed = try separator(text) else { break }
                value = closed
            }
            if frames.isEmpty {
                skipSpace(text)
                if position < text.count { throw error(.textAfterValue) }
                return value
            }
        }
    }

    /// Reads a scalar or an empty container; opens any other container and returns nil.
    private mutating func opening(_ text: borrowing Span<UInt8>) throws(JSONError) -> JSONValue? {
        guard position < text.count else { throw error(.unexpectedEnd) }
        valueCount += 1
        if valueCount > policy.maxValues { throw error(.tooManyValues(maxValues: policy.maxValues)) }
        let byte = text[position]
        guard byte == Byte.openBrace || byte == Byte.openBracket else { return try scalar(byte, text) }
        if frames.count >= policy.maxDepth { throw error(.tooDeep(maxDepth: policy.maxDepth)) }
        position += 1
        skipSpace(text)
        let isObject = byte == Byte.openBrace
        let closing = isObject ? Byte.closeBrace : Byte.closeBracket
        if position < text.count, text[position] == closing {
            position += 1
            return isObject ? .object(JSONObject()) : .array([])
        }
        frames.append(Frame(isObject: isObject))
        if isObject { try name(text) }
        return nil
    }

    private mutating func scalar(_ byte: UInt8, _ text: borrowing Span<UInt8>) throws(JSONError) -> JSONValue {
        switch byte {
        case Byte.quote: return .string(try string(text))
        case Byte.minus, Byte.zero...Byte.nine: return .number(try number(text))
        case UInt8(ascii: "t"): return try literal("true", .bool(true), text)
        case UInt8(ascii: "f"): return try literal("false", .bool(false), text)
        case UInt8(ascii: "n"): return try literal("null", .null, text)
        default: throw error(.expectedValue)
        }
    }

    /// Adds a finished value to the innermost container.
    private mutating func add(_ value: JSONValue) throws(JSONError) {
        let last = frames.count - 1
        guard let name = frames[last].name else { return frames[last].items.append(value) }
        frames[last].name = nil
        // If the policy rejects duplicates, the name was already checked.
        if policy.refusesDuplicateNames {
            frames[last].object.appendNew(name, value)
        } else {
            frames[last].object.set(name, to: value)
        }
    }

    /// After a value: reads a comma, and the next name in an object. At the end of
    /// the container, returns the container.
    private mutating func separator(_ text: borrowing Span<UInt8>) throws(JSONError) -> JSONValue? {
        skipSpace(text)
        guard position < text.count else { throw error(.unexpectedEnd) }
        let last = frames.count - 1
        let isObject = frames[last].isObject
        switch text[position] {
        case Byte.comma:
            position += 1
            skipSpace(text)
            if isObject { try name(text) }
            return nil
        case isObject ? Byte.closeBrace : Byte.closeBracket:
            position += 1
            let frame = frames.removeLast()
            return isObject ? .object(frame.object) : .array(frame.items)
        default: throw error(.expectedCommaOrEnd)
        }
    }

    /// Reads a member's name and its colon.
    private mutating func name(_ text: borrowing Span<UInt8>) throws(JSONError) {
        guard position < text.count else { throw error(.unexpectedEnd) }
        guard text[position] == Byte.quote else { throw error(.expectedName) }
        let start = position
        let name = try string(text)
        let last = frames.count - 1
        let isDuplicate = policy.refusesDuplicateNames && frames[last].object.contains(name)
        frames[last].name = name
        if isDuplicate { throw error(.duplicateName, at: start) }
        skipSpace(text)
        guard position < text.count else { throw error(.unexpectedEnd) }
        guard text[position] == Byte.colon else { throw error(.expectedColon) }
        position += 1
    }
}

extension JSONParser {
    private mutating func skipSpace(_ text: borrowing Span<UInt8>) {
        while position < text.count, Byte.isSpace(text[position]) { position += 1 }
    }

    private mutating func literal(
        _ word: StaticString,
        _ value: JSONValue,
        _ text: borrowing Span<UInt8>
    ) throws(JSONError) -> JSONValue {
        for byte in word.description.utf8 {
            guard position < text.count else { throw error(.unexpectedEnd) }
            guard text[position] == byte else { throw error(.expectedValue) }
            position += 1
        }
        return value
    }

    private mutating func number(_ text: borrowing Span<UInt8>) throws(JSONError) -> JSONNumber {
        let scan = NumberScan.scan(text, from: position)
        if let failure = scan.failure { throw error(failure, at: scan.end) }
        if scan.end - position > policy.maxNumberBytes { throw error(.numberTooLong(maxBytes: policy.maxNumberBytes)) }
        let literal = try decode(text, from: position, to: scan.end)
        let number = JSONNumber(accepted: literal)
        // Only such a long literal, or one with an exponent, can exceed a double.
        if policy.refusesUnboundedNumbers, literal.utf8.count > 300 || scan.hasExponent, number.double.isInfinite {
            throw error(.numberTooLarge)
        }
        position = scan.end
        return number
    }

    /// The error at this place, with the pointer to the value being read.
    func error(_ reason: JSONError.Reason, at offset: Int? = nil) -> JSONError {
        var pointer = JSONPointer()
        for frame in frames {
            if let name = frame.name {
                pointer.append(member: name)
            } else if !frame.isObject {
                pointer.append(index: frame.items.count)
            }
        }
        return JSONError(offset: offset ?? position, reason: reason, pointer: pointer.bounded())
    }
}
