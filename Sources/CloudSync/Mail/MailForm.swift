import Postgres

/// What a mail says. The names are those of functions/mails.sql, and of security events.
public enum MailForm: String, CaseIterable, Sendable, ColumnValue {
    /// Confirm the address that was registered.
    case verify
    /// The address was registered more than once, or its password forgotten: choose it.
    case choosePassword = "choose-password"
    /// Somebody registers an address, or wants to change to one, that has an account.
    case accountExists = "account-exists"
    /// Choose another password.
    case reset
    /// Confirm the account's new address.
    case address
    /// To the old address: the account has another one.
    case addressChanged = "address-changed"
    /// Open an account.
    case invitation
    /// A device has logged in that was not known.
    case deviceNew = "device-new"
    /// The account has another password.
    case passwordChanged = "password-changed"
    /// The account has an authenticator app now.
    case totpAdded = "totp-added"
    /// It has none any more.
    case totpRemoved = "totp-removed"
    /// Somebody has given a wrong second factor.
    case secondFactorFailed = "second-factor-failed"
    /// A session has ended, since an old token of it came again.
    case tokenReused = "token-reused"
    /// Somebody has everything that is held about the account.
    case export
    /// The account is gone.
    case deletion

    /// What the token is for, as the part of a link behind the #; nil for a mail without one.
    var action: String? {
        switch self {
        case .verify, .address: "verify"
        case .choosePassword, .reset: "reset"
        case .invitation: "invitation"
        default: nil
        }
    }

    var text: MailText {
        switch self {
        case .verify: .verify
        case .choosePassword: .choosePassword
        case .accountExists: .accountExists
        case .reset: .reset
        case .address: .address
        case .addressChanged: .addressChanged
        case .invitation: .invitation
        case .deviceNew: .deviceNew
        case .passwordChanged: .passwordChanged
        case .totpAdded: .totpAdded
        case .totpRemoved: .totpRemoved
        case .secondFactorFailed: .secondFactorFailed
        case .tokenReused: .tokenReused
        case .export: .export
        case .deletion: .deletion
        }
    }
}

/// The words of a mail. ASCII, in lines of at most 78 characters.
struct MailText: Sendable {
    let subject: String
    /// What has happened, and what to do about it.
    let opening: String
    /// What to do for whoever did not ask for it.
    let closing: String

    init(_ subject: String, _ opening: String, closing: String) {
        (self.subject, self.opening, self.closing) = (subject, opening, closing)
    }
}
