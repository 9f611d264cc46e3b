import Foundation
import TestSupport
import Testing

@Suite("Security events", .blocking)
struct AccountEventTests {
    private func kinds(_ answer: HTTPAnswer) -> [String] { answer.members("kind", of: "events") }

    @Test("A login is a security event, and an unknown device is another one")
    func logins() throws {
        let phone = try Device.new(Shared.client())
        let again = try Device.logIn(phone.client, phone.email)
        let tablet = try phone.other()
        let answer = try tablet.accountEvents()
        #expect(answer.status == 200 && answer.json["has_more"] as? Bool == false && answer.json["next"] is NSNull)
        #expect(kinds(answer) == ["login", "device-new", "login", "login", "device-new"])
        let events = answer.objects("events")
        #expect(
            events.allSatisfy { Set($0.keys) == ["id", "at", "kind", "count", "session_id", "device_id", "address"] }
        )
        let (sessions, devices) = (
            events.map { $0["session_id"] as? String }, events.map { $0["device_id"] as? String }
        )
        #expect(sessions == [tablet, tablet, again, phone, phone].map(\.sessionID))
        #expect(devices == ["tablet", "tablet", "phone", "phone", "phone"])
        #expect(events.allSatisfy { $0["address"] as? String == "127.0.0.1" && $0["count"] as? Int == 1 })
    }

    @Test("The first login of a device that was listed before is an event of a new device")
    func listedBefore() throws {
        let phone = try Device.new(Shared.client())
        #expect(try phone.send("PUT", "/v2/devices/tablet", body: #"{"name":"Tablet"}"#).status == 201)
        for _ in 0..<2 { _ = try phone.other(name: "tablet") }
        #expect(kinds(try phone.accountEvents()) == ["login", "login", "device-new", "login", "device-new"])
    }

    @Test("Wrong passwords of an hour are one event with a count; those of unknown addresses are none")
    func failures() throws {
        let device = try Device.new(Shared.client())
        let server = try Shared.server.get()
        func fail(_ email: String) throws {
            let body = #"{"email":"\#(email)","password":"wrong password"}"#
            #expect(try device.client.send("POST", "/v2/auth/login", body: body).verdict == "401 credentials-invalid")
        }
        for email in [device.email, device.email.uppercased(), Device.newEmail()] { try fail(email) }
        // Another hour may have begun in between.
        var failed = try device.accountEvents().objects("events").filter { $0["kind"] as? String == "login-failed" }
        #expect(failed.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } == 2)
        #expect(failed.allSatisfy { $0["address"] as? String == "127.0.0.1" && $0["session_id"] is NSNull })
        try server.sql(
            """
            UPDATE account_events SET at = at - interval '1 hour' WHERE user_id = '\(device.userID)' AND kind = 'login-failed';
            SELECT note_failure('\(device.userID)', 'login-failed', '192.0.2.1'), note_failure('\(device.userID)', 'login-failed', '192.0.2.2')
            """
        )
        failed = try device.accountEvents().objects("events").filter { $0["kind"] as? String == "login-failed" }
        #expect(failed.first?["count"] as? Int == 2 && failed.first?["address"] is NSNull, "of several addresses")
        #expect(failed.count >= 2)
    }

    @Test("Pages of events follow each other without a gap, also for events of the same time")
    func pages() throws {
        let device = try Shared.newDevice()
        try Shared.server.get().sql(
            """
            INSERT INTO account_events (user_id, kind, at) SELECT '\(device.userID)', 'login', '2026-01-01'::timestamptz + n / 3 * interval '1 s'
            FROM generate_series(1, 25) n
            """
        )
        var (found, query): ([String], String) = ([], "limit=4")
        for _ in 0..<10 {
            let page = try device.accountEvents(query)
            found += page.members("id", of: "events")
            guard page.json["has_more"] as? Bool == true else { break }
            query = "limit=4&before=\(page.string("next"))"
        }
        #expect(found.count == 25 && Set(found).count == 25)
        #expect(try device.accountEvents("limit=100").members("id", of: "events") == found)
        #expect(try device.accountEvents("before=7").verdict == "400 invalid-parameter")
    }

    @Test("An account keeps the newest 300 events of each kind, for at most 400 days")
    func bounds() throws {
        let device = try Device.new(Shared.client())
        let server = try Shared.server.get()
        try server.sql(
            """
            INSERT INTO account_events (user_id, kind, at) SELECT '\(device.userID)', 'password-changed', now() - n * interval '1 s'
            FROM generate_series(1, 400) n;
            INSERT INTO account_events (user_id, kind, at) VALUES ('\(device.userID)', 'export', now() - interval '401 days'),
                ('\(device.userID)', 'export', now() - interval '399 days')
            """
        )
        func count(_ kind: String) throws -> Int {
            kinds(try device.accountEvents("limit=1000")).count { $0 == kind }
        }
        #expect(try count("password-changed") == 300 && count("login") == 1 && count("export") == 2)
        try server.sql("SELECT sweep_account_events(400, 1000)", role: "neuroviews_background")
        #expect(try count("export") == 1)
    }
}
