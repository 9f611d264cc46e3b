import Glibc

/// The limits of a program in the box. The kernel enforces all but the last two.
struct BoxLimits: Sendable {
    /// Address space (RLIMIT_AS).
    var addressSpaceBytes = 4 << 30
    /// Processor time of all threads (RLIMIT_CPU). The kernel then kills the program.
    var cpuSeconds = 60
    /// The shortest run that can use up that time: libheif and newer ffmpegs may keep all processors busy.
    var cpuShortestMs: UInt64 { UInt64(cpuSeconds) * 1000 / UInt64(max(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
    /// The size limit of a written file (RLIMIT_FSIZE); 0 for programs without one.
    var fileBytes = 0
    /// 0 to 19 (nice(2)).
    var niceness = 10
    /// Elapsed time. It leaves room for a machine busy with other work.
    var timeSeconds: Double = 600
    /// The limit of its standard output; more is a failure.
    var outputBytes = 256 << 10

    /// Returns the command that starts another one with these limits. The kernel kills the program when its starting
    /// thread ends.
    func command(_ tools: LimitTools) -> [String] {
        [
            tools.nice, "-n", "\(niceness)", tools.setpriv, "--no-new-privs", "--pdeathsig", "KILL", tools.prlimit,
            "--as=\(addressSpaceBytes)", "--cpu=\(cpuSeconds)", "--fsize=\(fileBytes)", "--core=0", "--nofile=64",
            // If memory runs out, the kernel kills this program before the database.
            tools.choom, "-n", "1000", "--",
        ]
    }
}

/// The programs that set limits, of coreutils and util-linux.
struct LimitTools: Sendable, Equatable {
    let nice: String
    let setpriv: String
    let prlimit: String
    let choom: String

    /// Nil unless all are installed.
    init?(path: (String) -> String?) {
        guard let nice = path("nice"), let setpriv = path("setpriv"), let prlimit = path("prlimit"),
            let choom = path("choom")
        else { return nil }
        (self.nice, self.setpriv, self.prlimit, self.choom) = (nice, setpriv, prlimit, choom)
    }
}
