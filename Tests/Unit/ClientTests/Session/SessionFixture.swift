import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

/// A device with its secrets in files, at a fake server. Each `session()` is another process of it.
struct SessionFixture: Sendable {
    static let password = "nine old lenses"

    let server = FakeServer()
    let folder = Sandbox.makeFolder()
    let secrets: LockableSecrets
    /// The device's clock.
    let clock = Guarded<Int64>(1_800_000_000)

    init() { secrets = LockableSecrets(FileSecretStore(folder: folder + "/secrets")) }

    func process(
        systemID: String? = nil,
        deviceName: String? = nil,
        credentials: (@Sendable () async -> Credentials?)? = nil
    ) throws -> SessionProcess {
        let address = try ServerAddress(#require(URL(string: "https://cloud.example.org")))
        return SessionProcess(
            Session(
                address,
                server,
                secrets,
                try ServerFolder(folder, address),
                deviceName: deviceName,
                systemID: systemID,
                credentials: credentials,
                now: { [clock] in clock.withLock { $0 } }
            )
        )
    }

    /// A process of a device where Ada is logged in.
    func loggedIn(credentials: (@Sendable () async -> Credentials?)? = nil) async throws -> SessionProcess {
        let process = try process(credentials: credentials)
        _ = try await process.logIn()
        return process
    }

    /// The newest token of a session expires, of the last one unless told.
    func expire(session index: Int? = nil) {
        server.change { state in
            let index = index ?? state.sessions.count - 1
            state.sessions[index].expired = state.sessions[index].counter
        }
    }

    /// The server ends all sessions of Ada.
    func endSessions() { server.change { $0.endAll(of: $0.users["ada@example.org"] ?? UUID()) } }

    func pass(seconds: Int64) {
        clock.withLock { $0 += seconds }
        server.change { $0.clock += seconds }
    }

    /// What is stored.
    func stored() throws -> SessionRecord? {
        try secrets.read("session_cloud.example.org").flatMap { SessionRecord($0) }
    }
}

/// A session with the actor that it is confined to.
actor SessionProcess {
    let session: Session
    /// The accounts that the session went over to.
    private(set) var accounts: [Account?] = []

    init(_ session: sending Session) { self.session = session }

    var state: AccountState { get throws(ClientError) { try session.state } }

    @discardableResult
    func logIn(_ email: String = "ada@example.org", _ password: String = SessionFixture.password)
        async throws(ClientError)
        -> LogIn
    {
        try await session.logIn(with: .password(email: email, password: password))
    }

    func send(
        _ method: String = "GET",
        _ path: String = "/devices",
        as user: UUID? = nil
    ) async throws(ClientError) -> Answer {
        try await session.send(method, path, as: user)
    }

    func run<Result: Sendable>(
        _ body: @Sendable (Session) async throws(ClientError) -> Result
    ) async throws(ClientError) -> Result {
        try await body(session)
    }

    /// What can be seen of the session.
    func look<Result: Sendable>(_ body: @Sendable (Session) -> Result) -> Result { body(session) }

    /// The error of a call that must fail.
    func failure<Result>(_ body: @Sendable (Session) async throws(ClientError) -> Result) async -> ClientError? {
        do throws(ClientError) {
            _ = try await body(session)
            return nil
        } catch {
            return error
        }
    }

    /// The error of a request that must fail.
    func sendFailure(as user: UUID? = nil) async -> ClientError? {
        await failure { session throws(ClientError) in try await session.send("GET", "/devices", as: user) }
    }

    /// Logs out on the device, and with `endsSession` at the server.
    func logOut(endsSession: Bool = true) async throws(ClientError) {
        guard let user = try session.state.account?.id else { return }
        try await session.leave(user) { () throws(ClientError) in }
        if endsSession { await session.endLeft() }
    }

    /// Notes the accounts from now on.
    func follow() { session.accountChanged = { account throws(ClientError) in self.accounts.append(account) } }
}

/// Secrets in files, in a device that the test locks.
final class LockableSecrets: SecretStore {
    private let files: FileSecretStore
    private let failures = Guarded<(reading: SecretError?, writing: SecretError?)>((nil, nil))

    init(_ files: FileSecretStore) { self.files = files }

    func fail(reading: SecretError? = nil, writing: SecretError? = nil) {
        failures.withLock { $0 = (reading, writing) }
    }

    func read(_ name: String) throws(SecretError) -> [UInt8]? {
        if let failure = failures.withLock({ $0.reading }) { throw failure }
        return try files.read(name)
    }

    func write(_ name: String, _ value: [UInt8]?) throws(SecretError) {
        if let failure = failures.withLock({ $0.writing }) { throw failure }
        try files.write(name, value)
    }
}
