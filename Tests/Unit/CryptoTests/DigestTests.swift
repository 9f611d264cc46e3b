import NeuroViewsCrypto
import Testing

@Suite("Digests, hexadecimal and comparison")
struct DigestTests {
    @Test(
        "SHA-256 gives the known digests",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ]
    )
    func knownDigests(text: String, times: Int, expected: String) {
        #expect(Hex.encode(SHA256.hash(Array(String(repeating: text, count: times).utf8))) == expected)
    }

    @Test(
        "SHA-512 and SHA-1 give the known digests, with the message in any pieces",
        arguments: [
            (
                "abc",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
                    + "454d4423643ce80e2a9ac94fa54ca49f",
                "a9993e364706816aba3e25717850c26c9cd0d89d"
            ),
            (
                "",
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f"
                    + "63b931bd47417a81a538327af927da3e",
                "da39a3ee5e6b4b0d3255bfef95601890afd80709"
            ),
        ]
    )
    func otherDigests(text: String, sha512: String, sha1: String) {
        let message = Array(text.utf8)
        for cut in 0...message.count {
            var (long, short) = (SHA512(), SHA1())
            for part in [Array(message[..<cut]), Array(message[cut...])] {
                long.update(part.span)
                short.update(part.span)
                _ = (long.digest(), short.digest())
            }
            #expect(Hex.encode(long.digest()) == sha512)
            #expect(Hex.encode(short.digest()) == sha1)
        }
    }

    @Test("A message in any pieces has the digest of the whole, and reading a digest changes nothing")
    func pieces() {
        let message = ascending(0, 199)
        let whole = SHA256.hash(message)
        for cut in 0...message.count {
            var digest = SHA256()
            digest.update(Array(message[..<cut]))
            _ = digest.digest()
            digest.update(Array(message[cut...]))
            #expect(digest.digest() == whole)
        }
    }

    @Test("The constant-time comparison detects every bit and every length")
    func comparison() {
        let bytes = ascending(0, 31)
        #expect(constantTimeEquals(bytes, bytes))
        #expect(constantTimeEquals([], []))
        #expect(!constantTimeEquals(bytes, Array(bytes.dropLast())))
        #expect(!constantTimeEquals([], [0]))
        for bit in 0..<bytes.count * 8 {
            var other = bytes
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!constantTimeEquals(bytes, other))
        }
    }

    @Test("Random bytes have the requested length and don't repeat")
    func random() throws {
        #expect(try SecureRandom.bytes(0) == [])
        let drawn = try Set((0..<100).map { _ in try SecureRandom.bytes(16) })
        #expect(drawn.count == 100)
        #expect(drawn.allSatisfy { $0.count == 16 })
        #expect(throws: CryptoError.outputCount(-1)) { try SecureRandom.bytes(-1) }
        #expect(throws: CryptoError.outputCount(65_537)) { try SecureRandom.bytes(65_537) }
    }
}
