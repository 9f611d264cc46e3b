import CLinux

/// What a loop tells about a descriptor. Called on the loop's thread.
public protocol EventHandler: AnyObject {
    /// The descriptor is ready as told, or was; the handler finds out by trying.
    func ready(_ readiness: Readiness)
}

/// What epoll reported.
public struct Readiness: OptionSet, Sendable {
    /// epoll(7)'s event mask.
    public let rawValue: UInt32

    /// Takes epoll's mask.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Bytes, a connection or an end of stream can be read.
    public static let read = Readiness(rawValue: EPOLLIN.rawValue)
    /// There is room to write.
    public static let write = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer has closed its side, or the connection failed.
    public static let hangup = Readiness(rawValue: EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue)
}

/// What a descriptor is watched for.
public struct Interest: OptionSet, Sendable {
    /// epoll(7)'s event mask.
    public let rawValue: UInt32

    /// Takes epoll's mask.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Readable, told again while it lasts.
    public static let read = Interest(rawValue: EPOLLIN.rawValue)
    /// Writable, told again while it lasts.
    public static let write = Interest(rawValue: EPOLLOUT.rawValue)
    /// Everything, each change told once (edge-triggered).
    public static let changes = Interest(
        rawValue: EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
    )
    /// Readable, told to one of the loops that share the descriptor.
    public static let sharedRead = Interest(rawValue: EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue)
}
