import Testing

@testable import API

@Suite("Order of a socket's frames")
struct SocketQueueTests {
    /// Everything that can be written now.
    private static func written(_ queue: inout SocketQueue) -> [UInt8] {
        var bytes: [UInt8] = []
        while queue.fill() {
            bytes += queue.flight
            queue.drop(queue.flight.count)
        }
        return bytes
    }

    @Test("Control frames come first, then answers, then messages of others")
    func order() {
        var queue = SocketQueue()
        queue.add(batch: [.fixed([3]), .fixed([4])])
        queue.add(answer: [2])
        queue.add(control: [1])
        #expect(Self.written(&queue) == [1, 2, 3, 4])
    }

    @Test("Bytes in flight stay the same while further frames are added")
    func flight() {
        var queue = SocketQueue()
        queue.add(answer: [1, 2, 3])
        #expect(queue.fill() == true)
        queue.drop(1)
        queue.add(control: [9])
        #expect(queue.fill() == true)
        #expect(queue.flight == [2, 3])
        queue.drop(2)
        #expect(Self.written(&queue) == [9])
    }

    @Test("The newest four control frames are kept")
    func control() {
        var queue = SocketQueue()
        for number in 1...6 as ClosedRange<UInt8> { queue.add(control: [number]) }
        #expect(Self.written(&queue) == [3, 4, 5, 6])
    }

    @Test("The close frame follows the answers and is the last one")
    func close() {
        var queue = SocketQueue()
        queue.add(batch: [.fixed([3])])
        queue.add(answer: [1])
        queue.close([8])
        queue.add(answer: [2])
        queue.add(control: [4])
        queue.add(batch: [.fixed([5])])
        queue.close([9])
        #expect(!queue.isClosed)
        #expect(Self.written(&queue) == [1, 8])
        #expect(queue.isClosed)
    }

    @Test("The end of a batch is reported once, when its last byte was written")
    func batch() {
        var queue = SocketQueue()
        #expect(queue.takeBatchEnd() == false)
        queue.add(batch: [.fixed([1, 2])])
        #expect(queue.fill() == true)
        queue.drop(1)
        #expect(queue.takeBatchEnd() == false)
        queue.drop(1)
        #expect(queue.takeBatchEnd() == true)
        #expect(queue.takeBatchEnd() == false)
    }

    @Test("A timed frame behind an unread answer is made when it is written, and one that is too late is left out")
    func timed() {
        var queue = SocketQueue()
        var left: UInt8 = 9
        queue.add(answer: [1])
        #expect(queue.fill() == true)
        queue.add(batch: [.timed { [left] }, .timed { nil }, .fixed([4])])
        left = 2
        queue.drop(1)
        #expect(Self.written(&queue) == [2, 4])
        queue.add(batch: [.timed { nil }])
        #expect(queue.fill() == false)
        #expect(queue.takeBatchEnd() == true)
    }

    @Test("A client with 32 unread answers is full until it reads")
    func full() {
        var queue = SocketQueue()
        for _ in 0..<32 { queue.add(answer: [1]) }
        #expect(queue.isFull)
        _ = Self.written(&queue)
        #expect(!queue.isFull)
    }

    @Test("A full client is read again once, as soon as its answers are being written")
    func room() {
        var queue = SocketQueue()
        for _ in 0..<32 { queue.add(answer: [1]) }
        queue.awaitRoom()
        #expect(queue.takeRoom() == false)
        #expect(queue.fill() == true)
        queue.drop(1)
        #expect(queue.takeRoom() == true)
        #expect(queue.takeRoom() == false)
    }
}
