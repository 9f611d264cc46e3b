import Foundation
import TestSupport
import Testing

/// Tries every operation of the document with every kind of wrong sender. A new route is included automatically.
@Suite("Access matrix of all operations and callers", .blocking)
struct AccessMatrixTests {
    private enum Sender: String, CaseIterable {
        case noToken = "no token"
        case expiredToken = "expired"
        case tamperedToken = "tampered"
        case deletedUser = "deleted user"
        case revokedSession = "revoked session"
        case disabledUser = "disabled user"
        case outdatedToken = "outdated token"
        case unsigned
        case wrongKey = "wrong key"
        case skewedClock = "skewed clock"

        /// The answer to an operation that needs a session.
        var verdict: String {
            switch self {
            case .noToken: "401 token-missing"
            case .expiredToken: "401 token-expired"
            case .tamperedToken: "401 token-invalid"
            case .deletedUser, .revokedSession: "401 session-ended"
            case .disabledUser: "401 account-disabled"
            case .outdatedToken: "401 token-outdated"
            case .unsigned: "401 signature-missing"
            case .wrongKey: "401 signature-invalid"
            case .skewedClock: "401 clock-skew"
            }
        }
    }

    /// Sessions that can't be used. Every operation is tried with each of them.
    private struct Unusable {
        let deletedUser, revokedSession, disabledUser, outdatedToken: Device

        init() throws {
            let server = try Shared.server.get()
            (deletedUser, revokedSession) = (try Shared.newDevice(), try Shared.newDevice())
            (disabledUser, outdatedToken) = (try Shared.newDevice(), try Shared.newDevice())
            try server.sql("DELETE FROM users WHERE id = '\(deletedUser.userID)'")
            try server.sql(
                "UPDATE sessions SET ended_at = now() WHERE user_id IN ('\(revokedSession.userID)', '\(disabledUser.userID)')"
            )
            try server.sql("UPDATE users SET disabled_at = now() WHERE id = '\(disabledUser.userID)'")
            try server.sql("UPDATE sessions SET counter = 4 WHERE id = '\(outdatedToken.sessionID)'")
        }
    }

    private static let unusable = Result { try Unusable() }

    private func answer(_ operation: Operation, _ sender: Sender) throws -> HTTPAnswer {
        var draft = RequestDraft(operation, by: try FilledAccount.shared())
        // The server does not read the bytes before it knows the sender.
        if operation.bytesType != nil { draft.body = Array("bytes".utf8) }
        let device = try device(sender)
        draft.set("Authorization", "Bearer \(device.token)")
        switch sender {
        case .noToken: draft.set("Authorization")
        case .wrongKey: draft.fields += try signature(draft, key: Shared.device())
        case .skewedClock: draft.fields += try signature(draft, key: device, secondsAgo: 400)
        default: break
        }
        return try draft.send(device.client)
    }

    private func device(_ sender: Sender) throws -> Device {
        switch sender {
        case .deletedUser: return try Self.unusable.get().deletedUser
        case .revokedSession: return try Self.unusable.get().revokedSession
        case .disabledUser: return try Self.unusable.get().disabledUser
        case .outdatedToken: return try Self.unusable.get().outdatedToken
        case .unsigned, .wrongKey, .skewedClock: return try Shared.signer()
        case .noToken, .expiredToken, .tamperedToken: break
        }
        var device = try FilledAccount.shared().device
        if sender == .expiredToken { device.token = try Forger.token(of: device, expiresIn: -1) }
        if sender == .tamperedToken {
            device.token = device.token.dropLast(3) + (device.token.hasSuffix("AAA") ? "BBB" : "AAA")
        }
        return device
    }

    private func signature(_ draft: RequestDraft, key: Device, secondsAgo: Int = 0) throws -> APIClient.Fields {
        let url = key.client.origin + String(decoding: draft.target, as: UTF8.self)
        let body = String(decoding: draft.body ?? [], as: UTF8.self)
        let now = Int(Date().timeIntervalSince1970)
        return try key.signature(draft.method, url, body: body, version: 1, timestamp: now - secondsAgo)
    }

    @Test("Every operation refuses callers without a valid token or signature", arguments: try Operation.secured())
    func refused(operation: Operation) throws {
        for sender in Sender.allCases {
            // The tests of tokens cover refreshing with these tokens.
            if operation.name == "refreshToken", sender == .expiredToken || sender == .outdatedToken { continue }
            #expect(try answer(operation, sender).verdict == sender.verdict, "\(sender.rawValue)")
        }
    }

    @Test(
        "Operations without authentication serve callers with a bad token",
        arguments: try Operation.all().filter { !$0.needsToken }
    )
    func open(operation: Operation) throws {
        for sender in [Sender.expiredToken, .tamperedToken, .revokedSession, .disabledUser] {
            var draft = try RequestDraft.anonymous(operation)
            draft.set("Authorization", "Bearer \(try device(sender).token)")
            #expect(try draft.send(Shared.client()).problem.hasPrefix("token") == false)
        }
    }

    @Test("Every operation accepts a signed request that changes something once", arguments: try Operation.secured())
    func replayed(operation: Operation) throws {
        let account = try FilledAccount()
        var draft = RequestDraft(operation, by: account)
        draft.fields += try signature(draft, key: account.device)
        let (first, second) = (try draft.send(account.device.client), try draft.send(account.device.client))
        #expect(first.status != 401, "\(first.verdict)")
        let endsItself = ["logOut", "changePassword", "endSession", "deleteDevice", "eraseAccount"].contains(
            operation.name
        )
        if ["GET", "HEAD"].contains(operation.method) {
            #expect(second.verdict == first.verdict)
        } else {
            #expect(second.verdict == (endsItself ? "401 session-ended" : "401 nonce-used"))
        }
    }
}
