import Problems
import TestSupport
import Testing

@testable import CloudSync

/// The nonces of signed requests that are refused because their person has not confirmed.
struct UnconfirmedNonceTests {
    private static let id = "00000000-0000-0000-0000-0000000000a7"

    /// Requests that need a confirmation, by their nonces.
    private static func requests(_ world: World) throws -> [String: @Sendable (Caller) async throws -> Void] {
        let accounts = try world.accounts()
        let devices = DeviceService(database: world.databases[0], now: { 0 })
        let exports = ExportService(database: world.databases[0])
        return [
            "sessions": { try await accounts.endOtherSessions(of: $0) },
            "passkey": { try await accounts.removePasskey(Self.id, for: $0, from: nil) },
            "identity": { try await accounts.unlink(Self.id, for: $0, from: nil) },
            "device": { try await devices.delete("device-2", for: $0) },
            "new-passkey": { _ = try await accounts.beginPasskey(for: $0) },
            "new-app": { _ = try await accounts.beginTOTP(for: $0) },
            "app": { try await accounts.removeTOTP(.code("000000"), for: $0, from: nil) },
            "export": { _ = try await exports.begin(for: $0, from: nil) },
        ]
    }

    /// Sets the time of the session's last proof, an SQL expression.
    private static func prove(_ caller: Caller, at time: String, _ world: World) async throws {
        try await world.sql("UPDATE sessions SET proven_at = \(time) WHERE id = '\(caller.sessionID)'")
    }

    @Test("A signed request that lacked a confirmation can't be sent again after the confirmation")
    func spent() async throws {
        try await World.with { world in
            let caller = try await world.newAccount(devices: 2)[0]
            for (nonce, send) in try Self.requests(world) {
                try await Self.prove(caller, at: "'epoch'", world)
                let refused = try await ProblemType.answering { try await send(caller.signing(nonce)) }
                #expect(refused == .confirmationRequired, "\(nonce)")
                try await Self.prove(caller, at: "now()", world)
                let again = try await ProblemType.answering { try await send(caller.signing(nonce)) }
                #expect(again == .nonceUsed, "\(nonce)")
            }
        }
    }

    @Test("A request that lacks a confirmation after it has spent its nonce is refused for the confirmation")
    func spentBefore() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0].signing("early")
            let database = CallerDatabase(world.databases[0])
            try await Self.prove(caller, at: "'epoch'", world)
            try await database.write(for: caller)
            let refused = try await ProblemType.answering {
                _ = try await database.write(
                    for: caller,
                    SessionSQL.requireConfirmation(.text(caller.sessionID))
                )
            }
            #expect(refused == .confirmationRequired)
        }
    }
}
