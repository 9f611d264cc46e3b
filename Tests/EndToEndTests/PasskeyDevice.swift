import Crypto
import Foundation
import TestSupport

/// A person with an account and an authenticator, at a server that knows passkeys.
struct PasskeyDevice: Sendable {
    static let domain = "passkeys.example.org"
    static let origin = "https://app.passkeys.example.org"
    static let server = Result {
        try ServerProcess([
            "--registration", "open", "--signatures", "optional", "--media-jobs", "0", "--passkey-rp-id", domain,
            "--passkey-origins", origin, "--apple-app-ids", "A1B2C3D4E5.org.example.app",
        ])
    }

    let device: Device
    var authenticator: SoftAuthenticator
    /// Its id in the list.
    var id = ""

    /// A new account, without its passkey.
    init(_ key: SigningKey? = nil) throws {
        device = try Device.new(Self.server.get().client)
        authenticator = SoftAuthenticator(
            key: key ?? SigningKey.es256(),
            relyingParty: Self.domain,
            origin: Self.origin
        )
    }

    /// A new account with a passkey.
    static func registered(_ key: SigningKey? = nil) throws -> PasskeyDevice {
        var person = try PasskeyDevice(key)
        let answer = try person.register()
        guard answer.status == 201 else { throw Program.Failure(answer.text) }
        person.id = answer.string("id")
        return person
    }

    func begin() throws -> [UInt8] {
        try Self.bytes(device.send("POST", "/v2/account/passkeys/options").string("challenge"))
    }

    func register(_ challenge: [UInt8]? = nil, as other: Device? = nil, format: String = "none") throws -> HTTPAnswer {
        let client = authenticator.clientData("webauthn.create", challenge: try challenge ?? begin())
        let object = SoftAuthenticator.attestationObject(authenticator.registrationData, format: format)
        let response =
            #""clientDataJSON":"\#(Base64.url.encode(client))","attestationObject":"\#(Base64.url.encode(object))""#
        let body =
            #"{"credential":{"id":"\#(id64)","rawId":"\#(id64)","type":"public-key","response":{\#(response)}},"name":"Key"}"#
        return try (other ?? device).send("POST", "/v2/account/passkeys", body: body)
    }

    private var id64: String { Base64.url.encode(authenticator.id) }

    static func bytes(_ text: String) throws -> [UInt8] {
        guard let bytes = Base64.url.decode(text) else { throw Program.Failure("no Base64url: \(text)") }
        return bytes
    }

    static func challenge() throws -> [UInt8] {
        try bytes(server.get().client.send("POST", "/v2/auth/passkey/options").string("challenge"))
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
