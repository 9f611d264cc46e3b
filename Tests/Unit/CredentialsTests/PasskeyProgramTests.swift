import Credentials
import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Passkeys of other programs")
struct PasskeyProgramTests {
    private static let party = RelyingParty(id: "example.org", origins: ["https://example.org"])

    @Test(
        "soft-webauthn's messages get the same verdicts as from py_webauthn",
        .needs(.python)
    )
    func verdicts() throws {
        let run = try Program.run([Tool.interpreter, Tool.script("passkey-messages")])
        #expect(run.status == 0, "\(run.complaint)")
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        let messages = try #require(json as? [[String: Any]])
        for message in messages {
            let isValid = try #require(message["valid"] as? Bool)
            let name = try "\(message.text("kind")): \(message.text("name"))"
            #expect(try Self.accepts(message) == isValid, "\(name)")
        }
        #expect(messages.count == 25)
        #expect(messages.filter { $0["valid"] as? Bool == true }.count == 6)
    }

    private static func accepts(_ message: [String: Any]) throws -> Bool {
        func bytes(_ name: String) throws -> [UInt8] { try #require(Base64.url.decode(message.text(name))) }
        let expected = WebAuthnExpectation(
            relyingParty: party,
            challenge: [UInt8](repeating: 7, count: 32),
            requiresUserVerification: message["requiresVerification"] as? Bool ?? false
        )
        let (id, clientData) = (try bytes("id"), try bytes("clientDataJSON"))
        if try message.text("kind") == "create" {
            let object = try bytes("attestationObject")
            let registration = PasskeyRegistration(id: id, clientData: clientData, attestationObject: object)
            return (try? registration.verified(expected)) != nil
        }
        let counter = UInt32(try message.number("counter"))
        let passkey = Passkey(id: id, key: try COSEKey(encoded: bytes("publicKey")), counter: counter)
        let assertion = PasskeyAssertion(
            id: id,
            clientData: clientData,
            authenticatorData: try bytes("authenticatorData"),
            signature: try bytes("signature"),
            userHandle: try bytes("userHandle")
        )
        return (try? assertion.verified(by: passkey, of: Array("owner".utf8), expected)) != nil
    }
}
