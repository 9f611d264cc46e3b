import NeuroViewsCrypto
import Testing

struct SealedBoxTests {
    private static let (key, context) = ([UInt8](repeating: 7, count: 32), Array("context".utf8))

    @Test("A sealed box opens, and no two boxes are alike", arguments: [0, 1, 32, 1000])
    func opens(count: Int) throws {
        let content = try SecureRandom.bytes(count)
        let box = try SealedBox.seal(content, key: Self.key, context: Self.context)
        #expect(try SealedBox.open(box, key: Self.key, context: Self.context) == content)
        #expect(try SealedBox.seal(content, key: Self.key, context: Self.context) != box)
    }

    @Test("A changed or cut box does not open, and no other key or context opens one")
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
