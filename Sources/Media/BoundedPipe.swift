import Glibc
import Net

/// A pipe from a program. It stores a bounded number of bytes; more are read and dropped, so the program does not
/// block.
struct BoundedPipe: ~Copyable {
    /// The first bytes of the output.
    private(set) var bytes: [UInt8] = []
    /// True if bytes were dropped.
    private(set) var isOverfull = false
    /// The program's end.
    private(set) var writingEnd: Int32
    private var readingEnd: Int32
    private let maxBytes: Int

    init(maxBytes: Int) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError(call: "pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        (readingEnd, writingEnd) = (ends[0], ends[1])
        self.maxBytes = maxBytes
    }

    deinit {
        if readingEnd >= 0 { close(readingEnd) }
        if writingEnd >= 0 { close(writingEnd) }
    }

    /// For poll(2), which ignores it after the program has closed its end.
    var waiting: pollfd { pollfd(fd: readingEnd, events: Int16(POLLIN), revents: 0) }

    /// Call this after the program has its own copy.
    mutating func closeWritingEnd() {
        close(writingEnd)
        writingEnd = -1
    }

    /// Reads one piece of the available bytes. Returns true if there were any.
    mutating func read() -> Bool {
        guard readingEnd >= 0 else { return false }
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(readingEnd, &piece, piece.count)
        if count > 0 {
            let kept = min(count, maxBytes - bytes.count)
            bytes += piece[..<kept]
            isOverfull = isOverfull || kept < count
        } else if count == 0 {
            close(readingEnd)
            readingEnd = -1
        }
        return count > 0
    }
}
