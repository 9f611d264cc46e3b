import FoundationEssentials
import Glibc
import Machine

/// Statistics of this process (proc(5)). Reading them blocks briefly, longer with many open descriptors.
struct ProcessStatistics: Sendable {
    let cpuSeconds: Double
    let residentBytes: Int
    let virtualBytes: Int
    let openDescriptors: Int
    let descriptorsMax: Int
    let threads: Int
    /// Unix time.
    let startSeconds: Double

    static func read() -> ProcessStatistics {
        let stat = fields(ofStat: file("/proc/self/stat"))
        let memory = file("/proc/self/statm").split(separator: " ").compactMap { Int($0) }
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return ProcessStatistics(
            cpuSeconds: cpuSeconds(),
            residentBytes: (memory.count > 1 ? memory[1] : 0) * page,
            virtualBytes: (memory.first ?? 0) * page,
            openDescriptors: (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0,
            descriptorsMax: Int(clamping: limit.rlim_cur),
            threads: stat.count > 17 ? stat[17] : 0,
            startSeconds: ownStartSeconds
        )
    }

    private static func cpuSeconds() -> Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The numbers after the program's name, which may contain spaces and parentheses. The state reads as 0.
    private static func fields(ofStat text: String) -> [Int] {
        guard let end = text.lastIndex(of: ")") else { return [] }
        return text[text.index(after: end)...].split(separator: " ").map { Int($0) ?? 0 }
    }

    /// Read once: alerts take a change for a restart, and the clock is set now and then.
    private static let ownStartSeconds: Double = {
        let stat = fields(ofStat: file("/proc/self/stat"))
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        return bootSeconds() + (stat.count > 19 ? Double(stat[19]) / ticks : 0)
    }()

    /// By the clocks, since /proc/stat is hidden from a unit with ProcSubset=pid.
    private static func bootSeconds() -> Double { now(CLOCK_REALTIME) - now(CLOCK_BOOTTIME) }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func file(_ path: String) -> String { (try? FileDescriptor.readText(path)) ?? "" }
}
