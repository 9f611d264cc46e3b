import FoundationEssentials
import NeuroViewsClient

/// `watch`: syncs until it is stopped, with a line for each change.
enum WatchCommand {
    private static let everySMax: Int64 = 86400

    static func watch(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device(polling: try interval(call), followsNotices: true)
        try await checkLogIn(device)
        // Others list this device among those that are connected.
        try await asking { () async throws(ClientError) in try await device.setStatus(["state": "online"]) }
        // Before the start, so that nothing is missed.
        let (changes, events) = (device.changes(), device.events())
        let before = try await asking { () async throws(ClientError) in try await device.configurations() }
        let known = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
        await device.start()
        let failure = await withTaskGroup(of: Failure?.self) { group in
            group.addTask { await print(changes, since: known, device, call.output) }
            group.addTask { await print(events, call.output) }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        await device.stop()
        throw failure ?? .stopped
    }

    private static func interval(_ call: CommandCall) throws(Failure) -> Int64? {
        guard let text = call.value("--every") else { return nil }
        guard let seconds = Int64(text), (1...everySMax).contains(seconds) else {
            throw .usage("--every is \"\(text)\": it must be 1 to \(everySMax) seconds.")
        }
        return seconds
    }

    /// Throws if nobody is logged in. Another process may have logged out; each sync is a change, so that this is noticed.
    private static func checkLogIn(_ device: NeuroViews) async throws(Failure) {
        switch try await asking({ () async throws(ClientError) in try await device.account }) {
        case .signedIn: return
        case .needsLogIn(_, let problem): throw Failure(.needsLogIn(problem))
        case .signedOut: throw Failure(.needsLogIn(nil))
        }
    }

    /// A write of another process names every configuration: a line is printed for those that differ from what was known.
    private static func print(
        _ changes: AsyncStream<ChangeSet>,
        since known: [UUID: StoredConfiguration],
        _ device: NeuroViews,
        _ output: Output
    ) async -> Failure? {
        var known = known
        for await change in changes {
            do throws(Failure) {
                try await checkLogIn(device)
                for id in change.ids.sorted(by: { $0.text < $1.text }) {
                    let now = try await asking { () async throws(ClientError) in try await device.configuration(id) }
                    if known[id] == now { continue }
                    known[id] = now
                    try print(id, now, output)
                }
            } catch {
                return error
            }
        }
        return nil
    }

    private static func print(_ id: UUID, _ stored: StoredConfiguration?, _ output: Output) throws(Failure) {
        let event = stored == nil ? "deleted" : "changed"
        output.result(
            [
                "event": .string(event), "id": .string(id.text),
                "state": stored.map { .string($0.state.word) } ?? .null,
            ],
            Table(
                ["", "", "", ""],
                [[event, id.text, stored?.state.word ?? "", stored?.configuration.name ?? ""]]
            )
            .text(isForTerminal: false)
        )
        if Streams.hasLostOutput { throw .lostOutput }
    }

    private static func print(_ events: AsyncStream<ClientEvent>, _ output: Output) async -> Failure? {
        for await event in events {
            if case .needsLogIn(let problem) = event { return Failure(.needsLogIn(problem)) }
            let (name, id, text) = words(event)
            output.result(
                ["event": .string(name), "id": id.map { .string($0) } ?? .null, "detail": .string(text)],
                Table(["", "", ""], [[name, id ?? "", text]]).text(isForTerminal: false)
            )
            if Streams.hasLostOutput { return .lostOutput }
        }
        return nil
    }

    private static func words(_ event: ClientEvent) -> (name: String, id: String?, text: String) {
        switch event {
        case .lost(let edit): ("lost", edit.item.text, "neuroviews lost lists it as \(edit.id)")
        case .refused(let id, let problem): ("refused", id.text, problem.description)
        case .held(let id): ("held", id.text, ClientError.held(id).sentence)
        case .needsLogIn(let problem): ("needs_login", nil, ClientError.needsLogIn(problem).sentence)
        case .differsFromServer: ("differs_from_server", nil, SyncReport.difference)
        case .storeReplaced: ("store_replaced", nil, "the store was damaged and set aside; everything is fetched again")
        case .uploaded(let id): ("uploaded", id.text, "the local file may go")
        case .uploadFailed(let id, let failure): ("upload_failed", id.text, failure.description)
        case .recordingsChanged: ("recordings_changed", nil, "neuroviews recordings lists them")
        case .realtimeRefused(let problem): ("realtime_refused", nil, problem.description)
        case .eventsRefused(let refusals): ("events_refused", nil, "\(refusals.count) events of analytics were dropped")
        }
    }
}
