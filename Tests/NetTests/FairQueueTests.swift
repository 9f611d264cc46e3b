import Testing

@testable import Net

@Suite("Fair queues")
struct FairQueueTests {
    private func drain(_ queue: FairQueue<String>) -> [String] {
        var (queue, all) = (queue, [String]())
        while !queue.isEmpty { all.append(queue.removeFirst()) }
        return all
    }

    private func queue(_ elements: String...) -> FairQueue<String> {
        var queue = FairQueue<String>()
        for element in elements { queue.append(element, to: String(element.prefix(1))) }
        return queue
    }

    @Test("Shares are served in turn, each in its own order")
    func turns() {
        let queue = queue("a1", "a2", "a3", "b1", "c1", "b2")
        #expect(queue.count == 6)
        #expect(drain(queue) == ["a1", "b1", "c1", "a2", "b2", "a3"])
    }

    @Test("A share that comes again waits for its next turn")
    func again() {
        var queue = queue("a1", "a2", "b1")
        #expect(queue.removeFirst() == "a1")
        queue.append("c1", to: "c")
        queue.append("a3", to: "a")
        #expect(drain(queue) == ["b1", "a2", "c1", "a3"])
    }

    @Test("The newest of the largest share gives way, as long as that share keeps more than the other gets")
    func eviction() {
        var queue = queue("a1", "a2", "a3", "b1")
        #expect(queue.evict(for: "a") == nil)
        #expect(queue.evict(for: "b") == "a3")
        #expect(queue.evict(for: "b") == nil)
        #expect(queue.evict(for: "c") == "a2")
        #expect(queue.evict(for: "c") == nil)
        #expect(queue.count == 2 && Set(drain(queue)) == ["a1", "b1"])
    }
}
