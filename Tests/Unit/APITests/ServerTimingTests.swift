import Testing
import Tracing

@testable import API

@Suite("Server-Timing")
struct ServerTimingTests {
    @Test(
        "Milliseconds in Server-Timing have three decimal digits",
        arguments: [
            (0, "0.000"), (999, "0.000"), (1_000, "0.001"), (123_456, "0.123"), (1_000_000, "1.000"),
            (98_765_432_100, "98765.432"), (10_000_000, "10.000"),
        ] as [(UInt64, String)]
    )
    func digits(durationNs: UInt64, text: String) {
        var times = RequestRecord.Times()
        times.databaseNs = durationNs
        let value = ServerTiming.value(times, hasParts: true)
        #expect(value == "total;dur=0.000" + (durationNs == 0 ? "" : ", db;dur=\(text)"))
    }

    @Test("Server-Timing omits parts without time, and has only the total on public endpoints")
    func parts() {
        var times = RequestRecord.Times()
        times.authenticationNs = 2_000
        times.databaseWaitNs = 3_000
        #expect(ServerTiming.value(times, hasParts: true) == "total;dur=0.000, auth;dur=0.002, dbwait;dur=0.003")
        #expect(ServerTiming.value(times, hasParts: false) == "total;dur=0.000")
    }
}
