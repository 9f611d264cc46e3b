import Crypto

/// Codes that an app makes of a shared secret and the time (RFC 6238): SHA-1, 6 digits, 30 seconds, as all apps can.
public struct TOTP: Sendable {
    /// Length of a new secret, in bytes: what RFC 4226 recommends.
    public static let secretBytes = 20
    /// How long a step lasts, in seconds.
    public static let stepSeconds = 30
    /// How many digits a code has.
    public static let digits = 6
    /// How many steps a clock may be off, either way.
    public static let driftSteps = 1

    let secret: [UInt8]

    /// Makes codes of a secret.
    public init(secret: [UInt8]) { self.secret = secret }

    /// A new random secret. Throws `CryptoError`.
    public static func newSecret() throws(CryptoError) -> [UInt8] { try SecureRandom.bytes(secretBytes) }

    /// The step that a time is in, by Unix seconds.
    public static func step(at seconds: Int) -> Int { seconds / stepSeconds }

    /// The code of a step (RFC 4226 section 5.3).
    public func code(step: Int) -> String {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let tag = HMACSHA1.authenticate(counter, key: secret)
        let offset = Int(tag[tag.count - 1] & 15)
        let number = tag[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: Self.digits - text.count) + text
    }

    /// The step whose code this is, one step either way of the time; nil for another code, and for a step that is not
    /// after the last one used. So each code is good once, and an earlier one no longer.
    public func step(of code: String, at seconds: Int, after lastStep: Int?) -> Int? {
        let now = Self.step(at: seconds)
        var found: Int?
        // All steps are compared, so that the time does not say which one it was.
        for step in (now - Self.driftSteps)...(now + Self.driftSteps)
        where constantTimeEquals(Array(self.code(step: step).utf8), Array(code.utf8)) {
            if step > lastStep ?? -1 { found = found ?? step }
        }
        return found
    }
}

extension TOTP: CustomStringConvertible {
    /// A fixed text: the secret must not reach a log.
    public var description: String { "TOTP" }
}
