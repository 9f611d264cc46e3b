import NeuroViewsCrypto
import TestSupport
import Testing

/// Each test has a process of its own: the first use of OpenSSL decides.
@Suite("Start of OpenSSL")
struct OpenSSLStartTests {
    @Test("A process whose first use of OpenSSL is a random byte ends without OpenSSL's cleanup")
    func random() async {
        await #expect(processExitsWith: .success) {
            _ = try SecureRandom.bytes(1)
            ExitWithoutCleanup.run()
        }
    }

    @Test("A process whose first use of OpenSSL is a sealed box ends without OpenSSL's cleanup")
    func sealed() async {
        await #expect(processExitsWith: .success) {
            let (key, box) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 0, count: 40))
            #expect(throws: CryptoError.self) { try SealedBox.open(box, key: key, context: []) }
            ExitWithoutCleanup.run()
        }
    }
}
