import NeuroViewsRules

/// What an app has no reason to choose: tests and the exam of clients do.
package struct ClientSetup: Sendable {
    /// Sends the requests; nil for the system's own transport.
    package var transport: (any Transport)?
    /// Opens WebSockets; nil for the system's own, but for none beside a transport of the test's.
    package var channels: (any ChannelTransport)?
    /// The system's id of the device; nil to ask the system. A store with another one was cloned, or came from a backup.
    package var systemID: String?
    /// The way to push edits; nil for that of ``Options/merges``.
    package var style: PushStyle?
    /// The items of a page of a pull; 0 for the server's own number.
    package var limit: Int64 = 0
    /// The longest pause that the client takes by its own choice.
    package var pauseMaxMs: Int64 = 300_000
    /// Pulls with the documented `last_sync` instead of `sync_token`.
    package var usesLastSync = false
    /// Makes the session that sends while the app sleeps; nil for the system's own.
    package var backgroundSession: (@Sendable (_ identifier: String, TaskEnds) -> any BackgroundSession)?
    /// The most bytes of a file that the system's session gets at once. Each such piece is on the disk twice.
    package var pieceMaxBytes: Int64 = 128 << 20
    /// Called before and after each commit of the store.
    package var place: (@Sendable () -> Void)?

    /// Uses the defaults.
    package init() {}

    /// The way to push edits of a client with these options.
    func pushStyle(_ options: Options) -> PushStyle {
        if let style { return style }
        var style = PushStyle.automatic
        if !options.merges { style.single = .put }
        return style
    }
}
