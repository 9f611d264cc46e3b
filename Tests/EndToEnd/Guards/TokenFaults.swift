import NeuroViewsCrypto
import TestSupport

extension Fault {
    /// Missing tokens, and tokens that prove nothing.
    static func ofToken(_ operation: Operation) throws -> [Fault] {
        let device = try FilledAccount.shared().device
        let parts = device.token.split(separator: ".")
        let none = Base64.url.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        let flipped = String(device.token.dropLast(3)) + (device.token.hasSuffix("AAA") ? "BBB" : "AAA")
        let invalid = ["x", "\u{e9}", flipped, "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])"]
        let missing = [
            [], ["Bearer"], ["Bearer "], ["Basic eDp4"], [device.token], Array(repeating: "Bearer x", count: 2),
        ]
        var faults = missing.map { fault($0, "401 token-missing") }
        faults += invalid.map { fault(["Bearer \($0)"], "401 token-invalid") }
        // An expired token is still valid for refreshing.
        if operation.name == "refreshToken" { return faults }
        return faults + [fault(["Bearer \(try Forger.token(of: device, expiresIn: -1))"], "401 token-expired")]
    }

    private static func fault(_ values: [String], _ verdict: String) -> Fault {
        Fault(name: "Authorization: \(values)", verdict: verdict) { draft in
            draft.set("Authorization")
            draft.fields += values.map { ("Authorization", $0) }
        }
    }
}
