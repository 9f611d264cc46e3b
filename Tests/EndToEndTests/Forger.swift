import Crypto
import Foundation
import TestSupport

/// Makes tokens with the shared server's own key, where a test must not wait for time to pass.
enum Forger {
    static func signer() throws -> TokenSigner {
        let path = try Shared.server.get().data + "/secret.key"
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        return try KeyRing(current: MasterKey(bytes: Array(bytes))).tokens
    }

    /// The device's token with another time of expiry.
    static func token(of device: Device, expiresIn seconds: Int) throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        return try signer().sign(
            TokenClaims(
                sessionID: device.sessionID,
                userID: device.userID,
                counter: device.claims["ctr"] as? Int ?? 0,
                issuedAt: now - 3600,
                expiresAt: now + seconds
            )
        )
    }
}
