import Foundation
import TestSupport
import Testing

@Suite("Limits of logins and registrations", .blocking)
struct LoginLimitTests {
    private static let server = Result { try Visitor.server() }
    private static let home = "198.51.100.7"

    private func owner() throws -> Visitor { Visitor(client: try Self.server.get().client, address: Self.home) }

    /// Uses up the attempts of unknown clients, each attempt from another address.
    private func attack(_ email: String, _ visitor: Visitor) throws {
        for number in 0..<10 {
            #expect(try visitor.at("10.0.0.\(number)").guess(email).verdict == "401 credentials-invalid")
        }
    }

    private func check(_ answer: HTTPAnswer, _ policy: String, window: Int) {
        Problems.check(answer, "429 rate-limited")
        let limit = answer.field("ratelimit") ?? ""
        let room = limit.split(separator: "=").last.flatMap { Int($0) } ?? 0
        // On a busy machine some of the window may be over.
        #expect((window / 2...window).contains(room))
        #expect(answer.field("ratelimit-policy") == "\(policy);w=\(window)")
        #expect(limit == "\(policy.split(separator: ";")[0]);r=0;t=\(room)")
        let wait = answer.field("retry-after").flatMap { Int($0) } ?? 0
        #expect((room...room + 60).contains(wait))
    }

    @Test("Strangers at any addresses may fail 10 times; the owner's device and address still log in")
    func owners() throws {
        let owner = try owner()
        let email = try owner.newAccount()
        try attack(email, owner)
        check(try owner.at("10.0.1.1").guess(email), #""login";q=10"#, window: 900)
        check(try owner.at("10.0.1.2").logIn(email, device: "new"), #""login";q=10"#, window: 900)
        #expect(try owner.at("203.0.113.5").logIn(email, device: "phone").status == 200)
        #expect(try owner.logIn(email, device: "new").status == 200)
        // The successful logins made this device and this address known.
        #expect(try owner.at("10.0.1.3").logIn(email, device: "new").status == 200)
        #expect(try owner.at("203.0.113.5").logIn(email).status == 200)
        #expect(try owner.at("10.0.1.4").logIn(email).status == 429)
    }

    @Test("Guesses for an unknown e-mail address get the same answers as for a known one")
    func unknown() throws {
        let owner = try owner()
        let known = try owner.newAccount()
        func answers(_ email: String) throws -> [String] {
            try (0..<12).map { number in
                let answer = try owner.at("10.1.0.\(number)").guess(email, device: "tablet")
                let fields = ["ratelimit-policy", "www-authenticate", "content-type"].map { answer.field($0) ?? "-" }
                return ([answer.verdict, answer.string("detail"), answer.string("title")] + fields).joined(
                    separator: "|"
                )
            }
        }
        let answered = try answers(known)
        #expect(try answers(Device.newEmail()) == answered)
        #expect(answered.count { $0.hasPrefix("429") } == 2)
    }

    @Test("Malformed and successful logins do not count as attempts")
    func form() throws {
        let stranger = try owner().at("192.0.2.33")
        let email = try owner().newAccount()
        for _ in 0..<12 {
            #expect(
                try stranger.client.send("POST", "/v2/auth/login", [("X-Forwarded-For", "192.0.2.33")], body: "{")
                    .status == 400
            )
            #expect(try stranger.logIn(email, "", device: "").status == 422)
        }
        for number in 0..<12 { #expect(try stranger.at("192.0.2.\(number)").logIn(email).status == 200) }
    }

    @Test("A session may send 20 wrong passwords in 15 minutes, to any operation; new logins still work")
    func session() throws {
        let owner = try owner()
        let email = try owner.newAccount()
        var device = try Device.logIn(owner.client, email, name: "laptop")
        device.signatureVersion = 1
        func confirm(_ password: String) throws -> HTTPAnswer {
            try device.send("POST", "/v2/auth/confirm", body: #"{"password":"\#(password)"}"#)
        }
        for _ in 0..<20 { #expect(try confirm("a wrong guess").status == 401) }
        check(try confirm(Device.password), #""password";q=20"#, window: 900)
        let change = #"{"current_password":"\#(Device.password)","new_password":"a better password"}"#
        #expect(try device.send("POST", "/v2/auth/password", body: change).status == 429)
        #expect(try owner.logIn(email).status == 200)
        #expect(try device.pull().status == 200)
    }

    @Test("Registrations count by address or /48, also for taken e-mail addresses; malformed ones do not count")
    func registrations() throws {
        let server = try Visitor.server(["--registrations-per-address-max", "3"])
        defer { _ = try? server.stop() }
        let here = Visitor(client: server.client, address: "2001:db8:0:1::1")
        let email = Device.newEmail()
        for _ in 0..<5 { #expect(try here.register("nobody").status == 422) }
        #expect(try here.register(email).status == 201)
        #expect(try here.register(email).verdict == "409 email-taken")
        #expect(try here.at("2001:db8:0:ffff::").register(Device.newEmail()).status == 201)
        check(try here.at("2001:db8:0:1::2").register(Device.newEmail()), #""registration";q=3"#, window: 3600)
        #expect(try here.at("2001:db8:1:1::1").register(Device.newEmail()).status == 201)
        #expect(try here.logIn(email).status == 200)
    }
}
