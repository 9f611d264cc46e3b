import CLinux
import Dispatch
import Glibc

/// A started program (posix_spawn(3)) in its own process group. It inherits only three descriptors of this process.
/// Foundation's `Process` is not used: it first scans the open descriptors, and above a thousand it reads beyond the
/// end of their list.
package final class SpawnedProgram: Sendable {
    /// The start settings of the program. A descriptor of -1 is /dev/null.
    package struct Settings: Sendable {
        /// Its complete environment.
        package var environment: [String: String] = [:]
        /// Its working directory; nil means that of this process.
        package var folder: String?
        /// Its standard input.
        package var input: Int32 = -1
        /// Its standard output.
        package var output: Int32 = -1
        /// Its standard error.
        package var error: Int32 = -1

        /// Makes empty settings.
        package init() {}
    }

    /// Its process id.
    package let number: pid_t
    private let exitStatus = Locked<Int32?>(nil)
    private let ended = DispatchSemaphore(value: 0)
    private let onEnd: @Sendable () -> Void

    /// Starts the program at a path. `onEnd` runs on a separate thread. Throws `SystemError`, with `ENOENT` for a
    /// missing program.
    package init(
        _ path: String,
        _ arguments: [String] = [],
        _ settings: Settings = Settings(),
        onEnd: @escaping @Sendable () -> Void = {}
    ) throws(SystemError) {
        self.onEnd = onEnd
        number = try Self.spawn(path, arguments, settings)
        try startWaiting()
    }

    /// True until the program has ended.
    package var isRunning: Bool { status == nil }

    /// The exit status, or 128 and the signal's number; nil while it runs.
    package var status: Int32? { exitStatus.withLock { $0 } }

    /// Returns the status if the program ends within `seconds`, otherwise nil. Blocks.
    package func wait(seconds: Double) -> Int32? {
        guard ended.wait(timeout: .now() + seconds) == .success else { return nil }
        ended.signal()
        return status
    }
}

extension SpawnedProgram {
    private static func spawn(
        _ path: String,
        _ arguments: [String],
        _ settings: Settings
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (target, source) in [settings.input, settings.output, settings.error].enumerated() {
            if source >= 0 {
                posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(target), "/dev/null", O_RDWR, 0)
            }
        }
        // The folder's path may name a descriptor of this process, so this precedes the closing of descriptors.
        if let folder = settings.folder { nv_spawn_in_folder(&actions, folder) }
        nv_spawn_keep_three(&actions)
        setSignals(of: &attributes)

        var number = pid_t()
        let environment = settings.environment.map { "\($0.key)=\($0.value)" }
        let code = withCStrings([path] + arguments) { words in
            withCStrings(environment) { posix_spawn(&number, path, &actions, &attributes, words, $0) }
        }
        guard code == 0 else { throw SystemError(call: "posix_spawn", code: code) }
        return number
    }

    /// Blocks no signal, and resets the signals that servers handle or ignore. Other signals keep their disposition.
    private static func setSignals(of attributes: inout posix_spawnattr_t) {
        var (handled, none) = (sigset_t(), sigset_t())
        sigemptyset(&handled)
        sigemptyset(&none)
        for signal in [SIGPIPE, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGCHLD] { sigaddset(&handled, signal) }
        posix_spawnattr_setsigdefault(&attributes, &handled)
        posix_spawnattr_setsigmask(&attributes, &none)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    private static func withCStrings<T>(
        _ strings: [String],
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> T
    ) -> T {
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: strings.count + 1)
        for (index, string) in strings.enumerated() { pointers[index] = strdup(string) }
        pointers[strings.count] = nil
        defer {
            for index in strings.indices { free(pointers[index]) }
            pointers.deallocate()
        }
        return body(pointers)
    }

    /// Uses one thread per program: a wait for any child would take the status of another owner's child.
    private func startWaiting() throws(SystemError) {
        var thread = pthread_t()
        let retained = Unmanaged.passRetained(self)
        let code = pthread_create(&thread, nil, awaitProgram, retained.toOpaque())
        guard code == 0 else {
            retained.release()
            kill(number, SIGKILL)
            throw SystemError(call: "pthread_create", code: code)
        }
        pthread_detach(thread)
    }

    fileprivate func awaitEnd() {
        var raw: Int32 = 0
        while waitpid(number, &raw, 0) < 0, errno == EINTR {}
        let signal = raw & 0x7F
        let value = signal == 0 ? (raw >> 8) & 0xFF : 128 + signal
        exitStatus.withLock { $0 = value }
        ended.signal()
        onEnd()
    }
}

private func awaitProgram(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<SpawnedProgram>.fromOpaque(argument).takeRetainedValue().awaitEnd()
    return nil
}
