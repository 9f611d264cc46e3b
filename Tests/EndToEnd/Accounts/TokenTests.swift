import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Tokens and sessions", .blocking)
struct TokenTests {
    private func refresh(_ device: Device) throws -> HTTPAnswer { try device.send("POST", "/v2/auth/refresh") }

    private func refreshed(_ device: Device) throws -> Device {
        var next = device
        next.token = try refresh(device).string("token")
        return next
    }

    private func refresh(_ device: Device, _ body: String) throws -> HTTPAnswer {
        try device.send("POST", "/v2/auth/refresh", body: body)
    }

    private func with(_ device: Device, token: String) -> Device {
        var device = device
        device.token = token
        return device
    }

    private func counter(_ device: Device) -> Int { device.claims["ctr"] as? Int ?? 0 }

    private func update(_ device: Device, _ change: String) throws {
        try Shared.server.get().sql("UPDATE sessions SET \(change) WHERE id = '\(device.sessionID)'")
    }

    @Test("Refresh returns the next counter, and the old token works until 60 s after the new one's first use")
    func rotation() throws {
        let first = try Shared.newDevice()
        let answer = try refresh(first)
        #expect(answer.status == 200)
        #expect(Set(answer.json.keys) == ["token", "expires_at"])
        var second = first
        second.token = answer.string("token")
        #expect(counter(first) == 1)
        #expect(counter(second) == 2)
        #expect(second.sessionID == first.sessionID)

        #expect(try first.pull().status == 200)
        #expect(try second.pull().status == 200)
        #expect(try first.pull().status == 200)
        try update(second, "confirmed_at = now() - interval '58 seconds'")
        #expect(try first.pull().status == 200)
        try update(second, "confirmed_at = now() - interval '61 seconds'")
        #expect(try first.pull().verdict == "401 token-outdated")
        #expect(try second.pull().status == 200)
        try update(second, "token_made_at = now() - interval '5 minutes 1 second'")
        #expect(try refresh(first).verdict == "401 session-ended")
        #expect(try second.pull().verdict == "401 session-ended")
    }

    @Test("A token's first use is stored, and then one use an hour")
    func noted() throws {
        let phone = try refreshed(Shared.newDevice())
        func isNoted() throws -> String? {
            let column =
                "SELECT extract(epoch FROM now() - last_used_at) < 60 AND confirmed_at IS NOT NULL FROM sessions"
            return try Shared.server.get().sql("\(column) WHERE id = '\(phone.sessionID)'").last
        }
        #expect(try isNoted() == "f")
        #expect(try phone.pull().status == 200)
        #expect(try isNoted() == "t")
        try update(phone, "last_used_at = now() - interval '59 minutes'")
        #expect(try phone.pull().status == 200)
        #expect(try isNoted() == "f")
        try update(phone, "last_used_at = now() - interval '61 minutes'")
        #expect(try phone.pull().status == 200)
        #expect(try isNoted() == "t")
    }

    @Test("An outdated token ends the session for thief and victim, and no other session")
    func stolen() throws {
        let victim = try Shared.newDevice()
        let tablet = try Shared.session(of: victim, on: "tablet")
        let thief = try refreshed(refreshed(victim))
        #expect(try thief.pull().status == 200)
        #expect(try victim.pull().verdict == "401 token-outdated")
        #expect(try thief.pull().status == 200)
        #expect(try refresh(victim).verdict == "401 session-ended")
        #expect(try thief.pull().verdict == "401 session-ended")
        #expect(try refresh(thief).verdict == "401 session-ended")
        #expect(try tablet.pull().status == 200)
    }

    @Test("A signed refresh that is sent again much later ends no session")
    func replayedRefresh() throws {
        let device = try Shared.newDevice()
        let url = device.client.origin + "/v2/auth/refresh"
        let fields = try device.signature("POST", url) + [("Authorization", "Bearer \(device.token)")]
        func send() throws -> HTTPAnswer { try device.client.send("POST", "/v2/auth/refresh", fields) }
        let second = try with(device, token: send().string("token"))
        #expect(try second.pull().status == 200)
        try update(second, "token_made_at = now() - interval '5 minutes 1 second'")
        #expect(try send().verdict == "401 nonce-used")
        #expect(try second.pull().status == 200)
        #expect(try refresh(device).verdict == "401 session-ended")
    }

    @Test("A token whose counter a restore has undone is refused and ends no session")
    func takenBack() throws {
        let device = try Shared.newDevice()
        let ahead = try with(
            device,
            token: Forger.token(sessionID: device.sessionID, userID: device.userID, counter: 3, expiresIn: 3600)
        )
        #expect(try refresh(ahead).verdict == "401 token-outdated")
        #expect(try device.pull().status == 200)
    }

    @Test("A session ends 365 days after its login, however often it is used")
    func tooOld() throws {
        let phone = try Shared.newDevice()
        try update(phone, "created_at = now() - interval '364 days'")
        #expect(try phone.pull().status == 200)
        try update(phone, "created_at = now() - interval '365 days 1 minute'")
        #expect(try phone.pull().verdict == "401 session-ended")
        #expect(try refresh(phone).verdict == "401 session-ended")
    }

    @Test("A refresh with the same attempt gets the newest token again after a week")
    func lostAnswer() throws {
        let (first, attempt) = (try Shared.newDevice(), UUID().uuidString)
        #expect(try refresh(first, #"{"attempt":"\#(attempt)"}"#).status == 200)
        try update(first, "token_made_at = now() - interval '7 days', last_used_at = now() - interval '7 days'")
        #expect(try first.pull().verdict == "401 token-outdated")
        let answer = try refresh(first, #"{"attempt":"\#(attempt.lowercased())","more":1}"#)
        let again = with(first, token: answer.string("token"))
        #expect(counter(again) == 2)
        #expect(try again.pull().status == 200)
    }

    @Test("A malformed attempt is refused and refreshes nothing; an empty body or object has none")
    func malformedAttempt() throws {
        let first = try Shared.newDevice()
        for (body, verdict) in [
            (#"{"attempt":"1"}"#, "422 invalid-document"), (#"{"attempt":null}"#, "422 invalid-document"),
            ("[]", "422 invalid-document"), ("{", "400 invalid-json"), (" ", "400 invalid-json"),
        ] {
            #expect(try refresh(first, body).verdict == verdict, "\(body)")
        }
        let stored = "SELECT counter FROM sessions WHERE id = '\(first.sessionID)'"
        #expect(try Shared.server.get().sql(stored) == ["1"])
        let chunked = [("Transfer-Encoding", "chunked"), ("Authorization", "Bearer \(first.token)")]
        let connection = try HTTPConnection(port: first.client.port)
        let head = APIClient.request("POST", "/v2/auth/refresh", host: "127.0.0.1", chunked)
        try connection.send(head + Array("0\r\n\r\n".utf8))
        #expect(try connection.receive()?.status == 200)
        for body in ["", "{}", #"{"more":1}"#] {
            #expect(try counter(with(first, token: refresh(first, body).string("token"))) == 2, "\(body)")
        }
        #expect(try Shared.server.get().sql(stored.replacing("counter", with: "token_made_by IS NULL")) == ["t"])
    }

    @Test("A token two counters old is refused, and the session goes on")
    func older() throws {
        let first = try Shared.newDevice()
        let second = try refreshed(first)
        let third = try refreshed(second)
        #expect(counter(third) == 3)
        #expect(try first.pull().verdict == "401 token-outdated")
        #expect(try second.pull().status == 200)
        #expect(try third.pull().status == 200)
    }

    @Test("Fifty refreshes at the same time get the same counter")
    func parallel() async throws {
        let first = try Shared.newDevice()
        let counters = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try counter(refreshed(first)) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(counters == [2])
    }

    @Test("Logging out ends its own session at once, and no other")
    func logout() throws {
        let phone = try Shared.newDevice()
        let tablet = try phone.other()
        #expect(try phone.send("POST", "/v2/auth/logout").status == 204)
        #expect(try phone.pull().verdict == "401 session-ended")
        #expect(try phone.send("POST", "/v2/auth/refresh").verdict == "401 session-ended")
        #expect(try phone.send("POST", "/v2/auth/logout").verdict == "401 session-ended")
        #expect(try tablet.pull().status == 200)
    }

    @Test("A session ends after 90 days without use, and not after 89")
    func unused() throws {
        let phone = try Shared.newDevice()
        try update(phone, "last_used_at = now() - interval '89 days'")
        #expect(try phone.pull().status == 200)
        try update(phone, "last_used_at = now() - interval '90 days 1 minute'")
        #expect(try phone.pull().verdict == "401 session-ended")
        #expect(try phone.send("POST", "/v2/auth/refresh").verdict == "401 session-ended")
    }

    @Test("An expired token is refused everywhere but at refresh")
    func expired() throws {
        let fresh = try Shared.newDevice()
        let expired = try with(fresh, token: Forger.token(of: fresh, expiresIn: -1))
        #expect(try expired.pull().verdict == "401 token-expired")
        #expect(try expired.post(Preset().json).verdict == "401 token-expired")
        #expect(try expired.send("POST", "/v2/auth/logout").verdict == "401 token-expired")
        let next = try refreshed(expired)
        #expect(counter(next) == 2)
        #expect(try next.pull().status == 200)
    }

    @Test("A token of a session that does not exist or of another server is refused")
    func strangers() throws {
        let device = try Shared.device()
        let claims = try TokenClaims(
            sessionID: UUID().uuidString.lowercased(),
            userID: device.userID,
            counter: 1,
            issuedAt: 0,
            expiresAt: 9_999_999_999
        )
        var forger = device
        forger.token = try Forger.signer().sign(claims)
        #expect(try forger.pull().verdict == "401 session-ended")
        forger.token = try TokenSigner(keys: ["k1": Array(repeating: 7, count: 32)], current: "k1").sign(claims)
        #expect(try forger.pull().verdict == "401 token-invalid")
    }

    @Test("A request without exactly one Bearer token gets 401 token-missing; the scheme's case is ignored")
    func schemes() throws {
        let device = try Shared.device()
        let bearer = ("Authorization", "Bearer \(device.token)")
        let wrong: [APIClient.Fields] = [
            [], [("Authorization", "Basic YTpi")], [("Authorization", "Bearer")], [("Authorization", device.token)],
            [bearer, bearer], [("Authorization", "")], [("Cookie", "token=\(device.token)")],
        ]
        for fields in wrong {
            let answer = try device.client.send("GET", "/v2/configurations", fields)
            #expect(answer.verdict == "401 token-missing")
            #expect(answer.field("www-authenticate")?.hasPrefix("Bearer") == true)
        }
        let lower = [("Authorization", "bEARER \(device.token)")]
        #expect(try device.client.send("GET", "/v2/configurations", lower).status == 200)
    }
}
