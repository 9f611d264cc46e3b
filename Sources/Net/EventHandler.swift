import CLinux

/// The receiver of a descriptor's events. Called on the loop's thread.
public protocol EventHandler: AnyObject {
    /// The descriptor is or was ready; the handler must try.
    func ready(_ readiness: Readiness)
}

/// The events that epoll reported.
public struct Readiness: OptionSet, Sendable {
    /// The event mask of epoll(7).
    public let rawValue: UInt32

    /// Takes epoll's mask.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Bytes, a connection or the end of the stream can be read.
    public static let read = Readiness(rawValue: EPOLLIN.rawValue)
    /// The descriptor can be written.
    public static let write = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer has closed its side, or the connection failed.
    public static let hangup = Readiness(rawValue: EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue)
}

/// The events that a descriptor is watched for.
public struct Interest: OptionSet, Sendable {
    /// The event mask of epoll(7).
    public let rawValue: UInt32

    /// Takes epoll's mask.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Readable; reported again while it lasts.
    public static let read = Interest(rawValue: EPOLLIN.rawValue)
    /// Writable; reported again while it lasts.
    public static let write = Interest(rawValue: EPOLLOUT.rawValue)
    /// All events; each change is reported once (edge-triggered).
    public static let changes = Interest(
        rawValue: EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
    )
    /// Readable; reported to one of the loops that share the descriptor.
    public static let sharedRead = Interest(rawValue: EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue)
}
