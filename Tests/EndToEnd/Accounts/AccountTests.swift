import Foundation
import TestSupport
import Testing

@Suite("Accounts", .blocking)
struct AccountTests {
    private static func credentials(_ email: String, _ password: String) -> String {
        #"{"email":"\#(email)","password":"\#(password)"}"#
    }

    @Test("Registration and login return the documented members")
    func members() throws {
        let client = try Shared.client()
        let email = "Jane.\(Device.newEmail())"
        let registered = try Device.register(client, email)
        #expect(registered.status == 201)
        let user = try #require(registered.json["user"] as? [String: Any])
        #expect(user["email"] as? String == email)
        #expect(Set(user.keys) == ["id", "email", "created_at"])

        let body = Self.credentials(email.uppercased(), Device.password)
        let answer = try client.send("POST", "/v2/auth/login", body: body)
        #expect(answer.status == 200)
        #expect(Set(answer.json.keys) == ["token", "user", "expires_at", "signing_key"])
        let sameUser = try #require(answer.json["user"] as? [String: Any])
        #expect(sameUser["id"] as? String == user["id"] as? String)
        #expect(Data(base64Encoded: answer.string("signing_key"))?.count == 32)
        #expect(answer.field("cache-control") == "no-store")

        let again = try Device.register(client, email.uppercased())
        #expect(again.verdict == "409 email-taken")
        let accented = "josé.\(Device.newEmail())"
        #expect(try Device.register(client, accented).status == 201)
        #expect(try Device.register(client, accented.uppercased()).verdict == "409 email-taken")
    }

    @Test("A login with a wrong password and one with an unknown address get the same answer")
    func sameAnswer() throws {
        let client = try Shared.client()
        let email = try Shared.device().email
        let bodies = [Self.credentials(email, "wrong password"), Self.credentials(Device.newEmail(), "wrong password")]
        let answers = try bodies.map { try client.send("POST", "/v2/auth/login", body: $0) }
        for answer in answers { #expect(answer.verdict == "401 credentials-invalid") }
        func withoutInstance(_ answer: HTTPAnswer) -> [String: String] {
            answer.json.filter { $0.key != "instance" }.mapValues { "\($0)" }
        }
        #expect(withoutInstance(answers[0]) == withoutInstance(answers[1]))
        #expect(answers[0].field("www-authenticate") != nil)
    }

    @Test("Registration and login list every violation of their schemas with its pointer")
    func violations() throws {
        let client = try Shared.client()
        func pointers(_ path: String, _ body: String) throws -> [String] {
            let answer = try client.send("POST", path, body: body)
            #expect(answer.verdict == "422 invalid-document")
            let errors = answer.json["errors"] as? [[String: Any]] ?? []
            for error in errors { #expect(Set(error.keys) == ["pointer", "keyword", "detail"]) }
            return errors.map { "\($0["pointer"] ?? "") \($0["keyword"] ?? "")" }.sorted()
        }
        #expect(try pointers("/v2/auth/register", "{}") == ["/email required", "/password required"])
        let wrong = try pointers("/v2/auth/register", #"{"email":"x","password":7}"#)
        #expect(wrong == ["/email format", "/email minLength", "/password type"])
        #expect(
            try pointers("/v2/auth/login", #"{"email":null,"password":"x","device_id":""}"#)
                == ["/device_id minLength", "/email type"]
        )
        for address in ["nobody", "a@", "@b", "a@b@c", "a b@example.org", "a@b\\u0007"] {
            let body = Self.credentials(address, "long enough")
            #expect(try pointers("/v2/auth/register", body).allSatisfy { $0.hasPrefix("/email ") }, "\(address)")
        }
    }

    @Test("A POST of a configuration lists every violation of its schema with its pointer")
    func configurationViolations() throws {
        let body = #"""
            {"configuration":{"id":"x","name":"","preset":"none","frame_rate":0.5,"exposure_settings":{"iso":1,"mode":7},
            "created_at":"yesterday"}}
            """#
        let answer = try Shared.device().send("POST", "/v2/configurations", body: body)
        #expect(answer.verdict == "422 invalid-document")
        let errors = answer.json["errors"] as? [[String: Any]] ?? []
        let pointers = Set(errors.compactMap { $0["pointer"] as? String })
        let expected = [
            "id", "name", "preset", "frame_rate", "exposure_settings/iso", "exposure_settings/mode", "created_at",
            "video_format", "resolution", "modified_at",
        ]
        #expect(pointers == Set(expected.map { "/configuration/\($0)" }))
    }

    @Test("A password may have any characters, and may be sent in another Unicode form")
    func passwords() throws {
        let client = try Shared.client()
        let password = #"пароль 🔑 \"\\ ' ; -- e\u0301"#
        let email = Device.newEmail()
        let body = Self.credentials(email, password)
        #expect(try client.send("POST", "/v2/auth/register", body: body).status == 201)
        #expect(try client.send("POST", "/v2/auth/login", body: body).status == 200)
        let composed = Self.credentials(email, password.replacing(#"e\u0301"#, with: "é"))
        #expect(try client.send("POST", "/v2/auth/login", body: composed).status == 200)
        let other = Self.credentials(email, password.replacing(#"e\u0301"#, with: "e"))
        #expect(try client.send("POST", "/v2/auth/login", body: other).status == 401)
    }
}
