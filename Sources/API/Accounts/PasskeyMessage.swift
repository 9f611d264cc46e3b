import CloudSync
import Credentials
import JSONSchema
import NeuroViewsCrypto
import NeuroViewsJSON

/// The messages between a server and `navigator.credentials`, as WebAuthn level 3 writes them in JSON. Bytes are Base64url without padding.
enum PasskeyMessage {
    private static let name = "NeuroViews Cloud"
    /// The time that a client gives its user. A challenge is valid for as long.
    private static let timeoutMs: Int64 = 300_000
    private static let type = "public-key"

    /// `PublicKeyCredentialCreationOptionsJSON`.
    static func write(_ creation: PasskeyCreation, to writer: inout JSONWriter) {
        writer.member("rp")
        writer.beginObject()
        writer.member("id", string: creation.relyingPartyID)
        writer.member("name", string: name)
        writer.endObject()
        writer.member("user")
        writer.beginObject()
        writer.member("id", string: Base64.url.encode(creation.userHandle))
        writer.member("name", string: creation.email)
        writer.member("displayName", string: creation.email)
        writer.endObject()
        writer.member("challenge", string: Base64.url.encode(creation.challenge))
        writer.list("pubKeyCredParams", COSEKey.algorithms) { algorithm, writer in
            writer.member("type", string: type)
            writer.member("alg", integer: Int64(algorithm))
        }
        writer.member("timeout", integer: timeoutMs)
        writer.list("excludeCredentials", creation.existing) { passkey, writer in
            writer.member("type", string: type)
            writer.member("id", string: Base64.url.encode(passkey.credentialID))
        }
        writer.member("authenticatorSelection")
        writer.beginObject()
        writer.member("residentKey", string: "required")
        writer.member("requireResidentKey", bool: true)
        writer.member("userVerification", string: "required")
        writer.endObject()
        writer.member("attestation", string: "none")
    }

    /// `PublicKeyCredentialRequestOptionsJSON`. The user chooses among the passkeys of the domain.
    static func write(_ request: PasskeyRequest, to writer: inout JSONWriter) {
        writer.member("challenge", string: Base64.url.encode(request.challenge))
        writer.member("timeout", integer: timeoutMs)
        writer.member("rpId", string: request.relyingPartyID)
        writer.member("allowCredentials")
        writer.beginArray()
        writer.endArray()
        writer.member("userVerification", string: "required")
    }

    /// Reads the `RegistrationResponseJSON` of a body. Its schema has checked the form. Throws `.invalid`.
    static func registration(_ body: JSONValue) throws -> PasskeyRegistration {
        var reader = Reader(body, "credential")
        let registration = PasskeyRegistration(
            id: reader.bytes("id"),
            clientData: reader.bytes("response", "clientDataJSON"),
            attestationObject: reader.bytes("response", "attestationObject")
        )
        try reader.check()
        return registration
    }

    /// Reads the `AuthenticationResponseJSON` of a body. Its schema has checked the form. Throws `.invalid`.
    static func assertion(_ body: JSONValue) throws -> PasskeyAssertion {
        var reader = Reader(body, "assertion")
        let hasHandle = body["assertion"]?["response"]?["userHandle"]?.string?.isEmpty == false
        let assertion = PasskeyAssertion(
            id: reader.bytes("id"),
            clientData: reader.bytes("response", "clientDataJSON"),
            authenticatorData: reader.bytes("response", "authenticatorData"),
            signature: reader.bytes("response", "signature"),
            userHandle: hasHandle ? reader.bytes("response", "userHandle") : nil
        )
        try reader.check()
        return assertion
    }

    /// Collects the members that are not Base64url.
    private struct Reader {
        let value: JSONValue?
        let member: String
        private var violations: [Violation] = []

        init(_ body: JSONValue, _ member: String) { (value, self.member) = (body[member], member) }

        mutating func bytes(_ path: String...) -> [UInt8] {
            let text = path.reduce(value) { $0?[$1] }?.string ?? ""
            if let bytes = Base64.url.decode(text), !bytes.isEmpty { return bytes }
            let pointer = "/" + ([member] + path).joined(separator: "/")
            violations.append(
                Violation(pointer: pointer, keyword: "format", detail: "must be Base64url without padding")
            )
            return []
        }

        func check() throws {
            guard violations.isEmpty else { throw CloudSyncError.invalid(violations) }
        }
    }
}
