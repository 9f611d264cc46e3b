/// The list of transfer codings over all Transfer-Encoding fields (RFC 9112, section 6.1). Only `chunked`, once and
/// last, can be read; `hasUnknown` marks a well-formed list with another coding.
struct TransferCoding: Sendable {
    private(set) var isPresent = false
    private(set) var hasUnknown = false
    private var hasChunked = false

    mutating func note(_ bytes: borrowing Span<UInt8>, _ value: Range<Int>) throws(WireError) {
        isPresent = true
        guard !value.isEmpty, bytes[value.upperBound - 1] != .comma else { throw .malformedTransferEncoding }
        var rest = value
        while let coding = bytes.nextListElement(&rest) {
            guard bytes.beginsWithToken(coding) else { throw .malformedTransferEncoding }
            guard !hasChunked else { throw .chunkedNotLast }
            if bytes.equals("chunked", ignoringCaseIn: coding) {
                hasChunked = true
            } else {
                hasUnknown = true
            }
        }
    }
}

extension Span<UInt8> {
    /// A coding may have parameters after its name. They are not parsed, since such a coding is rejected.
    fileprivate func beginsWithToken(_ range: Range<Int>) -> Bool {
        guard !range.isEmpty, self[range.lowerBound].isToken else { return false }
        var index = range.lowerBound
        while index < range.upperBound, self[index].isToken { index += 1 }
        return index == range.upperBound || self[index] == .semicolon || self[index].isBlank
    }
}
