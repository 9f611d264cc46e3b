import Foundation
import TestSupport
import Testing

@Suite("Confirmations and changes of the password", .blocking)
struct PasswordChangeTests {
    private func confirm(_ device: Device, _ password: String) throws -> String {
        try device.send("POST", "/v2/auth/confirm", body: #"{"password":"\#(password)"}"#).verdict
    }

    private func change(_ device: Device, _ current: String, _ new: String) throws -> HTTPAnswer {
        let body = #"{"current_password":"\#(current)","new_password":"\#(new)"}"#
        return try device.send("POST", "/v2/auth/password", body: body)
    }

    private func logIn(_ device: Device, _ password: String) throws -> String {
        let body = #"{"email":"\#(device.email)","password":"\#(password)"}"#
        return try device.client.send("POST", "/v2/auth/login", body: body).verdict
    }

    @Test("The right password confirms its own session alone, and a wrong one does not")
    func confirms() throws {
        let phone = try Shared.newDevice()
        let tablet = try Shared.session(of: phone, on: "tablet")
        try Shared.server.get().sql(
            "UPDATE sessions SET proven_at = now() - interval '1 hour' WHERE user_id = '\(phone.userID)'"
        )
        #expect(try confirm(phone, "not the password") == "401 credentials-invalid")
        #expect(try phone.send("DELETE", "/v2/auth/sessions").verdict == "403 confirmation-required")
        #expect(try confirm(phone, Device.password) == "204")
        #expect(try tablet.send("DELETE", "/v2/auth/sessions").verdict == "403 confirmation-required")
        #expect(try phone.send("DELETE", "/v2/auth/sessions").status == 204)
        #expect(try confirm(tablet, Device.password) == "401 session-ended")
    }

    @Test("A change of the password ends every session and starts one with a new key for the same device")
    func changes() throws {
        let phone = try Shared.newDevice()
        let tablet = try Shared.session(of: phone, on: "tablet")
        #expect(try change(phone, "not the password", "a better password").verdict == "401 credentials-invalid")
        #expect(try tablet.pull().status == 200)
        let answer = try change(phone, Device.password, "a better password")
        #expect(answer.status == 200)
        #expect(Set(answer.json.keys) == ["token", "user", "expires_at", "signing_key"])
        for old in [phone, tablet] { #expect(try old.pull().verdict == "401 session-ended") }
        var next = Device(
            client: phone.client,
            email: phone.email,
            token: answer.string("token"),
            signingKey: answer.string("signing_key"),
            userID: phone.userID
        )
        next.signatureVersion = 1
        #expect(next.signingKey != phone.signingKey)
        let kinds: [String] = try next.send("GET", "/v2/account/events").members("kind", of: "events")
        #expect(kinds == ["password-changed", "login-failed"])
        let sessions = try next.send("GET", "/v2/auth/sessions").objects("sessions")
        #expect(sessions.map { $0["device_id"] as? String } == ["phone"])
        #expect(try logIn(phone, Device.password) == "401 credentials-invalid")
        #expect(try logIn(phone, "a better password") == "200")
    }

    @Test("One of two concurrent changes of the password wins, and the other is refused")
    func concurrent() async throws {
        let phone = try Shared.newDevice()
        let tablet = try Shared.session(of: phone, on: "tablet")
        let verdicts = try await withThrowingTaskGroup(of: String.self) { group in
            for (device, new) in [(phone, "the phone's one"), (tablet, "the tablet's one")] {
                group.addTask { try change(device, Device.password, new).verdict }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        // The loser's session, or its password, was good until the winner committed.
        let losses = [["200", "401 session-ended"], ["200", "401 credentials-invalid"]]
        #expect(losses.contains(verdicts.sorted()), "\(verdicts)")
    }

    @Test("A signed wrong password is accepted as an attempt once")
    func signed() throws {
        var phone = try Shared.newDevice()
        phone.signatureVersion = 1
        let url = phone.client.origin + "/v2/auth/confirm"
        let body = #"{"password":"a guess"}"#
        let fields = try phone.signature("POST", url, body: body) + [("Authorization", "Bearer \(phone.token)")]
        func send() throws -> String { try phone.client.send("POST", "/v2/auth/confirm", fields, body: body).verdict }
        #expect(try send() == "401 credentials-invalid")
        #expect(try send() == "401 nonce-used")
    }
}
