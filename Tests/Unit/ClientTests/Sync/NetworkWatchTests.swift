import Testing

@testable import NeuroViewsClient

@Suite("Networks that are back")
struct NetworkWatchTests {
    private let first: [UInt8] = [1]
    private let second: [UInt8] = [2]

    /// Whether each of these looks finds a network that is back.
    private func looks(_ addresses: Set<[UInt8]>..., from begin: Set<[UInt8]>) -> [Bool] {
        var watch = NetworkWatch(begin)
        return addresses.map { watch.isBack($0) }
    }

    @Test("A further address is a network that is back, and fewer are not")
    func addresses() {
        #expect(looks([first], [first, second], [second], [], from: [first]) == [false, true, false, false])
    }

    @Test("A network that was lost meanwhile is back with the same address")
    func sameAddress() {
        #expect(looks([second], [first, second], [first, second], from: [first, second]) == [false, true, false])
    }
}
