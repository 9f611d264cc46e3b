import NeuroViewsJSON

/// The verdicts of the two policies are consistent. A parsed value can be serialized and parsed again.
enum JSONParserTarget {
    private static let nodesMax = 100

    static func check(_ bytes: [UInt8]) throws {
        let strict = try parse(bytes, .requestBody)
        let lenient = try parse(bytes, .rfc8259)
        try compare(strict, lenient)
        guard case .success(let value) = lenient else { return }
        try checkText(value)
        try checkCanonical(value, textBytes: bytes.count)
        var count = 0
        try checkPointers(value, to: JSONPointer(), in: value, &count)
        try checkMembers(value.object, in: bytes)
    }

    /// Returns the parser's result. Checks the form of an error.
    static func parse(_ bytes: [UInt8], _ policy: JSONParser.Policy) throws -> Result<JSONValue, JSONError> {
        do throws(JSONError) {
            return .success(try JSONParser.parse(bytes, policy: policy))
        } catch {
            try property("the offset \(error.offset) is in the text", (0...bytes.count).contains(error.offset))
            try property("the pointer is bounded", error.pointer.description.utf8.count <= 1000)
            try property("the message is bounded", error.description.utf8.count <= 1200)
            return .failure(error)
        }
    }

    private static func compare(
        _ strict: Result<JSONValue, JSONError>,
        _ lenient: Result<JSONValue, JSONError>
    ) throws {
        switch (strict, lenient) {
        case (.success(let strict), .success(let lenient)): try property("both read the same", strict == lenient)
        case (.success, .failure): throw BrokenProperty(description: "the strict policy accepts what RFC 8259 does not")
        case (.failure(let strict), .success):
            try property("\(strict.reason) is the policy's to refuse", isPolicy(strict.reason))
        case (.failure(let strict), .failure(let lenient)):
            let isSame = strict == lenient || strict.reason != lenient.reason
            try property("the same reason is found at the same place", isSame)
        }
    }

    private static func isPolicy(_ reason: JSONError.Reason) -> Bool {
        switch reason {
        case .tooDeep, .duplicateName, .loneSurrogate, .nul, .numberTooLarge, .numberTooLong, .tooManyValues: true
        default: false
        }
    }

    private static func checkText(_ value: JSONValue) throws {
        let text = value.serialized()
        let again = try JSONParser.parse(text, policy: .rfc8259)
        try property("a value that was written is read again", again == value)
        try property("a text is written the same again", again.serialized() == text)
    }

    private static func checkCanonical(_ value: JSONValue, textBytes: Int) throws {
        let canonical = value.canonical()
        // A lone surrogate of six bytes becomes three bytes; a power of ten becomes up to 21 digits.
        try property("the canonical form is bounded", canonical.count <= 8 * textBytes + 32)
        guard let again = try canonicalValue(canonical) else { return }
        try property("the canonical form is the same value", again == value)
        try property("equal values have one hash", again.hashValue == value.hashValue)
        try property("the canonical form is its own", again.canonical() == canonical)
    }

    /// Nil if moving the decimal point gave an exponent a 19th digit, which the parser refuses.
    static func canonicalValue(_ canonical: [UInt8]) throws -> JSONValue? {
        switch try parse(canonical, .rfc8259) {
        case .success(let value): return value
        case .failure(let error):
            try property("a canonical form is JSON", error.reason == .exponentTooLarge)
            return nil
        }
    }

    /// Each value's pointer evaluates to the value, and the pointer's text parses to the same pointer.
    private static func checkPointers(
        _ value: JSONValue,
        to pointer: JSONPointer,
        in root: JSONValue,
        _ count: inout Int
    ) throws {
        count += 1
        guard count <= nodesMax else { return }
        try property("\(pointer) leads to its value", pointer.evaluate(in: root) == value)
        try property("\(pointer) is read again", JSONPointer(pointer.description) == pointer)
        for member in value.object?.members ?? [] {
            try checkPointers(member.value, to: pointer.appending(member: member.name), in: root, &count)
        }
        for (index, item) in (value.array ?? []).enumerated() {
            try checkPointers(item, to: pointer.appending(index: index), in: root, &count)
        }
    }

    /// The byte range of each member parses to the member's value.
    private static func checkMembers(_ object: JSONObject?, in bytes: [UInt8]) throws {
        guard let object, case .success = try parse(bytes, .requestBody) else { return }
        for member in object.members.prefix(nodesMax) {
            guard let range = JSONText.range(ofMember: member.name, in: bytes[...]) else {
                throw BrokenProperty(description: "a member is not found in the text")
            }
            let found = try JSONParser.parse(bytes[range], policy: .rfc8259)
            try property("a member is where it is found", found == member.value)
            try checkElements(found.array, in: bytes[range])
        }
    }

    /// The byte ranges of an array's elements parse to its items.
    private static func checkElements(_ items: [JSONValue]?, in bytes: ArraySlice<UInt8>) throws {
        guard let items else { return }
        let ranges = JSONText.ranges(ofElementsIn: bytes)
        try property("as many elements as items", ranges.count == items.count)
        for (range, item) in zip(ranges, items).prefix(nodesMax) {
            try property(
                "an element is where it is found",
                try JSONParser.parse(bytes[range], policy: .rfc8259) == item
            )
        }
    }
}
