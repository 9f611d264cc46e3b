import Foundation

/// The kernel's statistics of a running process.
package struct ProcessFigures: Sendable {
    /// False if memory figures are meaningless: the address sanitizer keeps freed memory.
    package static let tellMemory = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil

    private let folder: String

    /// Reads the statistics of the process with that ID.
    package init(_ processID: Int32) { folder = "/proc/\(processID)" }

    /// Memory in use, in KiB.
    package var residentKiB: Int { status("VmRSS") }

    /// The peak memory in use since the start or `forgetPeak`, in KiB.
    package var peakResidentKiB: Int { status("VmHWM") }

    /// Resets the peak.
    package func forgetPeak() {
        try? "5".write(toFile: folder + "/clear_refs", atomically: false, encoding: .utf8)
    }

    /// The number of open descriptors.
    package var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd"))?.count ?? 0
    }

    /// CPU time, in seconds.
    package var cpuSeconds: Double {
        let text = (try? String(contentsOfFile: folder + "/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private func status(_ name: String) -> Int {
        let text = (try? String(contentsOfFile: folder + "/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
