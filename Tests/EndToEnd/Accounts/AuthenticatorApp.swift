import Credentials
import Foundation
import NeuroViewsCrypto
import TestSupport

/// A person with an account and an authenticator app.
struct AuthenticatorApp: Sendable {
    let device: Device
    let totp: TOTP
    let recoveryCodes: [String]

    /// A new account with an active app.
    static func new() throws -> AuthenticatorApp { try add(to: Shared.newDevice()) }

    /// Adds an app to an account.
    @discardableResult
    static func add(to device: Device) throws -> AuthenticatorApp {
        let begun = try device.send("POST", "/v2/account/totp")
        guard let secret = Base32.decode(begun.string("secret")) else { throw Program.Failure(begun.text) }
        let totp = TOTP(secret: secret)
        let confirmed = try device.send("POST", "/v2/account/totp/confirm", body: #"{"code":"\#(code(of: totp))"}"#)
        guard confirmed.status == 200, let codes = confirmed.json["recovery_codes"] as? [String] else {
            throw Program.Failure(confirmed.text)
        }
        return AuthenticatorApp(device: device, totp: totp, recoveryCodes: codes)
    }

    /// The app's current code, or the code `steps` steps later.
    static func code(of totp: TOTP, later steps: Int = 0) -> String {
        totp.code(step: TOTP.step(at: Int(Date().timeIntervalSince1970)) + steps)
    }

    /// The current code. It resets the last used step, so that the server accepts the code again.
    func freshCode() throws -> String {
        try update("last_step = 0")
        return Self.code(of: totp)
    }

    /// Six digits that differ from all codes of these minutes.
    var wrongCode: String {
        let good = (-4...4).map { Self.code(of: totp, later: $0) }
        return ["000000", "111111", "222222", "333333", "444444", "555555", "666666", "777777", "888888", "999999"]
            .first { !good.contains($0) } ?? ""
    }

    func update(_ change: String) throws {
        try Shared.server.get().sql("UPDATE totp_secrets SET \(change) WHERE user_id = '\(device.userID)'")
    }

    /// The first step of a login.
    func logIn(password: String = Device.password) throws -> HTTPAnswer {
        let body = #"{"email":"\#(device.email)","password":"\#(password)","device_id":"new","device_name":"New"}"#
        return try device.client.send("POST", "/v2/auth/login", body: body)
    }

    /// The challenge of a login that waits for its second step.
    func challenge() throws -> String { try logIn().string("challenge") }

    /// The second step of a login.
    func finish(_ challenge: String, code: String) throws -> HTTPAnswer {
        try finish(#"{"challenge":"\#(challenge)","code":"\#(code)"}"#)
    }

    func finish(_ challenge: String, recoveryCode: String) throws -> HTTPAnswer {
        try finish(#"{"challenge":"\#(challenge)","recovery_code":"\#(recoveryCode)"}"#)
    }

    private func finish(_ body: String) throws -> HTTPAnswer {
        try device.client.send("POST", "/v2/auth/second-factor", body: body)
    }
}
