import Foundation
import Net
import TestSupport
import Testing

@Suite("Change of the e-mail address", .blocking)
struct AddressChangeTests {
    @Test("An account keeps its address until the new one is confirmed; the old one is notified")
    func changes() throws {
        let scene = try MailScene.shared.get()
        let device = try scene.device()
        let new = Device.newEmail()
        #expect(try scene.askForAddress(new, device) == "202")
        let mail = try scene.post.arrival(to: new)
        #expect(mail.subject == "Confirm your new e-mail address")
        #expect(try scene.logIn(device.email) == "200")
        #expect(try scene.logIn(new) == "401 credentials-invalid")
        #expect(try scene.verify(mail.token("verify")) == "204")
        #expect(try scene.logIn(device.email) == "401 credentials-invalid")
        #expect(try scene.logIn(new) == "200")
        #expect(try device.pull().status == 200)
        let kinds: [String] = try device.accountEvents().members("kind", of: "events")
        #expect(kinds.count { $0 == "address-changed" } == 1)
        let told = try scene.post.arrival(to: device.email)
        #expect(told.subject == "Your e-mail address was changed")
        #expect(!told.body.contains("#") && !told.body.contains(new))
        #expect(try scene.verify(mail.token("verify")) == "403 email-token-invalid")
    }

    @Test("A change of the address needs the password, a live session and a deliverable address")
    func refusals() throws {
        let scene = try MailScene.shared.get()
        let device = try scene.device()
        let new = Device.newEmail()
        #expect(try scene.askForAddress(new, device, "not the password") == "401 credentials-invalid")
        #expect(try scene.askForAddress("a,b@example.org", device) == "422 invalid-document")
        #expect(try device.send("POST", "/v2/auth/logout").status == 204)
        #expect(try scene.askForAddress(new, device) == "401 session-ended")
        #expect(try scene.enqueued(new).isEmpty)
    }

    @Test("A request for an address with an account mails a notice and leaves the address alone")
    func taken() throws {
        let scene = try MailScene.shared.get()
        let (device, other) = (try scene.device(), try scene.device())
        let free = Device.newEmail()
        #expect(try scene.askForAddress(other.email, device) == scene.askForAddress(free, device))
        let mail = try scene.post.arrival(to: other.email)
        #expect(mail.subject == "You already have an account" && !mail.body.contains("#"))
        #expect(try scene.server.sql("SELECT 1 FROM mailed_tokens WHERE email = '\(other.email)'").isEmpty)
    }

    @Test("An address that is taken before its confirmation is refused without a mail to the old one")
    func takenMeanwhile() throws {
        let scene = try MailScene.shared.get()
        let (first, second) = (try scene.device(), try scene.device())
        let new = Device.newEmail()
        _ = try scene.askForAddress(new, first)
        let token = try scene.post.arrival(to: new).token("verify")
        _ = try scene.askForAddress(new, second)
        #expect(try scene.verify(scene.post.arrival(2, to: new).token("verify")) == "204")
        #expect(try scene.verify(token) == "409 email-taken")
        try scene.post.arrival(to: second.email)
        try scene.awaitSent()
        #expect(try scene.post.mails(to: first.email).isEmpty)
        #expect(try scene.logIn(first.email) == "200")
    }

    @Test("A confirmed change to an address ends a pending registration of that address")
    func registered() throws {
        let scene = try MailScene.shared.get()
        let device = try scene.device()
        let new = Device.newEmail()
        _ = try scene.register(new, "password of the squatter")
        let squatted = try scene.post.arrival(to: new)
        _ = try scene.askForAddress(new, device)
        #expect(try scene.verify(scene.post.arrival(2, to: new).token("verify")) == "204")
        #expect(try scene.verify(squatted.token("verify")) == "403 email-token-invalid")
        #expect(try scene.logIn(new, "password of the squatter") == "401 credentials-invalid")
        #expect(try scene.logIn(new) == "200")
    }

    @Test("A change of the password cancels pending changes of the address")
    func thief() throws {
        let scene = try MailScene()
        let device = try scene.device()
        let (mailed, waiting) = (Device.newEmail(), Device.newEmail())
        _ = try scene.askForAddress(mailed, device)
        let token = try scene.post.arrival(to: mailed).token("verify")
        try scene.post.begin(.fail)
        _ = try scene.askForAddress(waiting, device)
        try scene.awaitPostponed(waiting)
        let change = MailScene.json(["current_password": MailScene.password, "new_password": "the owner's new one"])
        #expect(try device.send("POST", "/v2/auth/password", body: change).status == 200)
        try scene.post.end(.fail)
        try scene.passTime()
        try scene.awaitSent()
        #expect(try scene.verify(token) == "403 email-token-invalid")
        #expect(try scene.post.mails(to: waiting).isEmpty)
        #expect(try scene.logIn(device.email, "the owner's new one") == "200")
    }

    @Test("A reset mailed during a change of the address or the password is no longer valid", arguments: [true, false])
    func resetMeanwhile(isAddress: Bool) throws {
        let scene = try MailScene()
        let device = try scene.device()
        let new = Device.newEmail()
        _ = try scene.askForAddress(new, device)
        let token = try scene.post.arrival(to: new).token("verify")
        try scene.awaitSent()
        try scene.server.sql(
            "INSERT INTO mails (kind, email, run_at) VALUES ('reset', '\(device.email)', now() - interval '1 day')"
        )
        // Another server has begun to send this mail.
        let sender = try Blocker(scene.server, "SELECT neuroviews.claim_mail(sha256('a token of 32 bytes or so'), 60)")
        let changes = Thread {
            if isAddress {
                _ = try? scene.verify(token)
            } else {
                let body = MailScene.json([
                    "current_password": MailScene.password, "new_password": "the owner's new one",
                ])
                _ = try? device.send("POST", "/v2/auth/password", body: body)
            }
        }
        changes.start()
        try Deadline.wait("a change that waits, or is done", seconds: 30) {
            try changes.isFinished || sender.isWaitedFor()
        }
        try sender.commit("SELECT")
        try Deadline.wait("the change", seconds: 30) { changes.isFinished }
        let reset = """
            DO $$ BEGIN
                PERFORM neuroviews.reset_password(sha256('a token of 32 bytes or so'), '-', '127.0.0.1');
                RAISE EXCEPTION 'it was taken';
            EXCEPTION WHEN SQLSTATE 'NV030' THEN NULL;
            END $$
            """
        try scene.server.sql(reset)
        #expect(
            try scene.logIn(isAddress ? new : device.email, isAddress ? MailScene.password : "the owner's new one")
                == "200"
        )
    }

    @Test("A change of the password cancels a concurrent request for another address")
    func thiefAtOnce() throws {
        let scene = try MailScene()
        let device = try scene.device()
        let thief = Device.newEmail()
        // The first use of a token updates the session's row, which would lock it.
        #expect(try device.pull().status == 200)
        // The request waits for this lock after its session check. The check can't see a later change of the password.
        let blocker = try Blocker(scene.server, "SELECT neuroviews.lock_address('\(device.userID)')")
        let asking = Thread { _ = try? scene.askForAddress(thief, device) }
        asking.start()
        try Deadline.wait("a request that waits", seconds: 30) { try blocker.waiting() == 1 }
        // Changes the password as the server does after it has checked the old one.
        let changing = Thread { _ = try? scene.server.sql("SELECT replace_password('\(device.userID)', '-')") }
        changing.start()
        try Deadline.wait("a change that waits, or is done", seconds: 30) {
            try changing.isFinished || blocker.waiting() == 2
        }
        try blocker.end()
        try Deadline.wait("both", seconds: 30) { asking.isFinished && changing.isFinished }
        try scene.awaitSent()
        // The request's mail may be under way already. Then its token is no longer valid.
        #expect(try scene.enqueued(thief).count == 1)
        #expect(try scene.server.sql("SELECT 1 FROM mailed_tokens WHERE email = '\(thief)'").isEmpty)
        #expect(try scene.server.sql("SELECT password_hash FROM users") == ["-"])
    }

    @Test("A token for another address is no longer valid after the account's erasure has begun")
    func erased() throws {
        let scene = try MailScene.shared.get()
        let (device, new) = (try scene.device(), Device.newEmail())
        _ = try scene.askForAddress(new, device)
        let token = try scene.post.arrival(to: new).token("verify")
        try scene.server.sql("SELECT begin_account_erasure('\(device.userID)', sha256('\(device.userID)'))")
        #expect(try scene.verify(token) == "403 email-token-invalid")
        #expect(try scene.server.sql("SELECT 1 FROM users WHERE email = '\(new)'").isEmpty)
    }

    @Test("An erasure and a server that sends a mail of the account don't wait for each other")
    func erasedMeanwhile() throws {
        let scene = try MailScene()
        let device = try scene.device()
        try scene.server.sql(
            "INSERT INTO mails (kind, email, account, ended_at) SELECT 'address', 'a@example.org', id, now() FROM users"
        )
        // Locks the mail, as the server does before it stores the token.
        let sender = try Blocker(scene.server, "SELECT FROM neuroviews.mails WHERE email = 'a@example.org' FOR UPDATE")
        let status = Locked(0)
        let erasing = Thread { status.withLock { $0 = (try? device.erase().status) ?? 0 } }
        erasing.start()
        try Deadline.wait("an erasure that waits", seconds: 30) { try sender.isWaitedFor() }
        try sender.commit(
            """
            INSERT INTO neuroviews.mailed_tokens (token_hash, purpose, email, account, expires_at)
            SELECT '\\x00', 'address', email, id, now() FROM neuroviews.users
            """
        )
        try Deadline.wait("the erasure", seconds: 30) { erasing.isFinished }
        #expect(status.withLock { $0 } == 200)
        #expect(try scene.server.sql("SELECT 1 FROM users").isEmpty)
    }

    @Test("The old address is notified of the change, also when the account is erased right away")
    func toldOnErasure() throws {
        let scene = try MailScene()
        let (device, new) = (try scene.device(), Device.newEmail())
        _ = try scene.askForAddress(new, device)
        let token = try scene.post.arrival(to: new).token("verify")
        try scene.post.begin(.fail)
        #expect(try scene.verify(token) == "204")
        try scene.awaitPostponed(device.email)
        #expect(try device.erase().status == 200)
        try scene.post.end(.fail)
        try scene.passTime()
        #expect(try scene.post.arrival(to: device.email).subject == "Your e-mail address was changed")
    }

    @Test("Requests of one account for an address leave other accounts their own limit")
    func blocked() throws {
        let scene = try MailScene.shared.get()
        let (stranger, owner) = (try scene.device(), try scene.device())
        let new = Device.newEmail()
        for _ in 0..<4 { _ = try scene.askForAddress(new, stranger) }
        #expect(try scene.enqueued(new).count == 3)
        _ = try scene.askForAddress(new, owner)
        #expect(try scene.enqueued(new).count == 4)
    }

    @Test("A reset that was mailed to the old address is no longer valid after the change")
    func resetBefore() throws {
        let scene = try MailScene.shared.get()
        let device = try scene.device()
        let new = Device.newEmail()
        _ = try scene.askForReset(device.email)
        let reset = try scene.post.arrival(to: device.email).token("reset")
        _ = try scene.askForAddress(new, device)
        #expect(try scene.verify(scene.post.arrival(to: new).token("verify")) == "204")
        #expect(try scene.reset(reset, "from the old mailbox").verdict == "403 email-token-invalid")
    }

    @Test("An account can request three addresses an hour; more requests change nothing")
    func limit() async throws {
        let scene = try MailScene.shared.get()
        let device = try scene.device()
        let verdicts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<6 { group.addTask { try scene.askForAddress(Device.newEmail(), device) } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(Set(verdicts) == ["202"])
        #expect(try scene.server.sql("SELECT count(*) FROM mails WHERE account = '\(device.userID)'") == ["3"])
    }
}
