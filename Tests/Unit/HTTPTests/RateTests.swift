import Testing

@testable import HTTP

@Suite("The minimum rate of a client")
struct RateTests {
    private static let rate = MinimumRate(bytesPerSecond: 1000, graceMs: 2000)

    @Test("Waiting spends credit, bytes earn it, and it never exceeds the grace")
    func credit() {
        var credit = RateCredit(Self.rate)
        #expect(credit.remainingMs == 2000)
        credit.spend(waitedMs: 500, earning: 0)
        #expect(credit.remainingMs == 1500)
        credit.spend(waitedMs: 500, earning: 250)
        #expect(credit.remainingMs == 1250)
        credit.spend(waitedMs: 0, earning: 1_000_000)
        #expect(credit.remainingMs == 2000)
        credit.spend(waitedMs: 1999, earning: 0)
        #expect(!credit.isSpent)
        credit.spend(waitedMs: 1, earning: 0)
        #expect(credit.isSpent)
        credit.refill()
        #expect(credit.remainingMs == 2000)
    }

    @Test(
        "A client at exactly the rate goes on forever, and a slower one ends, with pieces of any size",
        arguments: [1, 7, 100]
    )
    func steady(pieceBytes: Int) {
        var exact = RateCredit(Self.rate)
        var slow = RateCredit(Self.rate)
        var turns = 0
        while !slow.isSpent, turns < 100_000 {
            exact.spend(waitedMs: UInt64(pieceBytes), earning: pieceBytes)
            // The rate is a tenth slower.
            slow.spend(waitedMs: UInt64(pieceBytes) * 10 / 9 + 1, earning: pieceBytes)
            turns += 1
        }
        #expect(slow.isSpent)
        #expect(exact.remainingMs == 2000)
    }

    @Test("A client that takes each answer byte within a look is not behind, however few they are")
    func trickle() {
        let pace = RequestPace(Self.rate)
        for second in 0..<100 {
            // Ten bytes are always under way.
            let finding = pace.look(nowMs: UInt64(second) * 1000, sentBytes: second * 10 + 10, takenBytes: second * 10)
            #expect(finding == .advancing)
        }
    }

    @Test("A client that takes less than the rate of available bytes is too slow after the grace")
    func slowReader() {
        let pace = RequestPace(Self.rate)
        var findings: [RequestPace.Progress] = []
        for second in 0..<6 {
            findings.append(pace.look(nowMs: UInt64(second) * 1000, sentBytes: 1_000_000, takenBytes: second * 500))
        }
        #expect(findings == [.advancing, .advancing, .advancing, .advancing, .tooSlow, .tooSlow])
    }

    @Test("Bytes in the kernel's buffer do not count against a client that takes them at the rate")
    func largeBuffer() {
        let pace = RequestPace(Self.rate)
        for second in 0..<100 {
            let finding = pace.look(nowMs: UInt64(second) * 1000, sentBytes: 1_000_000, takenBytes: second * 1000)
            #expect(finding == .advancing)
        }
    }

    @Test("A client that takes everything and gets nothing more is never too slow")
    func waiting() {
        let pace = RequestPace(Self.rate)
        _ = pace.look(nowMs: 0, sentBytes: 100, takenBytes: 0)
        for second in 1..<100 {
            let finding = pace.look(nowMs: UInt64(second) * 1000, sentBytes: 100, takenBytes: 100)
            #expect(finding == .idle)
        }
    }
}
