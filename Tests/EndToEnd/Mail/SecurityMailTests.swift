import Credentials
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Mails about security events of an account", .blocking)
struct SecurityMailTests {
    /// The subjects of the account's mails about events, oldest first. Another mail wakes the senders.
    private func subjects(_ scene: MailScene, _ address: String, _ count: Int) throws -> [String] {
        _ = try scene.askForReset(Device.newEmail())
        try Deadline.wait("\(count) mails about events", seconds: 30) {
            try scene.post.news(to: address).count >= count
        }
        try scene.awaitSent()
        return try scene.post.news(to: address).map(\.subject)
    }

    /// The lines of a mail's facts: when, device, network address.
    private func facts(_ scene: MailScene, _ address: String, _ subject: String) throws -> [String] {
        let mail = try scene.post.news(to: address).last { $0.subject == subject }
        let lines = (mail?.body ?? "").split(separator: "\n").map(String.init)
        return lines.filter { line in ["When: ", "Device: ", "Network address: "].contains { line.hasPrefix($0) } }
    }

    @Test("The mail of every security event of a session has its time, device and network address")
    func whoAndWhere() throws {
        let scene = try MailScene.shared.get()
        let phone = try scene.device()
        var tablet = try phone.other(name: "tablet")
        #expect(try tablet.export().status == 200)
        let outdated = tablet
        for _ in 0..<2 { tablet.token = try tablet.send("POST", "/v2/auth/refresh").string("token") }
        #expect(try tablet.pull().status == 200)
        #expect(try outdated.send("POST", "/v2/auth/refresh").verdict == "401 session-ended")
        let change = MailScene.json([
            "current_password": MailScene.password, "new_password": "another one for the shelf",
        ])
        #expect(try phone.send("POST", "/v2/auth/password", body: change).status == 200)
        _ = try subjects(scene, phone.email, 4)
        for (subject, device) in [
            ("A new device has logged in", "tablet"), ("Your data was exported", "tablet"),
            ("One of your devices was logged out", "tablet"), ("Your password was changed", "phone"),
        ] {
            let facts = try facts(scene, phone.email, subject)
            #expect(facts.first?.hasSuffix(" UTC") == true, "\(subject)")
            #expect(facts.dropFirst() == ["Device: \(device)", "Network address: 127.0.0.1"], "\(subject)")
        }
    }

    @Test("The login of another device is mailed, and that of the first device is not")
    func devices() throws {
        let scene = try MailScene.shared.get()
        let phone = try scene.device()
        #expect(try scene.logIn(phone.email) == "200")
        #expect(try subjects(scene, phone.email, 0).isEmpty)
        _ = try phone.other()
        _ = try phone.other()
        #expect(try subjects(scene, phone.email, 1) == ["A new device has logged in"])
    }

    @Test("A login without a listed device is mailed if its network address is new")
    func withoutDevice() throws {
        let scene = try MailScene(["--registration", "open", "--trusted-proxies", "127.0.0.1"])
        let phone = try scene.device()
        let thief = Visitor(client: scene.server.client, address: "203.0.113.9")
        for _ in 0..<2 { #expect(try thief.logIn(phone.email).status == 200) }
        #expect(try subjects(scene, phone.email, 1) == ["A new device has logged in"])
        #expect(try scene.logIn(phone.email) == "200", "from where the phone logs in")
        try scene.server.sql(
            "INSERT INTO devices (user_id, id) SELECT '\(phone.userID)', 'full ' || n FROM generate_series(1, 99) n"
        )
        #expect(try thief.at("203.0.113.10").logIn(phone.email, device: "no room").status == 200)
        let news = "A new device has logged in"
        #expect(try subjects(scene, phone.email, 2) == [news, news])
        // Several events make one mail. These are the phone's event, the thief's first one, and the last one.
        let kinds: [String] = try phone.accountEvents().members("kind", of: "events")
        #expect(kinds.count { $0 == "device-new" } == 3)
    }

    @Test("A login of an account without stored events is mailed")
    func forgotten() throws {
        let scene = try MailScene.shared.get()
        let phone = try scene.device()
        try scene.server.sql("DELETE FROM account_events WHERE user_id = '\(phone.userID)'")
        _ = try phone.other(name: "tablet")
        try scene.server.sql(
            """
            UPDATE users SET created_at = now() - interval '2 days' WHERE id = '\(phone.userID)';
            DELETE FROM account_events WHERE user_id = '\(phone.userID)'
            """
        )
        _ = try phone.other(name: "camera")
        #expect(try subjects(scene, phone.email, 1) == ["A new device has logged in"])
    }

    @Test("Events before a change of the address are mailed to the old address")
    func changedAddress() throws {
        let scene = try MailScene.shared.get()
        let phone = try scene.device()
        let new = Device.newEmail()
        try scene.server.sql(
            """
            SELECT note_event('\(phone.userID)', 'export', NULL, NULL, NULL), change_address('\(phone.userID)', '\(new)')
            """
        )
        #expect(try subjects(scene, phone.email, 1) == ["Your data was exported"])
        #expect(try scene.post.news(to: new).isEmpty)
    }

    @Test("A changed password, an export, and an added or removed app are mailed")
    func changes() throws {
        let scene = try MailScene.shared.get()
        let phone = try scene.device()
        let begun = try phone.send("POST", "/v2/account/totp")
        let totp = TOTP(secret: try #require(Base32.decode(begun.string("secret"))))
        let code = AuthenticatorApp.code(of: totp)
        let added = try phone.send("POST", "/v2/account/totp/confirm", body: #"{"code":"\#(code)"}"#)
        let recovery = try #require((added.json["recovery_codes"] as? [String])?.first)
        #expect(try phone.export().status == 200)
        let removed = try phone.send("DELETE", "/v2/account/totp", body: #"{"recovery_code":"\#(recovery)"}"#)
        #expect(removed.status == 204)
        let change = MailScene.json([
            "current_password": MailScene.password, "new_password": "another one for the shelf",
        ])
        #expect(try phone.send("POST", "/v2/auth/password", body: change).status == 200)
        let expected = [
            "An authenticator app was added", "Your data was exported", "The authenticator app was removed",
            "Your password was changed",
        ]
        #expect(Set(try subjects(scene, phone.email, 4)) == Set(expected))
    }

    @Test("The end of a session by a reused outdated token is mailed")
    func reuse() throws {
        let scene = try MailScene.shared.get()
        let phone = try scene.device()
        var newer = phone
        for _ in 0..<2 { newer.token = try newer.send("POST", "/v2/auth/refresh").string("token") }
        #expect(try newer.pull().status == 200)
        #expect(try phone.send("POST", "/v2/auth/refresh").verdict == "401 session-ended")
        #expect(try subjects(scene, phone.email, 1) == ["One of your devices was logged out"])
    }

    @Test("The erasure of an account is mailed to its address, which is then forgotten")
    func deletion() throws {
        let scene = try MailScene.shared.get()
        let phone = try scene.device()
        #expect(try phone.erase().status == 200)
        #expect(try subjects(scene, phone.email, 1) == ["Your account was deleted"])
        let left = "SELECT count(*) FROM mails WHERE email = '\(phone.email)'"
        #expect(try scene.server.sql(left) == ["1"])
    }
}
