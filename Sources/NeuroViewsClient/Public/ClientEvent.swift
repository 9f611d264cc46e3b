#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An event that the user may want to know of, from ``NeuroViews/events()``. Everything is also on the disk: an event that
/// nobody reads loses nothing.
public enum ClientEvent: Sendable {
    /// An edit did not survive; it is in ``NeuroViews/lost()``.
    case lost(LostEdit)
    /// The server does not take the edits of a configuration.
    case refused(UUID, Problem)
    /// A configuration was deleted elsewhere while an edit was being sent, and was edited again: the user must decide.
    case held(UUID)
    /// The server ended the session, for the reason given. Edits stay, and are sent after the next log in.
    case needsLogIn(Problem?)
    /// The copies differ from the server's documents even after all were fetched again: report it.
    case differsFromServer
    /// The store was damaged or its key is lost. It was set aside beside the new one, and everything is fetched again; edits
    /// that were unsent are only there. One of the opening waits for the first stream.
    case storeReplaced
    /// A recording is complete on the server, with the digest that was computed here.
    case uploaded(UUID)
    /// An upload ended without success.
    case uploadFailed(UUID, UploadFailure)
    /// Somebody has changed a recording, or added one: lists of recordings are old.
    case recordingsChanged
    /// The server has not taken a status, a report of a stream, or the outcome of a command.
    case realtimeRefused(Problem)
    /// The server dropped events of analytics.
    case eventsRefused([EventRefusal])
}
