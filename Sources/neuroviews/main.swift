import CommandWords
import FoundationEssentials
import Glibc

// First of all: threads inherit the blocked signals.
Interruption.begin()
signal(SIGPIPE, SIG_IGN)
CoreDumps.turnOff()

let status = await Program.run(
    arguments: Array(CommandLine.arguments.dropFirst()),
    environment: ProcessInfo.processInfo.environment
)
exit(status)
