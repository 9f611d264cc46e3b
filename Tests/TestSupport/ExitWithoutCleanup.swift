import CNeuroViewsOpenSSL
import Glibc

/// The exit of a process that has used OpenSSL, in a test of its own process (`processExitsWith`).
///
/// OpenSSL's cleanup at the exit is a race with threads that still run, so a test can't wait for its crash. It can see that the
/// cleanup runs at all: OpenSSL then calls its handlers first.
package enum ExitWithoutCleanup {
    /// Exits with success, or with a failure if OpenSSL cleans up. Call it after the uses of OpenSSL.
    package static func run() -> Never {
        let isWatched = OPENSSL_atexit(cleanupBegins) == 1
        exit(isWatched ? EXIT_SUCCESS : EXIT_FAILURE)
    }
}

/// Ends the process at once: `exit` can't be called twice.
private func cleanupBegins() {
    _exit(EXIT_FAILURE)
}
