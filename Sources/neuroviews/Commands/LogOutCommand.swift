import NeuroViewsClient

/// `logout`: the end of this profile's session.
enum LogOutCommand {
    static func logOut(_ call: CommandCall) async throws(Failure) -> Ending {
        guard !call.has("--keep") || !call.has("--discard") else { throw call.entry.misuse }
        let device = try call.device()
        var fate = UnsentEdits.refuse
        if call.has("--keep") { fate = .keep }
        if call.has("--discard") { fate = .discard }
        if fate == .refuse {
            if !call.isOffline { await sendRest(device) }
            var agreed: LogOutLeftovers?
            // More may come while somebody thinks.
            while let rest = try await asking({ () async throws(ClientError) in try await leftovers(device) }),
                rest != agreed
            {
                try call.confirm(rest.question, otherwise: rest.remedy)
                agreed = rest
            }
            // What is lost goes in any case.
            if agreed?.unsent ?? 0 > 0 { fate = .discard }
        }
        let chosen = fate
        try await asking { () async throws(ClientError) in try await device.logOut(chosen) }
        if fate == .discard { DraftFile.removeAll(in: call.profile.folder) }
        call.output.result(["status": "logged-out"], "Logged out.\n")
        return .done
    }

    /// What can't be sent now is counted by the log out, which names the remedies.
    private static func sendRest(_ device: NeuroViews) async {
        _ = try? await device.sync()
    }

    /// What would go with the store; nil if that is nothing.
    private static func leftovers(_ device: NeuroViews) async throws(ClientError) -> LogOutLeftovers? {
        guard try await device.account.account != nil else { return nil }
        let status = try await device.status
        let uploads = try await device.uploads().filter { $0.state != .done }.count
        let unsent = status.unsent + status.refused + status.held + uploads
        return LogOutLeftovers(unsent: unsent, lost: try await device.lost().count)
    }
}

/// What a log out would take along, in words.
struct LogOutLeftovers: Equatable {
    let unsent: Int
    private let text: String

    /// Nil if there is nothing.
    init?(unsent: Int, lost: Int) {
        var parts: [String] = []
        if unsent > 0 { parts.append("unsent edits and uploads: \(unsent)") }
        if lost > 0 { parts.append("lost edits that can still be brought back: \(lost)") }
        guard let first = parts.first else { return nil }
        self.unsent = unsent
        text = first.prefix(1).uppercased() + parts.joined(separator: "; ").dropFirst()
    }

    var question: String { "\(text). They would be gone. Log out?" }

    /// For programs, which nobody can ask.
    var remedy: String { "\(text). Write --keep to keep them on disk, or --discard to drop them." }
}
