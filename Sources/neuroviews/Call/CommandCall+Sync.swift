import FoundationEssentials
import NeuroViewsClient

extension CommandCall {
    /// Sends changes at the end of a command that made some. They are on disk already: a missing network is no failure, and other
    /// failures come after a remark that the changes are kept. Returns `.undone` if one of these items is refused or held, an edit
    /// was lost, or the copies are not the server's.
    func finish(_ device: NeuroViews, changed ids: [UUID]) async throws(Failure) -> Ending {
        if isOffline { return .done }
        let report: SyncReport
        do throws(ClientError) {
            report = try await device.sync()
        } catch {
            let (kept, failure) = ("Kept on this device until the next sync.", Failure(error))
            if error.isResultUnknown {
                output.remark("\(kept) \(error.sentence)")
                return .done
            }
            if !ids.isEmpty, !failure.isStopped { output.remark(kept) }
            throw failure
        }
        if report.lost > 0 { output.remark("\(report.lost) edits lost a conflict: neuroviews lost lists them.") }
        if report.differsFromServer { output.remark(SyncReport.difference) }
        let troubled = try await troubles(device, ids)
        return report.lost > 0 || report.differsFromServer || troubled ? .undone : .done
    }

    /// Tells which of the items the server did not take. Returns true if there are any.
    private func troubles(_ device: NeuroViews, _ ids: [UUID]) async throws(Failure) -> Bool {
        let edits = try await asking { () async throws(ClientError) in try await device.editsOnTheirWay() }
        let (troubles, rest) = (edits.troubles(of: Set(ids)), edits.rest(of: Set(ids)))
        for sentence in troubles + rest { output.remark(sentence) }
        return !troubles.isEmpty
    }
}

extension EditsOnTheirWay {
    /// A sentence for each of these items that the server did not take.
    func troubles(of ids: Set<UUID>) -> [String] {
        let refusals = refused.filter { ids.contains($0.id) }.map { id, problem in
            "The server refuses \(id.text): \(Failure(problem).sentence)"
        }
        return refusals + held.filter { ids.contains($0) }.map { ClientError.held($0).sentence }
    }

    /// A sentence for each of these items that is still to be sent.
    func rest(of ids: Set<UUID>) -> [String] {
        unsent.filter { ids.contains($0) }.map { "\($0.text) is kept on this device until the next sync." }
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
