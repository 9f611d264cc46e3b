import Foundation
import TestSupport
import Testing

/// The log contains paths, including their ids. It contains nothing else that a client sends.
@Suite("No secret in the server's output to operators", .blocking)
struct CanaryTests {
    /// The secret texts, and all outputs that must not contain them.
    private final class Trap {
        var canaries: [String: String] = [:]
        var outputs: [String: String] = [:]

        /// A new unique text. Each kind of secret has its own.
        func canary(_ kind: String) -> String {
            let text = "cnry\(UUID().uuidString.lowercased().filter { $0 != "-" })"
            canaries[kind] = text
            return text
        }

        func keep(_ answer: HTTPAnswer, _ name: String) {
            let fields = answer.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
            outputs["fields of \(name)", default: ""] += fields
            guard answer.status >= 400 else { return }
            // A refused client gets the current document of its own account, so this member is no leak.
            let current = answer.raw("current") ?? ""
            outputs["problem of \(name)", default: ""] +=
                current.isEmpty
                ? answer.text : answer.text.replacing(current, with: "")
        }
    }

    @Test("Logs, metrics, problems and header fields have no secret, in both log formats at level debug")
    func secrets() throws {
        let trap = Trap()
        let options = [
            "--registration", "open", "--signatures", "optional", "--log-level", "debug", "--slow-request-ms", "1",
        ]
        let text = try ServerProcess(options + ["--log-format", "text"])
        defer { _ = try? text.stop() }
        let password = trap.canary("database password")
        let json = try ServerProcess(
            options + ["--log-format", "json", "--secret-file", text.data + "/secret.key"],
            environment: ["NEUROVIEWS_DATABASE_URL": text.connectionString + " password=\(password)"]
        )
        defer { _ = try? json.stop() }
        try addMasterKey(of: text, to: trap)
        let devices = try [("text", text), ("json", json)].map { try sendEverything(to: $1, trap, name: $0) }
        try askWithoutDatabase(devices, of: text, trap)
        for server in [text, json] { try server.awaitReady() }
        for (name, server) in [("text", text), ("json", json)] {
            trap.outputs["metrics of \(name)"] = try server.adminClient.send("GET", "/metrics").text
            trap.keep(try server.adminClient.send("GET", "/readyz"), "admin")
            #expect(try server.stop() == 0)
            trap.outputs["log of \(name)"] = server.log
        }
        #expect(trap.outputs["log of text"]?.contains("database connection lost=") == true)
        #expect(trap.outputs["log of json"]?.contains(#""status":503"#) == true)
        #expect(trap.canaries.count > 12 && trap.outputs.count > 8)
        for (kind, canary) in trap.canaries {
            for (name, output) in trap.outputs { #expect(!output.contains(canary), "\(kind) in \(name)") }
        }
    }

    /// The secret's bytes in all possible notations.
    private func addMasterKey(of server: ServerProcess, to trap: Trap) throws {
        let key = try #require(FileManager.default.contents(atPath: server.data + "/secret.key"))
        trap.canaries["master key, Base64"] = key.base64EncodedString()
        trap.canaries["master key, hexadecimal"] = key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
        trap.canaries["master key, list"] = key.prefix(8).map(String.init).joined(separator: ", ")
    }

    private func sendEverything(to server: ServerProcess, _ trap: Trap, name: String) throws -> Device {
        let client = server.client
        let email = "\(trap.canary("e-mail \(name)"))@example.org"
        let password = trap.canary("password \(name)")
        let credentials =
            #"{"email":"\#(email)","password":"\#(password)","device_id":"\#(trap.canary("device \(name)"))"}"#
        var found: Device?
        for path in ["/v2/auth/register", "/v2/auth/register", "/v2/auth/login"] {
            let answer = try client.send("POST", path, body: credentials)
            trap.keep(answer, "accounts")
            guard answer.status == 200, let user = answer.json["user"] as? [String: Any] else { continue }
            var device = Device(
                client: client,
                email: email,
                token: answer.string("token"),
                signingKey: answer.string("signing_key"),
                userID: user["id"] as? String ?? ""
            )
            trap.canaries["token \(name)"] = device.token
            trap.canaries["token's signature \(name)"] = device.token.split(separator: ".").last.map(String.init)
            trap.canaries["signing key \(name)"] = device.signingKey
            device.signatureVersion = 1
            try sendSigned(device, trap, name: name)
            found = device
        }
        let wrong = trap.canary("wrong password \(name)")
        trap.keep(
            try client.send("POST", "/v2/auth/login", body: #"{"email":"\#(email)","password":"\#(wrong)"}"#),
            "login"
        )
        try sendMalformed(client, trap, name: name)
        return try #require(found)
    }

    private func sendSigned(_ device: Device, _ trap: Trap, name: String) throws {
        let preset = Preset(trap.canary("document \(name)"))
        let body = #"{"configuration":\#(preset.json)}"#
        let (target, nonce) = ("/v2/configurations", trap.canary("nonce \(name)"))
        var fields = try device.signature("POST", device.client.origin + target, body: body, nonce: nonce)
        trap.canaries["signature \(name)"] = fields.first { $0.0 == "X-Signature" }?.1
        fields += [
            ("Authorization", "Bearer \(device.token)"), ("Idempotency-Key", trap.canary("idempotency key \(name)")),
        ]
        // The second request is a replay.
        for _ in 0..<2 { trap.keep(try device.client.send("POST", target, fields, body: body), "writes") }
        let query = trap.canary("query \(name)")
        for query in [
            "sync_token=\(query)", "last_sync=\(query)", "limit=\(query)", "device_id=\(query)", "x=\(query)&%",
        ] {
            trap.keep(try device.pull(query), "deltas")
        }
        let other = preset.edited(trap.canary("refused document \(name)"), minute: 0)
        trap.keep(try device.put(preset.id, other.json, [("If-Match", "\"\(trap.canary("tag \(name)"))\"")]), "writes")
        let broken = body.replacing("\"H.265\"", with: "\"\(trap.canary("wrong value \(name)"))\"")
        trap.keep(try device.send("PUT", "\(target)/\(preset.id)", body: broken), "writes")
        let refreshed = try device.send("POST", "/v2/auth/refresh")
        trap.canaries["refreshed token \(name)"] = refreshed.string("token")
        let (count, version) = (Int(Date().timeIntervalSince1970) - 4000, 1)
        let late = try device.signature("GET", device.client.origin + target, version: version, timestamp: count)
        trap.keep(try device.client.send("GET", target, late + [("Authorization", "Bearer \(device.token)")]), "deltas")
    }

    private func sendMalformed(_ client: APIClient, _ trap: Trap, name: String) throws {
        let canary = trap.canary("malformed \(name)")
        for fields in [
            [("Authorization", "Bearer \(canary)")], [("Authorization", "Basic \(canary)")],
            [("Cookie", "id=\(canary)")],
            [("X-Request-Id", "\(canary) x")], [("traceparent", "00-\(canary)")],
            [("Origin", "https://\(canary).example")],
            [("If-None-Match", canary)], [("Referer", "https://example.org/\(canary)")], [("User-Agent", canary)],
        ] { trap.keep(try client.send("GET", "/v2/configurations", fields), "refusals") }
        for bytes in [
            "GET /v2/version HTTP/1.1\r\nHost : \(canary)\r\n\r\n", "GET /v2/version HTTP/\(canary)\r\n\r\n",
            "POST /v2/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: \(canary)\r\n\r\n", "\(canary)\r\n\r\n",
        ] {
            let connection = try HTTPConnection(port: client.port)
            try connection.send(bytes)
            if let answer = try connection.receive() { trap.keep(answer, "refusals") }
        }
        let body = #"{"email":"\#(canary)","email":"\#(canary)"}"#
        for body in [body, #"{"\#(canary)":"#, #"["\#(canary)"]"#, "\u{1}\(canary)"] {
            // The detail may name a duplicate member. The name is the client's own.
            _ = try client.send("POST", "/v2/auth/register", body: body)
        }
    }

    /// The server that starts PostgreSQL again is stopped until the other one has met the outage. It is back soon after that, so the test may
    /// need several rounds for the first device, whose server it is.
    private func askWithoutDatabase(_ devices: [Device], of server: ServerProcess, _ trap: Trap) throws {
        var met: Set<String> = []
        for _ in 0..<10 where met.count < devices.count {
            try server.awaitReady()
            for device in devices { _ = try device.pull() }
            server.signal(SIGSTOP)
            defer { server.signal(SIGCONT) }
            try server.killPostgres()
            for device in devices.reversed() {
                if device.email == devices[0].email { server.signal(SIGCONT) }
                let preset = Preset(trap.canary("document while away"))
                let answer = try device.post(preset.json)
                trap.keep(answer, "outage")
                if answer.status == 503 { met.insert(device.email) }
            }
        }
        #expect(met.count == devices.count)
    }

    @Test(
        "An unusable database URL is refused without a part of its password",
        arguments: [
            "postgresql://user:%@127.0.0.1:1/db", "postgresql://user:%@x@127.0.0.1:1/db",
            "postgresql://user:%%zz@127.0.0.1/db",
            "postgresql://user:%/x@127.0.0.1/db", "host=127.0.0.1 port=1 password=%", "host=127.0.0.1 password='%",
            "host=127.0.0.1 user=a % password=b", "postgresql://user:a#%@127.0.0.1:1/db?x=%",
        ]
    )
    func address(pattern: String) throws {
        let canary = Trap().canary("password")
        let url = pattern.replacing("%", with: canary, maxReplacements: 1)
        let data = Sandbox.makeFolder() + "/data"
        let arguments = ["serve", "--data", data]
        // The server waits for a valid address without a listener, so it has a time limit here.
        let command = ["timeout", "--signal=TERM", "5", Program.server] + arguments
        let program = try Program.run(command, environment: ["NEUROVIEWS_DATABASE_URL": url])
        #expect(program.status != 0)
        #expect(!program.complaint.isEmpty)
        #expect(!(program.complaint + program.output).contains(canary.prefix(12)), "\(program.complaint)")
    }
}
