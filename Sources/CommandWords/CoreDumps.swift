import Glibc

/// Core dumps (core(5)) would copy this process's memory, with its keys and passwords, to files or programs.
package enum CoreDumps {
    /// The kernel writes no core file below one page. It also gives no memory to a pipe program at limit 1, but does at
    /// 0: 1 is its own mark against pipe programs that crash.
    private static let noneBytes: rlim_t = 1

    /// Turns core dumps off for this process and its children. If the hard limit is 0, it cannot be raised: a pipe program
    /// then gets the memory, and the limit asks it to store nothing.
    package static func turnOff() {
        var limit = rlimit(rlim_cur: noneBytes, rlim_max: noneBytes)
        guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) != 0 else { return }
        limit = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }
}
