import Testing

@testable import Net

@Suite("Fair queues")
struct FairQueueTests {
    private func drain(_ queue: FairQueue<String>) -> [String] {
        var (queue, all) = (queue, [String]())
        while !queue.isEmpty { all.append(queue.removeFirst()) }
        return all
    }

    /// The share of an element is its letters: `ab1` belongs to part `b` of share `a`.
    private func share(_ element: String) -> ArraySlice<String> {
        element.filter(\.isLetter).map(String.init)[...]
    }

    private func queue(_ elements: String...) -> FairQueue<String> {
        var queue = FairQueue<String>()
        for element in elements { queue.append(element, to: share(element)) }
        return queue
    }

    @Test("Shares of a fair queue are served in turn, each in its own order")
    func turns() {
        let queue = queue("a1", "a2", "a3", "b1", "c1", "b2")
        #expect(queue.count == 6)
        #expect(drain(queue) == ["a1", "b1", "c1", "a2", "b2", "a3"])
    }

    @Test("A fair queue without shares is first in, first out")
    func plain() {
        #expect(drain(queue("1", "2", "3")) == ["1", "2", "3"])
    }

    @Test("A share of a fair queue that returns waits for its next turn")
    func again() {
        var queue = queue("a1", "a2", "b1")
        #expect(queue.removeFirst() == "a1")
        queue.append("c1", to: ["c"])
        queue.append("a3", to: ["a"])
        #expect(drain(queue) == ["b1", "a2", "c1", "a3"])
    }

    @Test("Parts of a fair queue's share have one turn together, and alternate in it")
    func parts() {
        let queue = queue("ax1", "ax2", "ax3", "ay1", "bz1", "bz2")
        #expect(drain(queue) == ["ax1", "bz1", "ay1", "bz2", "ax2", "ax3"])
    }

    @Test("A full queue evicts the newest job of the largest share while that share stays larger")
    func eviction() {
        var queue = queue("a1", "a2", "a3", "b1")
        #expect(queue.evict(for: ["a"]) == nil)
        #expect(queue.evict(for: ["b"]) == "a3")
        #expect(queue.evict(for: ["b"]) == nil)
        #expect(queue.evict(for: ["c"]) == "a2")
        #expect(queue.evict(for: ["c"]) == nil)
        #expect(queue.count == 2 && drain(queue) == ["a1", "b1"])
    }

    @Test("A full queue evicts from the largest part of the largest share, and no share loses its turn")
    func evictedParts() {
        var queue = queue("ax1", "ax2", "ax3", "ay1", "bz1")
        #expect(queue.evict(for: ["a", "x"]) == nil)
        #expect(queue.evict(for: ["a", "w"]) == "ax3")
        #expect(queue.evict(for: ["b", "z"]) == "ax2")
        #expect(queue.evict(for: ["b", "z"]) == nil)
        #expect(queue.evict(for: ["a", "w"]) == nil)
        #expect(queue.count == 3 && drain(queue) == ["ax1", "bz1", "ay1"])
    }
}
