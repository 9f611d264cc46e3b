#if canImport(FoundationEssentials)
    import Glibc
#else
    import Darwin
#endif

extension LocalFile {
    /// Puts `count` bytes of the file into `buffer`, behind its first `start` ones and in place of all others. Throws `.changed` if
    /// the file ends before.
    func fill(_ buffer: inout [UInt8], from start: Int, count: Int, at offset: Int64) throws(LocalFileError) {
        let end = start + count
        if buffer.count > end { buffer.removeSubrange(end...) }
        if buffer.count < end { buffer += [UInt8](repeating: 0, count: end - buffer.count) }
        let failure = buffer.withUnsafeMutableBytes { bytes -> LocalFileError? in
            var done = 0
            while done < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[(start + done)...])
                let result = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
                if result < 0 && errno == EINTR { continue }
                guard result > 0 else { return result < 0 ? .system(errno) : .changed }
                done += result
            }
            return nil
        }
        if let failure { throw failure }
    }
}
