import Glibc
import Net

extension BoxedRun.End {
    /// Returns the output of the run or the reason of its failure. Throws `CancellationError`, and `MediaBoxError` for
    /// errors not caused by the file.
    func judged() throws -> MediaOutcome<[UInt8]> {
        switch stop {
        case .cancelled: throw CancellationError()
        case .timeLimit: return .failed(.timeLimit)
        case .outputLimit: return .failed(.sizeLimit)
        case nil: break
        }
        guard let status else { return .failed(.timeLimit) }
        if status == 0 { return .made(output) }
        if Self.isOurs(complaint) { throw MediaBoxError(description: firstLine) }
        // A file that wants too much memory gets an error of its allocation (RLIMIT_AS), and no kill.
        if status == 128 + SIGKILL, !mayHaveUsedUpCPU {
            throw MediaBoxError(description: "killed: the machine's memory ran out")
        }
        if let failure = Self.failure(ofSignal: status - 128) { return .failed(failure) }
        return .failed(complaint.contains("Cannot allocate memory") ? .memoryLimit : .unreadable(firstLine))
    }

    /// True for an error of the wrapper programs or of the disk.
    private static func isOurs(_ complaint: String) -> Bool {
        let names = ["bwrap: ", "prlimit: ", "setpriv: ", "choom: ", "nice: "]
        // GNU programs write the path or name by which they were called.
        let isWrapper = names.contains { complaint.hasPrefix($0) || complaint.hasPrefix("/usr/bin/" + $0) }
        return isWrapper || fullDisk.contains { complaint.contains($0) }
    }

    /// The last one is of heif-thumbnailer, which does not name the cause. A file over its limit ends in a signal.
    private static let fullDisk = ["No space left on device", "Disk quota exceeded", "libpng error: Write Error"]

    /// Other exit statuses above 128 are ffmpeg's own, not signals.
    private static func failure(ofSignal signal: Int32) -> MediaFailure? {
        switch signal {
        case SIGKILL, SIGXCPU: .killed
        case SIGXFSZ: .sizeLimit
        case SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS: .crashed(signal: signal)
        default: nil
        }
    }

    /// The first line without ffmpeg's "[mov @ 0x5581]", which contains a memory address.
    var firstLine: String {
        var line = complaint.split(whereSeparator: \.isNewline).first ?? "no word"
        while line.first == "[", let end = line.firstRange(of: "] ") { line = line[end.upperBound...] }
        return String(
            line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(200).map(Character.init)
        )
    }
}
