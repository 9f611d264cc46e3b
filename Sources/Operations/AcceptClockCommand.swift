import CloudSync
import Machine
import Postgres
import PrivateCluster
import Settings

/// `admin accept-clock`: servers trust a clock of the database that has jumped, and delete by age again.
package struct AcceptClockCommand {
    let settings: Settings

    package init(_ settings: Settings) { self.settings = settings }

    package func run() throws {
        let database = try CommandDatabase.openExisting(settings)
        defer { database.close() }
        let accepted: ClockAcceptance.Result
        do {
            accepted = try ClockAcceptance.run(database.ownerLogin, serverS: Clock.now(), by: OperatorName.current)
        } catch let error as DatabaseError {
            throw CommandFailure("The clock could not be accepted: \(error.sentence)")
        }
        guard accepted.verdict != .trusted else {
            return StandardStreams.print("nothing to accept: the database's clock is not doubted\n")
        }
        StandardStreams.print("accepted \(accepted.time.text); servers delete by age again within ten minutes\n")
    }
}
