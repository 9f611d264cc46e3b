import NeuroViewsCrypto
import Testing

@Suite("Password hashes")
struct PasswordHashTests {
    let password = Array("pässword".utf8)
    let known = "$scrypt$ln=10,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$W/Rtq72Htgcz3Syd3hrCAGsXSEqmMzUBgphIKWl53WE"

    func low() throws -> ScryptParameters { try ScryptParameters(logN: 10, r: 8, p: 1) }

    /// RFC 7914 section 12, except the example that needs 1 GiB.
    @Test(
        "RFC 7914's examples of scrypt give its hashes",
        arguments: [
            (
                "", "", (4, 1, 1),
                "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                    + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
            ),
            (
                "password", "NaCl", (10, 8, 16),
                "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                    + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
            ),
            (
                "pleaseletmein", "SodiumChloride", (14, 8, 1),
                "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                    + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
            ),
        ]
    )
    func knownAnswers(password: String, salt: String, costs: (Int, Int, Int), expected: String) throws {
        let output = try PasswordHash.scrypt(
            Array(password.utf8),
            salt: Array(salt.utf8),
            parameters: ScryptParameters(logN: costs.0, r: costs.1, p: costs.2),
            count: 64
        )
        #expect(Hex.encode(output) == expected)
    }

    @Test("A password hash has the known PHC string, and is read back")
    func phcString() throws {
        #expect(try PasswordHash.hash(password, parameters: low(), salt: ascending(0, 15)) == known)
        let verdict = try PasswordHash.verify(password, against: known, current: low())
        #expect(verdict.matches && !verdict.needsRehash)
        for wrong in ["", "passwor", "password", "pässword ", "Pässword"] {
            let verdict = try PasswordHash.verify(Array(wrong.utf8), against: known)
            #expect(!verdict.matches && !verdict.needsRehash, "a wrong password is never a reason to hash again")
        }
    }

    @Test("A new password hash has N=2^15, r=8, p=3 and a salt of its own, and is not due for replacement")
    func defaults() throws {
        let stored = try PasswordHash.hash(password)
        #expect(stored.hasPrefix("$scrypt$ln=15,r=8,p=3$"))
        #expect(stored.utf8.count == "$scrypt$ln=15,r=8,p=3$".utf8.count + 22 + 1 + 43)
        let verdict = try PasswordHash.verify(password, against: stored)
        #expect(verdict.matches && !verdict.needsRehash)
        let (first, second) = (
            try PasswordHash.hash(password, parameters: low()), try PasswordHash.hash(password, parameters: low())
        )
        #expect(first != second)
    }

    @Test("A weaker password hash is due for replacement, and a stronger one is not")
    func rehash() throws {
        let current = try ScryptParameters(logN: 10, r: 8, p: 2)
        for (costs, expected) in [
            ((10, 8, 2), false), ((10, 8, 1), true), ((9, 8, 8), true), ((10, 4, 4), true), ((11, 8, 1), false),
            ((11, 8, 3), false),
        ] {
            let parameters = try ScryptParameters(logN: costs.0, r: costs.1, p: costs.2)
            let stored = try PasswordHash.hash(password, parameters: parameters)
            let verdict = try PasswordHash.verify(password, against: stored, current: current)
            #expect(verdict.matches && verdict.needsRehash == expected, "\(costs)")
        }
        for (saltBytes, hashBytes) in [(8, 32), (16, 16)] {
            let salt = [UInt8](repeating: 7, count: saltBytes)
            let hash = try PasswordHash.scrypt(password, salt: salt, parameters: current, count: hashBytes)
            let stored = "$scrypt$ln=10,r=8,p=2$\(Base64.unpadded.encode(salt))$\(Base64.unpadded.encode(hash))"
            let verdict = try PasswordHash.verify(password, against: stored, current: current)
            #expect(verdict.matches && verdict.needsRehash)
        }
    }

    static let salt = "AAECAwQFBgcICQoLDA0ODw"
    static let hash = "W/Rtq72Htgcz3Syd3hrCAGsXSEqmMzUBgphIKWl53WE"

    @Test(
        "A stored password hash of another form or beyond the limits is refused before any work",
        arguments: [
            "", "$", "secret", "$scrypt$", "$argon2id$ln=10,r=8,p=1$\(salt)$\(hash)",
            "scrypt$ln=10,r=8,p=1$\(salt)$\(hash)", "$$scrypt$ln=10,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=10,r=8,p=1$\(salt)", "$scrypt$ln=10,r=8,p=1$\(salt)$", "$scrypt$ln=10,r=8,p=1$$\(hash)",
            "$scrypt$ln=10,r=8,p=1$\(salt)$\(hash)$", "$scrypt$ln=10,r=8,p=1$\(salt)$\(hash)\n",
            "$scrypt$ln=10,r=8,p=1$\(salt)==$\(hash)", "$scrypt$ln=10,r=8,p=1$\(salt)$\(hash)=",
            "$scrypt$ln=10,r=8,p=1$AAECAwQFBgcICQoLDA0ODx$\(hash)", "$scrypt$v=1$ln=10,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$r=8,ln=10,p=1$\(salt)$\(hash)", "$scrypt$ln=10,r=8$\(salt)$\(hash)",
            "$scrypt$ln=10,r=8,p=1,p=1$\(salt)$\(hash)", "$scrypt$ln=010,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=+10,r=8,p=1$\(salt)$\(hash)", "$scrypt$ln=10, r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=,r=8,p=1$\(salt)$\(hash)", "$scrypt$ln=0,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=-1,r=8,p=1$\(salt)$\(hash)", "$scrypt$ln=1٠,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=10,r=0,p=1$\(salt)$\(hash)", "$scrypt$ln=10,r=8,p=0$\(salt)$\(hash)",
            "$scrypt$ln=18,r=8,p=1$\(salt)$\(hash)", "$scrypt$ln=63,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=64,r=8,p=1$\(salt)$\(hash)", "$scrypt$ln=10,r=1073741823,p=1$\(salt)$\(hash)",
            "$scrypt$ln=10,r=8,p=134217727$\(salt)$\(hash)", "$scrypt$ln=15,r=8,p=33$\(salt)$\(hash)",
            "$scrypt$ln=99999999999999999999,r=8,p=1$\(salt)$\(hash)", "$scrypt$ln=16,r=1,p=1$\(salt)$\(hash)",
            "$scrypt$ln=10,r=8,p=1$AAECAwQFBg$\(hash)", "$scrypt$ln=10,r=8,p=1$\(salt)$\(salt.prefix(20))",
            "$scrypt$ln=10,r=8,p=1$\(salt)$" + String(repeating: "A", count: 88),
            "$scrypt$ln=10,r=8,p=1$\(salt)$" + String(repeating: "A", count: 100_000),
        ]
    )
    func refused(stored: String) {
        #expect(throws: CryptoError.malformedPasswordHash) { try PasswordHash.verify(password, against: stored) }
    }

    @Test("Scrypt parameters at the limits of memory and work are accepted, and any above are refused")
    func limits() throws {
        #expect(ScryptParameters.standard.memoryBytes < 33 << 20)
        #expect(try ScryptParameters(logN: 17, r: 8, p: 8).memoryBytes <= 256 << 20)
        #expect(try ScryptParameters(logN: 15, r: 8, p: 32).work == ScryptParameters.maxWork)
        for (logN, r, p) in [(18, 8, 1), (15, 8, 33), (25, 1024, 1), (0, 8, 1), (10, 1025, 1), (10, 1, 1025)] {
            #expect(throws: CryptoError.scryptParameters(logN: logN, r: r, p: p)) {
                try ScryptParameters(logN: logN, r: r, p: p)
            }
        }
    }

    @Test("OpenSSL accepts the largest memory that a stored hash may need")
    func largest() throws {
        let parameters = try ScryptParameters(logN: 17, r: 15, p: 1)
        #expect(parameters.memoryBytes > 240 << 20)
        _ = try PasswordHash.scrypt(password, salt: [1], parameters: parameters, count: 32)
    }
}
