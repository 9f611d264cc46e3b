import Testing

@testable import NeuroViewsClient

@Suite("Turns at the connections of the client")
struct TransportTurnTests {
    private var turns = TransferTurns<Int>(max: 4, filesMax: 3)

    private mutating func running() -> [Int] {
        var taken: [Int] = []
        while let next = turns.next() { taken.append(next) }
        return taken
    }

    @Test("Requests get the four places in their order")
    mutating func order() {
        for number in 0..<6 { turns.add(number, hasFile: false) }
        #expect(running() == [0, 1, 2, 3])
        turns.end(hasFile: false)
        #expect(running() == [4])
    }

    @Test("Files leave one place to a request that comes later")
    mutating func files() {
        for number in 0..<5 { turns.add(number, hasFile: true) }
        #expect(running() == [0, 1, 2])
        turns.add(5, hasFile: false)
        #expect(running() == [5])
        turns.end(hasFile: false)
        #expect(running() == [])
        turns.end(hasFile: true)
        #expect(running() == [3])
    }

    @Test("A request whose answer waits has the place of a file")
    func waiting() throws {
        let origin = try #require(Origin("https://cloud.example.org"))
        var request = TransferRequest("GET", "https://cloud.example.org/v2/realtime/state")
        #expect(!Exchange(request, into: nil, origin: origin).hasFile)
        request.waits = true
        #expect(Exchange(request, into: nil, origin: origin).hasFile)
    }

    @Test("A removed request gets no place, and takes none")
    mutating func removed() {
        for number in 0..<6 { turns.add(number, hasFile: false) }
        #expect(running().count == 4)
        #expect(turns.remove { $0 == 4 } == 4)
        #expect(turns.remove { $0 == 0 } == nil)
        turns.end(hasFile: false)
        #expect(running() == [5])
        #expect(turns.removeAll() == [])
    }
}
