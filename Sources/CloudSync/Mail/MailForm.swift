import Postgres

/// The kind of a mail. The names are those of functions/mails.sql, and of security events.
package enum MailForm: String, CaseIterable, Sendable, ColumnValue {
    /// Confirm the address that was registered.
    case verify
    /// Choose a password: the address was registered more than once, or its password was forgotten.
    case choosePassword = "choose-password"
    /// The address of a registration or a change of address has an account already.
    case accountExists = "account-exists"
    /// Choose another password.
    case reset
    /// Confirm the account's new address.
    case address
    /// To the old address: the account's address has changed.
    case addressChanged = "address-changed"
    /// Open an account.
    case invitation
    /// An unknown device has logged in.
    case deviceNew = "device-new"
    /// The password has changed.
    case passwordChanged = "password-changed"
    /// The password was right, the second factor was wrong.
    case secondFactorFailed = "second-factor-failed"
    /// A passkey's counter did not grow.
    case passkeyCounter = "passkey-counter"
    /// An authenticator app was added.
    case totpAdded = "totp-added"
    /// The authenticator app was removed.
    case totpRemoved = "totp-removed"
    /// A passkey was added.
    case passkeyAdded = "passkey-added"
    /// A passkey was removed.
    case passkeyRemoved = "passkey-removed"
    /// An identity at an OpenID provider was linked.
    case identityAdded = "identity-added"
    /// An identity was unlinked.
    case identityRemoved = "identity-removed"
    /// A session has ended because an old token of it was used again.
    case tokenReused = "token-reused"
    /// A session got its newest token a second time, from another network.
    case tokenElsewhere = "token-elsewhere"
    /// The account's data were exported.
    case export
    /// The account was deleted.
    case deletion

    /// The token's action, as the part of a link behind the #; nil for a mail without a token.
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
        case .secondFactorFailed: .secondFactorFailed
        case .passkeyCounter: .passkeyCounter
        case .totpAdded: .totpAdded
        case .totpRemoved: .totpRemoved
        case .passkeyAdded: .passkeyAdded
        case .passkeyRemoved: .passkeyRemoved
        case .identityAdded: .identityAdded
        case .identityRemoved: .identityRemoved
        case .tokenReused: .tokenReused
        case .tokenElsewhere: .tokenElsewhere
        case .export: .export
        case .deletion: .deletion
        }
    }
}

/// The text of a mail. ASCII, in lines of at most 78 characters.
struct MailText: Sendable {
    let subject: String
    let event: String
    /// The advice if the recipient caused the event.
    let ifYou: String
    /// The advice if somebody else did.
    let ifNot: String

    init(
        _ subject: String,
        _ event: String,
        ifYou: String = "If this was you, you don't need to do anything.",
        ifNot: String
    ) {
        (self.subject, self.event, self.ifYou, self.ifNot) = (subject, event, ifYou, ifNot)
    }
}
