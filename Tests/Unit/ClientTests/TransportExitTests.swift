import TestSupport
import Testing

@testable import NeuroViewsClient

/// The exit of an app while threads of its transports still run.
@Suite("Exit of a process with a transport")
struct TransportExitTests {
    @Test("A process whose first use of OpenSSL is the client's transport ends without OpenSSL's cleanup")
    func transport() async {
        await #expect(processExitsWith: .success) {
            // Its thread runs until the end of the process.
            let transport = try makeTransport(to: "https://127.0.0.1:1")
            withExtendedLifetime(transport) { ExitWithoutCleanup.run() }
        }
    }
}
