import Crypto
import Testing

struct Ed25519Tests {
    /// RFC 8032, 7.1, tests 1 to 3.
    private static let vectors = [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ]

    @Test("The RFC's keys and signatures", arguments: vectors)
    func signs(seed: String, publicKey: String, message: String, signature: String) throws {
        let key = try Ed25519Key(seed: try #require(Hex.decode(Array(seed.utf8)[...])))
        #expect(Hex.encode(key.publicKey) == publicKey)
        #expect(key.encodedPublicKey.count == 44 && key.encodedPublicKey.suffix(32).elementsEqual(key.publicKey))
        let bytes = try #require(Hex.decode(Array(message.utf8)[...]))
        #expect(Hex.encode(try key.sign(bytes)) == signature)
    }

    @Test("A seed of another length is refused, and none is in a log")
    func seeds() throws {
        #expect(throws: CryptoError.self) { try Ed25519Key(seed: Array(repeating: 1, count: 31)) }
        let key = try Ed25519Key.random()
        #expect(!"\(key)".contains(Hex.encode(key.seed)))
        #expect(try Ed25519Key.random().seed != key.seed)
    }
}

struct SealedBoxTests {
    private static let (key, context) = ([UInt8](repeating: 7, count: 32), Array("context".utf8))

    @Test("What was sealed opens, and no two boxes are alike", arguments: [0, 1, 32, 1000])
    func opens(count: Int) throws {
        let content = try SecureRandom.bytes(count)
        let box = try SealedBox.seal(content, key: Self.key, context: Self.context)
        #expect(try SealedBox.open(box, key: Self.key, context: Self.context) == content)
        #expect(try SealedBox.seal(content, key: Self.key, context: Self.context) != box)
    }

    @Test("A box that was changed anywhere, or cut off, does not open; nor with another key or context")
    func changed() throws {
        let box = try SealedBox.seal([1, 2, 3], key: Self.key, context: Self.context)
        for index in box.indices {
            var changed = box
            changed[index] ^= 1
            #expect(throws: CryptoError.self) { try SealedBox.open(changed, key: Self.key, context: Self.context) }
            #expect(throws: CryptoError.self) {
                try SealedBox.open(Array(box[..<index]), key: Self.key, context: Self.context)
            }
        }
        let otherKey = [UInt8](repeating: 8, count: 32)
        #expect(throws: CryptoError.self) { try SealedBox.open(box, key: otherKey, context: Self.context) }
        #expect(throws: CryptoError.self) { try SealedBox.open(box, key: Self.key, context: []) }
    }
}
