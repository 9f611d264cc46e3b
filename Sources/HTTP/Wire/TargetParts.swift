/// The ranges of path, query and authority in a request target (RFC 9112, section 3.2).
struct TargetParts: Sendable {
    let target: ByteRange
    let path: ByteRange
    let query: ByteRange?
    /// Only for an absolute target.
    let authority: ByteRange?
    /// True if the target is an https URL.
    let isHTTPS: Bool
    /// True if the request is for the whole server: `*`, or for OPTIONS a URL without a path (RFC 9112, section 3.2.4).
    let isWholeServer: Bool

    init(_ bytes: borrowing Span<UInt8>, target: Range<Int>, method: Method) throws(WireError) {
        self.target = ByteRange(target.lowerBound, target.upperBound)
        guard method != .other("CONNECT") else { throw .unsupportedTargetForm }
        var pathStart = target.lowerBound
        if bytes[pathStart] == .asterisk {
            guard target.count == 1, method == .options else { throw .unsupportedTargetForm }
            authority = nil
        } else if bytes[pathStart] == .slash {
            authority = nil
        } else {
            let range = try TargetParts.authority(bytes, target: target)
            authority = ByteRange(range.lowerBound, range.upperBound)
            pathStart = range.upperBound
        }
        var mark = pathStart
        while mark < target.upperBound, bytes[mark] != .questionMark { mark += 1 }
        query = mark < target.upperBound ? ByteRange(mark + 1, target.upperBound) : nil
        if mark == pathStart, let authority {
            // "http://host" and "http://host?query" mean the path "/": a slash of "://" serves as its text.
            path = ByteRange(authority.lower - 1, authority.lower)
        } else {
            path = ByteRange(pathStart, mark)
        }
        isHTTPS = authority != nil && bytes.begins("https://", in: target)
        isWholeServer = mark == pathStart && query == nil && method == .options || bytes[target.lowerBound] == .asterisk
    }

    /// The authority of an http or https URL; user information in it is rejected (RFC 9110, section 4.2.4).
    private static func authority(_ bytes: borrowing Span<UInt8>, target: Range<Int>) throws(WireError) -> Range<Int> {
        let start: Int
        if bytes.begins("http://", in: target) {
            start = target.lowerBound + 7
        } else if bytes.begins("https://", in: target) {
            start = target.lowerBound + 8
        } else {
            throw .unsupportedTargetForm
        }
        var end = start
        while end < target.upperBound, bytes[end] != .slash, bytes[end] != .questionMark { end += 1 }
        guard Host.isValid(bytes, start..<end) else { throw .invalidHost }
        return start..<end
    }
}

extension Span<UInt8> {
    fileprivate func begins(_ text: String, in range: Range<Int>) -> Bool {
        let end = range.lowerBound + text.utf8.count
        return end <= range.upperBound && equals(text, ignoringCaseIn: range.lowerBound..<end)
    }
}
