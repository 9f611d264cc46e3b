import Foundation
import TestSupport
import Testing

@Suite("Figures of usage of an account", .blocking)
struct UsageTests {
    private static func usage(_ device: Device, _ query: String, _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        try device.send("GET", "/v2/analytics/usage?\(query)", fields)
    }

    private static func figures(_ answer: HTTPAnswer) throws -> [String: Any] {
        try #require(answer.json["usage"] as? [String: Any], "\(answer.text)")
    }

    /// Writes events of one device at these times, and their rollups.
    private static func report(_ device: Device, _ times: [String], name: String = "opened") throws {
        let server = try Shared.server.get()
        let rows = times.map { "('\(device.userID)', 'phone', '\($0)', gen_random_uuid(), '\(name)', '{}')" }
        try server.sql(
            """
            SELECT create_analytics_months(min(at)::date, max(at)::date)
            FROM unnest(ARRAY[\(times.map { "'\($0)'::timestamptz" }.joined(separator: ","))]) at;
            INSERT INTO analytics_events (user_id, device_id, occurred_at, id, name, parameters) VALUES
            \(rows.joined(separator: ","));
            INSERT INTO analytics_names SELECT DISTINCT user_id, date_trunc('month', occurred_at AT TIME ZONE 'UTC')::date, name
            FROM analytics_events WHERE user_id = '\(device.userID)' ON CONFLICT DO NOTHING;
            \(RandomUsage.rollups(of: device.userID))
            """
        )
    }

    @Test("Days without events are listed with zeros, and figures that need no consent are named")
    func zeros() throws {
        let answer = try Self.usage(Shared.newDevice(), "start_date=2024-01-01&end_date=2024-12-31")
        #expect(answer.status == 200)
        let usage = try Self.figures(answer)
        let days = try #require(usage["days"] as? [[String: Any]])
        #expect(days.count == 366)
        #expect(days.first?["date"] as? String == "2024-01-01" && days.last?["date"] as? String == "2024-12-31")
        #expect(usage["tz"] as? String == "UTC")
        for figures in days + [try #require(usage["totals"] as? [String: Any])] {
            for name in [
                "events", "active_devices", "recordings", "recorded_seconds", "uploaded_bytes",
                "configurations_changed",
            ] {
                #expect(figures[name] as? Int == 0, "\(name)")
            }
        }
        let derived = try #require(usage["derived"] as? [String])
        #expect(Set(derived).isSubset(of: Set(usage.keys).union(days[0].keys)))
        #expect(!derived.contains { ["events", "active_devices", "events_by_name"].contains($0) })
    }

    @Test(
        "A usage query with a missing or impossible parameter gets 422 with its name",
        arguments: [
            ("", ["/start_date", "/end_date"]), ("end_date=2026-03-01", ["/start_date"]),
            ("start_date=2026-03-01&tz=UTC", ["/end_date"]),
            ("start_date=2026-03-02&end_date=2026-03-01", ["/end_date"]),
            ("start_date=2025-03-01&end_date=2026-03-02", ["/end_date"]),
            ("start_date=2026-03-01&end_date=2026-03-01&tz=Mars/Olympus", ["/tz"]),
            ("start_date=2026-03-01&end_date=2026-03-01&tz=europe/berlin", ["/tz"]),
            ("start_date=2026-03-01&end_date=2026-03-01&tz=EST5", ["/tz"]),
            ("start_date=2026-03-01&end_date=2026-03-01&tz=CEST", ["/tz"]),
            ("start_date=2026-03-01&end_date=2026-03-01&tz=Foo/5", ["/tz"]),
            ("start_date=2026-03-01&end_date=2026-03-01&tz=posix/UTC", ["/tz"]),
            ("start_date=2026-03-01&end_date=2026-03-01&tz=../UTC", ["/tz"]),
        ]
    )
    func unprocessable(query: String, pointers: [String]) throws {
        let answer = try Shared.device().send("GET", "/v2/analytics/usage?\(query)")
        Problems.check(answer, "422 unprocessable-parameter")
        #expect(answer.members("pointer", of: "errors") == pointers)
    }

    @Test("Days follow their zone: 25 hours, 23 hours, or a start at one o'clock")
    func daylightSaving() throws {
        let device = try Shared.newDevice()
        try Self.report(
            device,
            [
                // New York: 1 November from 04:00Z, 25 hours.
                "2026-11-01 03:59:59.999+00", "2026-11-01 04:00+00", "2026-11-02 04:59:59+00", "2026-11-02 05:00+00",
                // 8 March from 05:00Z, 23 hours.
                "2026-03-08 05:00+00", "2026-03-09 03:59+00", "2026-03-09 04:00+00",
                // Santiago: 6 September begins at one o'clock, 04:00Z.
                "2026-09-06 03:59+00", "2026-09-06 04:00+00", "2026-09-07 02:59+00", "2026-09-07 03:00+00",
                // Central Europe: 2 July begins at 22:00Z, by summer time.
                "2026-07-01 22:30+00",
            ]
        )
        for (zone, start, end, expected) in [
            ("America/New_York", "2026-10-31", "2026-11-02", [1, 2, 1]),
            // The UTC days at both ends have events of other days.
            ("America/New_York", "2026-11-01", "2026-11-01", [2]), ("US/Eastern", "2026-11-01", "2026-11-01", [2]),
            ("CET", "2026-07-01", "2026-07-02", [0, 1]),
            ("America/Santiago", "2026-09-06", "2026-09-06", [2]),
            ("America/New_York", "2026-03-08", "2026-03-09", [2, 1]),
            ("America/Santiago", "2026-09-05", "2026-09-07", [1, 2, 1]),
            ("Asia/Kathmandu", "2026-11-01", "2026-11-02", [2, 2]), ("UTC", "2026-11-01", "2026-11-02", [2, 2]),
        ] {
            let usage = try Self.figures(Self.usage(device, "start_date=\(start)&end_date=\(end)&tz=\(zone)"))
            let days = try #require(usage["days"] as? [[String: Any]])
            #expect(days.map { $0["events"] as? Int } == expected, "\(zone) \(start)")
            let names = try #require(usage["events_by_name"] as? [[String: Any]])
            #expect(names.map { $0["count"] as? Int } == [expected.reduce(0, +)], "\(zone) \(start)")
            #expect((usage["totals"] as? [String: Any])?["active_devices"] as? Int == 1)
        }
    }

    @Test("The hundred most frequent event names are listed, and the rest as other")
    func manyNames() throws {
        let device = try Shared.newDevice()
        for number in 0..<103 {
            try Shared.server.get().sql(
                """
                SELECT create_analytics_months('2026-05-01', '2026-05-01');
                INSERT INTO analytics_name_days VALUES
                    ('\(device.userID)', '2026-05-05', 'name-\(100 + number)', \(number + 1), '{0}', '{\(number + 1)}')
                """
            )
        }
        let usage = try Self.figures(Self.usage(device, "start_date=2026-05-01&end_date=2026-05-31"))
        let names = try #require(usage["events_by_name"] as? [[String: Any]])
        #expect(names.count == 101)
        #expect(names.first?["name"] as? String == "name-202" && names.first?["count"] as? Int == 103)
        #expect(names.last?["name"] as? String == "other" && names.last?["count"] as? Int == 1 + 2 + 3)
    }

    @Test("The entity tag of usage stays the same until a figure changes")
    func conditional() throws {
        let device = try Shared.newDevice()
        let query = "start_date=2026-03-01&end_date=2026-03-31"
        let tag = try #require(try Self.usage(device, query).field("etag"))
        let again = try Self.usage(device, query, [("If-None-Match", tag)])
        #expect(again.status == 304 && again.body.isEmpty)
        try Self.report(device, ["2026-03-05 12:00+00"])
        #expect(try Self.usage(device, query, [("If-None-Match", tag)]).status == 200)
        #expect(try Self.usage(device, query, [("If-Match", tag)]).verdict == "412 version-mismatch")
    }

    @Test("Usage as comma-separated values has the same figures as JSON")
    func table() throws {
        let device = try Shared.newDevice()
        try Self.report(device, ["2026-03-05 12:00+00", "2026-03-05 12:01+00"], name: #"a "b", c"#)
        let query = "start_date=2026-03-05&end_date=2026-03-06"
        let answer = try Self.usage(device, query, [("Accept", "text/csv")])
        #expect(answer.field("content-type") == "text/csv; charset=utf-8; header=present")
        #expect(
            answer.text == """
                section,name,events,active_devices,recordings,recorded_seconds,uploaded_bytes,configurations_changed,configurations,bytes\r
                totals,,2,1,0,0,0,0,,\r
                days,2026-03-05,2,1,0,0,0,0,,\r
                days,2026-03-06,0,0,0,0,0,0,,\r
                events_by_name,"a ""b"", c",2,,,,,,,\r

                """
        )
        #expect(try Self.usage(device, query).field("etag") != answer.field("etag"))
    }

    @Test("Recordings count by their current metadata until they are deleted")
    func recordings() throws {
        let (device, id) = (try Shared.newDevice(), UUID().uuidString)
        #expect(try device.openUpload(id, #","device_id":"phone""#).status == 200)
        try device.finishUpload(id, Shared.server.get())
        let metadata =
            #"{"filename":"A.mov","created_at":"2026-03-01T23:30:00Z","duration":12.5,"video_format":"H.265"}"#
        #expect(try device.complete(id, metadata).status == 200)
        func usage() throws -> [String: Any] {
            try Self.figures(Self.usage(device, "start_date=2026-03-02&end_date=2026-03-02&tz=Europe/Berlin"))
        }
        func share(_ name: String) throws -> NSDictionary? { (try usage()[name] as? [NSDictionary])?.first }
        let totals = try #require(try usage()["totals"] as? [String: Any])
        #expect(totals["recordings"] as? Int == 1 && totals["recorded_seconds"] as? Double == 12.5)
        #expect(try share("recordings_by_format") == ["value": "H.265", "count": 1, "seconds": 12.5, "bytes": 1000])
        #expect(try share("recordings_by_resolution")?["value"] is NSNull)
        #expect(try share("recordings_by_device")?["value"] as? String == "phone")
        let patch = #"{"resolution":"4K UHD","duration":60,"video_format":null}"#
        #expect(try device.patchRecording(id, patch).status == 200)
        #expect(try share("recordings_by_resolution") == ["value": "4K UHD", "count": 1, "seconds": 60, "bytes": 1000])
        #expect(try share("recordings_by_format")?["value"] is NSNull)
        #expect(try device.send("DELETE", "/v2/recordings/\(id)").status == 200)
        #expect(try share("recordings_by_format") == nil)
    }

    @Test("An upload counts on its day of completion, a configuration on each day of a change")
    func today() throws {
        let (device, id, preset) = (try Shared.newDevice(), UUID().uuidString, Preset())
        #expect(try device.post(preset.json).status == 201)
        #expect(try device.put(preset.id, preset.edited("Edited", minute: 7).json).status == 200)
        #expect(try device.openUpload(id).status == 200)
        try device.finishUpload(id, Shared.server.get())
        #expect(try device.complete(id, Device.movie).status == 200)
        let formatter = ISO8601DateFormatter()
        let (before, after) = (Date(timeIntervalSinceNow: -86400), Date(timeIntervalSinceNow: 86400))
        let dates = [before, after].map { String(formatter.string(from: $0).prefix(10)) }
        let usage = try Self.figures(Self.usage(device, "start_date=\(dates[0])&end_date=\(dates[1])"))
        let totals = try #require(usage["totals"] as? [String: Any])
        #expect(totals["configurations_changed"] as? Int == 1)
        #expect(totals["uploaded_bytes"] as? Int == 1000)
        #expect((usage["presets"] as? [[String: Any]])?.first?["configurations"] as? Int == 1)
    }

    @Test("Every write of a configuration stores the preset of each version")
    func presets() throws {
        let (server, device) = (try Shared.server.get(), try Shared.newDevice())
        var (single, several) = (Preset(kind: "night"), [Preset(kind: "macro"), Preset(kind: "sport")])
        func write(_ kind: String, _ minute: Int) -> String {
            single.kind = kind
            single.minute = minute
            return single.json
        }
        func batch(_ operation: String) throws -> Int {
            let operations = several.map {
                #"{"operation":"\#(operation)","id":"\#($0.id.lowercased())","configuration":\#($0.json)}"#
            }
            let body = #"{"operations":[\#(operations.joined(separator: ","))]}"#
            return try device.send("POST", "/v2/configurations/batch", body: body).status
        }
        #expect(try device.post(single.json).status == 201)
        let base = try device.ifMatch(1, of: single.id)
        #expect(try device.put(single.id, write("portrait", 1)).status == 200)
        #expect(try device.patch(single.id, #"{"preset":"auto","modified_at":"2025-06-01T00:02:00Z"}"#).status == 200)
        let merged = single.edited("Merged", minute: 3).json
        #expect(try device.put(single.id, merged, base + [("Prefer", "merge")]).status == 200)
        #expect(try device.restore(1, of: single.id).status == 200)
        #expect(try device.delete(single.id).status == 200)
        #expect(try device.restore(2, of: single.id).status == 200)
        #expect(try batch("create") == 200)
        several = several.map { Preset($0.name, id: $0.id, kind: "professional", minute: 5) }
        #expect(try batch("replace") == 200)
        for table in ["configurations", "configuration_versions"] {
            let rows = try server.sql(
                """
                SELECT count(*), count(*) FILTER (WHERE preset IS DISTINCT FROM document::json ->> 'preset')
                FROM \(table) WHERE user_id = '\(device.userID)'
                """
            )
            #expect(rows == [table == "configurations" ? "3|0" : "11|0"])
        }
    }
}
