import FoundationEssentials
import Glibc
import JSONSchema

/// A password for hashing, in Unicode's form NFC (RFC 8265, 4.2.2): keyboards send different bytes for the same
/// characters.
package struct Password: Sendable {
    /// The text in NFC.
    let text: String

    /// Takes the password as typed.
    package init(_ typed: String) { text = typed.normalized }

    /// The form for comparison with common passwords.
    package var folded: String { text.lowercased() }

    /// The bytes to hash.
    package var bytes: [UInt8] { Array(text.utf8) }
}

/// A password that `PasswordRules` has accepted. Only such passwords are ever set.
package struct NewPassword: Sendable {
    /// The password.
    package let password: Password

    fileprivate init(_ password: Password) { self.password = password }
}

/// The rules of new passwords (ASVS 5.0, 6.2). There are no rules of composition.
package struct PasswordRules: Sendable {
    /// The allowed number of characters (code points).
    package static let lengths = 8...256

    private let common: Set<String>

    /// `common` are the common passwords, folded.
    package init(common: Set<String> = []) { self.common = common }

    /// Accepts a password for the account with that address. Throws `.invalid` with `pointer`, its place in the
    /// request.
    package func accept(
        _ typed: String,
        for email: String,
        at pointer: String = "/password"
    ) throws(CloudSyncError) -> NewPassword {
        let password = Password(typed)
        guard let (keyword, detail) = fault(of: password, email) else { return NewPassword(password) }
        throw .invalid([Violation(pointer: pointer, keyword: keyword, detail: detail)])
    }

    private func fault(of password: Password, _ email: String) -> (keyword: String, detail: String)? {
        let text = password.text
        let count = text.unicodeScalars.count
        if count < Self.lengths.lowerBound {
            return ("minLength", "must have at least \(Self.lengths.lowerBound) characters")
        }
        if count > Self.lengths.upperBound {
            return ("maxLength", "must have at most \(Self.lengths.upperBound) characters")
        }
        if text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
            return ("not", "must not consist only of white space")
        }
        if password.folded == Password(email).folded { return ("not", "must not be the e-mail address") }
        if common.contains(password.folded) { return ("not", "must not be a common password") }
        return nil
    }
}
