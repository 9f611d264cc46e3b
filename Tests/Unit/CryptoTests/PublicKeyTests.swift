import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Public keys")
struct PublicKeyTests {
    private static let message = Array("message".utf8)

    @Test("A P-256 signature is valid in its own form, for its own message and key only")
    func es256() throws {
        let (ours, other) = (SigningKey.es256(), SigningKey.es256())
        let key = try PublicKey(x: ours.parts.first, y: ours.parts.second)
        for _ in 0..<50 {
            let (der, raw) = (ours.sign(Self.message), ours.signRaw(Self.message))
            #expect(key.isValid(der, for: Self.message, form: .der))
            #expect(key.isValid(raw, for: Self.message, form: .raw))
            #expect(!key.isValid(der, for: Self.message, form: .raw))
            #expect(!key.isValid(raw, for: Self.message, form: .der))
            #expect(!key.isValid(raw + [0], for: Self.message, form: .raw))
            #expect(!key.isValid(der, for: Self.message + [0], form: .der))
            #expect(!key.isValid(other.sign(Self.message), for: Self.message, form: .der))
        }
        #expect(!key.isValid([UInt8](repeating: 0, count: 64), for: Self.message, form: .raw))
        #expect(!key.isValid([], for: Self.message, form: .der))
        #expect(key.algorithm == .es256)
    }

    @Test("A P-384 signature is valid in its own form, for its own message and key only")
    func es384() throws {
        let (ours, other) = (SigningKey.es384(), SigningKey.es384())
        let key = try PublicKey(x: ours.parts.first, y: ours.parts.second, curve: .p384)
        for _ in 0..<50 {
            let (der, raw) = (ours.sign(Self.message), ours.signRaw(Self.message))
            #expect(key.isValid(der, for: Self.message, form: .der))
            #expect(key.isValid(raw, for: Self.message, form: .raw))
            #expect(!key.isValid(raw, for: Self.message, form: .der))
            #expect(!key.isValid(raw, for: Self.message + [0], form: .raw))
            #expect(!key.isValid(other.signRaw(Self.message), for: Self.message, form: .raw))
        }
        // Half of the bytes would be a signature on P-256.
        #expect(!key.isValid(SigningKey.es256().signRaw(Self.message), for: Self.message, form: .raw))
        #expect(key.algorithm == .es384)
        #expect(throws: CryptoError.self) { try PublicKey(x: ours.parts.first, y: ours.parts.second) }
    }

    @Test("An RSA signature is valid for its own message and key only")
    func rs256() throws {
        let (ours, other) = (SigningKey.rs256(), SigningKey.rs256())
        let key = try PublicKey(modulus: ours.parts.first, exponent: ours.parts.second)
        let signature = ours.sign(Self.message)
        #expect(key.isValid(signature, for: Self.message, form: .raw))
        #expect(!key.isValid([0] + signature, for: Self.message, form: .raw))
        #expect(!key.isValid(signature, for: Self.message + [0], form: .raw))
        #expect(!key.isValid(other.sign(Self.message), for: Self.message, form: .raw))
        #expect(key.algorithm == .rs256)
    }

    @Test("A P-256 key off the curve or with coordinates of another length is refused")
    func points() {
        let (x, y) = SigningKey.es256().parts
        var beside = y
        beside[31] ^= 1
        for (x, y) in [(x, beside), (x, x), ([0] + x, y), (x, Array(y.dropFirst())), ([], [])] {
            #expect(throws: CryptoError.self) { try PublicKey(x: x, y: y) }
        }
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(throws: CryptoError.self) { try PublicKey(x: zero, y: zero) }
    }

    @Test("An RSA key with a short, long or even modulus or a small or even exponent is refused")
    func moduli() {
        let (modulus, exponent) = SigningKey.rs256().parts
        let short = SigningKey.rs256(bits: 1024).parts.first
        let long = [UInt8](repeating: 0xff, count: 1025)
        let even = Array(modulus.dropLast()) + [2]
        for modulus in [short, long, even, [], [UInt8](repeating: 0, count: 300)] {
            #expect(throws: CryptoError.self) { try PublicKey(modulus: modulus, exponent: exponent) }
        }
        for exponent: [UInt8] in [[], [0], [1], [3], [1, 0, 0], [1, 0, 0, 0, 1]] {
            #expect(throws: CryptoError.self) { try PublicKey(modulus: modulus, exponent: exponent) }
        }
        #expect(throws: Never.self) { try PublicKey(modulus: [0] + modulus, exponent: [0] + exponent) }
    }
}
