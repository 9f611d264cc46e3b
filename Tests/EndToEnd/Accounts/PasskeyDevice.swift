import Foundation
import NeuroViewsCrypto
import TestSupport

/// A person with an account and an authenticator.
struct PasskeyDevice: Sendable {
    static let domain = "passkeys.example.org"
    static let origin = "https://app.passkeys.example.org"
    let device: Device
    var authenticator: SoftAuthenticator
    /// The passkey's id in the list.
    var id = ""

    /// Prepares a passkey without registering it, for `device` or else for a new account.
    init(_ key: SigningKey? = nil, of device: Device? = nil) throws {
        self.device = try device ?? Device.new(Shared.client())
        authenticator = SoftAuthenticator(
            key: key ?? SigningKey.es256(),
            relyingParty: Self.domain,
            origin: Self.origin
        )
    }

    /// A new account with a passkey.
    static func registered(
        _ key: SigningKey? = nil,
        of device: Device? = nil,
        name: String = "Key"
    ) throws -> PasskeyDevice {
        var person = try PasskeyDevice(key, of: device)
        let answer = try person.register(name: name)
        guard answer.status == 201 else { throw Program.Failure(answer.text) }
        person.id = answer.string("id")
        return person
    }

    func begin() throws -> [UInt8] {
        try Self.bytes(device.send("POST", "/v2/account/passkeys/options").string("challenge"))
    }

    func register(
        _ challenge: [UInt8]? = nil,
        as other: Device? = nil,
        format: String = "none",
        name: String = "Key"
    ) throws -> HTTPAnswer {
        let body = try registration(challenge ?? begin(), format: format, name: name)
        return try (other ?? device).send("POST", "/v2/account/passkeys", body: body)
    }

    /// The body of the request that registers the passkey.
    func registration(_ challenge: [UInt8]? = nil, format: String = "none", name: String = "Key") throws -> String {
        let client = authenticator.clientData("webauthn.create", challenge: try challenge ?? begin())
        let object = SoftAuthenticator.attestationObject(authenticator.registrationData, format: format)
        let parts = [("clientDataJSON", client), ("attestationObject", object)]
        let response = parts.map { #""\#($0)":"\#(Base64.url.encode($1))""# }.joined(separator: ",")
        let credential = #"{"id":"\#(id64)","rawId":"\#(id64)","type":"public-key","response":{\#(response)}}"#
        return #"{"credential":\#(credential),"name":"\#(name)"}"#
    }

    private var id64: String { Base64.url.encode(authenticator.id) }

    static func bytes(_ text: String) throws -> [UInt8] {
        guard let bytes = Base64.url.decode(text) else { throw Program.Failure("no Base64url: \(text)") }
        return bytes
    }

    static func challenge() throws -> [UInt8] {
        try bytes(Shared.client().send("POST", "/v2/auth/passkey/options").string("challenge"))
    }

    /// An answer to a challenge, as JSON.
    func assertion(_ challenge: [UInt8]? = nil, type: String = "webauthn.get", handle: [UInt8]? = nil) throws -> String
    {
        let client = authenticator.clientData(type, challenge: try challenge ?? Self.challenge())
        let user = Base64.url.encode(handle ?? Self.handle(device.userID))
        let parts = [
            ("clientDataJSON", client), ("authenticatorData", authenticator.authenticatorData),
            ("signature", authenticator.signature(clientData: client)),
        ]
        let response = parts.map { #""\#($0)":"\#(Base64.url.encode($1))","# }.joined() + #""userHandle":"\#(user)""#
        return #"{"id":"\#(id64)","type":"public-key","response":{\#(response)}}"#
    }

    static func handle(_ userID: String) -> [UInt8] {
        Hex.decode(Array(userID.replacing("-", with: "").utf8)[...]) ?? []
    }

    func logIn(_ assertion: String? = nil) throws -> HTTPAnswer {
        let body = #"{"assertion":\#(try assertion ?? self.assertion()),"device_id":"new","device_name":"New"}"#
        return try device.client.send("POST", "/v2/auth/passkey", body: body)
    }
}
