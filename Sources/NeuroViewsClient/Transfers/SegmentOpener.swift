import NeuroViewsCrypto

/// Opens a sealed file segment by segment, into one buffer.
final class SegmentOpener {
    let layout: SealedLayout
    private let file: LocalFile
    private let stream: SealedStream
    private var segment: [UInt8] = []

    /// Throws `.sealing(.cut)` for a length that no sealed file has, and `.sealing(.changed)` for one that does not begin like one.
    init(_ file: LocalFile, _ fileKey: [UInt8]) throws(ClientError) {
        let size = try reading { () throws(LocalFileError) in try file.identity().size }
        guard let layout = SealedLayout(sealedBytes: size) else { throw .sealing(.cut) }
        var head: [UInt8] = []
        try reading { () throws(LocalFileError) in
            try file.fill(&head, from: 0, count: SealedStream.Header.count, at: 0)
        }
        guard let header = SealedStream.Header(head) else { throw .sealing(.changed) }
        do throws(CryptoError) {
            stream = try SealedStream(key: fileKey, header, context: [])
        } catch {
            throw .sealing(.changed)
        }
        (self.layout, self.file) = (layout, file)
    }

    /// The bytes of the file that a segment has. Throws `.sealing` unless they are those that were sealed at this place.
    func open(_ index: Int64) throws(ClientError) -> ArraySlice<UInt8> {
        if try opens(index, isLast: layout.isLast(index)) {
            return segment[(index == 0 ? SealedStream.Header.count : 0)...]
        }
        // A segment that others followed when it was sealed.
        if layout.isLast(index), try opens(index, isLast: false) { throw .sealing(.cut) }
        throw .sealing(.changed)
    }

    private func opens(_ index: Int64, isLast: Bool) throws(ClientError) -> Bool {
        let range = layout.sealedRange(of: index)
        try reading { () throws(LocalFileError) in
            try file.fill(&segment, from: 0, count: Int(range.upperBound - range.lowerBound), at: range.lowerBound)
        }
        return (try? stream.open(&segment, at: index, isLast: isLast)) != nil
    }
}

/// Runs reads of a file that was received.
private func reading<T>(_ body: () throws(LocalFileError) -> T) throws(ClientError) -> T {
    do throws(LocalFileError) {
        return try body()
    } catch {
        switch error {
        case .system(let code): throw ClientError(TransportError.file(code: code))
        case .cancelled: throw .cancelled
        case .noFile, .changed: throw .sealing(.cut)
        }
    }
}

extension PartFile {
    /// Opens the sealed bytes that are here into another file, and makes that the target. Bytes that don't open are removed: others
    /// must be fetched.
    @concurrent
    func finish(opening fileKey: [UInt8]) async throws(ClientError) {
        do throws(ClientError) {
            try await opened(fileKey)
        } catch {
            if case .sealing = error { remove() }
            throw error
        }
    }

    @concurrent
    private func opened(_ fileKey: [UInt8]) async throws(ClientError) {
        let opener = try SegmentOpener(try reading { () throws(LocalFileError) in try LocalFile(path) }, fileKey)
        let target = self.target
        let file = try writing(target) { () throws(PartFileError) in try OpenedFile(self) }
        do throws(ClientError) {
            for index in 0..<opener.layout.segmentCount {
                guard !Task.isCancelled else { throw ClientError.cancelled }
                let bytes = try opener.open(index)
                try writing(target) { () throws(PartFileError) in try file.append(bytes) }
                await Task.yield()
            }
            try writing(target) { () throws(PartFileError) in try file.finish() }
        } catch {
            file.remove()
            throw error
        }
    }
}

private func writing<T>(_ target: String, _ body: () throws(PartFileError) -> T) throws(ClientError) -> T {
    do throws(PartFileError) { return try body() } catch { throw error.error(target) }
}
