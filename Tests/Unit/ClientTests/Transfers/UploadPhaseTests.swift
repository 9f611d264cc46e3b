import Testing

@testable import NeuroViewsClient

@Suite("The states of an upload")
struct UploadPhaseTests {
    /// A row for each event, a column for each state; "." changes nothing.
    private static let expected = """
        event             hashing queued  sending    waiting completing verifying done paused  failed
        hashed            queued  .       .          .       .          .         .    .       .
        begun             .       sending .          .       .          .         .    .       .
        partStored        .       .       sending    .       .          .         .    .       .
        everythingSent    .       .       completing .       .          .         .    .       .
        completed         .       .       verifying  .       verifying  .         .    .       .
        verified          .       .       .          .       .          done      .    .       .
        unreachable       .       .       waiting    .       completing verifying .    .       .
        cellularForbidden .       .       waiting    .       completing verifying .    .       .
        answerLost        .       .       waiting    .       completing verifying .    .       .
        linkExpired       .       .       waiting    .       .          .         .    .       .
        sessionEnded      .       .       waiting    .       completing verifying .    .       .
        notYet            .       .       .          .       .          verifying .    .       .
        pauseEnded        .       .       .          sending .          .         .    .       .
        bytesMissing      .       .       .          .       sending    .         .    .       .
        forgotten         .       .       .          .       sending    sending   .    .       .
        fileChanged       failed  .       failed     .       failed     failed    .    .       .
        fileGone          failed  .       failed     .       .          .         .    .       .
        refused           .       .       failed     .       failed     failed    .    .       .
        metadataLost      failed  failed  failed     failed  failed     .         .    failed  failed
        sealLost          failed  failed  failed     failed  failed     failed    .    failed  failed
        paused            paused  paused  paused     paused  paused     .         .    .       .
        resumed           .       .       .          sending .          .         .    hashing hashing
        cancelled         paused  paused  paused     paused  paused     paused    .    .       .
        restarted         hashing queued  queued     waiting completing verifying done paused  failed
        relaunched        .       sending sending    sending .          .         .    .       .
        """

    private static let rows = expected.split(separator: "\n").map { $0.split(separator: " ").map { String($0) } }

    @Test("Each event leads from each state to the next one, or changes nothing", arguments: UploadEvent.allCases)
    func cells(event: UploadEvent) throws {
        #expect(Self.rows[0].dropFirst() == UploadPhase.allCases.map(\.rawValue)[...])
        #expect(Self.rows.count == UploadEvent.allCases.count + 1)
        let row = try #require(Self.rows.dropFirst().first { $0[0] == "\(event)" })
        try #require(row.count == UploadPhase.allCases.count + 1)
        for (phase, next) in zip(UploadPhase.allCases, row.dropFirst()) {
            #expect(phase.after(event)?.rawValue ?? "." == next, "\(phase) \(event)")
        }
    }

    @Test("Only the user starts again what is at rest, and each other state can reach the end")
    func reachable() {
        let own = UploadEvent.allCases.filter { ![.paused, .resumed, .cancelled].contains($0) }
        for phase in UploadPhase.allCases {
            var reached: Set<UploadPhase> = [phase]
            for _ in UploadPhase.allCases {
                reached.formUnion(reached.flatMap { phase in own.compactMap { phase.after($0) } })
            }
            #expect(reached.contains(.done) == (!phase.isAtRest || phase == .done), "\(phase)")
            if phase.isAtRest { #expect(reached.filter { !$0.isAtRest }.isEmpty) }
        }
    }

    @Test("A place is needed until the server has everything")
    func places() {
        let needing = UploadPhase.allCases.filter(\.needsPlace)
        #expect(needing == [.hashing, .queued, .sending, .waiting, .completing])
    }

    @Test("Errors of a step are the events that they mean")
    func errors() {
        let expected: [(ClientError?, UploadEvent)] = [
            (nil, .answerLost), (.offline(.cut("")), .answerLost), (.offline(.stalled(seconds: 60)), .answerLost),
            (.unexpectedAnswer(""), .answerLost), (.answerTooLarge(maxBytes: 9), .answerLost),
            (.offline(.unknownHost("")), .unreachable),
            (.offline(.notConnected("")), .unreachable), (.tryLater(nil, seconds: 1), .unreachable),
            (.offline(.cellularForbidden), .cellularForbidden), (.needsLogIn(nil), .sessionEnded),
            (.otherAccount, .sessionEnded), (.confirmationRequired, .sessionEnded),
        ]
        for (error, event) in expected {
            let read = UploadEvent(error)
            #expect(read == event && read.isInterruption, "\(String(describing: error))")
        }
        let failures: [(UploadFailure, UploadEvent)] = [
            (.fileChanged, .fileChanged), (.fileUnreadable(code: 2), .fileGone), (.otherDigest, .refused),
            (.notVerified(""), .refused), (.unreadable, .metadataLost),
        ]
        for (failure, event) in failures { #expect(UploadEvent(failure) == event, "\(failure)") }
    }
}
