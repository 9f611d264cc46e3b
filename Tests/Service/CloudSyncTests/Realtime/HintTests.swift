import TestSupport
import Testing

@testable import CloudSync

/// Hints: their text, their set, and the times at which they are sent.
struct HintTests {
    private static func account(_ number: Int) throws -> AccountID {
        let digits = String(number, radix: 16)
        return try #require(AccountID(String(repeating: "0", count: 32 - digits.count) + digits))
    }

    @Test("An account's id is read in every spelling, and written in lower case")
    func ids() throws {
        let id = try #require(AccountID("5D2F6A2C-3b7e-4a6d-9c1b-0f3e8d7a6b5c"))
        #expect(id.text == "5d2f6a2c-3b7e-4a6d-9c1b-0f3e8d7a6b5c")
        #expect(AccountID(id.digits) == id)
        #expect(try Self.account(7).text == "00000000-0000-0000-0000-000000000007")
        let others = ["", "5d2f", id.digits + "0", String(id.digits.dropLast()) + "g"]
        for text in others { #expect(AccountID(text) == nil) }
    }

    @Test("A notification names each account with its kinds, or all")
    func texts() throws {
        var batch = HintBatch()
        for number in 0..<HintBatch.wordsMax {
            let account = try Self.account(number)
            batch.kinds[account] = [.heads, .commands]
        }
        #expect(batch.text.utf8.count < 8000)
        #expect(HintBatch(batch.text) == batch)
        batch.isAll = true
        #expect(batch.text == "*" && HintBatch("*").isAll)
        let account = try Self.account(1)
        let read = HintBatch("x 1 2\(account.digits) 1\(account.digits) 9")
        #expect(read.kinds == [account: [.sessions, .heads]])
        #expect(HintBatch("").isEmpty)
    }

    @Test(
        "Hints are taken in notifications of 230, those that were not sent return, and 10,001 accounts become one hint"
    )
    func set() throws {
        let hints = AccountHints()
        for number in 0..<300 { hints.add(try Self.account(number), .heads) }
        hints.add(try Self.account(0), .devices)
        let first = hints.take()
        #expect(first.kinds.count == 230)
        hints.putBack(first)
        var taken = HintBatch()
        while !hints.isEmpty { taken.kinds.merge(hints.take().kinds) { $0.union($1) } }
        #expect(taken.kinds.count == 300)
        let both = try Self.account(0)
        #expect(taken.kinds[both] == [.heads, .devices])
        for number in 0...10_000 { hints.add(try Self.account(number), .heads) }
        #expect(hints.take().isAll && hints.isEmpty)
    }

    @Test("The first hint wakes the sender, and later ones do not until all are taken")
    func waking() throws {
        let (hints, wakes) = (AccountHints(), Counter())
        hints.whenFilled { wakes.add() }
        for number in 0..<3 { hints.add(try Self.account(number), .heads) }
        #expect(wakes.value == 1)
        _ = hints.take()
        hints.add(try Self.account(9), .heads)
        #expect(wakes.value == 2)
    }

    @Test(
        "Hints leave every five milliseconds, a beat every two seconds, and five seconds of silence end the connection"
    )
    func schedule() {
        var schedule = HintSchedule(nowMs: 1000)
        #expect(schedule.next(hasHints: true, isAnswering: false, nowMs: 1000) == .hints)
        #expect(schedule.next(hasHints: true, isAnswering: true, nowMs: 1001) == .wait(ms: 4999))
        #expect(schedule.next(hasHints: true, isAnswering: false, nowMs: 1003) == .wait(ms: 2))
        #expect(schedule.next(hasHints: true, isAnswering: false, nowMs: 1005) == .hints)
        #expect(schedule.next(hasHints: false, isAnswering: false, nowMs: 1010) == .wait(ms: 1990))
        #expect(schedule.next(hasHints: true, isAnswering: false, nowMs: 3000) == .beat)
        schedule.heard(nowMs: 3001)
        #expect(schedule.next(hasHints: false, isAnswering: false, nowMs: 5000) == .beat)
        #expect(schedule.next(hasHints: false, isAnswering: true, nowMs: 8001) == .giveUp)
    }
}
