import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Rejected passkey assertions", .blocking)
struct PasskeyGuardTests {
    private static let refused = "401 passkey-invalid"

    @Test("A passkey's assertion is accepted once, also when it is sent eight times at once")
    func once() async throws {
        let person = try PasskeyDevice.registered()
        let assertion = try person.assertion()
        let verdicts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try person.logIn(assertion).verdict } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts.filter { $0 == "200" }.count == 1)
        #expect(verdicts.filter { $0 == Self.refused }.count == 7)
        #expect(try person.logIn(assertion).verdict == Self.refused)
        #expect(try person.logIn().status == 200)
    }

    @Test("A passkey whose counter does not grow is rejected as a copy, also for another challenge")
    func counter() throws {
        var person = try PasskeyDevice.registered()
        person.authenticator.counter = 7
        #expect(try person.logIn().status == 200)
        for counter: UInt32 in [7, 6, 0] {
            person.authenticator.counter = counter
            #expect(try person.logIn().verdict == Self.refused)
        }
        person.authenticator.counter = 8
        #expect(try person.logIn().status == 200)
        #expect(try Self.failures(person) == 3)
        let kinds: [String] = try person.device.accountEvents().members("kind", of: "events")
        #expect(kinds.contains("passkey-counter") && !kinds.contains("second-factor-failed"))
        // Confirming in a session counts failures, too. A late or repeated answer is no failure.
        person.authenticator.counter = 8
        let copied = #"{"assertion":\#(try person.assertion())}"#
        #expect(try person.device.send("POST", "/v2/auth/confirm", body: copied).verdict == Self.refused)
        #expect(try Self.failures(person) == 4)
        person.authenticator.counter = 9
        let body = #"{"assertion":\#(try person.assertion())}"#
        #expect(try person.device.send("POST", "/v2/auth/confirm", body: body).status == 204)
        #expect(try person.device.send("POST", "/v2/auth/confirm", body: body).verdict == Self.refused)
        #expect(try Self.failures(person) == 4)
    }

    /// The number of refused passkeys in the account's security events. Each hour has an event of its own.
    private static func failures(_ person: PasskeyDevice) throws -> Int {
        let kinds: Set = ["second-factor-failed", "passkey-counter"]
        return try person.device.accountEvents().objects("events")
            .filter { kinds.contains($0["kind"] as? String ?? "") }
            .reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
    }

    @Test("A passkey whose counter returned to 0 works after it is removed and added again, as the refusal advises")
    func wayOut() throws {
        var person = try PasskeyDevice.registered()
        person.authenticator.counter = 7
        #expect(try person.logIn().status == 200)
        person.authenticator.counter = 0
        let refused = try person.logIn()
        #expect(refused.verdict == Self.refused && refused.string("detail").contains("remove this passkey"))
        #expect(try person.device.send("DELETE", "/v2/account/passkeys/\(person.id)").status == 204)
        #expect(try person.register().status == 201)
        #expect(try person.logIn().status == 200)
    }

    @Test("A wrong signature for a passkey counts as a stranger's and is no event of the account")
    func strangersSignature() throws {
        let (person, stranger) = (try PasskeyDevice.registered(), try PasskeyDevice.registered())
        var forger = stranger
        forger.authenticator.id = person.authenticator.id
        let forged = try forger.assertion(handle: PasskeyDevice.handle(person.device.userID))
        #expect(try person.logIn(forged).verdict == Self.refused)
        #expect(try Self.failures(person) == 0)
    }

    @Test("An account may log in by passkey 100 times in an hour, and successful logins count")
    func limit() throws {
        let person = try PasskeyDevice.registered()
        for _ in 0..<100 { #expect(try person.logIn().status == 200) }
        let refused = try person.logIn()
        Problems.check(refused, "429 rate-limited")
        #expect(refused.field("ratelimit-policy") == #""passkey";q=100;w=3600"#)
        #expect(try PasskeyDevice.registered().logIn().status == 200)
    }

    @Test("An assertion with another origin, domain, key, user or id, or without verification, is refused")
    func wrong() throws {
        let person = try PasskeyDevice.registered()
        var changed = person
        changed.authenticator.origin = "https://passkeys.example.org.evil.example"
        let site = try changed.logIn()
        #expect(site.verdict == Self.refused && site.string("detail").contains("origin"))
        changed = person
        changed.authenticator.relyingParty = "example.org"
        #expect(try changed.logIn().verdict == Self.refused)
        changed = person
        changed.authenticator.flags = 0x01
        #expect(try changed.logIn().verdict == Self.refused)
        changed.authenticator.flags = 0x04
        #expect(try changed.logIn().verdict == Self.refused)
        let stranger = try PasskeyDevice.registered()
        changed = stranger
        changed.authenticator.id = person.authenticator.id
        #expect(try changed.logIn().verdict == Self.refused)
        let handle = PasskeyDevice.handle(stranger.device.userID)
        #expect(try person.logIn(person.assertion(handle: handle)).verdict == Self.refused)
        #expect(try person.logIn(person.assertion(handle: [])).verdict == Self.refused, "without a user")
        #expect(try person.logIn(person.assertion(type: "webauthn.create")).verdict == Self.refused)
        changed = person
        changed.authenticator.id = try SecureRandom.bytes(32)
        #expect(try changed.logIn().verdict == Self.refused)
        #expect(try person.logIn().status == 200)
    }

    @Test("A passkey challenge is good for its server, its purpose and its session only")
    func challenges() throws {
        let person = try PasskeyDevice.registered()
        var made = try PasskeyDevice.challenge()
        #expect(try person.logIn(person.assertion(person.begin())).verdict == Self.refused, "one of a registration")
        for position in [0, 5, 10, made.count - 1] {
            made[position] ^= 1
            #expect(try person.logIn(person.assertion(made)).verdict == Self.refused, "\(position)")
            made[position] ^= 1
        }
        #expect(try person.logIn(person.assertion(Array(made.dropLast()))).verdict == Self.refused)
        #expect(try person.logIn(person.assertion([])).verdict == Self.refused)
        #expect(try person.logIn(person.assertion(made)).status == 200)
        // Registration rejects the challenge of the account's other session, and the challenge of a login.
        let new = try PasskeyDevice()
        let tablet = try new.device.other()
        let begun = try new.begin()
        #expect(try new.register(begun, as: tablet).verdict == Self.refused)
        #expect(try new.register(PasskeyDevice.challenge()).verdict == Self.refused)
        #expect(try new.register(begun, format: "packed").status == 201, "the statement is ignored")
        var next = new
        next.authenticator = SoftAuthenticator(
            key: .es256(),
            relyingParty: PasskeyDevice.domain,
            origin: PasskeyDevice.origin
        )
        #expect(try next.register(begun).verdict == Self.refused, "used")
    }

    @Test("A body that is no WebAuthn message gets 422 with a pointer")
    func malformed() throws {
        let person = try PasskeyDevice.registered()
        let good = try person.assertion()
        for (bad, pointer) in [
            (good.replacing("public-key", with: "password"), "/assertion/type"), ("{}", "/assertion/id"),
            (good.replacing(#""signature":""#, with: #""signature":"="#), "/assertion/response/signature"),
            (good.replacing("clientDataJSON", with: "clientData"), "/assertion/response/clientDataJSON"),
        ] {
            let answer = try person.logIn(bad)
            #expect(answer.verdict == "422 invalid-document")
            #expect(answer.objects("errors").contains { $0["pointer"] as? String == pointer }, "\(answer.text)")
        }
    }
}
