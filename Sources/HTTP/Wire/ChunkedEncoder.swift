/// Writes the chunked coding (RFC 9112, section 7.1), without extensions or trailers.
public enum ChunkedEncoder {
    /// Bytes of a chunk besides its data: 16 digits and two line ends.
    static let framingMaxBytes = 20

    /// Appends one chunk. Appends nothing for no bytes, because an empty chunk would end the body.
    public static func appendChunk(_ bytes: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        buffer.append(addingCapacity: 18) { output in
            output.append(hexadecimal: bytes.count)
            output.append("\r\n")
        }
        buffer.append(contentsOf: bytes)
        buffer.append(contentsOf: "\r\n".utf8)
    }

    /// Appends one chunk of a whole array.
    public static func appendChunk(_ bytes: [UInt8], to buffer: inout [UInt8]) {
        appendChunk(bytes[...], to: &buffer)
    }

    /// Appends the end of the body.
    public static func appendLast(to buffer: inout [UInt8]) {
        buffer.append(contentsOf: "0\r\n\r\n".utf8)
    }
}
