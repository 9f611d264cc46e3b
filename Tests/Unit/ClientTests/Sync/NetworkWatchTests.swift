import Testing

@testable import NeuroViewsClient

@Suite("Networks that are back")
struct NetworkWatchTests {
    private let (first, second): ([UInt8], [UInt8]) = ([1], [2])

    @Test("A further address is a network that is back, and fewer are not")
    func addresses() {
        var watch = NetworkWatch([first])
        #expect(!watch.isBack([first]))
        #expect(watch.isBack([first, second]))
        #expect(!watch.isBack([second]))
        #expect(!watch.isBack([]))
    }

    @Test("A network that was lost meanwhile is back with the same address")
    func sameAddress() {
        var watch = NetworkWatch([first, second])
        #expect(!watch.isBack([second]))
        #expect(watch.isBack([first, second]))
        #expect(!watch.isBack([first, second]))
    }
}
