import NeuroViewsClient
import TestSupport
import Testing

@testable import neuroviews

@Suite("The patience of a command with uploads", .blocking)
struct UploadPatienceTests {
    private let start = ContinuousClock.now

    @Test("An upload that is verified for long is explained once, and waited for")
    func explained() {
        var patience = UploadPatience(.upload)
        var verdicts = [patience.take(.verifying, sent: 9, nil, at: start)]
        for seconds in [4, 5, 6, 3600] { verdicts.append(patience.look(at: start + .seconds(seconds))) }
        verdicts.append(patience.take(.verifying, sent: 9, nil, at: start + .seconds(3601)))
        #expect(verdicts == [.goOn, .goOn, .explain, .goOn, .goOn, .goOn])
    }

    @Test("A sync leaves an upload that is still verified after five seconds, and a further one at once")
    func left() {
        var patience = UploadPatience(.sync)
        var verdicts = [patience.take(.sending, sent: 0, nil, at: start), patience.look(at: start + .seconds(3600))]
        verdicts.append(patience.take(.verifying, sent: 9, nil, at: start))
        for seconds in [4, 5] { verdicts.append(patience.look(at: start + .seconds(seconds))) }
        #expect(verdicts == [.goOn, .goOn, .goOn, .goOn, .leave])
        var next = UploadPatience(.sync, receipt: .zero)
        let further = next.take(.verifying, sent: 9, nil, at: start)
        #expect(further == .leave)
    }

    @Test("Four attempts that bring nothing are enough for an upload, and one for a sync, also without a reason")
    func fruitless() {
        var (upload, sync) = (UploadPatience(.upload), UploadPatience(.sync))
        let reason = ClientError.offline(.cut("x"))
        var verdicts: [UploadPatience.Verdict] = []
        for sent: Int64 in [10, 10, 20, 20, 20, 20] {
            verdicts.append(upload.take(.waiting, sent: sent, reason, at: start))
        }
        #expect(verdicts == [.goOn, .goOn, .goOn, .goOn, .goOn, .giveUp(reason)])
        let once = sync.take(.waiting, sent: 10, nil, at: start)
        #expect(once == .giveUp(nil))
        var completing = UploadPatience(.sync)
        let first = completing.take(.completing, sent: 10, nil, at: start)
        let failed = completing.take(.completing, sent: 10, reason, at: start)
        #expect(first == .goOn && failed == .giveUp(reason))
    }

    @Test("A failure that no patience mends ends the wait in each state")
    func hopeless() {
        for state in [Upload.State.waiting, .completing, .verifying] {
            var patience = UploadPatience(.upload)
            let verdict = patience.take(state, sent: 0, .needsLogIn(nil), at: start)
            #expect(verdict == .giveUp(.needsLogIn(nil)))
        }
    }
}
