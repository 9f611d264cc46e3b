import Net
import Postgres

/// Exports accounts: all data about a person, for that person.
package struct ExportService: Sendable {
    private let database: CallerDatabase
    /// One export of an account at a time. The number of accounts is unlimited: a slow client occupies no connection,
    /// and its memory is limited with that of all responses.
    private let seats = AccountSeats(ofAccount: 1)

    /// Reads `database`.
    package init(database: Database) { self.database = CallerDatabase(database) }

    /// Begins an export, and notes it as a security event. Throws `.confirmationRequired`, and `.overloaded` while
    /// another export of the account runs.
    package func begin(for caller: Caller, from address: IPAddress?) async throws -> (
        reader: ExportReader, seat: AccountSeat
    ) {
        let seat = try await seats.take(caller.userID)
        _ = try await database.write(
            for: caller,
            SessionSQL.requireConfirmation(.text(caller.sessionID)),
            AccountEventSQL.note(.export, by: caller, from: address)
        )
        return (ExportReader(database, caller.withAnyToken), seat)
    }

    /// Throws `.confirmationRequired` like `begin`, for a request that reads nothing.
    package func check(_ caller: Caller) async throws {
        _ = try await database.read(for: caller, SessionSQL.requireConfirmation(.text(caller.sessionID)))
    }
}
