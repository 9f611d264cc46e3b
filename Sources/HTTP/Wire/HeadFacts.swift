/// The facts about framing and connection, collected while the header fields are read (RFC 9112, sections 6 and 9).
struct HeadFacts: Sendable {
    private var hasHost = false
    private var contentLength: Int?
    private var transferCoding = TransferCoding()
    private var asksToClose = false
    private var asksToKeepAlive = false
    private var waitsForContinue = false
    private var hasUnknownExpectation = false

    /// Reads a field if it is one of the five that matter here. Its length and first letter exclude most others.
    mutating func note(_ field: FieldLine, lineEnd: Int, in bytes: borrowing Span<UInt8>) throws(WireError) {
        let name = field.name
        switch (name.count, bytes[name.lower] | 0x20) {
        case (4, 0x68) where bytes.equals("host", ignoringCaseIn: name.range):
            try noteHost(bytes, field.value.range)
        case (6, 0x65) where bytes.equals("expect", ignoringCaseIn: name.range):
            noteExpectation(bytes, field.value.range)
        case (10, 0x63) where bytes.equals("connection", ignoringCaseIn: name.range):
            noteConnection(bytes, field.value.range)
        case (14, 0x63) where bytes.equals("content-length", ignoringCaseIn: name.range):
            try noteContentLength(bytes, field.value.range, lineEnd: lineEnd)
        case (17, 0x74) where bytes.equals("transfer-encoding", ignoringCaseIn: name.range):
            try transferCoding.note(bytes, field.value.range)
        default: break
        }
    }

    /// Makes the checks that are possible only at the end of the head.
    func bodyLength(minorVersion: Int) throws(WireError) -> BodyLength {
        if minorVersion > 0, !hasHost { throw .missingHost }
        if transferCoding.isPresent {
            if contentLength != nil { throw .contentLengthWithTransferEncoding }
            if minorVersion == 0 { throw .transferEncodingInHTTP10 }
            if transferCoding.hasUnknown { throw .unknownTransferCoding }
        }
        if hasUnknownExpectation { throw .unknownExpectation }
        if transferCoding.isPresent { return .chunked }
        return contentLength.map { .length($0) } ?? .none
    }

    /// `close` precedes `keep-alive`; without either the version decides.
    func keepsAlive(minorVersion: Int) -> Bool {
        !asksToClose && (minorVersion > 0 || asksToKeepAlive)
    }

    /// Without content there is nothing to wait for, and HTTP/1.0 has no interim responses.
    func expectsContinue(minorVersion: Int, bodyLength: BodyLength) -> Bool {
        waitsForContinue && minorVersion > 0 && bodyLength != .none && bodyLength != .length(0)
    }

    private mutating func noteHost(_ bytes: borrowing Span<UInt8>, _ value: Range<Int>) throws(WireError) {
        guard !hasHost else { throw .repeatedHost }
        guard Host.isValid(bytes, value) else { throw .invalidHost }
        hasHost = true
    }

    private mutating func noteExpectation(_ bytes: borrowing Span<UInt8>, _ value: Range<Int>) {
        if bytes.equals("100-continue", ignoringCaseIn: value) {
            waitsForContinue = true
        } else {
            hasUnknownExpectation = true
        }
    }

    private mutating func noteConnection(_ bytes: borrowing Span<UInt8>, _ value: Range<Int>) {
        var rest = value
        while let option = bytes.nextListElement(&rest) {
            if bytes.equals("close", ignoringCaseIn: option) { asksToClose = true }
            if bytes.equals("keep-alive", ignoringCaseIn: option) { asksToKeepAlive = true }
        }
    }

    /// Digits up to the very end of the line. A sign, a list, an overflow and even trailing white space are rejected,
    /// because other software reads those differently.
    private mutating func noteContentLength(
        _ bytes: borrowing Span<UInt8>,
        _ value: Range<Int>,
        lineEnd: Int
    ) throws(WireError) {
        guard contentLength == nil else { throw .repeatedContentLength }
        guard !value.isEmpty, value.upperBound == lineEnd else { throw .malformedContentLength }
        var length = 0
        for index in value {
            guard bytes[index].isDigit else { throw .malformedContentLength }
            let (tens, overflowed) = length.multipliedReportingOverflow(by: 10)
            let (sum, carried) = tens.addingReportingOverflow(Int(bytes[index] - 0x30))
            guard !overflowed, !carried else { throw .malformedContentLength }
            length = sum
        }
        contentLength = length
    }
}

extension Span<UInt8> {
    /// Removes the next element from a comma-separated list; it may be empty, and nil follows the last one.
    func nextListElement(_ rest: inout Range<Int>) -> Range<Int>? {
        guard !rest.isEmpty else { return nil }
        var comma = rest.lowerBound
        while comma < rest.upperBound, self[comma] != .comma { comma += 1 }
        let element = trimmingBlanks(rest.lowerBound..<comma)
        rest = Swift.min(comma + 1, rest.upperBound)..<rest.upperBound
        return element
    }
}
