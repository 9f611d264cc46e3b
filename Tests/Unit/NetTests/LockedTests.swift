import Net
import TestSupport
import Testing

@Suite("Values behind a lock")
struct LockedTests {
    private struct Refusal: Error {}
    private final class Witness: Sendable {
        let gone: Counter
        init(_ gone: Counter) { self.gone = gone }
        deinit { gone.add() }
    }

    private final class Numbers: Sendable { let all = Locked<[Int]>([]) }

    @Test("Concurrent threads lose no change of a locked value")
    func turns() async {
        let numbers = Numbers()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask { for number in 0..<2000 { numbers.all.withLock { $0.append(worker * 2000 + number) } } }
            }
        }
        #expect(numbers.all.withLock { $0.sorted() } == Array(0..<16000))
    }

    @Test("An error of the body is rethrown, its changes stay, and the lock is free again")
    func throwing() {
        let value = Locked(1)
        #expect(throws: Refusal.self) {
            try value.withLock { value in
                value += 1
                throw Refusal()
            }
        }
        #expect(value.withLock { $0 } == 2)
    }

    @Test("A locked value is released with its lock")
    func end() {
        let gone = Counter()
        do {
            let value = Locked(Witness(gone))
            value.withLock { _ in }
        }
        #expect(gone.value == 1)
    }
}
