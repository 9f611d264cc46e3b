import CommandWords
import FoundationEssentials
import Glibc
import Machine
import NeuroViewsCrypto

// A disconnected client must not end the server: writes return EPIPE instead.
signal(SIGPIPE, SIG_IGN)
CoreDumps.turnOff()
// Before libpq, libcurl and TLS: other threads may still use them during `exit`.
OpenSSLStart.begin()

let parsed = CommandLineInterface.parse(
    arguments: Array(CommandLine.arguments.dropFirst()),
    environment: ProcessInfo.processInfo.environment,
    readFile: { try FileDescriptor.readText($0) }
)

switch parsed {
case .success(let invocation):
    let status = invocation.run()
    if StandardStreams.hasLostOutput { StandardStreams.complain("The output can't be written.") }
    exit(status == 0 && StandardStreams.hasLostOutput ? ExitStatus.ioError.rawValue : status)
case .failure(let error):
    StandardStreams.complain(error.sentence)
    if error.showsHelp { StandardStreams.print(CommandLineInterface.help(nil)) }
    exit(error.status.rawValue)
}
