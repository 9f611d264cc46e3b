import Glibc

/// The files and programs that get a crashed process's memory (core(5)). This process's memory has keys and passwords in it.
enum CoreDumps {
    /// The kernel writes no file below one page. 1 also keeps the memory from a program behind a pipe, which 0 does not: the kernel
    /// takes 1 for its own mark against such programs that crash themselves.
    private static let noneBytes: rlim_t = 1

    /// Turns them off for this process and all that it starts. A hard limit of 0 can't be raised: a program behind a pipe then
    /// gets the memory, and the wish that it keeps none of it.
    static func turnOff() {
        var limit = rlimit(rlim_cur: noneBytes, rlim_max: noneBytes)
        guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) != 0 else { return }
        limit = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }
}
