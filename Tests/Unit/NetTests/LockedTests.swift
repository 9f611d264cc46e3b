import Net
import TestSupport
import Testing

@Suite("A locked value")
struct LockedTests {
    private struct Refusal: Error {}
    private final class Witness: Sendable {
        let gone: Counter
        init(_ gone: Counter) { self.gone = gone }
        deinit { gone.add() }
    }

    private final class Numbers: Sendable { let all = Locked<[Int]>([]) }

    @Test("Threads take turns: nothing that one of them adds is lost")
    func turns() async {
        let numbers = Numbers()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask { for number in 0..<2000 { numbers.all.withLock { $0.append(worker * 2000 + number) } } }
            }
        }
        #expect(numbers.all.withLock { $0.sorted() } == Array(0..<16000))
    }

    @Test("What the body throws comes out, what it changed before stays, and the lock is free again")
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

    @Test("The value goes with its lock")
    func end() {
        let gone = Counter()
        do {
            let value = Locked(Witness(gone))
            value.withLock { _ in }
        }
        #expect(gone.value == 1)
    }
}
