#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An account at the server. The device has a store of its own for each.
public struct Account: Hashable, Sendable, Identifiable {
    /// The account's id.
    public let id: UUID
    /// The address at the last log in.
    public let email: String?

    init(id: UUID, email: String?) { (self.id, self.email) = (id, email) }
}

/// What is known on this device about the account, without asking the server.
public enum AccountState: Hashable, Sendable {
    /// Nobody is logged in.
    case signedOut
    /// The account is logged in.
    case signedIn(Account)
    /// The session of the account has ended, for the reason given. Its configurations can be read and edited; they are
    /// sent after the next log in.
    case needsLogIn(Account, Problem?)

    /// The account whose configurations are shown.
    public var account: Account? {
        switch self {
        case .signedOut: nil
        case .signedIn(let account), .needsLogIn(let account, _): account
        }
    }
}

/// The outcome of a registration.
public enum Registration: Hashable, Sendable {
    /// The account is there: log in.
    case opened(Account)
    /// A mail went to the address: its link opens the account, or says how to go on.
    case mailSent
}

/// The fate of edits and uploads that are not sent when the user logs out.
public enum UnsentEdits: Hashable, Sendable {
    /// If there are any, nobody is logged out. If there are none, the account's store is removed.
    case refuse
    /// They stay on the device, with the account's store, until the account logs in again.
    case keep
    /// They are removed with the account's store.
    case discard
}
