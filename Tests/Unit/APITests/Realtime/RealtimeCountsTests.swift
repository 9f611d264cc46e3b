import CloudSync
import Testing

@Suite("Counts of sockets for the metrics")
struct RealtimeCountsTests {
    @Test("Close codes that clients make up share one label")
    func ownCodes() {
        let counts = RealtimeCounts()
        let labels = counts.closed.map(\.code)
        for code in 3000..<5000 { counts.addClosed(code) }
        counts.addClosed(1006)
        #expect(counts.closed.map(\.code) == labels)
        let counted = Dictionary(uniqueKeysWithValues: counts.closed.map { ($0.code, $0.count) })
        #expect(counted["other"] == 1998 && counted["4001"] == 1 && counted["4002"] == 1 && counted["1006"] == 1)
    }

    @Test("Each known close code is counted from 0, so that a monitor sees the first one")
    func zeros() {
        let closed = RealtimeCounts().closed
        #expect(closed.contains { $0.code == "4001" } && closed.filter { $0.count != 0 }.isEmpty)
    }
}
