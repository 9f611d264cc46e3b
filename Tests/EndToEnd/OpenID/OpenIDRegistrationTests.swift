import Foundation
import TestSupport
import Testing

@Suite("Registration by OpenID providers", .blocking)
struct OpenIDRegistrationTests {
    private static let invited = Result { try OpenIDScene(["--registration", "invitation"]) }
    private static let closed = Result { try OpenIDScene(["--registration", "closed"]) }

    private func invite(_ email: String, _ scene: OpenIDScene) throws -> String {
        try Operator.succeed(["invite", email, "--data", scene.server.data]).split(separator: "\n").last.map(
            String.init
        ) ?? ""
    }

    @Test("Closed registration opens no account by a provider, and existing ones log in")
    func closed() throws {
        let scene = try Self.closed.get()
        let (subject, device) = (OpenIDScene.newSubject(), try Shared.addUser(to: scene.server))
        func verdict(_ email: String) throws -> String {
            try scene.logIn(scene.google, scene.google.token(subject, email: email)).verdict
        }
        #expect(try verdict(Device.newEmail()) == "403 registration-closed")
        #expect(try verdict(device.email) == "409 identity-not-linked")
        #expect(try scene.logIn(scene.google, scene.google.token(subject)).verdict == "403 registration-closed")
        #expect(try scene.server.sql("SELECT count(*) FROM users") == ["1"])
        #expect(try scene.link(scene.google, scene.google.token(subject), by: device).status == 200)
        #expect(try verdict(Device.newEmail()) == "200")
    }

    @Test("An invited address registers by a provider without the invitation's token, and uses it up")
    func invitedAddress() throws {
        let scene = try Self.invited.get()
        let email = Device.newEmail()
        func verdict(_ email: String, _ changes: [String: String?] = [:]) throws -> String {
            try scene.logIn(scene.google, scene.google.token(OpenIDScene.newSubject(), email: email, changes)).verdict
        }
        #expect(try verdict(email) == "403 invitation-required")
        let invitation = try invite(email, scene)
        #expect(try verdict(Device.newEmail()) == "403 invitation-required")
        #expect(try verdict(email, ["email_verified": "false"]) == "403 provider-email-unverified")
        #expect(try verdict(email) == "200")
        #expect(try scene.server.sql("SELECT count(*) FROM mailed_tokens WHERE email = '\(email)'") == ["0"])
        let body = MailScene.json(["email": Device.newEmail(), "password": Device.password, "invitation": invitation])
        #expect(try scene.client.send("POST", "/v2/auth/register", body: body).verdict == "403 invitation-invalid")
    }

    @Test("An invitation's token registers by a provider with its own address only")
    func invitationToken() throws {
        let scene = try Self.invited.get()
        let email = Device.newEmail()
        let invitation = try invite(email, scene)
        func verdict(_ email: String, _ invitation: String) throws -> String {
            let token = scene.google.token(OpenIDScene.newSubject(), email: email)
            return try scene.logIn(scene.google, token, #","invitation":"\#(invitation)""#).verdict
        }
        #expect(try verdict(Device.newEmail(), invitation) == "403 invitation-invalid")
        #expect(try verdict(email, "another") == "403 invitation-invalid")
        #expect(try verdict(email, invitation) == "200")
        #expect(try verdict(Device.newEmail(), invitation) == "403 invitation-invalid")
    }

    @Test("An expired invitation does not register by a provider")
    func expired() throws {
        let scene = try Self.invited.get()
        let email = Device.newEmail()
        _ = try invite(email, scene)
        try scene.server.sql("UPDATE mailed_tokens SET expires_at = now() WHERE email = '\(email)'")
        let token = scene.apple.token(OpenIDScene.newSubject(), email: email)
        #expect(try scene.logIn(scene.apple, token).verdict == "403 invitation-required")
    }
}
