#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What an app may choose. The defaults fit a public server with a certificate that the system trusts.
public struct Options: Sendable {
    /// The folder of the stores, which nobody else may read. Nil: `neuroviews` in the user's folder for data, on a
    /// Mac with a folder for each app.
    public var folder: URL?
    /// The place of tokens and keys. Nil: the system's own, on Linux files that only the user can read.
    public var secrets: (any SecretStore)?
    /// The name of this device in the account's list of devices, which each log in writes. Nil keeps the name that it has there.
    public var deviceName: String?
    /// The public keys that the server may have: none, or two and more. With one, a new key would lock the app out.
    public var pins: [Pin] = []
    /// A PEM file with the authorities that may have signed the server's certificate, instead of the system's.
    public var authorities: URL?
    /// Allows `http` to hosts other than this device. Everybody on the way can read and change such requests.
    public var allowsPlainHTTP = false
    /// The time between two looks for changes of other devices, while the app has called ``NeuroViews/start()``; at least
    /// one second. A look without news costs the server next to nothing.
    public var pollInterval: Duration = .seconds(60)
    /// Lets ``NeuroViews/start()`` open a WebSocket, by which the server tells of changes at once and devices talk to each
    /// other. Without it, changes are noticed by the next look.
    public var followsNotices = true
    /// Lets the server merge an edit with one that this device has not seen. Otherwise the device does it, after a pull.
    public var merges = true
    /// Lets the system send files, so that uploads go on while the app sleeps. Apple's systems only: docs/library.md says what the
    /// app must do. ``NeuroViews/stop()`` leaves the system's part alone.
    public var uploadsWhileAsleep = false
    /// Lets uploads use the mobile network. Apple's systems only.
    public var allowsCellularUploads = true
    /// Returns the credentials for a log in without the user, nil for none. It is called when a session has ended.
    public var credentials: (@Sendable () async -> Credentials?)?

    /// Uses the defaults.
    public init() {}
}
