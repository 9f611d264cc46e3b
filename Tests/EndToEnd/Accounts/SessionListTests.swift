import Foundation
import TestSupport
import Testing

@Suite("The list of sessions", .blocking)
struct SessionListTests {
    private func list(_ device: Device) throws -> [[String: Any]] {
        let answer = try device.send("GET", "/v2/auth/sessions")
        #expect(answer.status == 200)
        return answer.objects("sessions")
    }

    private func ids(_ device: Device) throws -> Set<String> {
        Set(try list(device).compactMap { $0["id"] as? String })
    }

    private func end(_ session: String, _ device: Device) throws -> String {
        try device.send("DELETE", "/v2/auth/sessions/\(session)").verdict
    }

    private func update(_ device: Device, _ change: String) throws {
        try Shared.server.get().sql("UPDATE sessions SET \(change) WHERE id = '\(device.sessionID)'")
    }

    @Test("The list of sessions has devices and addresses, and marks the caller's session")
    func listed() throws {
        let phone = try Device.new(Shared.client())
        let body = #"{"email":"\#(phone.email)","password":"\#(Device.password)"}"#
        #expect(try phone.client.send("POST", "/v2/auth/login", body: body).status == 200)
        let sessions = try list(phone)
        #expect(sessions.count == 2)
        let own = try #require(sessions.first { $0["current"] as? Bool == true })
        #expect(own["id"] as? String == phone.sessionID)
        #expect(own["device_id"] as? String == "phone")
        #expect(own["device_name"] as? String == "phone")
        #expect(own["address"] as? String == "127.0.0.1")
        let other = try #require(sessions.first { $0["current"] as? Bool == false })
        #expect(other["device_id"] is NSNull && other["device_name"] is NSNull)
        let members = ["id", "device_id", "device_name", "address", "created_at", "last_used_at", "current"]
        #expect(Set(other.keys) == Set(members))
    }

    @Test("The list has neither ended, unused and old sessions nor those of other accounts")
    func live() throws {
        let phone = try Shared.newDevice()
        let gone = try ["a", "b", "c", "d"].map { try Shared.session(of: phone, on: $0) }
        #expect(try ids(phone).count == 5)
        #expect(try gone[0].send("POST", "/v2/auth/logout").status == 204)
        try update(gone[1], "last_used_at = now() - interval '91 days'")
        try update(gone[2], "created_at = now() - interval '366 days'")
        #expect(try ids(phone) == [phone.sessionID, gone[3].sessionID])
    }

    @Test("A session is ended from another one at once; ending it again or a stranger's is 404")
    func ended() throws {
        let phone = try Shared.newDevice()
        let thief = try Shared.session(of: phone, on: "stolen")
        #expect(try end(thief.sessionID.uppercased(), phone) == "204")
        #expect(try thief.pull().verdict == "401 session-ended")
        #expect(try thief.send("POST", "/v2/auth/refresh").verdict == "401 session-ended")
        #expect(try end(thief.sessionID, phone) == "404 not-found")
        let events = try phone.send("GET", "/v2/account/events").objects("events")
        #expect(events.map { $0["kind"] as? String } == ["session-revoked"])
        #expect(events.first?["session_id"] as? String == thief.sessionID)
        #expect(try end(Shared.other().sessionID, phone) == "404 not-found")
        #expect(try Shared.other().pull().status == 200)
        #expect(try end(phone.sessionID, phone) == "204")
        #expect(try phone.pull().verdict == "401 session-ended")
    }

    @Test("All other sessions can be ended, and again, while the confirmation is recent")
    func others() throws {
        let phone = try Shared.newDevice()
        let others = try ["a", "b", "c"].map { try Shared.session(of: phone, on: $0) }
        try update(phone, "proven_at = now() - interval '10 minutes 1 second'")
        #expect(try phone.send("DELETE", "/v2/auth/sessions").verdict == "403 confirmation-required")
        #expect(try others[0].pull().status == 200)
        try update(phone, "proven_at = now() - interval '9 minutes 50 seconds'")
        for _ in 0..<2 { #expect(try phone.send("DELETE", "/v2/auth/sessions").status == 204) }
        for other in others { #expect(try other.pull().verdict == "401 session-ended") }
        #expect(try ids(phone) == [phone.sessionID])
        #expect(try Shared.other().pull().status == 200)
    }

    @Test("A session without a recent confirmation can't end a confirmed one or remove its device")
    func thief() throws {
        let owner = try Shared.newDevice()
        let thief = try Shared.session(of: owner, on: "stolen")
        try update(thief, "proven_at = now() - interval '11 minutes'")
        #expect(try end(owner.sessionID, thief) == "403 confirmation-required")
        #expect(try owner.send("PUT", "/v2/devices/phone", body: #"{"name":"Phone"}"#).status == 201)
        #expect(try thief.send("DELETE", "/v2/devices/phone").verdict == "403 confirmation-required")
        #expect(try owner.pull().status == 200)
        #expect(try end(thief.sessionID, owner) == "204")
        try update(owner, "proven_at = now() - interval '11 minutes'")
        let old = try Shared.session(of: owner, on: "old")
        try update(old, "proven_at = now() - interval '11 minutes'")
        #expect(try end(old.sessionID, owner) == "204")
    }

    @Test("A signed request that lacked a confirmation can't be sent again after the confirmation")
    func refusedOnce() throws {
        let phone = try Shared.newDevice()
        try update(phone, "proven_at = now() - interval '11 minutes'")
        let url = phone.client.origin + "/v2/auth/sessions"
        let fields = try phone.signature("DELETE", url) + [("Authorization", "Bearer \(phone.token)")]
        #expect(try phone.client.send("DELETE", "/v2/auth/sessions", fields).verdict == "403 confirmation-required")
        try update(phone, "proven_at = now()")
        #expect(try phone.client.send("DELETE", "/v2/auth/sessions", fields).verdict == "401 nonce-used")
    }

    @Test("Concurrent requests to end all other sessions leave one session, without a deadlock")
    func mutual() async throws {
        let phone = try Shared.newDevice()
        let all = try [phone] + (0..<7).map { try Shared.session(of: phone, on: "device-\($0)") }
        let verdicts = try await withThrowingTaskGroup(of: String.self) { group in
            for device in all { group.addTask { try device.send("DELETE", "/v2/auth/sessions").verdict } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(verdicts.filter { $0 == "204" }.count == 1)
        #expect(verdicts.filter { $0 == "401 session-ended" }.count == 7)
        let left = try all.filter { try $0.pull().status == 200 }
        #expect(left.count == 1)
    }

    @Test("A session that another server is ending can't end other sessions")
    func late() async throws {
        let phone = try Shared.newDevice()
        let tablet = try Shared.session(of: phone, on: "tablet")
        let lock = "SELECT neuroviews.lock_sessions_of('\(tablet.userID)', '\(tablet.sessionID)')"
        let blocker = try Blocker(Shared.server.get(), lock)
        async let answer = phone.send("DELETE", "/v2/auth/sessions")
        try Deadline.wait("a request that waits", seconds: 30) { try blocker.isWaitedFor() }
        try blocker.commit("UPDATE neuroviews.sessions SET ended_at = now() WHERE id = '\(phone.sessionID)'")
        #expect(try await answer.verdict == "401 session-ended")
        #expect(try tablet.pull().status == 200)
    }

    @Test("The 101st session ends the longest unused one, or an older session of the same device")
    func cap() throws {
        let phone = try Shared.newDevice()
        let server = try Shared.server.get()
        try server.sql(
            """
            INSERT INTO sessions (user_id, key_id, device_id, last_used_at)
            SELECT user_id, key_id, 'unused-' || n, now() - n * interval '1 hour' FROM sessions, generate_series(1, 99) n
            WHERE id = '\(phone.sessionID)'
            """
        )
        let first = try phone.other(name: "loop")
        #expect(try list(phone).count == 100)
        #expect(try list(phone).allSatisfy { $0["device_id"] as? String != "unused-99" })
        let second = try phone.other(name: "loop")
        #expect(try first.pull().verdict == "401 session-ended")
        #expect(try list(second).contains { $0["device_id"] as? String == "unused-98" })
        #expect(try list(second).count == 100)
    }
}
