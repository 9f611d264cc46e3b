import CloudSync
import Testing

@Suite("Rules for new passwords")
struct PasswordRulesTests {
    private static let rules = PasswordRules(common: [Password("Password1").folded, Password("ILoveYou").folded])

    /// The pointer and the keyword of the violation; nil for an accepted password.
    private static func fault(_ password: String, _ email: String = "ada@example.org") -> String? {
        do throws(CloudSyncError) {
            _ = try rules.accept(password, for: email, at: "/new_password")
            return nil
        } catch {
            guard case .invalid(let violations) = error, violations.count == 1 else { return "\(error)" }
            return "\(violations[0].pointer) \(violations[0].keyword)"
        }
    }

    @Test(
        "A password may have 8 to 256 characters of any kind",
        arguments: [
            "12345679", "        x", "пароль12",
            "\u{1F511}\u{1F511}\u{1F511}\u{1F511}\u{1F511}\u{1F511}\u{1F511}\u{1F511}", "ada@example",
            "password12", String(repeating: "x", count: 256),
        ]
    )
    func taken(_ password: String) { #expect(Self.fault(password) == nil) }

    @Test(
        "A password's length counts composed characters, not bytes",
        arguments: [
            ("1234567", "minLength"), ("ééééééé", "minLength"), ("e\u{301}e\u{301}e\u{301}e\u{301}", "minLength"),
            (String(repeating: "x", count: 257), "maxLength"), (String(repeating: "\u{958}", count: 129), "maxLength"),
        ]
    )
    func lengths(_ password: String, _ keyword: String) { #expect(Self.fault(password) == "/new_password \(keyword)") }

    @Test(
        "White space, the account's address and common passwords are refused in any letter case",
        arguments: [
            "        ", "\t\n\u{A0}\u{2003}\u{3000}\t\t\t\t", "ada@example.org", "ADA@Example.org", "password1",
            "PASSWORD1", "iloveyou",
        ]
    )
    func refused(_ password: String) { #expect(Self.fault(password) == "/new_password not") }

    @Test("A password has the same bytes in every Unicode form")
    func normalised() {
        #expect(Password("cafe\u{301} noir").bytes == Password("café noir").bytes)
        #expect(Password("\u{1112}\u{1161}\u{11AB}").bytes == Password("한").bytes)
        #expect(Password("cafe noir").bytes != Password("café noir").bytes)
    }
}
