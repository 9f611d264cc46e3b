import Glibc
import Postgres

/// The database's clock may be ahead, so nothing was deleted by age.
package struct ClockDoubted: Error, CustomStringConvertible {
    /// Text for the log.
    package var description: String { "the database's clock is doubted, so nothing is deleted by age" }
}

extension CallerDatabase {
    /// Runs a query that deletes by age, in the background role, in one transaction with the check of the clock. Throws
    /// `ClockDoubted` and changes nothing if the clock is not trusted.
    func sweep<Value>(_ query: BoundQuery<Value>) async throws -> [Value] {
        do {
            return try await background(ClockSQL.require(.int(Int(time(nil)))), query).1
        } catch DatabaseError.refused(let refusal) where refusal.state == ClockSQL.doubtedState {
            throw ClockDoubted()
        }
    }
}
