import Foundation
import NeuroViewsClient

/// The user of the client: logs in, syncs, and remembers what the client said.
actor ExamUser {
    let client: NeuroViews
    private let credentials: Credentials
    private let email: String
    /// A file with a byte for each report of a wrong state hash: the kit asks for it after a crash, too.
    private let reportsPath: String
    private(set) var told: [String] = []
    /// True until the user has logged in; after a refusal the kit says when they try again.
    private var logsIn = true
    /// The user syncs only after a notice, for edits, and when the last sync is a minute old.
    private let followsNotices: Bool
    /// When a sync is due without a notice; nil: now, as after a start and after a sync that did not end.
    private var usualSync: ContinuousClock.Instant?

    init(_ client: NeuroViews, _ credentials: Credentials, email: String, store: String, followsNotices: Bool) {
        (self.client, self.credentials, self.email) = (client, credentials, email)
        (reportsPath, self.followsNotices) = (store + "/reports", followsNotices)
    }

    /// How often the state hash was wrong twice.
    var reports: Int { FileManager.default.contents(atPath: reportsPath)?.count ?? 0 }

    /// The user tries to log in at the next sync.
    func wantsLogIn() { logsIn = true }

    /// Runs a sync, if there is a reason for one. Returns the seconds until the next one; 0 if everything is done.
    func sync() async -> Double {
        if let wait = await logInIfNeeded() { return wait }
        if followsNotices, await !hasReason() { return 0 }
        let outcome = await client.sharedSync(endsPause: false)
        let isOver = outcome.failure == nil && outcome.wait == nil
        usualSync = isOver ? ContinuousClock.now + .seconds(60) : nil
        if outcome.report.differsFromServer { report() }
        switch outcome.failure {
        case .needsLogIn(let problem): tell(problem)
        case .refused(let problem): tell(problem)
        case .tryLater(let problem, _) where problem?.status == 401: tell(problem)
        default: break
        }
        guard let wait = outcome.wait else { return outcome.failure == nil ? 0 : 0.05 }
        return max(wait / .seconds(1), 0.001)
    }

    /// True if a sync is due, edits wait, or a notice tells of something new. A notice that gets lost tells nothing.
    private func hasReason() async -> Bool {
        guard let usualSync, usualSync > .now, await !Self.hasEdits(client) else { return true }
        do throws(ClientError) {
            return try await client.lacksNewest()
        } catch {
            // The sync tells the user.
            if case .needsLogIn = error { return true }
            return false
        }
    }

    private static func hasEdits(_ client: isolated NeuroViews) -> Bool {
        (try? client.editsOnTheirWay().unsent.isEmpty) != true
    }

    /// Logs in the first time, and when the kit said so. Returns a wait if it was not done.
    private func logInIfNeeded() async -> Double? {
        guard logsIn else { return nil }
        do {
            if case .signedIn(let account) = try await client.account, account.email == email {
                logsIn = false
                return nil
            }
            _ = try await client.logIn(with: credentials)
            logsIn = false
            return nil
        } catch ClientError.refused(let problem) where problem.status == 401 || problem.status == 403 {
            logsIn = false
            tell(problem)
            return 1
        } catch {
            return 0.01
        }
    }

    private func tell(_ problem: Problem?) {
        if let problem { told.append("\(problem.status) \(problem.code)") }
    }

    private func report() {
        let file = open(reportsPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        if write(file, "!", 1) != 1 { fatalError("\(reportsPath) can't be written") }
    }
}
