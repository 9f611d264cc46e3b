import Postgres

/// What a mail says. The names are those of functions/mails.sql.
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
}

extension MailForm {
    /// The subject, in ASCII.
    var subject: String {
        switch self {
        case .verify: "Confirm your e-mail address"
        case .choosePassword: "Choose your password"
        case .accountExists: "You have an account already"
        case .reset: "Reset your password"
        case .address: "Confirm your new e-mail address"
        case .addressChanged: "Your e-mail address was changed"
        case .invitation: "Your invitation"
        }
    }

    /// What the token is for, as the part of a link behind the #; nil for a mail without one.
    var action: String? {
        switch self {
        case .verify, .address: "verify"
        case .choosePassword, .reset: "reset"
        case .invitation: "invitation"
        case .accountExists, .addressChanged: nil
        }
    }

    /// What has happened, and what to do about it. ASCII, in lines of at most 78 characters.
    var opening: String {
        switch self {
        case .verify:
            """
            Somebody registered this address with NeuroViews Cloud.
            If it was you, confirm the address.
            """
        case .choosePassword:
            """
            Somebody registered this address with NeuroViews Cloud, and it is not
            confirmed yet. If it was you, choose your password now. That confirms
            the address, too.
            """
        case .accountExists:
            """
            Somebody asked to use this address with NeuroViews Cloud. It has an
            account already. If it was you, log in to it. If you do not know its
            password, ask for a reset of the password.
            """
        case .reset:
            """
            Somebody asked to reset the password of your NeuroViews Cloud account.
            If it was you, choose another one now. All your devices will have to
            log in again.
            """
        case .address:
            """
            Somebody wants to use this address for a NeuroViews Cloud account.
            If it was you, confirm the address.
            """
        case .addressChanged:
            """
            Your NeuroViews Cloud account has another e-mail address now. Messages
            about the account no longer come here.
            """
        case .invitation:
            """
            You are invited to open an account with NeuroViews Cloud, with this
            e-mail address.
            """
        }
    }

    /// What to do for whoever did not ask for it.
    var closing: String {
        switch self {
        case .verify, .choosePassword:
            "If it was not you, ignore this message. The address gets no account then."
        case .accountExists: "If it was not you, ignore this message. Nothing has changed."
        case .reset: "If it was not you, ignore this message. Your password stays as it is."
        case .address: "If it was not you, ignore this message. Nothing changes then."
        case .addressChanged: "If it was not you, tell the operator of the server at once."
        case .invitation: "If you do not want an account, ignore this message."
        }
    }
}
