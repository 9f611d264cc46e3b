import NeuroViewsCrypto
import Testing

@testable import CloudSync

/// The readable keys of a secret file, depending on their states in the database.
struct ReadableKeysTests {
    private let keys: [MasterKey]

    init() throws { keys = try (0..<4).map { start in try MasterKey(bytes: (0..<32).map { $0 + UInt8(start) }) } }

    /// The database's keys: indexes into `keys` and their states.
    private func known(_ states: [(Int, KnownMasterKey.State)]) -> [KnownMasterKey] {
        states.enumerated().map { order, entry in
            KnownMasterKey(
                id: keys[entry.0].kid,
                checkValue: keys[entry.0].checkValue,
                state: entry.1,
                since: Timestamp(seconds: order)
            )
        }
    }

    @Test("The database's record, not the order of the file, decides the current key")
    func current() throws {
        let found = ReadableKeys(keys, known([(2, .previous), (1, .current), (0, .prepared)]))
        #expect(found.current?.kid == keys[1].kid && found.areComplete && found.missing.isEmpty)
        #expect(found.held.map(\.kid) == [0, 1, 2].map { keys[$0].kid })
        let ring = try found.ring()
        #expect(ring.current.kid == keys[1].kid && ring[kid: keys[3].kid] == nil)
    }

    @Test("A file may lack a prepared key, and no other")
    func missing() {
        #expect(ReadableKeys([keys[0]], known([(0, .current), (1, .prepared)])).areComplete)
        let previous = ReadableKeys([keys[0]], known([(1, .previous), (0, .current)]))
        #expect(!previous.areComplete && previous.missing.map(\.id) == [keys[1].kid])
        #expect(!ReadableKeys([keys[0]], known([(0, .previous), (1, .current)])).areComplete)
    }

    @Test("A server that lacks the current key uses the newest of the others")
    func fallback() throws {
        let found = ReadableKeys([keys[0], keys[1]], known([(0, .previous), (1, .previous), (2, .current)]))
        #expect(found.current == nil)
        #expect(try found.ring().current.kid == keys[1].kid)
    }

    @Test("A compromised key is never used, also if it is the only one")
    func compromised() throws {
        let found = ReadableKeys([keys[0]], known([(0, .compromised), (1, .compromised)]))
        #expect(found.areCompromised && found.held.isEmpty && !found.areComplete)
        let ring = try found.ring()
        #expect(ring[kid: keys[0].kid] == nil && ring.current.kid != keys[0].kid)
    }

    @Test("A key with the id but not the check value of another one is not used")
    func checkValue() {
        let other = KnownMasterKey(id: keys[0].kid, checkValue: "other", state: .current, since: Timestamp(seconds: 0))
        #expect(ReadableKeys([keys[0]], [other]).held.isEmpty)
    }
}
