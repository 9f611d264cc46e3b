import Testing

@testable import API

@Suite("Rate of a socket's messages")
struct MessageRateTests {
    @Test("60 messages are accepted at once, and 20 a second after them")
    func messages() {
        var rate = MessageRate(nowMs: 0)
        for _ in 0..<60 { #expect(rate.add(bytes: 1, nowMs: 0) == .accepted) }
        #expect(rate.add(bytes: 1, nowMs: 0) == .tooFast)
        #expect(rate.add(bytes: 1, nowMs: 50) == .accepted)
        #expect(rate.add(bytes: 1, nowMs: 50) == .tooFast)
        var accepted = 0
        for _ in 0..<40 where rate.add(bytes: 1, nowMs: 1050) == .accepted { accepted += 1 }
        #expect(accepted == 20)
    }

    @Test("192 KiB are accepted at once, and 64 KiB a second after them")
    func bytes() {
        var rate = MessageRate(nowMs: 0)
        for _ in 0..<12 { #expect(rate.add(bytes: 16 << 10, nowMs: 0) == .accepted) }
        #expect(rate.add(bytes: 16 << 10, nowMs: 0) == .tooFast)
        #expect(rate.add(bytes: 16 << 10, nowMs: 240) == .tooFast)
        #expect(rate.add(bytes: 16 << 10, nowMs: 260) == .accepted)
    }

    @Test("An excess is answered 20 times a second, however many messages it has")
    func answers() {
        var rate = MessageRate(nowMs: 0)
        for _ in 0..<60 { _ = rate.add(bytes: 1, nowMs: 0) }
        var answered = 0
        for ms in 0..<UInt64(1000) {
            for _ in 0..<10 where rate.add(bytes: 1, nowMs: ms) == .tooFast { answered += 1 }
        }
        #expect(answered == 20)
    }

    @Test("An excess of 10 seconds ends the socket")
    func end() {
        var rate = MessageRate(nowMs: 0)
        for _ in 0..<60 { _ = rate.add(bytes: 1, nowMs: 0) }
        var verdicts: [MessageRate.Verdict] = []
        for ms in stride(from: UInt64(0), through: 11_000, by: 10) {
            verdicts.append(rate.add(bytes: 1, nowMs: ms))
            if verdicts.last == .ended {
                #expect(ms >= 10_000)
                break
            }
        }
        #expect(verdicts.last == .ended)
    }

    @Test("A second without excess begins the 10 seconds anew")
    func pause() {
        var rate = MessageRate(nowMs: 0)
        var nowMs: UInt64 = 0
        for _ in 0..<20 {
            for _ in 0..<70 { #expect(rate.add(bytes: 1, nowMs: nowMs) != .ended) }
            #expect(rate.isExceeded)
            nowMs += 2000
            #expect(rate.add(bytes: 1, nowMs: nowMs) == .accepted)
            #expect(!rate.isExceeded)
        }
    }
}
