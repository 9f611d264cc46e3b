import NeuroViewsClient

/// `logout`: the end of this profile's session.
enum LogOutCommand {
    static func logOut(_ call: CommandCall) async throws(Failure) -> Ending {
        guard !call.has("--keep") || !call.has("--discard") else { throw call.entry.misuse }
        let device = try call.device()
        var fate = UnsentEdits.refuse
        if call.has("--keep") { fate = .keep }
        if call.has("--discard") { fate = .discard }
        if fate == .refuse && !call.isOffline { await sendRest(device) }
        do throws(ClientError) {
            try await device.logOut(fate)
        } catch {
            guard case .unsentEdits(let count) = error else { throw Failure(error) }
            try call.confirm(
                "\(count) edits and uploads are not sent, and would be lost. Log out?",
                otherwise:
                    "\(count) edits and uploads are not sent: write --keep to keep them on disk, or --discard to lose them."
            )
            try await asking { () async throws(ClientError) in try await device.logOut(.discard) }
        }
        call.output.result(["status": "logged-out"], "Logged out.\n")
        return .done
    }

    /// What can't be sent now is counted by the log out, which names the remedies.
    private static func sendRest(_ device: NeuroViews) async {
        _ = try? await device.sync()
    }
}
