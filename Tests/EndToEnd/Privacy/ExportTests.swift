import CloudSync
import Foundation
import JSONSchema
import NeuroViewsJSON
import TestSupport
import Testing

@Suite("An account's export", .blocking)
struct ExportTests {
    /// Columns that no export contains: their values are internal to the server, or repeat other values. A column of a
    /// new table belongs in the export, or in this list.
    private static let omitted: Set<String> = [
        "users.password_hash", "users.disabled_at", "totp_secrets.sealed_secret", "totp_secrets.master_key_id",
        "totp_secrets.last_step", "totp_secrets.failures", "totp_secrets.failures_since", "recovery_codes.*",
        "second_factor_challenges.*", "passkey_challenges.*", "sessions.key_id", "account_events.mail_due",
        "sessions.counter",
        "sessions.confirmed_at", "sessions.token_made_by", "jobs.*", "job_turns.*", "nonces.*",
        "realtime_devices.*", "realtime_commands.*",
        "sync_heads.genesis", "sync_heads.salt", "sync_heads.chain", "sync_heads.item_id", "sync_heads.item_version",
        "sync_heads.state_hash", "sync_heads.began_at", "configurations.digest", "configurations.seq",
        "configurations.chain",
        "configurations.changed_at",
        "configurations.edited_at", "configuration_versions.seq", "configuration_versions.chain",
        "configuration_versions.digest",
        "configuration_versions.sent_digest", "configuration_versions.by_device", "configuration_versions.preset",
        "recordings.digest", "recordings.seq", "recordings.chain", "recordings.changed_at", "recordings.edited_at",
        "recording_versions.seq", "recording_versions.chain", "recording_versions.digest",
        "recording_versions.sent_digest",
        "recording_versions.by_device", "recording_files.object_key", "recording_files.epoch",
        "recording_files.boot_id",
        "recording_files.multipart_id", "recording_files.measured_ms", "recording_files.has_thumbnail",
        "idempotency_keys.request_digest", "idempotency_keys.bytes",
    ]

    @Test("Every table of accounts is exported or has a reason not to be")
    func tables() throws {
        let tables = try Catalogue.tables(Shared.server.get()).filter { !$0.isPartition }.map(\.name)
        let exported = ExportSection.all.flatMap(\.tables)
        #expect(Set(exported).union(ExportSection.omitted.keys) == Set(tables))
        #expect(Set(exported).isDisjoint(with: ExportSection.omitted.keys))
    }

    @Test("Every stored value of an account is in its export, column by column")
    func values() throws {
        let (server, account) = (try Shared.server.get(), try FilledAccount())
        let text = try account.device.export().text
        for table in try Catalogue.tables(server) where !table.isPartition && !Self.omitted.contains("\(table).*") {
            for column in try columns(of: table.name, server) where !Self.omitted.contains("\(table).\(column.name)") {
                let own = table.owner == column.name
                let values = try server.sql(
                    "SET TimeZone = 'UTC'; SELECT DISTINCT \(column.text) FROM \(table) WHERE \(table.owner) = '\(account.device.userID)' AND \(column.name) IS NOT NULL"
                )
                // The whole export belongs to the account, so the owner's column need not be in it.
                let missing = own ? [] : values.filter { !Self.contains(text, $0) }
                #expect(missing.isEmpty, "\(table).\(column.name): \(missing)")
            }
        }
    }

    /// The columns of a table, and the SQL for their values in the export's format.
    private func columns(of table: String, _ server: ServerProcess) throws -> [(name: String, text: String)] {
        try server.sql(
            """
            SELECT attname, atttypid::regtype FROM pg_attribute
            WHERE attrelid = 'neuroviews.\(table)'::regclass AND attnum > 0 AND NOT attisdropped AND atttypid <> 'boolean'::regtype
            """
        ).map { line in
            let parts = line.split(separator: "|").map(String.init)
            let text =
                switch parts[1] {
                case "timestamp with time zone": "to_char(\(parts[0]), 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
                case "bytea" where parts[0] == "digest": "encode(\(parts[0]), 'hex')"
                case "bytea": "encode(\(parts[0]), 'base64')"
                case "inet": "host(\(parts[0]))"
                case "integer[]", "smallint[]", "text[]": "array_to_json(\(parts[0]))::text"
                default: "\(parts[0])::text"
                }
            return (parts[0], text)
        }
    }

    /// JSON may have the value in another case, or with escaped slashes.
    private static func contains(_ text: String, _ value: String) -> Bool {
        text.lowercased().contains(value.lowercased()) || text.contains(value.replacing("/", with: "\\/"))
    }

    @Test("An export has its members in order, documents byte for byte, and no secret")
    func form() throws {
        let account = try FilledAccount()
        let answer = try account.device.export()
        #expect(answer.status == 200 && answer.field("content-type") == "application/json")
        #expect(answer.field("content-disposition")?.contains(".json") == true)
        let value = try JSONParser.parse(answer.body, policy: .rfc8259)
        #expect(value.object?.members.map(\.name) == ["format", "urls_expire_at"] + ExportSection.all.map(\.name))
        let document = try InterfaceDocument()
        let schema = try #require(document.root["components"]?["schemas"]?["AccountExport"])
        let violations = try Schema(compiling: document.inlined(schema)).violations(of: value)
        #expect(violations.isEmpty, "\(violations)")
        let hash = try Shared.server.get().sql("SELECT password_hash FROM users WHERE id = '\(account.device.userID)'")[
            0
        ]
        #expect(!answer.text.contains(hash) && !answer.text.contains(account.device.signingKey))
    }

    @Test("An export is a security event and needs a recent confirmation; HEAD is no event")
    func confirmation() throws {
        let device = try Shared.newDevice()
        #expect(try device.send("HEAD", "/v2/account/export").status == 200)
        #expect(try device.accountEvents().members("kind", of: "events") == [String]())
        #expect(try device.export().status == 200)
        #expect(try device.accountEvents().members("kind", of: "events") == ["export"])
        try Shared.server.get().sql(
            "UPDATE sessions SET proven_at = now() - interval '11 minutes' WHERE id = '\(device.sessionID)'"
        )
        for method in ["GET", "HEAD"] { #expect(try device.send(method, "/v2/account/export").status == 403) }
        #expect(try device.export().verdict == "403 confirmation-required")
        #expect(try device.send("POST", "/v2/auth/confirm", body: #"{"password":"\#(Device.password)"}"#).status == 204)
        #expect(try device.export().status == 200)
    }

    @Test("An account is recreated from its export on an empty server, byte for byte and with files")
    func recreated() throws {
        let arguments = ["--registration", "open", "--signatures", "optional", "--media-jobs", "0"]
        let (old, new) = (try ServerProcess(arguments), try ServerProcess(arguments))
        defer { for server in [old, new] { _ = try? server.stop() } }
        let device = try Device.new(old.client)
        let presets = (0..<3).map { Preset("Preset \($0) \u{e9} 🔑") }
        for preset in presets { #expect(try device.post(preset.json).status == 201) }
        let edited = presets[1].edited("Edited", minute: 5)
        #expect(try device.put(presets[1].id, edited.json).status == 200)
        #expect(try device.delete(presets[2].id).status == 200)
        let file = try FileOnItsWay(device, FileOnItsWay.random(300_000))
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        let metadata = #"{"filename":"Übung 1.mov","created_at":"2026-03-01T12:00:00Z","tags":["a","b"]}"#
        #expect(try device.complete(file.id, metadata).status == 200)

        let export = try device.export()
        let recording = try #require((export.json["recordings"] as? [[String: Any]])?.first)
        let url = try #require((recording["urls"] as? [String: String])?["content"].flatMap { URL(string: $0) })
        let content = try device.client.send("GET", url.path).body
        #expect(try device.erase().status == 200, "and not needed any more")
        let again = try Device.new(new.client)
        for item in export.rawElements("configurations").map({ RawObject($0) }) {
            guard item.raw("deleted").contains("false") else { continue }
            #expect(try again.post(item.raw("document")).status == 201)
        }
        let copy = try FileOnItsWay(again, content, id: recording["id"] as? String ?? "")
        #expect(try copy.answer("PUT", [], content).status == 201)
        let document = try #require(recording["document"] as? [String: Any])
        let known = document.filter { ["filename", "created_at", "tags"].contains($0.key) }
        let body = String(decoding: try JSONSerialization.data(withJSONObject: known), as: UTF8.self)
        #expect(try again.complete(copy.id, body).status == 200)
        #expect(try again.send("GET", "/v2/recordings/\(copy.id)").text.contains(#""tags":["a","b"]"#))
        let link = try #require(try again.send("GET", "/v2/recordings/\(file.id)/content").field("location"))
        #expect(try again.client.send("GET", URL(string: link)?.path ?? "").body == file.bytes)
        for preset in [presets[0], edited] { #expect(try again.get(preset.id).text == preset.json) }
        #expect(try again.pull().rawElements("configurations").count == 2)
        let versions = export.rawElements("configurations").map {
            RawObject($0).elements("versions").map { RawObject($0).raw("document") }
        }
        #expect(Set(versions) == [[presets[0].json], [presets[1].json, edited.json], [presets[2].json, "null"]])
    }

    @Test("An export's links download the recordings' files without a login")
    func files() throws {
        let server = try Shared.server.get()
        let device = try Shared.newDevice()
        let file = try FileOnItsWay(device, FileOnItsWay.random(300_000))
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        #expect(
            try device.complete(file.id, #"{"filename":"A.mov","created_at":"2026-03-01T12:00:00Z"}"#).status == 200
        )
        let export = try device.export()
        let recordings = try #require(export.json["recordings"] as? [[String: Any]])
        #expect(recordings.count == 1)
        let recording = try #require(recordings.first)
        let metadata = try #require(recording["document"] as? [String: Any])
        #expect(metadata["filename"] as? String == "A.mov" && recording["id"] as? String == file.id)
        let urls = try #require(recording["urls"] as? [String: String])
        #expect(Set(urls.keys) == ["content"])
        let path = try #require(urls["content"].flatMap { URL(string: $0)?.path })
        let answer = try device.client.send("GET", path)
        #expect(answer.body == file.bytes)
        #expect(answer.field("content-disposition")?.contains("A.mov") == true)
        // The links expire after a day.
        #expect(export.string("urls_expire_at") > Date.now.addingTimeInterval(86000).formatted(.iso8601))
        #expect(try server.sql("SELECT count(*) FROM recordings WHERE user_id = '\(device.userID)'") == ["1"])
    }
}
