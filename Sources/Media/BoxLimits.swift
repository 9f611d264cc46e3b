/// What a program in the box may use. The kernel enforces all but the last two.
struct BoxLimits: Sendable {
    /// Address space (RLIMIT_AS).
    var addressSpaceBytes = 4 << 30
    /// Processor time of all threads (RLIMIT_CPU). Then the kernel kills.
    var cpuSeconds = 60
    /// How large a file may become (RLIMIT_FSIZE). What has no file to write gets none.
    var fileBytes = 0
    /// 0 to 19 (nice(2)).
    var niceness = 10
    /// Time on the clock: a machine that is busy with other things still gets there.
    var timeSeconds: Double = 600
    /// How much of its standard output is kept; more is a failure.
    var outputBytes = 256 << 10

    /// The command that starts another with these limits. Whatever it starts ends with the thread that started this.
    func command(_ tools: LimitTools) -> [String] {
        [
            tools.nice, "-n", "\(niceness)", tools.setpriv, "--no-new-privs", "--pdeathsig", "KILL", tools.prlimit,
            "--as=\(addressSpaceBytes)", "--cpu=\(cpuSeconds)", "--fsize=\(fileBytes)", "--core=0", "--nofile=64",
            // When memory runs out, this goes before the database.
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

    /// Nil unless all are there.
    init?(path: (String) -> String?) {
        guard let nice = path("nice"), let setpriv = path("setpriv"), let prlimit = path("prlimit"),
            let choom = path("choom")
        else { return nil }
        (self.nice, self.setpriv, self.prlimit, self.choom) = (nice, setpriv, prlimit, choom)
    }
}
