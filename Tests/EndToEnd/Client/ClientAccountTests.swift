import Foundation
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Accounts of apps", .blocking, .timeLimit(.minutes(Patience.minutes(3))))
struct ClientAccountTests {
    private let folder = Sandbox.makeFolder()
    private let server: ServerProcess
    private let url: URL

    init() throws {
        server = try Shared.server.get()
        url = try #require(URL(string: "http://127.0.0.1:\(server.client.port)"))
    }

    /// An app on a device of its own, or one that is started again.
    private func app(_ name: String = "data") throws -> NeuroViews {
        var options = Options()
        options.folder = URL(fileURLWithPath: "\(folder)/\(name)")
        return try NeuroViews(server: url, options)
    }

    private func password(_ email: String, _ password: String = TestSupport.Device.password) -> Credentials {
        .password(email: email, password: password)
    }

    /// The code of the refusal by which a call must fail.
    private func refusal<Result>(_ body: () async throws -> Result) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch {
            if case ClientError.refused(let problem) = error { return problem.code }
            return "\(error)"
        }
    }

    /// The folders of accounts on the device.
    private func stores(_ name: String = "data") throws -> [String] {
        let path = "\(folder)/\(name)/127.0.0.1_\(server.client.port)"
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { UUID(uuidString: $0) != nil }
    }

    @Test("An account is opened, logged in and found again by the next start of the app")
    func begins() async throws {
        let (app, email) = (try app(), TestSupport.Device.newEmail())
        guard case .opened(let account) = try await app.register(email: email, password: "ten old lenses") else {
            Issue.record("no account")
            return
        }
        #expect(await refusal { try await app.register(email: email, password: "ten old lenses") } == "email-taken")
        #expect(await refusal { try await app.logIn(with: password(email)) } == "credentials-invalid")
        #expect(try await app.account == .signedOut)
        guard case .done(account) = try await app.logIn(with: password(email, "ten old lenses")) else {
            Issue.record("no session")
            return
        }
        let next = try self.app()
        #expect(try await next.account == .signedIn(account))
        #expect(try await next.devices().count == 1)
        #expect(try stores() == [account.id.uuidString.lowercased()])
    }

    @Test("A code of the authenticator app, or a recovery code, finishes a log in")
    func secondFactor() async throws {
        let authenticator = try AuthenticatorApp.new()
        let app = try app()
        for isRecovery in [false, true] {
            guard case .secondFactor(let challenge) = try await app.logIn(with: password(authenticator.device.email))
            else {
                Issue.record("no second factor")
                return
            }
            #expect(challenge.methods == ["code", "recovery_code"])
            let wrong = authenticator.wrongCode
            #expect(await refusal { try await app.finishLogIn(challenge, with: .code(wrong)) } == "code-invalid")
            let factor: Factor =
                isRecovery ? .recoveryCode(authenticator.recoveryCodes[0]) : .code(try authenticator.freshCode())
            let account = try await app.finishLogIn(challenge, with: factor)
            #expect(account.id.uuidString.lowercased() == authenticator.device.userID)
        }
        _ = try await app.devices()
    }

    @Test("A new password keeps this device logged in, and ends the sessions of all others")
    func password() async throws {
        let email = try Shared.newDevice().email
        let (app, other) = (try app(), try self.app("other"))
        for app in [app, other] { _ = try await app.logIn(with: password(email)) }
        let wrong = await refusal { try await app.changePassword(from: "wrong", to: "a better password") }
        #expect(wrong == "credentials-invalid")
        try await app.changePassword(from: TestSupport.Device.password, to: "a better password")
        _ = try await app.devices()
        _ = try await self.app().devices()
        await #expect(throws: ClientError.self) { try await other.devices() }
        guard case .needsLogIn(_, let problem) = try await other.account else {
            Issue.record("the other device is logged in")
            return
        }
        #expect(problem?.code == "session-ended")
        _ = try await other.logIn(with: password(email, "a better password"))
        _ = try await other.devices()
    }

    @Test("A password confirms an operation that needs a confirmation")
    func confirmation() async throws {
        let device = try Shared.newDevice()
        let app = try app()
        _ = try await app.logIn(with: password(device.email))
        try server.sql("UPDATE sessions SET proven_at = now() - interval '1 hour' WHERE user_id = '\(device.userID)'")
        await #expect(throws: ClientError.confirmationRequired) { try await app.call("POST", "/account/totp") }
        #expect(await refusal { try await app.confirm(password: "wrong") } == "credentials-invalid")
        try await app.confirm(password: TestSupport.Device.password)
        #expect(try await app.call("POST", "/account/totp")["secret"]?.string != nil)
    }

    @Test("A deleted account leaves neither a store nor a session on the device")
    func deletion() async throws {
        let device = try Shared.newDevice()
        let app = try app()
        _ = try await app.logIn(with: password(device.email))
        _ = try await app.save(CameraConfiguration(name: "Harbour"))
        try await app.sync()
        #expect(await refusal { try await app.deleteAccount(.password("wrong")) } == "credentials-invalid")
        #expect(try stores() == [device.userID])
        try await app.deleteAccount(.password(TestSupport.Device.password))
        #expect(try await app.account == .signedOut)
        #expect(try stores() == [])
        #expect(try await self.app().account == .signedOut)
        #expect(await refusal { try await app.logIn(with: password(device.email)) } == "credentials-invalid")
    }

    @Test("A log out refuses to lose edits; kept ones are sent after the next log in")
    func logOut() async throws {
        let device = try Shared.newDevice()
        let app = try app()
        _ = try await app.logIn(with: password(device.email))
        let saved = try await app.save(CameraConfiguration(name: "Harbour"))
        await #expect(throws: ClientError.unsentEdits(1)) { try await app.logOut() }
        try await app.logOut(.keep)
        #expect(try await app.account == .signedOut)
        let live = "SELECT device_id FROM sessions WHERE user_id = '\(device.userID)' AND ended_at IS NULL"
        #expect(try server.sql(live) == ["phone"])
        _ = try await app.logIn(with: password(device.email))
        #expect(try await app.sync().sent == 1)
        #expect(try await app.configuration(saved.id)?.configuration.name == "Harbour")
        try await app.logOut()
        #expect(try stores() == [])
    }

    @Test("Edits that are discarded are gone after a log out; another account has a store of its own")
    func accounts() async throws {
        let (ada, bob) = (try Shared.newDevice(), try Shared.newDevice())
        let app = try app()
        _ = try await app.logIn(with: password(ada.email))
        _ = try await app.save(CameraConfiguration(name: "Ada's"))
        _ = try await app.logIn(with: password(bob.email))
        #expect(try await app.configurations().isEmpty)
        #expect(try stores().sorted() == [ada.userID, bob.userID].sorted())
        _ = try await app.logIn(with: password(ada.email))
        #expect(try await app.configurations().map(\.configuration.name) == ["Ada's"])
        try await app.logOut(.discard)
        #expect(try stores() == [bob.userID])
        _ = try await app.logIn(with: password(ada.email))
        #expect(try await app.configurations().isEmpty)
    }

    @Test("A device with a wrong clock refreshes its token at a real server, and signs with the server's time")
    func refresh() async throws {
        let email = try Shared.newDevice().email
        let address = try ServerAddress(url)
        let (ahead, secrets) = (Guarded<Int64>(0), FileSecretStore(folder: folder + "/secrets"))
        let session = Session(
            address,
            try CurlTransport(try Trust(server: address.base, Options())),
            secrets,
            try ServerFolder(folder, address),
            now: { Int64(Date().timeIntervalSince1970) + ahead.withLock { $0 } }
        )
        _ = try await session.logIn(with: password(email))
        let first = try session.known()?.login?.token
        ahead.withLock { $0 = 3000 }
        #expect(try await session.send("GET", "/devices").status == 200)
        let record = try #require(try session.known())
        #expect(record.login?.token != first && record.login?.attempt == nil)
        #expect((-3010 ... -2990).contains(record.clockS))
        let body = Array(#"{"consents":{"analytics":{"granted":true,"version":"1"}}}"#.utf8)
        #expect(try await session.send("PUT", "/account/consents", body: body).status == 200)
    }
}
