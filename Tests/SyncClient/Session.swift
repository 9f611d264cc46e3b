import Foundation
import TestSupport

/// A session of one device: logs in, signs, refreshes its token.
final class Session {
    private let client: APIClient
    private let email: String
    private let password: String
    private let deviceID: String
    private var device: Device?
    private var clockS = 0

    init(port: UInt16, email: String, password: String, deviceID: String) {
        client = APIClient(port: port)
        (self.email, self.password, self.deviceID) = (email, password, deviceID)
    }

    /// The answer to a signed request. Throws `.noAnswer`, `.later`.
    func send(_ method: String, _ path: String, _ fields: APIClient.Fields, _ body: String) throws -> HTTPAnswer {
        var repaired: Set<String> = []
        while true {
            let device = try device ?? logIn()
            let answer = try attempt(method, path, fields, body, by: device)
            guard answer.status == 401, repaired.insert(answer.problem).inserted else { return answer }
            try repair(answer, device)
        }
    }

    private func repair(_ answer: HTTPAnswer, _ device: Device) throws {
        switch answer.problem {
        case "clock-skew": clockS = (answer.int("server_time") ?? 0) - Int(Date().timeIntervalSince1970)
        case "nonce-used": break
        case "token-expired":
            let refreshed = try attempt("POST", "/auth/refresh", [], "", by: device)
            if refreshed.status == 200 { self.device?.token = refreshed.string("token") } else { self.device = nil }
        default: self.device = nil
        }
    }

    private func attempt(
        _ method: String,
        _ path: String,
        _ fields: APIClient.Fields,
        _ body: String,
        by device: Device
    ) throws -> HTTPAnswer {
        let now = Int(Date().timeIntervalSince1970) + clockS
        let signature = try device.signature(
            method,
            client.origin + "/v2" + path,
            fields,
            body: body,
            version: 3,
            timestamp: now
        )
        let authorization = [("Authorization", "Bearer \(device.token)")]
        return try Self.checked {
            try client.send(method, "/v2" + path, fields + signature + authorization, body: body.isEmpty ? nil : body)
        }
    }

    private func logIn() throws -> Device {
        let body = #"{"email":"\#(email)","password":"\#(password)","device_id":"\#(deviceID)"}"#
        let answer = try Self.checked { try client.send("POST", "/v2/auth/login", body: body) }
        guard answer.status == 200 else { throw SyncFailure.later(seconds: 1) }
        let made = Device(
            client: client,
            email: email,
            token: answer.string("token"),
            signingKey: answer.string("signing_key"),
            userID: ""
        )
        device = made
        return made
    }

    private static func checked(_ send: () throws -> HTTPAnswer) throws -> HTTPAnswer {
        guard let answer = try? send() else { throw SyncFailure.noAnswer }
        guard answer.status == 408 || answer.status == 429 || answer.status >= 500 else { return answer }
        throw SyncFailure.later(seconds: answer.field("retry-after").flatMap(Double.init) ?? 1)
    }
}
