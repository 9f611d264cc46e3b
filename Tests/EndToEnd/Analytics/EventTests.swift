import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Consents and events", .blocking)
struct EventTests {
    private static let path = "/v2/analytics/events"

    private func put(
        _ device: Device,
        _ isGranted: Bool,
        to category: String = "analytics",
        version: String = "2026-11"
    ) throws -> HTTPAnswer {
        let body = #"{"consents":{"\#(category)":{"granted":\#(isGranted),"version":"\#(version)"}}}"#
        return try device.send("PUT", "/v2/account/consents", body: body)
    }

    private func batch(_ count: Int, withIDs: Bool = true) -> String {
        let time = Device.eventTime()
        let events = (0..<count).map { number in
            let id = withIDs ? #","id":"\#(UUID().uuidString)""# : ""
            return #"{"name":"tap \#(number % 5)","timestamp":"\#(time)","parameters":{"n":\#(number)}\#(id)}"#
        }
        return #"{"events":[\#(events.joined(separator: ","))]}"#
    }

    private func packed(_ text: String) throws -> [UInt8] {
        try Program.run(["gzip", "-c"], input: text).outputBytes
    }

    /// Sends the body unchanged.
    private func post(
        _ device: Device,
        _ body: [UInt8],
        coding: String = "gzip",
        _ fields: APIClient.Fields = [],
        path: String = path
    ) throws -> HTTPAnswer {
        let all = [("Authorization", "Bearer \(device.token)"), ("Content-Encoding", coding)] + fields
        let connection = try HTTPConnection(port: device.client.port)
        try connection.send(APIClient.request("POST", path, host: "127.0.0.1", all, body: body))
        return try #require(try connection.receive())
    }

    private func counted(_ device: Device) throws -> [String] {
        try Shared.server.get().sql(
            """
            SELECT (SELECT count(*) FROM analytics_events WHERE user_id = '\(device.userID)'),
                (SELECT coalesce(sum(events), 0) FROM analytics_device_days WHERE user_id = '\(device.userID)')
            """
        )
    }

    @Test("Events are stored with consent only, and a withdrawal deletes them")
    func consent() throws {
        let device = try Shared.newDevice()
        let before = try device.send("GET", "/v2/account/consents")
        #expect(
            before.text == """
                {"consents":{"analytics":{"granted":false,"version":null,"changed_at":null},\
                "crash_reports":{"granted":false,"version":null,"changed_at":null},\
                "usage_metrics":{"granted":false,"version":null,"changed_at":null}}}
                """
        )
        Problems.check(try device.send("POST", Self.path, body: batch(2)), "403 consent-required")
        #expect(try counted(device) == ["0|0"])
        let granted = try put(device, true)
        #expect(granted.status == 200)
        #expect(
            granted.text.hasPrefix(#"{"consents":{"analytics":{"granted":true,"version":"2026-11","changed_at":"20"#)
        )
        #expect(try device.send("GET", "/v2/account/consents").text == granted.text)
        let (events, answer) = (batch(20), #"{"processed":20,"repeated":0,"refused":[]}"#)
        #expect(try device.send("POST", Self.path, body: events).text == answer)
        #expect(
            try device.send("POST", Self.path, body: events).text == #"{"processed":0,"repeated":20,"refused":[]}"#
        )
        #expect(try counted(device) == ["20|20"])
        #expect(try put(device, false).status == 200)
        #expect(try counted(device) == ["0|0"])
        Problems.check(try device.send("POST", Self.path, body: events), "403 consent-required")
        // The server does not recognise deleted events: it accepts them as new.
        #expect(try put(device, true).status == 200)
        #expect(try device.send("POST", Self.path, body: events).text == answer)
    }

    @Test("Three bad events of 1,000 are refused with their names, and the others are stored")
    func refused() throws {
        let device = try Shared.newDevice()
        #expect(try put(device, true).status == 200)
        let time = Device.eventTime()
        let good = #"{"name":"tap","timestamp":"\#(time)","parameters":{}}"#
        let bad = [
            3: #"{"name":"tap"}"#, 40: #"{"name":"other","timestamp":"\#(time)"}"#, 999: "17",
        ]
        let events = (0..<1000).map { bad[$0] ?? good }
        let answer = try device.send("POST", Self.path, body: #"{"events":[\#(events.joined(separator: ","))]}"#)
        #expect(answer.status == 200)
        #expect(answer.int("processed") == 997)
        let refused = try #require(answer.json["refused"] as? [[String: Any]])
        #expect(refused.map { $0["index"] as? Int } == [3, 40, 999])
        #expect(
            refused.map { $0["pointer"] as? String } == ["/events/3/timestamp", "/events/40/name", "/events/999"]
        )
        #expect(refused.allSatisfy { ($0["detail"] as? String)?.isEmpty == false })
        #expect(try counted(device) == ["997|997"])
        // If all events are bad, the server stores nothing and names each reason.
        let none = try device.send("POST", Self.path, body: #"{"events":[{}, null, {"name":"tap","timestamp":0}]}"#)
        Problems.check(none, "422 invalid-document")
        let errors = try #require(none.json["errors"] as? [[String: Any]])
        let places = ["/events/0/name", "/events/1", "/events/2/timestamp"]
        #expect(errors.map { $0["pointer"] as? String } == places, "\(none.text)")
        for count in [0, 1001] {
            let body = #"{"events":[\#(Array(repeating: good, count: count).joined(separator: ","))]}"#
            Problems.check(try device.send("POST", Self.path, body: body), "422 invalid-document")
        }
    }

    @Test("Events that strict JSON forbids are refused one by one, and text that is no JSON as a whole")
    func unreadable() throws {
        let device = try Shared.newDevice()
        #expect(try put(device, true).status == 200)
        let time = Device.eventTime()
        func event(_ more: String) -> String { #"{"name":"tap","timestamp":"\#(time)"\#(more)}"# }
        let bad =
            [
                #","parameters":{"a":"\u0000"}"#, #","parameters":{"a":"\ud800"}"#, #","parameters":{"a":1e400}"#,
                #","name":"again""#,
            ].map(event) + [#"{"name":"tap","timestamp":1790000000}"#]
        let details: [String?] = [
            "must not have the character U+0000", "must not have half a surrogate pair",
            "must be in the range of a double (1.8e308)", "must be there once",
        ]
        let mixed = #"{"events":[\#(([event("")] + bad + [event("")]).joined(separator: ","))]}"#
        let answer = try device.send("POST", Self.path, body: mixed)
        #expect(answer.status == 200 && answer.int("processed") == 2, "\(answer.text)")
        let refused = try #require(answer.json["refused"] as? [[String: Any]])
        #expect(refused.map { $0["index"] as? Int } == [1, 2, 3, 4, 5])
        #expect(Array(refused.map { $0["detail"] as? String }.prefix(4)) == details, "\(answer.text)")
        #expect(try device.send("POST", Self.path, body: mixed).int("repeated") == 2)
        #expect(try counted(device) == ["2|2"])
        let none = try device.send("POST", Self.path, body: #"{"events":[\#(bad.joined(separator: ","))]}"#)
        Problems.check(none, "422 invalid-document")
        #expect((none.json["errors"] as? [Any])?.count == 5)
        Problems.check(try device.send("POST", Self.path, body: String(mixed.dropLast())), "400 invalid-json")
    }

    @Test("Each category has its consent: one event is refused alone, and a withdrawal deletes its category alone")
    func categories() throws {
        let device = try Shared.newDevice()
        #expect(try put(device, true).status == 200)
        let time = Device.eventTime()
        let events = ["analytics", "usage_metrics", "crash_reports"].map {
            #"{"name":"tap","timestamp":"\#(time)","category":"\#($0)","id":"\#(UUID().uuidString)"}"#
        }
        let body = #"{"events":[\#(events.joined(separator: ","))]}"#
        let first = try device.send("POST", Self.path, body: body)
        #expect(first.int("processed") == 1)
        let refused = try #require(first.json["refused"] as? [[String: Any]])
        #expect(refused.map { $0["pointer"] as? String } == ["/events/1/category", "/events/2/category"])
        let only = #"{"events":[\#(events[1]),\#(events[2])]}"#
        Problems.check(try device.send("POST", Self.path, body: only), "403 consent-required")
        for category in ["usage_metrics", "crash_reports"] {
            #expect(try put(device, true, to: category).status == 200)
        }
        let second = #"{"processed":2,"repeated":1,"refused":[]}"#
        #expect(try device.send("POST", Self.path, body: body).text == second)
        #expect(try counted(device) == ["2|2"])
        #expect(try put(device, false).status == 200)
        #expect(try counted(device) == ["1|1"])
        #expect(try put(device, false, to: "usage_metrics").status == 200)
        #expect(try counted(device) == ["0|0"])
    }

    @Test("A crash report outlives its consent and its account, and names neither account nor device")
    func crashReport() throws {
        let (server, device) = (try Shared.server.get(), try Shared.newDevice())
        let (name, time) = ("crash-\(UUID().uuidString)", Device.eventTime())
        let event = #"{"name":"\#(name)","timestamp":"\#(time)","category":"crash_reports","parameters":{"code":11}}"#
        try device.agree(to: "crash_reports")
        #expect(try device.send("POST", Self.path, body: #"{"events":[\#(event)]}"#).int("processed") == 1)
        #expect(try !device.export().text.contains(name))
        #expect(try put(device, false, to: "crash_reports").status == 200)
        #expect(try device.erase().status == 200)
        let listed = try Operator.run(["usage", "--crashes", "--json", "--data", server.data])
        let report = #"{"day" : "\#(time.prefix(10))", "name" : "\#(name)", "parameters" : {"code":11}}"#
        #expect(listed.output.contains(report), "\(listed.complaint)")
        let rows = try server.sql("SELECT c::text FROM crash_reports c WHERE name = '\(name)'")
        #expect(rows.count == 1 && !rows[0].contains(device.userID) && !rows[0].contains(device.sessionID))
    }

    @Test("A gzip body is accepted like a plain one, with a signature over the bytes as sent")
    func gzip() throws {
        var device = try Shared.newDevice()
        device.signatureVersion = nil
        #expect(try put(device, true).status == 200)
        let text = batch(300, withIDs: false)
        let bytes = try packed(text)
        let first = try post(device, bytes)
        #expect(first.text == #"{"processed":300,"repeated":0,"refused":[]}"#)
        // The batch without compression is the same batch.
        #expect(try device.send("POST", Self.path, body: text).int("repeated") == 300)
        for coding in ["x-gzip", "GZIP", "identity, gzip"] {
            #expect(try post(device, bytes, coding: coding).int("repeated") == 300, "\(coding)")
        }
        #expect(try post(device, Array(text.utf8), coding: "identity").int("repeated") == 300)
        let url = "http://127.0.0.1\(Self.path)"
        let covered = [("Content-Type", "application/json"), ("Content-Encoding", "gzip")]
        let signature = try device.signature("POST", url, covered, digest: SHA256.hash(bytes))
        #expect(try post(device, bytes, signature).int("repeated") == 300)
        let ofText = try device.signature("POST", url, covered, digest: SHA256.hash(Array(text.utf8)))
        Problems.check(try post(device, bytes, ofText), "401 signature-invalid")
        #expect(try counted(device) == ["300|300"])
    }

    @Test("Damaged gzip and gzip that unpacks to too much are refused and store nothing")
    func badCoding() throws {
        let device = try Shared.newDevice()
        #expect(try put(device, true).status == 200)
        let text = batch(50)
        Problems.check(try post(device, Array(text.utf8)), "400 invalid-content-coding")
        Problems.check(try post(device, []), "400 invalid-content-coding")
        Problems.check(try post(device, packed(text) + [0]), "400 invalid-content-coding")
        // Unpacked, the last text is one byte longer than the limit.
        let space = String(repeating: " ", count: (1 << 20) - text.utf8.count)
        #expect(try post(device, packed(text + space)).int("processed") == 50)
        Problems.check(try post(device, packed(text + space + " ")), "413 body-too-large")
        #expect(try counted(device) == ["50|50"])
    }

    @Test("Any coding but gzip is refused with the accepted one, by every operation")
    func otherCodings() throws {
        let device = try Shared.newDevice()
        let bytes = try packed(batch(1))
        for coding in ["br", "deflate", "zstd", "gzip, gzip", "gzip, br", "x"] {
            let answer = try post(device, bytes, coding: coding)
            Problems.check(answer, "415 unsupported-content-coding")
            #expect(answer.field("accept-encoding") == "gzip")
        }
        for coding in ["gzip", "br"] {
            let answer = try post(device, bytes, coding: coding, path: "/v2/configurations")
            Problems.check(answer, "415 unsupported-content-coding")
            #expect(answer.field("accept-encoding") == "identity")
        }
    }
}

@Suite("Months of analytics events", .blocking)
struct EventMonthTests {
    @Test("A server creates future months when it starts, drops old ones, and counts stored events")
    func months() throws {
        let arguments = ["--registration", "open", "--signatures", "optional", "--analytics-retention-days", "365"]
        let server = try ServerProcess(arguments, isFirstStart: true)
        defer { _ = try? server.stop() }
        try server.awaitLog("months of events created=")
        let device = try Device.new(server.client)
        try device.agree()
        let event = #"{"name":"tap","timestamp":"\#(Device.eventTime())","id":"\#(UUID().uuidString)"}"#
        for _ in 0..<3 {
            let body = #"{"events":[\#(event),{"name":"old","timestamp":"2020-01-01T00:00:00Z"}]}"#
            #expect(try device.send("POST", "/v2/analytics/events", body: body).status == 200)
        }
        let metrics = try Exposition(server.adminClient.send("GET", "/metrics").text)
        for (outcome, count) in [("processed", 1.0), ("repeated", 2), ("refused", 3)] {
            #expect(metrics.value("neuroviews_analytics_events_total", ["outcome": outcome]) == count)
        }
        try server.sql(
            """
            SELECT create_analytics_months((now() - interval '500 days')::date, now()::date);
            INSERT INTO analytics_events (user_id, device_id, occurred_at, id, name, parameters)
            SELECT user_id, device_id, occurred_at - interval '450 days', id, name, parameters FROM analytics_events
            """
        )
        try server.stop()
        try server.start()
        try server.awaitLog("old events dropped=")
        try Deadline.wait("the end of the sweep", seconds: 30) {
            try server.sql("SELECT count(*) FROM analytics_events") == ["1"]
        }
        let isLast = """
            SELECT min(right(inhrelid::regclass::text, 7)) = to_char(now() - interval '365 days', 'YYYY_MM')
            FROM pg_inherits WHERE inhparent = 'analytics_events'::regclass
            """
        try Deadline.wait("the last of them", seconds: 30) { try server.sql(isLast) == ["t"] }
    }
}
