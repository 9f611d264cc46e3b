import FoundationEssentials
import NeuroViewsClient

extension CommandCall {
    /// Sends changes at the end of a command that made some. They are on disk already, so a missing network is no failure.
    /// Returns `.undone` if one of these items is refused or held, an edit was lost, or the copies are not the server's.
    func finish(_ device: NeuroViews, changed ids: [UUID]) async throws(Failure) -> Ending {
        if isOffline { return .done }
        let report: SyncReport
        do throws(ClientError) {
            report = try await device.sync()
        } catch {
            switch error {
            case .offline, .tryLater:
                output.remark("Kept on this device until the next sync. \(error.sentence)")
                return .done
            default: throw Failure(error)
            }
        }
        if report.lost > 0 { output.remark("\(report.lost) edits lost a conflict: neuroviews lost lists them.") }
        if report.differsFromServer { output.remark(SyncReport.difference) }
        let troubled = try await troubles(device, ids)
        return report.lost > 0 || report.differsFromServer || troubled ? .undone : .done
    }

    /// Tells which of the items the server did not take. Returns true if there are any.
    private func troubles(_ device: NeuroViews, _ ids: [UUID]) async throws(Failure) -> Bool {
        var isTroubled = false
        for id in ids {
            let item = try await asking { () async throws(ClientError) in try await device.configuration(id) }
            switch item?.state {
            case .refused(let problem):
                output.remark("The server refuses \(id.text): \(Failure(problem).sentence)")
                isTroubled = true
            case .held:
                output.remark(ClientError.held(id).sentence)
                isTroubled = true
            case .unsent, .waiting: output.remark("\(id.text) is kept on this device until the next sync.")
            case .synced, nil: break
            }
        }
        return isTroubled
    }
}

extension SyncReport {
    static let difference = "The copies here differ from the server's documents: report this fault of the program."
}

extension ItemState {
    /// The word of tables and of JSON.
    var word: String {
        switch self {
        case .synced: "synced"
        case .unsent: "unsent"
        case .waiting: "waiting"
        case .refused: "refused"
        case .held: "held"
        }
    }
}
