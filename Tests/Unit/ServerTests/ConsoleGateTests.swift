import Net
import TestSupport
import Testing

@testable import Operations

@Suite("The login to the operators' page", .blocking)
struct ConsoleGateTests {
    /// A gate with a clock that a test moves.
    private final class Place: Sendable {
        let gate: ConsoleGate
        private let time: Moved

        init() throws {
            let time = Moved()
            self.time = time
            gate = try ConsoleGate { time.ms.withLock { $0 } }
        }

        func pass(_ ms: UInt64) { time.ms.withLock { $0 += ms } }
    }

    private final class Moved: Sendable {
        let ms = Locked<UInt64>(1_000_000)
    }

    @Test("The code works once, and its token is accepted")
    func once() throws {
        let gate = try Place().gate
        #expect(gate.code.utf8.count == 43)
        #expect(!gate.accepts("Bearer \(gate.code)"))
        let token = try #require(try gate.logIn(gate.code))
        #expect(gate.accepts("Bearer \(token)"))
        #expect(try gate.logIn(gate.code) == nil)
        for other in [nil, "", "Bearer ", "Bearer \(gate.code)", "Basic \(token)", "Bearer \(token)x", token] {
            #expect(!gate.accepts(other), "\(other ?? "none")")
        }
        #expect(try ConsoleGate().code != gate.code)
    }

    @Test("The code works for 5 minutes")
    func old() throws {
        let (early, late) = (try Place(), try Place())
        early.pass(ConsoleGate.codeLifetimeMs - 1)
        #expect(try early.gate.logIn(early.gate.code) != nil)
        late.pass(ConsoleGate.codeLifetimeMs)
        #expect(try late.gate.logIn(late.gate.code) == nil)
    }

    @Test("Five wrong codes end the process")
    func wrong() throws {
        let gate = try Place().gate
        for count in 1...ConsoleGate.wrongMax {
            #expect(!gate.isOver, "\(count)")
            #expect(try gate.logIn("x") == nil)
        }
        #expect(gate.isOver)
    }

    @Test("The right code is refused after five wrong ones")
    func locked() throws {
        let gate = try Place().gate
        for _ in 1...ConsoleGate.wrongMax { #expect(try gate.logIn("x") == nil) }
        #expect(try gate.logIn(gate.code) == nil)
    }

    @Test("Half an hour without a request of its page ends the process")
    func idle() throws {
        let place = try Place()
        let token = try #require(try place.gate.logIn(place.gate.code))
        place.pass(ConsoleGate.idleMaxMs - 1)
        #expect(!place.gate.isOver && place.gate.accepts("Bearer \(token)"))
        place.pass(ConsoleGate.idleMaxMs - 1)
        #expect(!place.gate.accepts("Bearer other") && !place.gate.isOver)
        place.pass(1)
        #expect(place.gate.isOver)
    }
}
