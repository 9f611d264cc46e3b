#if canImport(FoundationEssentials)
    import FoundationEssentials
    import Glibc
#else
    import Foundation
#endif

/// The files that the system's session sends: it takes whole files only, so each request for a part of a film has one. They are as
/// private as the store, whose folder they are in.
final class PieceFolder: Sendable {
    /// Read at once, which is all that is in memory. A sealed file is made by segments of 1 MiB.
    private static let stepBytes: Int64 = 256 << 10

    private let path: String
    /// Pieces that are written, or sent for somebody who waits.
    private let used = Guarded<Set<BackgroundLabel>>([])

    init(_ path: String) { self.path = path }

    /// Writes the bytes of a region into a file, and returns its path. Throws `.other` for a disk without room: the upload waits.
    @concurrent
    func write(_ region: FileRegion, _ label: BackgroundLabel) async throws(TransportError) -> String {
        used.withLock { _ = $0.insert(label) }
        do throws(TransportError) {
            let piece = try OpenPiece(folder: path, label.text)
            var written: Int64 = 0
            while written < region.length {
                guard !Task.isCancelled else { throw .cancelled }
                let count = min(Self.stepBytes, region.length - written)
                written += try piece.append(try region.bytes(at: region.offset + written, atMost: count))
                // Other work of the app may need this thread.
                await Task.yield()
            }
            try piece.synchronize()
            return piece.path
        } catch {
            remove(label)
            throw error
        }
    }

    /// Removes a file, if it is there.
    func remove(_ label: BackgroundLabel) {
        unlink("\(path)/\(label.text)")
        release(label)
    }

    /// Nobody waits for the piece any more. Its file stays for the system.
    func release(_ label: BackgroundLabel) { used.withLock { _ = $0.remove(label) } }

    /// The pieces of an upload that are written, or sent for somebody who waits.
    func inUse(of upload: UUID) -> Set<BackgroundLabel> { used.withLock { $0.filter { $0.upload == upload } } }

    /// Removes the files of an earlier run, but for those of tasks.
    func keep(_ labels: Set<BackgroundLabel>) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let kept = used.withLock { $0.union(labels) }
        for name in names where BackgroundLabel(name).map({ !kept.contains($0) }) ?? true {
            unlink("\(path)/\(name)")
        }
    }
}

/// A new piece.
private struct OpenPiece: ~Copyable {
    let path: String
    private let descriptor: Int32

    init(folder: String, _ name: String) throws(TransportError) {
        let path = "\(folder)/\(name)"
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Self.failure() }
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure() }
        (self.path, self.descriptor) = (path, descriptor)
    }

    deinit { close(descriptor) }

    /// Returns the number of bytes.
    func append(_ bytes: ArraySlice<UInt8>) throws(TransportError) -> Int64 {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.failure() }
            rest = rest.dropFirst(count)
        }
        return Int64(bytes.count)
    }

    /// The system's tasks outlive a restart of the device, and so must their files.
    func synchronize() throws(TransportError) {
        guard SystemCall.synchronize(descriptor) == 0 else { throw Self.failure() }
    }

    /// Uses the current errno. `.file` would be a fault of the file that is uploaded.
    private static func failure() -> TransportError {
        .other("there is no room for a part of the upload: \(SystemCall.reason(errno))")
    }
}

extension FileRegion {
    /// Some bytes of the region, one at least.
    fileprivate func bytes(at place: Int64, atMost count: Int64) throws(TransportError) -> ArraySlice<UInt8> {
        if let source { return try source.bytes(at: place).prefix(Int(offset + length - place)) }
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, read in
            var result = -1
            repeat {
                result = pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
            } while result < 0 && errno == EINTR
            code = result < 0 ? errno : 0
            read = max(0, result)
        }
        guard code == 0 else { throw .file(code: code) }
        guard !bytes.isEmpty else { throw .fileEnded }
        return bytes[...]
    }
}
