import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Log and metrics", .blocking)
struct ObservationTests {
    private func server() throws -> ServerProcess { try Shared.observedServer.get() }

    /// The log lines with this id. Waits until there are `count` lines.
    private func lines(_ id: String, count: Int = 1) throws -> [[String: Any]] {
        var found: [[String: Any]] = []
        try Deadline.wait("\(count) lines of \(id)", seconds: 10) {
            found = try server().log.split(separator: "\n").filter { $0.contains("\"\(id)\"") }.compactMap {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
            return found.count >= count
        }
        return found
    }

    private func metrics(of server: ServerProcess) throws -> Exposition {
        let answer = try server.adminClient.send("GET", "/metrics")
        guard answer.status == 200 else { throw Program.Failure("metrics: \(answer.status)") }
        return try Exposition(answer.text)
    }

    @Test("The log line of a request has its id, trace, status, size, time and client")
    func line() throws {
        let trace = "0af7651916cd43dd8448eb211c80319c"
        let id = UUID().uuidString
        let fields = [("X-Request-Id", id), ("traceparent", "00-\(trace)-b7ad6b7169203331-01")]
        let answer = try server().client.send("GET", "/v2/version?secret=1", fields)
        let line = try #require(try lines(id).first)
        #expect(line["message"] as? String == "request")
        #expect(line["level"] as? String == "info")
        #expect(line["method"] as? String == "GET")
        #expect(line["path"] as? String == "/v2/version")
        #expect(line["status"] as? Int == 200)
        #expect(line["bytes"] as? Int == answer.body.count)
        #expect(line["peer"] as? String == "127.0.0.1")
        #expect(line["trace"] as? String == trace)
        #expect(line["parent"] as? String == "b7ad6b7169203331")
        #expect(line["us"] as? Int ?? 0 > 0)
        #expect((line["time"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }

    @Test("The log line names the caller's account and session, and that of a login the new ones")
    func account() throws {
        let (server, login, id) = (try server(), UUID().uuidString, UUID().uuidString)
        let device = try Device.new(server.client)
        _ = try server.client.send(
            "POST",
            "/v2/auth/login",
            [("X-Request-Id", login)],
            body: #"{"email":"\#(device.email)","password":"\#(Device.password)"}"#
        )
        #expect(try device.send("GET", "/v2/configurations", [("X-Request-Id", id)]).status == 200)
        let (begun, asked) = (try #require(try lines(login).first), try #require(try lines(id).first))
        let user = try #require(asked["user"] as? String)
        #expect(UUID(uuidString: user) != nil && begun["user"] as? String == user)
        let sessions = [begun, asked].compactMap { ($0["session"] as? String).flatMap { UUID(uuidString: $0) } }
        #expect(sessions.count == 2 && sessions[0] != sessions[1])
        #expect(begun["tried"] == nil)
    }

    @Test("The log line of a failed login has a stable pseudonym of the address, which user show prints")
    func tried() throws {
        let server = try server()
        let device = try Device.new(server.client)
        let names = try [device.email, device.email.uppercased(), Device.newEmail()].map { email in
            let id = UUID().uuidString
            let body = #"{"email":"\#(email)","password":"a wrong guess"}"#
            let answer = try server.client.send("POST", "/v2/auth/login", [("X-Request-Id", id)], body: body)
            #expect(answer.verdict == "401 credentials-invalid")
            let line = try #require(try lines(id).first)
            #expect(line["user"] == nil, "\(line)")
            return try #require(line["tried"] as? String)
        }
        #expect(names[0] == names[1] && names[0] != names[2] && names[0].count == 16)
        #expect(
            try Operator.succeed(["user", "show", device.email, "--data", server.data]).contains(
                "tried_as: \(names[0])\n"
            )
        )
    }

    @Test("A long path is shortened in the log, and an unknown method is logged as information")
    func longPath() throws {
        let id = UUID().uuidString
        let path = "/" + String(repeating: "a", count: 8000)
        #expect(try server().client.send("BREW", path, [("X-Request-Id", id)]).status == 501)
        let line = try #require(try lines(id).first)
        #expect(line["level"] as? String == "info" && line["method"] as? String == "other")
        #expect((line["path"] as? String)?.count == 256 && line["path_bytes"] as? Int == 8001)
    }

    @Test("Thousands of refused strangers do not suppress the log lines of others, and are counted")
    func flood() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional", "--log-format", "json"])
        let device = try Device.new(server.client)
        // The token of an ended session identifies no user.
        let ended = try Device.new(server.client)
        #expect(try ended.send("POST", "/v2/auth/logout").status == 204)
        for _ in 0..<3 { _ = try server.client.send("GET", "/v2/nothing") }
        let connection = try HTTPConnection(port: server.client.port)
        let token = "Authorization: Bearer \(ended.token)"
        for (request, status) in [("/v2/nothing HTTP/1.1", 404), ("/v2/devices HTTP/1.1\r\n\(token)", 401)] {
            for _ in 0..<20 {
                try connection.send(String(repeating: "GET \(request)\r\nHost: a\r\n\r\n", count: 50))
                for _ in 0..<50 { #expect(try connection.receive()?.status == status) }
            }
        }
        #expect(try device.send("GET", "/v2/configurations").status == 200)
        Thread.sleep(forTimeInterval: 1.2)
        _ = try server.client.send("GET", "/v2/nothing")
        try server.awaitLog("refusals not logged")
        let lines = server.log.split(separator: "\n")
        // Ten a second are logged: half of the 2,000 only if they took 100 seconds.
        #expect(lines.filter { $0.contains("/v2/nothing") || $0.contains("/v2/devices") }.count < 1000)
        #expect(lines.contains { $0.contains("/v2/configurations") && $0.contains("\"user\"") })
    }

    @Test("A malformed traceparent is left out, and the request is served")
    func trace() throws {
        let id = UUID().uuidString
        let fields = [
            ("X-Request-Id", id), ("traceparent", "00-\(String(repeating: "0", count: 32))-b7ad6b7169203331-01"),
        ]
        #expect(try server().client.send("GET", "/v2/version", fields).status == 200)
        #expect(try lines(id).first?["trace"] == nil)
    }

    @Test("A slow request is logged with the durations of its parts")
    func slow() throws {
        let id = UUID().uuidString
        let body = #"{"email":"\#(Device.newEmail())","password":"\#(Device.password)"}"#
        let answer = try server().client.send("POST", "/v2/auth/register", [("X-Request-Id", id)], body: body)
        #expect(answer.status == 201)
        let line = try #require(try lines(id, count: 2).first { $0["message"] as? String == "slow request" })
        #expect(line["level"] as? String == "warning")
        let parts = ["body_us", "auth_us", "hash_us", "db_wait_us", "db_us", "handler_us", "write_us"]
        let times = try parts.map { try #require(line[$0] as? Int, "\($0)") }
        #expect(times[2] > 1000, "hashing a password takes long")
        #expect(line["db_round_trips"] as? Int == 1)
        let total = try #require(line["us"] as? Int)
        #expect(abs(total - times.reduce(0, +)) <= parts.count, "the parts are the whole: \(total) \(times)")
        #expect(try metrics(of: server()).value("neuroviews_http_slow_requests_total") ?? 0 >= 1)
    }

    @Test("The time of a slowly arriving body is logged as the body's time")
    func trickle() throws {
        let id = UUID().uuidString
        let body = Array(#"{"email":"nobody","password":"x"}"#.utf8)
        let connection = try HTTPConnection(port: server().client.port)
        let fields = [("X-Request-Id", id), ("Expect", "100-continue")]
        let request = APIClient.request("POST", "/v2/auth/login", host: "a", fields, body: body)
        try connection.send(Array(request.dropLast(body.count)))
        try connection.awaitContinue()
        usleep(50_000)
        try connection.send(body)
        #expect(try connection.receive()?.status ?? 500 < 500)
        let line = try #require(try lines(id, count: 2).first)
        #expect(line["body_us"] as? Int ?? 0 >= 50_000)
    }

    @Test("The wait for a client's close after the last answer does not count as request time")
    func hangUp() throws {
        let id = UUID().uuidString
        let connection = try HTTPConnection(port: server().client.port)
        let fields = [("X-Request-Id", id), ("Connection", "close")]
        try connection.send(APIClient.request("GET", "/healthz", host: "a", fields))
        #expect(try connection.receive()?.status == 200)
        // The server waits two seconds for the other side to close.
        let line = try #require(try lines(id).first)
        #expect(line["write_us"] as? Int ?? .max < 1_900_000)
    }

    @Test("Requests are counted by route pattern, method and status; unknown routes share one label")
    func requests() throws {
        // This test has a server of its own, because the counts include requests of other tests.
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        let client = server.client
        let device = try Device.new(client)
        let before = try metrics(of: server)
        let preset = Preset()
        #expect(try device.post(preset.json).status == 201)
        for _ in 0..<3 { #expect(try device.get(preset.id).status == 200) }
        #expect(try device.send("HEAD", "/v2/configurations/\(preset.id)").status == 200)
        for number in 0..<5 { #expect(try client.send("GET", "/v2/nothing/\(number)").status == 404) }
        #expect(try client.send("BREW-\(UUID().uuidString)", "/v2/version").status == 501)
        let item = "/v2/configurations/{id}"
        func added(_ labels: [String: String], _ name: String = "neuroviews_http_requests_total") throws -> Double {
            try (metrics(of: server).value(name, labels) ?? 0) - (before.value(name, labels) ?? 0)
        }
        // The server counts a request after its answer.
        try Deadline.wait("the counts", seconds: 10) {
            try added(["route": "unmatched", "method": "other", "status": "501"]) == 1
        }
        #expect(try added(["route": item, "method": "GET", "status": "200"]) == 3)
        #expect(try added(["route": item, "method": "HEAD", "status": "200"]) == 1)
        #expect(try added(["route": "/v2/configurations", "method": "POST", "status": "201"]) == 1)
        #expect(try added(["route": "unmatched", "method": "GET", "status": "404"]) == 5)
        let duration = "neuroviews_http_request_duration_seconds_count"
        #expect(try added(["route": item, "method": "GET"], duration) == 3)
        let bytes = "neuroviews_http_request_body_bytes_total"
        #expect(try added(["route": "/v2/configurations", "method": "POST"], bytes) > Double(preset.json.utf8.count))
        let routes = Set(try metrics(of: server).samples.compactMap { $0.labels["route"] })
        #expect(!routes.contains { $0.contains(preset.id) || $0.contains("nothing") })
    }

    @Test("The exposition has Prometheus' text format and the operator's metrics, and HEAD works")
    func exposition() throws {
        let answer = try server().adminClient.send("GET", "/metrics")
        #expect(answer.field("content-type") == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.field("cache-control") == "no-store")
        #expect(try server().adminClient.send("HEAD", "/metrics").status == 200)
        let metrics = try Exposition(answer.text)
        for name in [
            "neuroviews_build_info", "neuroviews_http_connections", "neuroviews_database_connections",
            "neuroviews_database_waiting_requests", "neuroviews_database_wait_seconds_count",
            "neuroviews_event_loop_lag_seconds_count", "neuroviews_log_lines_dropped_total",
            "process_cpu_seconds_total",
            "process_resident_memory_bytes", "process_open_fds", "process_max_fds", "process_start_time_seconds",
            "process_threads", "neuroviews_uptime_seconds",
        ] { #expect(metrics.samples.contains { $0.name == name }, "\(name)") }
        #expect(metrics.value("process_open_fds") ?? 0 > 5)
        #expect(metrics.value("process_resident_memory_bytes") ?? 0 > 1_048_576)
        #expect(abs((metrics.value("process_start_time_seconds") ?? 0) - Date().timeIntervalSince1970) < 3600)
        #expect(metrics.value("neuroviews_http_connections", ["listener": "admin", "state": "active"]) ?? 0 >= 1)
    }

    @Test("File bytes, resumed uploads, jobs by state and errors of the store are counted")
    func recordings() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional", "--media-jobs", "0"])
        defer { _ = try? server.stop() }
        let device = try Device.new(server.client)
        let file = try FileOnItsWay(device, FileOnItsWay.random(100_000))
        let begun = FileOnItsWay.draft + [("Upload-Complete", "?0")]
        #expect(try file.answer("PUT", begun, Array(file.bytes[..<60_000])).status == 201)
        #expect(try file.sendRest().status == 201)
        #expect(try device.complete(file.id, Device.movie).status == 200)
        let link = try device.send("GET", "/v2/recordings/\(file.id)/content").field("location") ?? ""
        let path = try #require(link.range(of: "/v2/downloads/").map { String(link[$0.lowerBound...]) })
        #expect(try server.client.send("GET", path, [("Range", "bytes=0-999")]).status == 206)
        #expect(try server.client.send("GET", path).body.count == 100_000)
        func value(_ name: String, _ labels: [String: String] = [:]) throws -> Double? {
            try metrics(of: server).value(name, labels)
        }
        // The server counts after the answers.
        try Deadline.wait("the counts", seconds: 10) {
            try value("neuroviews_upload_bytes_total") == 100_000 && value("neuroviews_download_bytes_total") == 101_000
        }
        #expect(try value("neuroviews_upload_resumptions_total") == 1)
        let verify = ["kind": "verify", "state": "waiting"]
        #expect(try value("neuroviews_jobs", verify) == 1)
        #expect(try value("neuroviews_jobs", ["kind": "verify", "state": "running"]) == 0)
        try server.sql("UPDATE jobs SET lease = gen_random_uuid(), run_at = now() + interval '1 minute'")
        #expect(try value("neuroviews_jobs", ["kind": "verify", "state": "running"]) == 1)
        #expect(try value("neuroviews_jobs", verify) == 0)
        #expect(try value("neuroviews_storage_errors_total", ["kind": "failed"]) == 0)
        // The storage can't open a link to itself.
        let folder = Hex.encode([SHA256.hash(Array(file.objectKey.utf8))[0]])
        let object = "\(server.data)/objects/objects/\(folder)/\(file.objectKey)"
        #expect(unlink(object) == 0 && symlink(object, object) == 0)
        #expect(try server.client.send("GET", path).status == 503)
        #expect(try value("neuroviews_storage_errors_total", ["kind": "failed"]) ?? 0 >= 1)
    }

    @Test("The lag of event loops is measured, and errors of the database are counted")
    func health() throws {
        try Deadline.wait("a measured lag", seconds: 20) {
            let name = "neuroviews_event_loop_lag_seconds_count"
            return try metrics(of: server()).samples.filter { $0.name == name }.allSatisfy { $0.value > 0 }
        }
        let email = Device.newEmail()
        let client = try server().client
        #expect(try Device.register(client, email).status == 201)
        #expect(try Device.register(client, email).status == 409)
        let labels = ["pool": "background", "kind": "refused", "class": "23"]
        #expect(try metrics(of: server()).value("neuroviews_database_errors_total", labels) ?? 0 >= 1)
    }

    @Test("promtool accepts the exposition without a warning", .needs(.prometheus))
    func promtool() throws {
        let text = try server().adminClient.send("GET", "/metrics").text
        let program = try Program.run([Tool.promtool, "check", "metrics"], input: text)
        #expect(program.status == 0)
        #expect(program.output.isEmpty && program.complaint.isEmpty, "\(program.output) \(program.complaint)")
    }
}
