import NeuroViewsCrypto
import Testing

@Suite("Master keys")
struct MasterKeyTests {
    let sessionID = "0190a5f3-1b2c-7def-8123-456789abcdef"

    /// Computed with another implementation of HKDF. These values are part of the stored format: a change here would
    /// log every user out and refuse every database.
    @Test("A master key derives the known key of each purpose")
    func knownAnswers() throws {
        let master = try MasterKey(bytes: ascending(0, 31))
        #expect(master.kid == "b2618b07")
        #expect(master.checkValue == "380922cf55d0df8270887a191c87148030c86c6ccf1893205e4985512409b47b")
        #expect(Hex.encode(master.tokenKey) == "f3702bfd35d8dc9c7eb9ef691e1bf277a2762fb3fc5bacc366fdda319afbef06")
        let signingKey = Hex.encode(master.signingKey(sessionID: sessionID))
        #expect(signingKey == "d846106a87046ccc50bc9958dbecdbe4d9ef4fe3c137b2932f7334d437c5e74e")
    }

    @Test("Another master key or session gives other keys")
    func distinct() throws {
        let one = try MasterKey(bytes: ascending(0, 31))
        let other = try MasterKey(bytes: ascending(1, 32))
        #expect(one.kid != other.kid && one.checkValue != other.checkValue && one.tokenKey != other.tokenKey)
        #expect(one.signingKey(sessionID: sessionID) != other.signingKey(sessionID: sessionID))
        #expect(one.signingKey(sessionID: sessionID) != one.signingKey(sessionID: String(sessionID.dropLast()) + "0"))
    }

    @Test("A master key of the wrong length or of one repeated byte is refused")
    func refused() {
        for bytes in [[], ascending(0, 30), ascending(0, 32), [UInt8](repeating: 0, count: 32)] {
            #expect(throws: CryptoError.self) { try MasterKey(bytes: bytes) }
        }
    }

    @Test("Wiped bytes are all zero, and an earlier copy is unchanged")
    func wiped() {
        var bytes = ascending(1, 32)
        let copy = bytes
        bytes.wipe()
        #expect(bytes == [UInt8](repeating: 0, count: 32) && copy == ascending(1, 32))
        var none: [UInt8] = []
        none.wipe()
        #expect(none.isEmpty)
    }

    @Test("Descriptions of keys show no key")
    func redacted() throws {
        let master = try MasterKey(bytes: ascending(0, 31))
        let ring = try MasterKeys(current: master)
        #expect("\(master)" == "MasterKey(b2618b07)")
        #expect("\(ring.tokens)" == "TokenSigner(b2618b07)")
        #expect("\(HMACSHA256(key: [1]))" == "HMACSHA256")
        #expect("\(HKDFSHA256(secret: [1], salt: []))" == "HKDFSHA256")
    }

    @Test("A key ring signs with the current key, accepts older tokens, and refuses a removed key's")
    func ring() throws {
        let (old, new) = (try MasterKey(bytes: ascending(0, 31)), try MasterKey(bytes: ascending(1, 32)))
        let claims = try TokenClaims(sessionID: sessionID, userID: sessionID, counter: 0, issuedAt: 1, expiresAt: 2)
        let before = try MasterKeys(current: old)
        let after = try MasterKeys(current: new, previous: [old])
        let token = try before.tokens.sign(claims)
        #expect(try after.tokens.verify(token) == before.tokens.verify(token))
        #expect(try after.tokens.verify(token).kid == old.kid)
        #expect(try after.tokens.verify(after.tokens.sign(claims)).kid == new.kid)
        #expect(try after.tokens.sign(claims, kid: old.kid) == token)
        let removed = try MasterKeys(current: new)
        #expect(throws: TokenError.unknownKey) { try removed.tokens.verify(token) }
        #expect(after[kid: old.kid]?.checkValue == old.checkValue && after[kid: "00000000"] == nil)
        #expect(throws: CryptoError.self) { try MasterKeys(current: new, previous: [new]) }
    }
}
