/// An operator's action on existing accounts.
package enum UserAction: Equatable {
    case list
    case trail
    /// The events since an RFC 3339 time, or all.
    case events(since: String?)
    case show(String)
    case sessions(String)
    case endSessions(String)
    case disable(String)
    case enable(String)
    /// Reads the password from standard input.
    case password(String)
    /// Removes the authenticator app and its recovery codes.
    case removeApp(String)
    case delete(String)
}
