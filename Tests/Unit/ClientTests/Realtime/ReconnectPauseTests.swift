import Testing

@testable import NeuroViewsClient

@Suite("Pauses between sockets")
struct ReconnectPauseTests {
    private let minute = Duration.seconds(60)
    private var pauses = ReconnectPauses()

    private mutating func next(
        _ code: Int? = nil,
        _ reason: String = "",
        openFor length: Duration = .zero,
        hasHeard: Bool = true
    ) -> Duration? {
        pauses.next(
            after: ChannelEnd(code: code, reason: reason),
            openFor: length,
            hasHeard: hasHeard,
            fraction: 1
        )
    }

    @Test("The pause doubles from 4 to 60 seconds, a part of it by chance, until a socket was open for a minute")
    mutating func growth() {
        var lengths: [Duration?] = []
        for _ in 0..<6 { lengths.append(next()) }
        #expect(lengths == [4, 8, 16, 32, 60, 60].map { Duration.seconds($0) })
        let proven = next(openFor: minute)
        #expect(proven == .seconds(4))
        let shortest = pauses.next(after: ChannelEnd(), openFor: minute, hasHeard: true, fraction: 0)
        #expect(shortest == .zero)
    }

    @Test("A server that restarts chooses the pause, up to a minute")
    mutating func restart() {
        let lengths = [next(1012, "1500"), next(1012, "99999999"), next(1012, "soon"), next(4001, "1500")]
        #expect(lengths == [.milliseconds(1500), minute, .seconds(4), .seconds(8)])
    }

    @Test("A client that broke the rules opens no other socket")
    mutating func violation() {
        let pause = next(1008)
        #expect(pause == nil)
    }

    @Test("A client whose session has newer sockets tries again after a minute")
    mutating func replaced() {
        let pause = next(4002)
        #expect(pause == minute)
    }

    @Test("After two openings that fail in a row the long poll takes over, until one succeeds")
    mutating func poll() {
        var found: [(Duration, Bool)] = []
        for retryAfterS: Int64? in [nil, 30, nil] {
            let length = pauses.next(afterFailure: retryAfterS, fraction: 1)
            found.append((length, pauses.needsPoll))
        }
        #expect(found.map(\.0) == [4, 30, 16].map { Duration.seconds($0) })
        #expect(found.map(\.1) == [false, true, true])
        _ = next()
        #expect(!pauses.needsPoll)
    }

    @Test("Sockets that open and tell nothing have not got through: the long poll takes over")
    mutating func silent() {
        let lengths = [next(openFor: minute, hasHeard: false), next(openFor: minute, hasHeard: false)]
        #expect(pauses.needsPoll && lengths == [.seconds(4), .seconds(8)])
        _ = next(1012, "1", hasHeard: false)
        #expect(!pauses.needsPoll)
    }
}
