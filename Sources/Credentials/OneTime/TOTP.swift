import NeuroViewsCrypto

/// Codes from a shared secret and the time (RFC 6238). All apps support these parameters: SHA-1, 6 digits, 30 seconds.
package struct TOTP: Sendable {
    /// Length of a new secret in bytes, as RFC 4226 recommends.
    package static let secretBytes = 20
    /// The length of a step, in seconds.
    package static let stepSeconds = 30
    /// The number of digits of a code.
    package static let digits = 6
    /// The allowed clock error in steps, in either direction.
    package static let driftSteps = 1

    let secret: [UInt8]

    /// Makes codes from a secret.
    package init(secret: [UInt8]) { self.secret = secret }

    /// Returns a new random secret. Throws `CryptoError`.
    package static func newSecret() throws(CryptoError) -> [UInt8] { try SecureRandom.bytes(secretBytes) }

    /// Returns the step of a time in Unix seconds.
    package static func step(at seconds: Int) -> Int { seconds / stepSeconds }

    /// Returns the code of a step (RFC 4226 section 5.3).
    package func code(step: Int) -> String {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let tag = HMACSHA1.authenticate(counter, key: secret)
        let offset = Int(tag[tag.count - 1] & 15)
        let number = tag[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: Self.digits - text.count) + text
    }

    /// Returns the step of a code, searching one step before and after the time. Returns nil for a wrong code, and for
    /// a step not after `lastStep`. So each code works once, and older codes stop working.
    package func step(of code: String, at seconds: Int, after lastStep: Int?) -> Int? {
        let now = Self.step(at: seconds)
        var found: Int?
        // All steps are compared, so the duration does not reveal the matching step.
        for step in (now - Self.driftSteps)...(now + Self.driftSteps)
        where constantTimeEquals(Array(self.code(step: step).utf8), Array(code.utf8)) {
            if step > lastStep ?? -1 { found = found ?? step }
        }
        return found
    }
}

extension TOTP: CustomStringConvertible {
    /// A fixed text: the secret must not reach a log.
    package var description: String { "TOTP" }
}
