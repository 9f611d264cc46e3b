import Testing

@testable import NeuroViewsClient

@Suite("The states of an upload")
struct UploadPhaseTests {
    /// A row for each state, a column for each event; "." changes nothing.
    private static let expected = """
        state      hashed begun   interrupted pauseEnded everythingSent bytesMissing completed verified gaveUp paused resumed restarted
        hashing    queued .       .           .          .              .            .         .        failed paused .       hashing
        queued     .      sending .           .          .              .            .         .        .      paused .       queued
        sending    .      .       waiting     .          completing     .            verifying .        failed paused .       queued
        waiting    .      .       .           sending    .              .            .         .        .      paused sending waiting
        completing .      .       completing  .          .              sending      verifying .        failed paused .       completing
        verifying  .      .       verifying   .          .              .            .         done     failed .      .       verifying
        done       .      .       .           .          .              .            .         .        .      .      .       done
        paused     .      .       .           .          .              .            .         .        .      .      hashing paused
        failed     .      .       .           .          .              .            .         .        .      .      hashing failed
        """

    private static let rows = expected.split(separator: "\n").map { $0.split(separator: " ").map { String($0) } }

    @Test("Each event leads from each state to the next one, or changes nothing", arguments: UploadPhase.allCases)
    func cells(phase: UploadPhase) throws {
        let events = Self.rows[0].dropFirst()
        #expect(Array(events) == UploadEvent.allCases.map { "\($0)" })
        let row = try #require(Self.rows.dropFirst().first { $0[0] == phase.rawValue })
        for (event, next) in zip(UploadEvent.allCases, row.dropFirst()) {
            #expect(phase.after(event)?.rawValue ?? "." == next, "\(phase) \(event)")
        }
    }

    @Test("Only the user starts again what is at rest, and each other state can reach the end")
    func reachable() {
        let own = UploadEvent.allCases.filter { $0 != .paused && $0 != .resumed }
        for phase in UploadPhase.allCases {
            var reached: Set<UploadPhase> = [phase]
            for _ in UploadPhase.allCases {
                reached.formUnion(reached.flatMap { phase in own.compactMap { phase.after($0) } })
            }
            #expect(reached.contains(.done) == (!phase.isAtRest || phase == .done), "\(phase)")
            if phase.isAtRest { #expect(reached == [phase]) }
        }
    }

    @Test("A place is needed until the server has everything")
    func places() {
        let needing = UploadPhase.allCases.filter(\.needsPlace)
        #expect(needing == [.hashing, .queued, .sending, .waiting, .completing])
    }
}
