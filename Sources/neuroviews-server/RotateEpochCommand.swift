import CloudSync
import Postgres

/// `admin rotate-epoch`: makes clients take a full set, as after a restore.
struct RotateEpochCommand {
    let accounts: RotatedAccounts
    let settings: Settings

    func run() throws {
        let database = try DatabaseAddress.startOrJoinExisting(settings)
        defer { database.cluster?.stop() }
        switch accounts {
        case .all:
            let count = try rotate(nil, database.connectionString)
            StandardStreams.print("new epochs for \(count) account\(count == 1 ? "" : "s")\n")
        case .one(let email):
            guard try rotate(email, database.connectionString) > 0 else {
                throw CommandFailure("There is no account \(email): check the spelling.", status: .noUser)
            }
            StandardStreams.print("a new epoch for \(email)\n")
        }
    }

    private func rotate(_ email: String?, _ connectionString: String) throws -> Int {
        do throws(DatabaseError) {
            return try EpochRotation.run(email: email, connectionString)
        } catch {
            throw CommandFailure("The epochs could not be changed: \(error.sentence)")
        }
    }
}
