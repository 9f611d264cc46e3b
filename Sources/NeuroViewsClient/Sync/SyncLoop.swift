import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The syncs of one account, one after the other (docs/client.md, "Sync"). They run on the actor; a step on the store
/// never waits for the network.
final class SyncLoop {
    private static let roundsMax = 5
    private static let lockWait: Duration = .seconds(30)

    let store: Store
    let session: Session
    let feeds: Feeds
    let account: UUID
    let setup: ClientSetup
    let style: PushStyle
    /// The pages of an unfinished pull are in the store, and outlive a pause.
    var pull: Pull?
    /// The items of a page of the pull under way; 0 for the server's own number.
    var pageItems: Int64
    /// What the sync under way has done.
    var report = SyncReport()
    private(set) var pause: RunningPause?
    private var growing: GrowingPause

    init(_ store: Store, _ session: Session, _ feeds: Feeds, account: UUID, _ setup: ClientSetup, _ options: Options) {
        (self.store, self.session, self.feeds, self.account, self.setup) = (store, session, feeds, account, setup)
        pageItems = setup.limit
        style = setup.pushStyle(options)
        growing = GrowingPause(maxMs: setup.pauseMaxMs)
    }

    /// A failure that ends the sync with a pause of its own.
    enum End: Error {
        case failure(ClientError)
        /// A pull was refused, or five rounds in a row had new marks.
        case minute(ClientError?)

        var error: ClientError? {
            switch self {
            case .failure(let error): error
            case .minute(let error): error
            }
        }
    }

    /// Runs a sync until nothing is left, or until a pause is due. Within a pause it sends nothing.
    func sync() async -> SyncOutcome {
        if let pause, let rest = pause.rest {
            return SyncOutcome(failure: pause.failure(after: rest), wait: rest)
        }
        (pause, report) = (nil, SyncReport())
        do throws(End) {
            let lock = try await takeLock()
            defer { withExtendedLifetime(lock) {} }
            try await rounds()
        } catch {
            return ended(error)
        }
        return SyncOutcome(report: report)
    }

    /// Ends any pause: the session is another one.
    func endPause() { pause = nil }

    /// Ends a pause that is not the server's.
    func endOwnPause() { if pause?.isOfServer != true { pause = nil } }

    private func rounds() async throws(End) {
        try await repeatRequest()
        var marked = 0
        while marked < Self.roundsMax {
            try await pullAll()
            let before = try local { () throws(ClientError) in try store.markedIDs() }
            guard try await push() else { return }
            let after = try local { () throws(ClientError) in try store.markedIDs() }
            marked = after.subtracting(before).isEmpty ? 0 : marked + 1
        }
        throw .minute(nil)
    }

    /// One sync at a time, of all processes with this store.
    private func takeLock() async throws(End) -> FileLock {
        if let lock = try local({ () throws(ClientError) in try store.attemptSyncLock() }) { return lock }
        do throws(FileLock.Failure) {
            return try await FileLock.wait(store.syncLockPath, atMost: Self.lockWait)
        } catch {
            switch error {
            case .busy: throw .failure(.tryLater(nil, seconds: nil))
            case .cancelled: throw .failure(.cancelled)
            case .unusable(let reason): throw .failure(.store(.other(reason)))
            }
        }
    }

    /// Sends a request of this account. An answer ends the growth of pauses.
    func exchange(_ request: PendingRequest, _ expectation: Expectation) async throws(End) -> Answer {
        do throws(ClientError) {
            let answer = try await session.send(
                request.method,
                request.path,
                fields: request.fields,
                body: request.body,
                expectation: expectation,
                as: account
            )
            growing = GrowingPause(maxMs: setup.pauseMaxMs)
            return answer
        } catch {
            throw .failure(error)
        }
    }

    /// A step on the store, whose failure ends the sync.
    func local<T>(_ body: () throws(ClientError) -> T) throws(End) -> T {
        do throws(ClientError) { return try body() } catch { throw .failure(error) }
    }

    private func ended(_ end: End) -> SyncOutcome {
        let next = nextPause(end)
        pause = next.map { RunningPause($0, end.error) }
        report.again = pause?.date
        return SyncOutcome(report: report, failure: end.error, wait: next?.length)
    }

    /// The pause after a failure; nil if only the app can help.
    private func nextPause(_ end: End) -> Pause? {
        switch end {
        case .minute: return growing.minute
        case .failure(.needsLogIn), .failure(.otherAccount), .failure(.cancelled): return nil
        case .failure(let error):
            if let seconds = error.retryAfterSeconds { return Pause(retryAfterSeconds: seconds) }
            return growing.next(fraction: .random(in: 0...1))
        }
    }
}
