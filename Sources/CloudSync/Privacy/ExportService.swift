import Net
import Postgres

/// Exports accounts: all that is held about a person, for the person.
public struct ExportService: Sendable {
    private let database: CallerDatabase
    /// Any number of accounts: a slow reader holds no connection, and its memory is counted with that of all answers.
    private let seats = AccountSeats(.max, ofAccount: 1)

    /// Reads `database`.
    public init(database: Database) { self.database = CallerDatabase(database) }

    /// Begins an export, and notes it among the account's security events. Throws `.confirmationRequired`, and `.overloaded` while another export
    /// of the account runs.
    public func begin(for caller: Caller, from address: IPAddress?) async throws -> (
        reader: ExportReader, seat: AccountSeat
    ) {
        let seat = try seats.take(caller.userID)
        _ = try await database.write(
            for: caller,
            SessionSQL.requireConfirmation(.text(caller.sessionID)),
            AccountEventSQL.note(.export, by: caller, from: address)
        )
        return (ExportReader(database, caller), seat)
    }

    /// Throws as `begin` does, for a request that reads nothing.
    public func check(_ caller: Caller) async throws {
        _ = try await database.read(for: caller, SessionSQL.requireConfirmation(.text(caller.sessionID)))
    }
}
