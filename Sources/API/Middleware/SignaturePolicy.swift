/// The signatures that requests of sessions need.
package struct SignaturePolicy: Sendable {
    /// True if unsigned requests are rejected.
    package let isRequired: Bool
    /// The lowest version that is accepted.
    package let lowestVersion: Int

    /// Accepts unsigned requests. A signature that is present is checked.
    package static let optional = SignaturePolicy(isRequired: false, lowestVersion: 1)

    /// Requires a signature of every request, of this version or a higher one.
    package static func required(lowestVersion: Int = 1) -> SignaturePolicy {
        SignaturePolicy(isRequired: true, lowestVersion: lowestVersion)
    }
}
