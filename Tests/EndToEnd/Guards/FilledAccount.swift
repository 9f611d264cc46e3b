import Credentials
import Foundation
import Net
import NeuroViewsCrypto
import NeuroViewsJSON
import TestSupport

/// An account with rows in every table of users, under the names in the document's examples.
struct FilledAccount: Sendable {
    let device: Device
    /// A text in everything that the account stores and can read again.
    let mark = "mark-\(UUID().uuidString)"
    /// Values of parameters that the server chooses.
    private var made: [String: String] = [:]

    /// The secret of an authenticator app that is not in use yet.
    private var totpSecret: [UInt8] = []

    /// The app's current code.
    var totpCode: String {
        let seconds = Int(Date().timeIntervalSince1970)
        return TOTP(secret: totpSecret).code(step: TOTP.step(at: seconds))
    }

    /// An account for the many tests that send refused requests, which change nothing. It is replaced after two
    /// minutes, since links and confirmations expire.
    static func shared() throws -> FilledAccount {
        try current.withLock { current in
            if let current, Monotonic.nowMs() < current.endMs { return current.account }
            let account = try FilledAccount()
            current = (account, Monotonic.nowMs() + 120_000)
            return account
        }
    }

    private static let current = Locked<(account: FilledAccount, endMs: UInt64)?>(nil)

    /// Creates the account on the shared server.
    init() throws {
        device = try Shared.newDevice()
        try fill()
    }

    /// The default value of a path parameter, which names something that exists.
    func value(of parameter: Parameter) -> String { value(of: parameter.name, parameter.example) }

    /// The same for a name with `example` in the document.
    func value(of name: String, _ example: String) -> String { made[name] ?? example }

    /// True if an answer contains anything of this account.
    func isRecognised(in answer: HTTPAnswer) -> Bool {
        let text = answer.text + answer.fields.map(\.value).joined(separator: "\n")
        return [mark, device.userID, device.email, device.sessionID].contains { text.contains($0) }
    }

    private mutating func fill() throws {
        let key = UUID().uuidString
        try send("putDevice", [], 201) { $0.set("name", to: .string(mark)) }
        try send("createConfiguration", [("Idempotency-Key", key)], 201) { $0.name(mark) }
        try send("createConfiguration", [], 409) { $0.name("\(mark), lost") }
        // The patch has its own modified_at and no If-Match, so the server records its base.
        try send("patchConfiguration", [], 200) { $0.set("name", to: .string("\(mark), patched")) }
        try Shared.server.get().sql("SELECT note_address('\(device.userID)', '192.0.2.7', 20)")
        try fillRecording()
        try fillAnalytics()
        try fillSecondFactor()
        try fillIdentities()
        try fillPasskeys()
        try fillRealtime()
        // A signed write stores its nonce, regardless of the outcome. After version 1, later requests may be unsigned.
        var signing = device
        signing.signatureVersion = 1
        try Self.check(signing.send("DELETE", "/v2/configurations/\(UUID().uuidString)"), 404)
        // The account's events include the export.
        try Self.check(device.export(), 200)
        let conflicts = try RequestDraft(Operation.named("listConflicts"), by: self).send(device.client)
        let versions = try RequestDraft(Operation.named("listVersions"), by: self).send(device.client)
        let tag = (versions.members("version", of: "versions") as [String]).last
        made["session"] = device.sessionID
        made["tag"] = tag
        made["version"] = tag.map { String($0.prefix { $0 != "-" }) }
        made["digest"] = (conflicts.members("digest", of: "conflicts") as [String]).first
    }

    /// A passkey that was used for a confirmation.
    private mutating func fillPasskeys() throws {
        let person = try PasskeyDevice.registered(of: device, name: mark)
        made["passkey"] = person.id
        try Self.check(device.send("POST", "/v2/auth/confirm", body: #"{"assertion":\#(person.assertion())}"#), 204)
    }

    /// A recording under the id in the examples. The database marks its bytes as stored.
    private mutating func fillRecording() throws {
        let id = try Operation.named("getRecording").parameters(in: .path).map { value(of: $0) }[0]
        var draft = RequestDraft(try Operation.named("openUpload"), by: self, ["id": id])
        try Self.check(draft.send(device.client), 200)
        try Shared.server.get().sql(
            """
            UPDATE recording_files SET upload = 'complete', device_id = '\(mark)', size = \(mark.utf8.count), upload_offset = \(mark.utf8.count),
                uploaded_at = now(), has_thumbnail = true, has_preview = true
            WHERE user_id = '\(device.userID)'
            """
        )
        // No worker of the shared server has begun a job.
        try Shared.server.get().sql("INSERT INTO job_turns (user_id, lane) VALUES ('\(device.userID)', 'checks')")
        draft = RequestDraft(try Operation.named("completeRecording"), by: self)
        draft.body = Array(#"{"metadata":{"filename":"\#(mark)","created_at":"2026-03-01T12:00:00Z"}}"#.utf8)
        try Self.check(draft.send(device.client), 200)
        try device.storeFile(id, Array(mark.utf8), Shared.server.get())
        let link = try device.send("GET", "/v2/recordings/\(id)/content").field("location")
        made["link"] = link.flatMap { $0.split(separator: "/").last.map(String.init) }
        let opened = try device.openUpload(UUID().uuidString)
        try Self.check(opened, 200)
        made["token"] = opened.string("upload_url").split(separator: "/").last.map(String.init)
    }

    /// Consent, and an event of today, because the events in the document's examples are too old by now.
    private func fillAnalytics() throws {
        try device.agree(version: mark)
        let event = #"{"name":"\#(mark)","timestamp":"\#(Device.eventTime())","parameters":{"mark":"\#(mark)"}}"#
        try Self.check(device.send("POST", "/v2/analytics/events", body: #"{"events":[\#(event)]}"#), 200)
    }

    /// An authenticator app without a first code, so that a login needs no code.
    private mutating func fillSecondFactor() throws {
        let begun = try device.send("POST", "/v2/account/totp")
        try Self.check(begun, 200)
        totpSecret = Base32.decode(begun.string("secret")) ?? []
        try Shared.server.get().sql(
            """
            INSERT INTO recovery_codes (user_id, digest) VALUES ('\(device.userID)', sha256('\(mark)'));
            INSERT INTO second_factor_challenges (user_id, digest, password_digest, device_id, attempts_left)
            VALUES ('\(device.userID)', sha256('\(mark)'), sha256('\(mark)'), '\(mark)', 1)
            """
        )
    }

    /// A device that is connected to another server, and a command that has ended.
    private func fillRealtime() throws {
        let server = "99999999-0000-4000-8000-000000000001"
        let status = #"{"device_id":"\#(mark)","status":{"state":"\#(mark)"}}"#
        try Shared.server.get().sql(
            """
            INSERT INTO server_keys (server_id, host, process, key_ids, missing_ids, looked_at, seen_at)
            SELECT '\(server)', host, 0, key_ids, missing_ids, now(), now() + interval '30 seconds' FROM server_keys LIMIT 1
            ON CONFLICT (server_id) DO UPDATE SET seen_at = EXCLUDED.seen_at;
            INSERT INTO realtime_devices (user_id, device_id, server_id, states)
            VALUES ('\(device.userID)', '\(mark)', '\(server)', '{"status":\(status)}');
            INSERT INTO realtime_commands (user_id, id, digest, sender, target, deadline, outcome, result)
            VALUES ('\(device.userID)', gen_random_uuid(), '', '\(mark)', '\(mark)', now() + interval '1 hour', 'done', '"\(mark)"')
            """
        )
    }

    /// An identity under the id in the examples.
    private func fillIdentities() throws {
        let id = try Operation.named("unlinkIdentity").parameters(in: .path).map { value(of: $0) }[0]
        try Shared.server.get().sql(
            """
            INSERT INTO identities (user_id, id, issuer, subject, email)
            VALUES ('\(device.userID)', '\(id)', '\(Shared.apple.issuer)', '\(mark)', '\(mark)@example.org')
            """
        )
    }

    private static func check(_ answer: HTTPAnswer, _ status: Int) throws {
        guard answer.status == status else { throw Program.Failure("\(answer.verdict) \(answer.text)") }
    }

    /// Sends the document's example for an operation, with one change.
    private func send(
        _ name: String,
        _ fields: APIClient.Fields,
        _ status: Int,
        _ change: (inout JSONObject) -> Void
    ) throws {
        let operation = try Operation.named(name)
        guard var body = operation.body?.example.object else { throw Program.Failure("\(name) takes no object") }
        change(&body)
        var draft = RequestDraft(operation, by: self)
        draft.fields += fields
        draft.body = JSONValue.object(body).serialized()
        let answer = try draft.send(device.client)
        guard answer.status == status else { throw Program.Failure("\(name): \(answer.verdict) \(answer.text)") }
    }
}

extension JSONObject {
    /// Sets the configuration's name in the body of a write.
    fileprivate mutating func name(_ name: String) {
        guard var configuration = self["configuration"]?.object else { return }
        configuration.set("name", to: .string(name))
        set("configuration", to: .object(configuration))
    }
}
