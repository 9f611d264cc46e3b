extension WireError: CustomStringConvertible {
    /// One sentence for the client. It repeats no received bytes.
    public var description: String {
        switch self {
        case .bareLineFeed: "A line ends in a line feed without a carriage return."
        case .bareCarriageReturn: "A carriage return is not followed by a line feed."
        case .controlCharacter: "The message head or the framing contains a control character."
        case .emptyLinesBeforeRequest: "There are too many empty lines before the request."
        case .malformedRequestLine: "The request line is not a method, a target and a version with one space between."
        case .invalidMethod: "The method contains invalid characters."
        case .invalidTarget: "The request target contains a fragment, or characters that must be percent-encoded."
        case .unsupportedTargetForm: "The request target is neither a path nor an http or https URL."
        case .malformedVersion: "The request line does not end in an HTTP version."
        case .unsupportedVersion: "Only HTTP/1.1 and HTTP/1.0 are supported."
        case .requestLineTooLong: "The request line is too long."
        default: fieldDescription
        }
    }

    private var fieldDescription: String {
        switch self {
        case .headTooLarge: "The request line and the header fields together are too large."
        case .tooManyFields: "The request has too many header fields."
        case .obsoleteLineFolding: "A header field continues on a second line, which HTTP/1.1 does not allow."
        case .whitespaceBeforeFirstField: "There is white space before the first header field."
        case .whitespaceBeforeColon: "There is white space between a field name and its colon."
        case .emptyFieldName: "A header field has no name."
        case .invalidFieldName: "A header field has no colon, or invalid characters in its name."
        case .missingHost: "The Host header field is missing."
        case .repeatedHost: "The Host header field is repeated."
        case .invalidHost: "The host is not a host name or address with an optional port."
        case .unknownExpectation: "Only Expect: 100-continue is supported."
        default: framingDescription
        }
    }

    private var framingDescription: String {
        switch self {
        case .malformedContentLength: "Content-Length is not a plain decimal number."
        case .repeatedContentLength: "Content-Length is repeated."
        case .contentLengthWithTransferEncoding: "Content-Length and Transfer-Encoding exclude each other."
        case .malformedTransferEncoding: "Transfer-Encoding is not a list of transfer codings."
        case .chunkedNotLast: "The transfer coding chunked must occur once, as the last one."
        case .unknownTransferCoding: "Only Transfer-Encoding: chunked is supported."
        case .transferEncodingInHTTP10: "Transfer-Encoding is not allowed in HTTP/1.0."
        case .malformedChunkSize: "A chunk size is not a hexadecimal number of reasonable length."
        case .malformedChunkExtension: "A chunk extension is malformed."
        case .chunkExtensionsTooLarge: "The chunk extensions are too large."
        case .malformedChunkEnd: "The data of a chunk is not followed by the end of a line."
        case .trailersTooLarge: "The trailer fields together are too large."
        default: "The request cannot be read."
        }
    }
}
