extension TokenClaims {
    /// The claims as JSON, in the only spelling that `init(json:)` accepts: this server is the only writer.
    var json: [UInt8] {
        let text =
            #"{"sid":"\#(sessionID)","sub":"\#(userID)","ctr":\#(counter),"iat":\#(issuedAt),"exp":\#(expiresAt)}"#
        return Array(text.utf8)
    }

    /// Reads exactly the output of `json`: same members, same order, no white space. Throws `.malformed` otherwise.
    init(json: [UInt8]) throws(TokenError) {
        var reader = FixedFormReader(bytes: json)
        try reader.expect(#"{"sid":""#)
        let sessionID = try reader.take(36)
        try reader.expect(#"","sub":""#)
        let userID = try reader.take(36)
        try reader.expect(#"","ctr":"#)
        let counter = try reader.number()
        try reader.expect(#","iat":"#)
        let issuedAt = try reader.number()
        try reader.expect(#","exp":"#)
        let expiresAt = try reader.number()
        try reader.expect("}")
        guard reader.isAtEnd else { throw .malformed }
        try self.init(
            sessionID: sessionID,
            userID: userID,
            counter: counter,
            issuedAt: issuedAt,
            expiresAt: expiresAt
        )
    }
}

/// Reads bytes of a fixed form. Every step throws `.malformed` if the bytes differ from it.
private struct FixedFormReader {
    let bytes: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func expect(_ text: StaticString) throws(TokenError) {
        let count = text.utf8CodeUnitCount
        guard bytes.count - index >= count else { throw .malformed }
        // StaticString's pointer is valid until the program ends.
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: count)
        for offset in 0..<count where bytes[index + offset] != expected[offset] { throw .malformed }
        index += count
    }

    mutating func take(_ count: Int) throws(TokenError) -> String {
        guard bytes.count - index >= count else { throw .malformed }
        defer { index += count }
        return String(decoding: bytes[index..<index + count], as: UTF8.self)
    }

    /// Reads decimal digits without a leading zero: at most 16, so the value can't overflow.
    mutating func number() throws(TokenError) -> Int {
        let start = index
        var value = 0
        while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit <= 9 {
            guard index - start < 16 else { throw .malformed }
            value = value * 10 + Int(digit)
            index += 1
        }
        let count = index - start
        guard count == 1 || (count > 1 && bytes[start] != UInt8(ascii: "0")) else { throw .malformed }
        return value
    }
}
