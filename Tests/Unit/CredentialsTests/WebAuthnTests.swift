import Credentials
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("WebAuthn")
struct WebAuthnTests {
    private static let party = RelyingParty(
        id: "example.org",
        origins: ["https://example.org", "https://app.example.org"]
    )
    private static let challenge = [UInt8](repeating: 7, count: 32)
    private static let owner = [UInt8](repeating: 9, count: 16)
    private static let expected = expectation()

    private static func expectation(requiresUserVerification: Bool = true) -> WebAuthnExpectation {
        WebAuthnExpectation(
            relyingParty: party,
            challenge: challenge,
            requiresUserVerification: requiresUserVerification
        )
    }

    private static func authenticator(_ key: SigningKey = .es256()) -> SoftAuthenticator {
        SoftAuthenticator(key: key, relyingParty: "example.org", origin: "https://example.org")
    }

    private static func registration(
        _ authenticator: SoftAuthenticator,
        type: String = "webauthn.create",
        challenge: [UInt8] = challenge
    ) -> PasskeyRegistration {
        PasskeyRegistration(
            id: authenticator.id,
            clientData: authenticator.clientData(type, challenge: challenge),
            attestationObject: authenticator.attestationObject
        )
    }

    private static func assertion(
        _ authenticator: SoftAuthenticator,
        type: String = "webauthn.get",
        challenge: [UInt8] = challenge
    ) -> PasskeyAssertion {
        let clientData = authenticator.clientData(type, challenge: challenge)
        return PasskeyAssertion(
            id: authenticator.id,
            clientData: clientData,
            authenticatorData: authenticator.authenticatorData,
            signature: authenticator.signature(clientData: clientData),
            userHandle: owner
        )
    }

    @Test("A passkey is registered and asserted", arguments: [true, false])
    func works(isElliptic: Bool) throws {
        var authenticator = Self.authenticator(isElliptic ? .es256() : .rs256())
        let passkey = try Self.registration(authenticator).verified(Self.expected)
        #expect(passkey.id == authenticator.id && passkey.counter == 0)
        let stored = Passkey(id: passkey.id, key: try COSEKey(encoded: passkey.key.encoded), counter: 0)
        #expect(try Self.assertion(authenticator).verified(by: stored, of: Self.owner, Self.expected) == 0)
        authenticator.counter = 5
        authenticator.origin = "https://app.example.org"
        authenticator.extra = ""
        #expect(try Self.assertion(authenticator).verified(by: stored, of: Self.owner, Self.expected) == 5)
    }

    /// The possible faults of both kinds of messages.
    private static let faultList: [(WebAuthnError, @Sendable (inout SoftAuthenticator) -> Void)] = [
        (.origin, { $0.origin = "https://example.com" }), (.origin, { $0.origin = "https://example.org/" }),
        (.origin, { $0.origin = "http://example.org" }), (.origin, { $0.origin = "https://evil.example.org" }),
        (.relyingParty, { $0.relyingParty = "example.com" }), (.userPresence, { $0.flags = 0x04 }),
        (.userVerification, { $0.flags = 0x01 }), (.authenticatorData, { $0.flags = 0x15 }),
        (.crossOrigin, { $0.extra = #","crossOrigin":true"# }),
        (.crossOrigin, { $0.extra = #","topOrigin":"https://example.com""# }),
        (.clientData, { $0.extra = #","crossOrigin":"no""# }), (.clientData, { $0.extra = #","type":"webauthn.get""# }),
    ]

    @Test("An assertion with a wrong origin, domain, flag or frame is refused", arguments: 0..<12)
    func faults(index: Int) throws {
        let (error, breaks) = Self.faultList[index]
        var authenticator = Self.authenticator()
        let passkey = try Self.registration(authenticator).verified(Self.expected)
        breaks(&authenticator)
        #expect(throws: error) { try Self.registration(authenticator).verified(Self.expected) }
        #expect(throws: error) {
            try Self.assertion(authenticator).verified(by: passkey, of: Self.owner, Self.expected)
        }
    }

    @Test("An assertion without user verification is accepted only if it is not required")
    func presenceAlone() throws {
        var authenticator = Self.authenticator()
        authenticator.flags = 0x01
        let passkey = try Self.registration(authenticator).verified(Self.expectation(requiresUserVerification: false))
        #expect(throws: Never.self) {
            try Self.assertion(authenticator)
                .verified(by: passkey, of: Self.owner, Self.expectation(requiresUserVerification: false))
        }
    }

    @Test("A passkey's answer to another challenge or of the other kind is refused")
    func requests() throws {
        let authenticator = Self.authenticator()
        let other = [UInt8](repeating: 8, count: 32)
        #expect(throws: WebAuthnError.challenge) {
            try Self.registration(authenticator, challenge: other).verified(Self.expected)
        }
        #expect(throws: WebAuthnError.type) {
            try Self.registration(authenticator, type: "webauthn.get").verified(Self.expected)
        }
        let passkey = try Self.registration(authenticator).verified(Self.expected)
        for (type, challenge, error) in [
            ("webauthn.get", other, WebAuthnError.challenge), ("webauthn.create", Self.challenge, .type),
        ] {
            #expect(throws: error) {
                try Self.assertion(authenticator, type: type, challenge: challenge)
                    .verified(by: passkey, of: Self.owner, Self.expected)
            }
        }
    }

    @Test("A signature counter that does not grow is refused")
    func counters() throws {
        var authenticator = Self.authenticator()
        authenticator.counter = 5
        let passkey = try Self.registration(authenticator).verified(Self.expected)
        for (counter, isGood) in [(0, false), (4, false), (5, false), (6, true)] as [(UInt32, Bool)] {
            authenticator.counter = counter
            let result = try? Self.assertion(authenticator).verified(by: passkey, of: Self.owner, Self.expected)
            #expect(result == (isGood ? counter : nil))
        }
        authenticator.counter = 0
        #expect(throws: WebAuthnError.counter) {
            try Self.assertion(authenticator).verified(by: passkey, of: Self.owner, Self.expected)
        }
    }

    @Test("An assertion with another key, user or id is refused")
    func strangers() throws {
        let (authenticator, other) = (Self.authenticator(), Self.authenticator())
        let passkey = try Self.registration(authenticator).verified(Self.expected)
        let foreign = Passkey(id: passkey.id, key: try COSEKey(encoded: other.coseKey), counter: 0)
        let assertion = Self.assertion(authenticator)
        #expect(throws: WebAuthnError.signature) { try assertion.verified(by: foreign, of: Self.owner, Self.expected) }
        #expect(throws: WebAuthnError.userHandle) { try assertion.verified(by: passkey, of: [1], Self.expected) }
        #expect(throws: WebAuthnError.signature) {
            try Self.assertion(other).verified(by: passkey, of: Self.owner, Self.expected)
        }
        var changed = assertion
        changed.clientData += [UInt8(ascii: " ")]
        #expect(throws: WebAuthnError.signature) { try changed.verified(by: passkey, of: Self.owner, Self.expected) }
    }

    @Test("An unknown passkey gets the same answers as a wrong signature")
    func unknown() throws {
        var authenticator = Self.authenticator()
        func refusal() -> WebAuthnError? {
            do throws(WebAuthnError) {
                _ = try Self.assertion(authenticator).verified(by: nil, of: [], Self.expected)
                return nil
            } catch { return error }
        }
        #expect(refusal() == .signature)
        // The key in its place is one, or there would be another error.
        #expect(throws: Never.self) { _ = try COSEKey(encoded: COSEKey.standIn) }
        authenticator.origin = "https://example.com"
        #expect(refusal() == .origin)
        authenticator = Self.authenticator()
        authenticator.flags = 0x01
        #expect(refusal() == .userVerification)
    }

    /// The statements that authenticators send, as CBOR: those that the client should have removed, too.
    private static let statements: [(format: String, statement: [UInt8])] = {
        func member(_ name: String, _ value: [UInt8]) -> [UInt8] { SoftAuthenticator.text(name) + value }
        func map(_ members: [UInt8]...) -> [UInt8] { [0xa0 + UInt8(members.count)] + Array(members.joined()) }
        func bytes(_ count: Int) -> [UInt8] { SoftAuthenticator.bytes([UInt8](repeating: 1, count: count)) }
        let (algorithm, signature) = (member("alg", [0x26]), member("sig", bytes(72)))
        let certificates = member("x5c", [0x81] + bytes(1500))
        return [
            ("none", map()), ("none", map(signature)), ("packed", map(algorithm, signature)),
            ("packed", map(algorithm, signature, certificates)), ("fido-u2f", map(signature, certificates)),
            ("apple", map(certificates)), ("tpm", map(member("alg", [0x39, 0xff, 0xfe]), signature)),
            ("android-safetynet", map(member("response", bytes(12_000)))),
            ("compound", [0x82] + map() + map(signature)), ("a format of next year", [0xf6]),
        ]
    }()

    @Test("A passkey with any attestation statement is registered, and the statement is ignored", arguments: 0..<10)
    func statements(index: Int) throws {
        let (format, statement) = Self.statements[index]
        let authenticator = Self.authenticator()
        var registration = Self.registration(authenticator)
        registration.attestationObject = SoftAuthenticator.attestationObject(
            authenticator.registrationData,
            format: format,
            statement: statement
        )
        let passkey = try registration.verified(Self.expected)
        #expect(passkey.id == authenticator.id && passkey.key.encoded == authenticator.coseKey)
    }

    @Test("A passkey registration without a key, with another id, a weak key or a malformed statement is refused")
    func registrations() throws {
        let authenticator = Self.authenticator()
        func refusal(_ object: [UInt8], id: [UInt8]? = nil) -> WebAuthnError? {
            var registration = Self.registration(authenticator)
            registration.attestationObject = object
            registration.id = id ?? authenticator.id
            do throws(WebAuthnError) {
                _ = try registration.verified(Self.expected)
                return nil
            } catch { return error }
        }
        let data = authenticator.registrationData
        #expect(refusal(SoftAuthenticator.attestationObject(data)) == nil)
        #expect(refusal(SoftAuthenticator.attestationObject(authenticator.authenticatorData)) == .authenticatorData)
        #expect(refusal(SoftAuthenticator.attestationObject(data), id: [1]) == .credentialID)
        #expect(refusal(SoftAuthenticator.attestationObject(data + [0])) == .authenticatorData)
        #expect(refusal(SoftAuthenticator.attestationObject(Array(data.dropLast()))) == .authenticatorData)
        #expect(refusal(SoftAuthenticator.attestationObject(data, statement: [0xa1, 1])) == .attestation)
        let large = SoftAuthenticator.bytes([UInt8](repeating: 0, count: WebAuthn.attestationObjectMaxBytes))
        #expect(refusal(SoftAuthenticator.attestationObject(data, statement: large)) == .attestation)
        #expect(refusal(SoftAuthenticator.attestationObject(data) + [0]) == .attestation)
        var beside = data
        beside[beside.count - 1] ^= 1
        #expect(refusal(SoftAuthenticator.attestationObject(beside)) == .publicKey)
    }

    @Test("Credential ids have 1 to 1023 bytes", arguments: [0, 1, 1023, 1024])
    func idLengths(count: Int) {
        var authenticator = Self.authenticator()
        authenticator.id = [UInt8](repeating: 1, count: count)
        let isGood = (try? Self.registration(authenticator).verified(Self.expected)) != nil
        #expect(isGood == (1...1023 ~= count))
    }

    @Test("Extensions of authenticator data are skipped, and no data may follow them")
    func extensions() throws {
        let authenticator = Self.authenticator()
        var registration = Self.registration(authenticator)
        var data = authenticator.registrationData
        data[32] |= 0x80
        registration.attestationObject = SoftAuthenticator.attestationObject(data + [0xa1, 0x61, 0x61, 0xf5])
        #expect(throws: Never.self) { try registration.verified(Self.expected) }
        registration.attestationObject = SoftAuthenticator.attestationObject(data)
        #expect(throws: WebAuthnError.authenticatorData) { try registration.verified(Self.expected) }
    }
}
