import Credentials

/// Every accepted CBOR value has one encoding. Every message of an authenticator leads to a passkey or a refusal.
enum CBORTarget {
    private static let expected = WebAuthnExpectation(
        relyingParty: RelyingParty(id: "example.org", origins: ["https://example.org"]),
        challenge: [],
        requiresUserVerification: false
    )

    static func check(_ bytes: [UInt8]) throws {
        try checkSpelling(bytes)
        let clientData = Array(#"{"type":"webauthn.create","challenge":"","origin":"https://example.org"}"#.utf8)
        try checkRegistration(PasskeyRegistration(id: [1], clientData: clientData, attestationObject: bytes))
        try checkRegistration(PasskeyRegistration(id: [1], clientData: bytes, attestationObject: []))
        guard let key = try? COSEKey(encoded: bytes) else { return }
        let passkey = Passkey(id: [1], key: key, counter: 0)
        try checkNothingAsserts(passkey, bytes)
    }

    private static func checkSpelling(_ bytes: [UInt8]) throws {
        guard let (value, end) = try? CBORReader.first(in: bytes, from: 0) else { return }
        let spelling = write(value)
        try property("a value is written as it was read", spelling == Array(bytes[..<end]))
        try property("a part is no value", (try? CBORReader.value(of: spelling.dropLast())) == nil)
        try property("nothing may follow", (try? CBORReader.value(of: spelling + [0])) == nil)
    }

    private static func checkRegistration(_ registration: PasskeyRegistration) throws {
        guard let passkey = try? registration.verified(expected) else { return }
        try property("the id is the client's", passkey.id == registration.id)
        let again = try? COSEKey(encoded: passkey.key.encoded)
        try property("the key is read again", again?.publicKey == passkey.key.publicKey)
    }

    private static func checkNothingAsserts(_ passkey: Passkey, _ bytes: [UInt8]) throws {
        let clientData = Array(#"{"type":"webauthn.get","challenge":"","origin":"https://example.org"}"#.utf8)
        let assertion = PasskeyAssertion(
            id: [1],
            clientData: clientData,
            authenticatorData: bytes,
            signature: bytes,
            userHandle: nil
        )
        try property("nobody can make up a signature", (try? assertion.verified(by: passkey, of: [], expected)) == nil)
    }

    private static func write(_ value: CBORValue) -> [UInt8] {
        switch value {
        case .integer(let number): number < 0 ? head(1, UInt64(-1 - number)) : head(0, UInt64(number))
        case .bytes(let bytes): head(2, UInt64(bytes.count)) + bytes
        case .text(let text): head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let items): head(4, UInt64(items.count)) + items.flatMap(write)
        case .map(let pairs): head(5, UInt64(pairs.count)) + pairs.flatMap { write($0.key) + write($0.value) }
        case .bool(let bool): [bool ? 0xf5 : 0xf4]
        case .null: [0xf6]
        }
    }

    private static func head(_ major: UInt8, _ number: UInt64) -> [UInt8] {
        let sizes: [(info: UInt8, bytes: Int)] = [(24, 1), (25, 2), (26, 4), (27, 8)]
        if number < 24 { return [major << 5 | UInt8(number)] }
        let size = sizes.first { $0.bytes == 8 || number >> UInt64(8 * $0.bytes) == 0 } ?? (27, 8)
        return [major << 5 | size.info]
            + (0..<size.bytes).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (size.bytes - 1 - $0))) }
    }
}
