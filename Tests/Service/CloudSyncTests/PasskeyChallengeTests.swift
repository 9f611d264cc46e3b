import NeuroViewsCrypto
import Testing

@testable import CloudSync

@Suite("Challenges for passkeys")
struct PasskeyChallengeTests {
    private static let now = 1_800_000_000

    private static func ring(_ first: UInt8, previous: [MasterKey] = []) throws -> KeyRing {
        try KeyRing(current: MasterKey(bytes: Array(first..<first + 32)), previous: previous)
    }

    @Test("A passkey challenge is valid for 5 minutes, its purpose and its key")
    func good() throws {
        let keys = try Self.ring(0)
        let made = try PasskeyChallenge(for: .assertion, keys.current, now: Self.now)
        func read(_ keys: KeyRing, _ purpose: PasskeyChallenge.Purpose = .assertion, after seconds: Int = 0) -> Int? {
            PasskeyChallenge(made.bytes, for: purpose, keys, now: Self.now + seconds)?.expiresAt
        }
        #expect(read(keys) == Self.now + 300 && read(keys, after: 299) == Self.now + 300)
        #expect(read(keys, after: 300) == nil)
        #expect(read(keys, .registration(sessionID: "a")) == nil)
        #expect(try read(Self.ring(1)) == nil)
        #expect(try read(Self.ring(1, previous: [keys.current])) == Self.now + 300, "a rotation in between")
    }

    @Test("Two passkey challenges of one moment differ, and a registration's belongs to its session")
    func apart() throws {
        let keys = try Self.ring(0)
        let purpose = PasskeyChallenge.Purpose.registration(sessionID: "a")
        let (first, second) = (
            try PasskeyChallenge(for: purpose, keys.current, now: Self.now),
            try PasskeyChallenge(for: purpose, keys.current, now: Self.now)
        )
        #expect(first.digest != second.digest)
        #expect(PasskeyChallenge(first.bytes, for: purpose, keys, now: Self.now) != nil)
        #expect(PasskeyChallenge(first.bytes, for: .registration(sessionID: "b"), keys, now: Self.now) == nil)
        for count in 0..<first.bytes.count {
            #expect(PasskeyChallenge(Array(first.bytes[..<count]), for: purpose, keys, now: Self.now) == nil)
        }
    }
}
