import Foundation
import NeuroViewsCrypto
import TestSupport

/// Makes tokens with the shared server's own key, for tests that can't wait for time to pass.
enum Forger {
    static func master() throws -> MasterKey {
        let path = try Shared.server.get().data + "/secret.key"
        return try MasterKey(bytes: Array(FileManager.default.contents(atPath: path) ?? Data()))
    }

    static func signer() throws -> TokenSigner { try MasterKeys(current: master()).tokens }

    static func token(sessionID: String, userID: String, counter: Int, expiresIn seconds: Int) throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        let claims = try TokenClaims(
            sessionID: sessionID,
            userID: userID,
            counter: counter,
            issuedAt: now - 3600,
            expiresAt: now + seconds
        )
        return try signer().sign(claims)
    }

    /// The device's token with another expiry time.
    static func token(of device: Device, expiresIn seconds: Int) throws -> String {
        let counter = device.claims["ctr"] as? Int ?? 0
        return try token(sessionID: device.sessionID, userID: device.userID, counter: counter, expiresIn: seconds)
    }
}
