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

    init(_ client: NeuroViews, _ credentials: Credentials, email: String, store: String) {
        (self.client, self.credentials, self.email) = (client, credentials, email)
        reportsPath = store + "/reports"
    }

    /// How often the state hash was wrong twice.
    var reports: Int { FileManager.default.contents(atPath: reportsPath)?.count ?? 0 }

    /// The user tries to log in at the next sync.
    func wantsLogIn() { logsIn = true }

    /// Runs a sync. Returns the seconds until the next one; 0 if everything is done.
    func sync() async -> Double {
        if let wait = await logInIfNeeded() { return wait }
        let outcome = await client.sharedSync(endsPause: false)
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
        } catch ClientError.refused(let problem) {
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
