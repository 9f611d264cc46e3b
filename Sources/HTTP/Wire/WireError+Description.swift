extension WireError: CustomStringConvertible {
    /// One sentence for the client. It repeats no received bytes.
    public var description: String {
        switch self {
        case .bareLineFeed: "A line ends in a line feed without a carriage return."
        case .bareCarriageReturn: "A carriage return is not followed by a line feed."
        case .controlCharacter: "The message head or the framing contains a control character."
        case .emptyLinesBeforeRequest: "Too many empty lines come before the request."
        case .malformedRequestLine: "The request line is not a method, a target and a version with one space between."
        case .invalidMethod: "The method contains characters that a method cannot have."
        case .invalidTarget: "The request target contains characters that must be percent-encoded, or a fragment."
        case .unsupportedTargetForm: "The request target is neither a path nor an http or https URL."
        case .malformedVersion: "The request line does not end in an HTTP version."
        case .unsupportedVersion: "Only HTTP/1.1 and HTTP/1.0 are spoken here."
        case .requestLineTooLong: "The request line is too long."
        default: fieldDescription
        }
    }

    private var fieldDescription: String {
        switch self {
        case .headTooLarge: "The request line and the header fields are too large together."
        case .tooManyFields: "The request has too many header fields."
        case .obsoleteLineFolding: "A header field continues on a second line, which HTTP/1.1 no longer allows."
        case .whitespaceBeforeFirstField: "White space comes before the first header field."
        case .whitespaceBeforeColon: "White space stands between a field name and its colon."
        case .emptyFieldName: "A header field has no name."
        case .invalidFieldName: "A header field's name contains characters that it cannot have, or lacks its colon."
        case .missingHost: "The Host header field is missing."
        case .repeatedHost: "The Host header field is repeated."
        case .invalidHost: "The host is not a host name or address with an optional port."
        case .unknownExpectation: "The only expectation that can be met is 100-continue."
        default: framingDescription
        }
    }

    private var framingDescription: String {
        switch self {
        case .malformedContentLength: "Content-Length is not a plain decimal number."
        case .repeatedContentLength: "Content-Length is repeated."
        case .contentLengthWithTransferEncoding: "Content-Length and Transfer-Encoding exclude each other."
        case .malformedTransferEncoding: "Transfer-Encoding is not a list of transfer codings."
        case .chunkedNotLast: "The transfer coding chunked must come once, as the last one."
        case .unknownTransferCoding: "The only transfer coding understood is chunked."
        case .transferEncodingInHTTP10: "HTTP/1.0 has no Transfer-Encoding."
        case .malformedChunkSize: "A chunk size is not a hexadecimal number of reasonable length."
        case .malformedChunkExtension: "A chunk extension is malformed."
        case .chunkExtensionsTooLarge: "The chunk extensions are too large."
        case .malformedChunkEnd: "The data of a chunk is not followed by the end of a line."
        case .trailersTooLarge: "The trailer fields are too large together."
        default: "The request cannot be read."
        }
    }
}
