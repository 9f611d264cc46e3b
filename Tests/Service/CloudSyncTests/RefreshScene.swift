import CloudSync
import Foundation
import Net
import Problems
import TestSupport

/// Sessions whose tokens are refreshed at two servers of one database.
struct RefreshScene: Sendable {
    static let home = "192.0.2.1"

    let world: World
    private let accounts: [AccountService]
    private let authenticator = Authenticator(keys: World.keys, now: { 1_800_000_000 })

    init(_ world: World) throws {
        self.world = world
        accounts = try world.databases.map { database in
            AccountService(
                database: database,
                keys: World.keys,
                hashing: try BlockingPool(threads: 0, queueMax: 0),
                limits: AttemptLimits(database: database, keys: World.keys),
                settings: .init(registration: .open, now: { 1_800_000_000 })
            )
        }
    }

    /// The caller with the token that the refresh returns.
    func refresh(
        _ caller: Caller,
        _ attempt: String? = nil,
        from address: String? = home,
        at server: Int = 0
    ) async throws -> Caller {
        let client = address.flatMap { IPAddress($0) }
        let token = try await accounts[server].refresh(caller, attempt: attempt, from: client)
        let identity = try authenticator.identify(token: token.text, allowsExpired: true)
        return identity.caller().signed(by: caller.signatureVersion)
    }

    /// The counter of the token that the refresh returns, or the problem's code.
    func verdict(
        _ caller: Caller,
        _ attempt: String? = nil,
        from address: String? = home
    ) async throws -> String {
        do {
            return "\(try await refresh(caller, attempt, from: address).counter)"
        } catch CloudSyncError.unauthenticated(let problem) {
            return problem.code
        }
    }

    /// `good`, or the code of the problem that another request gets.
    func pull(_ caller: Caller, at server: Int = 0) async throws -> String {
        do {
            _ = try await world.servers[server].delta(DeltaRequest(cursor: .none), for: caller)
            return "good"
        } catch CloudSyncError.unauthenticated(let problem) {
            return problem.code
        }
    }

    /// Sets when the newest token was made and first used, in seconds before now; nil for a token that was not used.
    func age(_ caller: Caller, madeS: Int, usedS: Int? = nil) async throws {
        let used = usedS.map { "now() - interval '\($0) seconds'" } ?? "NULL"
        try await world.sql(
            """
            UPDATE sessions SET token_made_at = now() - interval '\(madeS) seconds', confirmed_at = \(used)
            WHERE id = '\(caller.sessionID)'
            """
        )
    }

    /// The account's events that are to be mailed, with their addresses.
    func events(_ caller: Caller) async throws -> [String] {
        let rows = try await world.sql(
            """
            SELECT kind || ' ' || coalesce(host(address), 'unknown') FROM account_events
            WHERE user_id = '\(caller.userID)' AND mail_due ORDER BY at
            """
        )
        return (0..<rows.count).compactMap { rows[$0].text(0) }
    }
}

extension Caller {
    /// The same caller with a request signed by this version; unsigned for 0.
    func signed(by version: Int) -> Caller {
        let nonce = version == 0 ? nil : SignedNonce(signedAt: Caller.signingSecond, value: UUID().uuidString)
        return Caller(
            userID: userID,
            sessionID: sessionID,
            counter: counter,
            keyID: keyID,
            signatureVersion: version,
            nonce: nonce
        )
    }
}
