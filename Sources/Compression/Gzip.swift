import CZlib

/// The reason why bytes can't be unpacked as gzip.
package enum GzipError: Error, Equatable, Sendable {
    /// The unpacked text exceeds the limit.
    case tooLarge
    /// It ends too early.
    case truncated
    /// It is not gzip, or its checksum differs.
    case damaged
    /// Something other than gzip follows.
    case trailingBytes
    /// There is no memory for zlib.
    case noMemory
}

/// gzip (RFC 1952). Phones compress large bodies with it.
package enum Gzip {
    /// Returns the unpacked text. Several members in a row are one text. Memory grows with the text, and
    /// never exceeds `maxBytes` and one piece.
    package static func unpacked(_ packed: [UInt8], maxBytes: Int) throws(GzipError) -> [UInt8] {
        let inflater = try Inflater()
        return try inflater.unpack(packed, maxBytes: maxBytes)
    }
}

/// One inflation. zlib stores the address of its state, so the state has memory of its own that never moves.
private final class Inflater {
    private static let pieceBytes = 64 << 10
    private static let magic: [UInt8] = [0x1F, 0x8B]

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var text: [UInt8] = []

    init() throws(GzipError) {
        guard nv_gzip_begin(stream) == Z_OK else {
            stream.deallocate()
            throw .noMemory
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func unpack(_ packed: [UInt8], maxBytes: Int) throws(GzipError) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: min(Self.pieceBytes, maxBytes + 1))
        var start = 0
        while true {
            let (status, read, written) = inflate(packed[start...], into: &piece)
            start += read
            guard text.count + written <= maxBytes else { throw .tooLarge }
            text.append(contentsOf: piece[..<written])
            switch status {
            case Z_STREAM_END where start == packed.count: return text
            case Z_STREAM_END: try beginMember(packed[start...])
            // Without progress, zlib needs more input than there is.
            case Z_OK, Z_BUF_ERROR: if read == 0, written == 0 { throw .truncated }
            case Z_MEM_ERROR: throw .noMemory
            default: throw .damaged
            }
        }
    }

    private func beginMember(_ rest: ArraySlice<UInt8>) throws(GzipError) {
        guard rest.starts(with: Self.magic), inflateReset(stream) == Z_OK else { throw .trailingBytes }
    }

    /// One call of zlib: its status, and the numbers of bytes read and written. The pointers are valid during the call.
    private func inflate(_ packed: ArraySlice<UInt8>, into piece: inout [UInt8]) -> (Int32, read: Int, written: Int) {
        packed.withUnsafeBufferPointer { input in
            piece.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                let status = CZlib.inflate(stream, Z_NO_FLUSH)
                return (
                    status, input.count - Int(stream.pointee.avail_in), output.count - Int(stream.pointee.avail_out)
                )
            }
        }
    }
}
