import NeuroViewsCrypto
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The session of this device at one server (docs/client.md, "Answers to any request").
///
/// The stored record is the truth, for all processes. This object has the copy that it read last, and reads again whenever
/// the server refuses the token. It is confined to the actor of the library.
final class Session {
    /// For requests without token and signature, such as those to upload URLs.
    let transport: any Transport
    let address: ServerAddress
    let vault: SessionVault
    let deviceName: String?
    let credentials: (@Sendable () async -> Credentials?)?
    /// The device's Unix time.
    let now: @Sendable () -> Int64
    /// Called when the session belongs to another account than before, or to none, before any call returns.
    var accountChanged: ((Account?) throws(ClientError) -> Void)?
    /// No early refresh before this time, after one that failed.
    var earlyRefreshAt: Int64 = 0
    /// A session that was left and may be open at the server.
    var left: SessionRecord.Login?
    private(set) var record: SessionRecord?
    private var isRead = false
    private let turns = TurnQueue()

    init(
        _ address: ServerAddress,
        _ transport: any Transport,
        _ secrets: any SecretStore,
        _ folder: ServerFolder,
        deviceName: String? = nil,
        systemID: String? = nil,
        credentials: (@Sendable () async -> Credentials?)? = nil,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
    ) {
        (self.address, self.transport) = (address, transport)
        vault = SessionVault(secrets, address, folder, systemID: systemID)
        (self.deviceName, self.credentials, self.now) = (deviceName, credentials, now)
    }

    /// The account, without asking the server. Throws `.secrets(.locked)` while the secrets are locked and not known yet.
    var state: AccountState { get throws(ClientError) { try known()?.state ?? .signedOut } }

    /// The device's own name at the server; nil before the first log in.
    var deviceID: String? { get throws(ClientError) { try known()?.deviceID } }

    /// The record as it was read last.
    func known() throws(ClientError) -> SessionRecord? {
        if !isRead {
            record = try vault.read()
            isRead = true
        }
        return record
    }

    /// Takes over what was stored, and follows to another account.
    func adopt(_ stored: SessionRecord?) throws(ClientError) {
        let before = record?.account?.id
        let wasRead = isRead
        (record, isRead) = (stored, true)
        if wasRead, before != stored?.account?.id { try accountChanged?(stored?.account) }
    }

    /// Changes the stored record and takes it over.
    func change(_ body: (inout SessionRecord) -> Void) async throws(ClientError) {
        try adopt(try await vault.change(body))
    }

    /// Reads the record again. Throws unless it is the account's, with or without a session.
    func readAgain(as user: UUID?) throws(ClientError) {
        try adopt(try vault.read())
        try check(user)
    }

    /// Throws if the session is another account's, or nobody's.
    func check(_ user: UUID?) throws(ClientError) {
        guard let account = try known()?.account else { throw .needsLogIn(nil) }
        guard account.id == user else { throw .otherAccount }
    }

    /// Does what replaces the token, one at a time among the tasks and the processes of this device. So whoever comes later
    /// finds the newer token. A cancelled task waits for no other one.
    func inTurn<Result>(
        _ work: () async throws(ClientError) -> Result
    ) async throws(ClientError) -> Result {
        guard await turns.take() else { throw .cancelled }
        defer { turns.give() }
        let lock = try await vault.turn()
        defer { withExtendedLifetime(lock) {} }
        return try await work()
    }
}
