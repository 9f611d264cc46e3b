/// The reason why a request can't be read. The client gets `status`, and the connection is closed: after any of these
/// the start of the next request is unknown. The raw value is the name for logs.
public enum WireError: String, Error, Sendable, Hashable, CaseIterable {
    /// A line feed without a carriage return before it.
    case bareLineFeed
    /// A carriage return without a line feed after it.
    case bareCarriageReturn
    /// NUL or another control character in a line.
    case controlCharacter
    /// More empty lines before a request than are accepted.
    case emptyLinesBeforeRequest
    /// Not "method SP target SP version".
    case malformedRequestLine
    /// The method is not a token.
    case invalidMethod
    /// A byte that a URI cannot contain, `#` included.
    case invalidTarget
    /// CONNECT, or a target in authority-form or an unknown form; `*` without OPTIONS.
    case unsupportedTargetForm
    /// The third part of the request line is not an HTTP version.
    case malformedVersion
    /// An HTTP version whose major number is not 1.
    case unsupportedVersion
    /// The request line is longer than the limit.
    case requestLineTooLong
    /// The head is larger than the limit.
    case headTooLarge
    /// More field lines than the limit.
    case tooManyFields
    /// A field line that begins with white space, after another one.
    case obsoleteLineFolding
    /// White space before the first field line.
    case whitespaceBeforeFirstField
    /// White space between field name and colon.
    case whitespaceBeforeColon
    /// A field line that begins with its colon.
    case emptyFieldName
    /// A field name that is not a token, or a field line without a colon.
    case invalidFieldName
    /// HTTP/1.1 without Host.
    case missingHost
    /// More than one Host.
    case repeatedHost
    /// A Host, or an authority in the target, that is not `host[:port]`.
    case invalidHost
    /// A Content-Length that is not a plain decimal number within `Int`.
    case malformedContentLength
    /// More than one Content-Length, equal or not.
    case repeatedContentLength
    /// Content-Length together with Transfer-Encoding.
    case contentLengthWithTransferEncoding
    /// A Transfer-Encoding that is not a list of tokens.
    case malformedTransferEncoding
    /// `chunked` twice, or with another coding after it.
    case chunkedNotLast
    /// A transfer coding other than `chunked`.
    case unknownTransferCoding
    /// Transfer-Encoding in an HTTP/1.0 request.
    case transferEncodingInHTTP10
    /// An Expect other than 100-continue.
    case unknownExpectation
    /// A chunk size that is not a hexadecimal number, or with too many digits.
    case malformedChunkSize
    /// A chunk extension outside the grammar.
    case malformedChunkExtension
    /// More bytes of chunk extensions than the limit.
    case chunkExtensionsTooLarge
    /// Chunk data that is not followed by CRLF.
    case malformedChunkEnd
    /// A trailer section larger than the limit.
    case trailersTooLarge
}

extension WireError {
    /// The status of the response before closing.
    public var status: Status {
        switch self {
        case .requestLineTooLong: .uriTooLong
        case .headTooLarge, .tooManyFields, .trailersTooLarge: .headerFieldsTooLarge
        case .unsupportedVersion: .versionNotSupported
        case .unknownTransferCoding: .notImplemented
        case .unknownExpectation: .expectationFailed
        default: .badRequest
        }
    }
}
