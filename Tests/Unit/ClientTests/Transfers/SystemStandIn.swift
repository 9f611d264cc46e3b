import Foundation
import TestSupport

@testable import NeuroViewsClient

/// The system's session of the tests. It outlives the app, and can hold its tasks back.
final class SystemStandIn: BackgroundSession {
    struct Begun: Sendable {
        let request: TransferRequest
        let file: String
        let label: String
    }

    private struct State {
        var ends: TaskEnds?
        var holds = false
        var held: [Begun] = []
        var begun: [Begun] = []
        var open: Set<String> = []
    }

    private let transport: any NeuroViewsClient.Transport
    /// Of the draft for resumable uploads.
    private let version: Int
    private let state: Guarded<State>

    init(_ transport: any NeuroViewsClient.Transport, version: Int = 8, holds: Bool = false) {
        (self.transport, self.version) = (transport, version)
        var first = State()
        first.holds = holds
        state = Guarded(first)
    }

    /// All tasks so far.
    var begun: [Begun] { state.withLock { $0.begun } }

    /// The uploads of a run of the app, which get the reports from now on.
    func uploads(_ pieces: String, pieceMaxBytes: Int64 = 50_000) -> BackgroundUploads {
        let ends = TaskEnds()
        report(to: ends)
        return BackgroundUploads("test", self, ends, PieceFolder(pieces), pieceMaxBytes: pieceMaxBytes)
    }

    func report(to ends: TaskEnds) { state.withLock { $0.ends = ends } }

    /// Everything that happened while the app slept is reported.
    func deliver() { state.withLock { $0.ends }?.delivered() }

    /// Lets the tasks go.
    func release() {
        let held = state.withLock { state in
            state.holds = false
            defer { state.held = [] }
            return state.held
        }
        for task in held { start(task) }
    }

    func labels() async -> [String] { state.withLock { $0.open.sorted() } }

    func begin(_ request: TransferRequest, file: String, label: String) {
        let task = Begun(request: request, file: file, label: label)
        let starts = state.withLock { state in
            state.begun.append(task)
            state.open.insert(label)
            if state.holds { state.held.append(task) }
            return !state.holds
        }
        if starts { start(task) }
    }

    func cancel(_ label: String) {
        state.withLock { state in state.held.removeAll { $0.label == label } }
        end(label, .failure(.cut("cancelled")))
    }

    func close() { for label in state.withLock({ $0.open }) { cancel(label) } }

    private func start(_ task: Begun) { Task { end(task.label, await send(task)) } }

    private func end(_ label: String, _ end: TaskEnds.End) {
        let ends = state.withLock { state in state.open.remove(label) == nil ? nil : state.ends }
        ends?.ended(label, end)
    }

    private func send(_ task: Begun) async -> TaskEnds.End {
        do throws(LocalFileError) {
            let file = try LocalFile(task.file)
            var request = task.request
            let length = try file.identity().size
            request.body = .file(FileRegion(descriptor: file.descriptor, offset: 0, length: length))
            request.fields += UploadTaskFields.added(version: version, bodyBytes: length)
            do throws(TransportError) {
                defer { withExtendedLifetime(file) {} }
                return .success(try await transport.send(request))
            } catch {
                return .failure(error)
            }
        } catch {
            return .failure(.file(code: ENOENT))
        }
    }
}
