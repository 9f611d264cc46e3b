/// Which signatures requests of sessions need.
public struct SignaturePolicy: Sendable {
    /// Whether unsigned requests are refused.
    public let isRequired: Bool
    /// The lowest version that is accepted.
    public let lowestVersion: Int

    /// Unsigned requests are accepted; a signature that is there is checked.
    public static let optional = SignaturePolicy(isRequired: false, lowestVersion: 1)

    /// Every request is signed, by this version or a higher one.
    public static func required(lowestVersion: Int = 1) -> SignaturePolicy {
        SignaturePolicy(isRequired: true, lowestVersion: lowestVersion)
    }
}
