import FoundationEssentials
import Glibc
import JSON
import JSONSchema

/// A password as it is hashed: in Unicode's form NFC (RFC 8265, 4.2.2), since the same characters come as different bytes from different
/// keyboards.
public struct Password: Sendable {
    /// The text in NFC.
    let text: String

    /// Takes what was typed.
    public init(_ typed: String) { text = typed.normalized }

    /// As it is compared with passwords that many people use.
    public var folded: String { text.lowercased() }

    /// What is hashed.
    public var bytes: [UInt8] { Array(text.utf8) }
}

/// A password that `PasswordRules` has accepted. No other is ever set.
public struct NewPassword: Sendable {
    /// The password.
    public let password: Password

    fileprivate init(_ password: Password) { self.password = password }
}

/// What a new password must be (ASVS 5.0, 6.2). There are no rules of its composition.
public struct PasswordRules: Sendable {
    /// How many characters (code points) it has.
    public static let lengths = 8...256

    private let common: Set<String>

    /// `common` are passwords that many people use, folded.
    public init(common: Set<String> = []) { self.common = common }

    /// The password for the account with that address. Throws `.invalid`; `pointer` is where it stood.
    public func accept(
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
        if text.unicodeScalars.allSatisfy(\.properties.isWhitespace) { return ("not", "must not be white space alone") }
        if password.folded == Password(email).folded { return ("not", "must not be the e-mail address") }
        if common.contains(password.folded) { return ("not", "must not be a password that many people use") }
        return nil
    }
}
