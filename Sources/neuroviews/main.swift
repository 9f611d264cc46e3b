import CommandWords
import FoundationEssentials
import Glibc

// First of all: threads inherit the blocked signals.
Interruption.begin()
signal(SIGPIPE, SIG_IGN)
CoreDumps.turnOff()

Task.detached {
    let status = await Program.run(
        arguments: Array(CommandLine.arguments.dropFirst()),
        environment: ProcessInfo.processInfo.environment
    )
    // Other threads still run. The library has turned off OpenSSL's cleanup, which they would not survive: `OpenSSLStart`.
    exit(status)
}
// With `await` here, the main thread would end in dispatch_main(), which unblocks all signals: Ctrl-C would kill the process.
Interruption.serve()
