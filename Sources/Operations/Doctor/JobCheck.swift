import CloudSync
import Settings

/// Checks that some process works on recordings' files, which a server leaves to another one with `media_jobs` 0.
struct JobCheck {
    private let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    func findings(_ database: ExaminedDatabase) throws -> [Finding] {
        guard try database.hasTables(with: "job_workers") else { return [] }
        let attendance = try JobAttendance(reading: database.connection)
        return [Self.finding(attendance, mediaJobs: settings.mediaJobs)].compactMap { $0 }
    }

    /// Nil if a server that is not there yet will do the work.
    static func finding(_ attendance: JobAttendance, mediaJobs: Int) -> Finding? {
        let subject = "files of recordings"
        let remedy =
            "start neuroviews-server media on the same database, or restart the server with NEUROVIEWS_MEDIA_JOBS above 0"
        if attendance.workers > 0 { return .ok(subject, "are checked by workers: \(attendance.workers)") }
        if attendance.isStalled {
            let waited = "the oldest has waited for \(attendance.oldestSeconds ?? 0) s"
            return .warning(subject, "no process checks them, and \(waited)", remedy)
        }
        guard mediaJobs == 0 else { return nil }
        return .warning(subject, "no process checks them: uploads stay unverified, since media_jobs is 0", remedy)
    }
}
