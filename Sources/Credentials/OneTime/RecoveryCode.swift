import NeuroViewsCrypto

/// A code that replaces the second factor once. It has 80 random bits, so its plain digest can't be reversed by
/// guessing.
package struct RecoveryCode: Sendable, Equatable {
    /// Length of the raw code, in bytes.
    static let codeBytes = 10
    /// The number of codes of an account.
    package static let countPerAccount = 10

    private let bytes: [UInt8]

    /// Returns a new set of codes. Throws `CryptoError`.
    package static func newSet() throws(CryptoError) -> [RecoveryCode] {
        var codes: [RecoveryCode] = []
        for _ in 0..<countPerAccount { codes.append(RecoveryCode(bytes: try SecureRandom.bytes(codeBytes))) }
        return codes
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a typed code: in either case, with or without hyphens, dashes and spaces. Nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        guard let bytes = Base32.decode(TypedCode.withoutGaps(text)), bytes.count == Self.codeBytes else { return nil }
        self.bytes = bytes
    }

    /// Four groups of four letters and digits.
    package var text: String {
        let digits = Array(Base32.encode(bytes).lowercased())
        return stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<$0 + 4]) }.joined(separator: "-")
    }

    /// The stored form, 32 bytes.
    package var digest: [UInt8] { SHA256.hash(bytes) }
}

extension RecoveryCode: CustomStringConvertible {
    /// A fixed text: a code must not reach a log.
    package var description: String { "RecoveryCode" }
}

/// A code that a person copies from an app, from a page or from paper.
package enum TypedCode {
    /// Returns the code without the gaps between its groups: spaces, hyphens and dashes of any kind, and the invisible
    /// marks that copying adds. Apps show "123 456", and phones turn a hyphen into a dash.
    package static func withoutGaps(_ typed: String) -> String {
        String(typed.unicodeScalars.filter { !isGap($0) })
    }

    private static func isGap(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .dashPunctuation, .format: true
        default: scalar.properties.isWhitespace
        }
    }
}
