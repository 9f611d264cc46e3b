import CloudSync
import Machine
import Net
import Settings
import Storage

/// What the operators' page shows and does. Each action logs in to the database and out again, as the commands do,
/// since nobody is logged in as the owner while the server serves.
package struct OperatorWork: Sendable {
    let settings: Settings
    /// Logins change the rights of the process for a moment, so one works at a time.
    private let thread: BlockingPool
    /// Figures need no rights, and don't wait for the doctor.
    let figures: BlockingPool
    let client = DocumentClient()
    private static let queueMax = 16
    /// A person waits, and other requests behind it.
    private static let databaseWaitSeconds = 2

    /// Starts its threads; `stop` ends them.
    package init(_ settings: Settings) throws {
        self.settings = settings
        thread = try BlockingPool(threads: 1, queueMax: Self.queueMax)
        figures = try BlockingPool(threads: 1, queueMax: Self.queueMax)
    }

    /// Ends the threads when their work is done. Blocks.
    package func stop() {
        client.stop()
        figures.stop()
        thread.stop()
    }

    /// Runs a command's work.
    func onThread<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await thread.run(work)
    }

    /// Runs work on accounts with a login of its own.
    func withAccounts<T: Sendable>(
        _ work: @escaping @Sendable (AccountAdministration) throws -> T
    ) async throws -> T {
        try await onThread { [settings] in
            let database = try CommandDatabase.openExisting(settings, waiting: Self.databaseWaitSeconds)
            defer { database.close() }
            return try work(UserCommand.administration(database, settings))
        }
    }
}
