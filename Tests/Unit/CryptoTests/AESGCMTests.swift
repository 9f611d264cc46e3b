import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("AES-256-GCM in place")
struct AESGCMTests {
    @Test("AES-256-GCM vectors of Wycheproof are sealed and opened, and the invalid ones refused", .needsPublicVectors)
    func wycheproof() throws {
        var (valid, invalid) = (0, 0)
        for (group, test) in try Wycheproof.tests("aes_gcm_test.json") {
            let sizes = (try group.number("keySize"), try group.number("ivSize"), try group.number("tagSize"))
            guard sizes == (256, 96, 128) else { continue }
            let cipher = try AESGCM(key: try test.bytes("key"))
            let (nonce, context) = (try test.bytes("iv"), try test.bytes("aad"))
            let (message, sealed) = (try test.bytes("msg"), try test.bytes("ct") + test.bytes("tag"))
            var buffer = [1, 2, 3] + sealed
            guard try test.text("result") == "valid" else {
                #expect(throws: CryptoError.self) { try cipher.open(&buffer, from: 3, nonce: nonce, context: context) }
                #expect(buffer == [1, 2, 3], "nothing that was not authenticated stays")
                invalid += 1
                continue
            }
            try cipher.open(&buffer, from: 3, nonce: nonce, context: context)
            #expect(buffer == [1, 2, 3] + message)
            try cipher.seal(&buffer, from: 3, nonce: nonce, context: context)
            #expect(buffer == [1, 2, 3] + sealed)
            valid += 1
        }
        print("Wycheproof aes_gcm: \(valid) / 39, \(invalid) / 27")
        #expect(valid == 39 && invalid == 27)
    }

    @Test("A key or nonce of another length is refused, and so are bytes shorter than a tag")
    func lengths() throws {
        #expect(throws: CryptoError.self) { try AESGCM(key: [UInt8](repeating: 1, count: 31)) }
        let cipher = try AESGCM(key: [UInt8](repeating: 1, count: 32))
        var buffer = [UInt8](repeating: 0, count: 20)
        for count in [0, 11, 13] {
            let nonce = [UInt8](repeating: 0, count: count)
            #expect(throws: CryptoError.self) { try cipher.open(&buffer, nonce: nonce) }
        }
        #expect(throws: CryptoError.self) { try cipher.open(&buffer, from: 5, nonce: ascending(0, 11)) }
    }
}
