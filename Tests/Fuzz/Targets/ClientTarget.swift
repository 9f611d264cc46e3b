import Dispatch
import Foundation

@testable import NeuroViewsClient

/// Whatever a server, a proxy or a portal answers, all calls of a client end, and its store can be opened again. Input: answers
/// separated by an empty line, each with a line for the status, lines for fields, and a body.
enum ClientTarget {
    private static let id = UUID(uuid: (1, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))

    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let choice = input.choice()
        let answers = GivenAnswers(answers(in: input.message), knowsLogIn: choice & 8 == 0)
        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (end, failure) = (DispatchSemaphore(value: 0), Guarded<(any Error)?>(nil))
        Task.detached {
            do { try await run(choice & 7, answers, folder) } catch { failure.withLock { $0 = error } }
            end.signal()
        }
        try property("all calls end", end.wait(timeout: .now() + 10) == .success)
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private static func run(_ choice: UInt8, _ answers: GivenAnswers, _ folder: String) async throws {
        let client = try client(answers, folder)
        _ = try? await client.logIn(with: .password(email: "a@example.org", password: "secret"))
        // A task of its own, since the end of the answers cancels it.
        await Task.detached {
            switch choice {
            case 0...2: await sync(client, edits: Int(choice))
            case 3: await upload(client, answers, folder)
            case 4: await readRecordings(client)
            case 5: await readHistory(client)
            case 6: await readAccount(client)
            default: await changeSession(client)
            }
        }.value
        do { _ = try await self.client(answers, folder).configurations() } catch {
            guard case .needsLogIn? = error as? ClientError else { throw error }
        }
    }

    private static func sync(_ client: NeuroViews, edits: Int) async {
        for number in 0..<edits { _ = try? await client.save(CameraConfiguration(name: "\(number)")) }
        for _ in 0..<3 { _ = await client.sharedSync(endsPause: true) }
    }

    private static func upload(_ client: NeuroViews, _ answers: GivenAnswers, _ folder: String) async {
        let file = URL(fileURLWithPath: folder + "/take.mov")
        try? Data("a film".utf8).write(to: file)
        var metadata = RecordingMetadata()
        metadata.tags = ["a"]
        _ = try? await client.queueUpload(file, metadata, id: id)
        await client.carryOn(id, answers)
    }

    private static func readRecordings(_ client: NeuroViews) async {
        _ = try? await client.recordings()
        _ = try? await client.recording(id)
        _ = try? await client.presence()
    }

    private static func readHistory(_ client: NeuroViews) async {
        _ = try? await client.versions(of: id)
        _ = try? await client.conflicts(of: id)
        _ = try? await client.deletedConfigurations()
    }

    private static func readAccount(_ client: NeuroViews) async {
        _ = try? await client.devices()
        _ = try? await client.quotas()
        _ = try? await client.consents()
        if let day = CalendarDay("2026-03-01") { _ = try? await client.usage(from: day, to: day) }
    }

    private static func changeSession(_ client: NeuroViews) async {
        try? await client.confirm(password: "secret")
        try? await client.changePassword(from: "secret", to: "another secret")
        _ = try? await client.call("GET", "/auth/sessions")
        try? await client.logOut(.discard)
    }

    // MARK: The device

    private static func makeFolder() throws -> String {
        let memory = "/dev/shm"
        let place = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        let folder = "\(place)/neuroviews-fuzz-\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        return folder
    }

    private static func client(_ answers: GivenAnswers, _ folder: String) throws -> NeuroViews {
        var (options, setup) = (Options(), ClientSetup())
        options.folder = URL(fileURLWithPath: folder + "/data")
        options.secrets = FileSecretStore(folder: folder + "/secrets")
        (setup.transport, setup.systemID, setup.pauseMaxMs) = (answers, "this one", 20)
        guard let server = URL(string: "https://cloud.example.org") else { throw BrokenProperty(description: "no URL") }
        return try NeuroViews(server: server, options, setup)
    }

    private static func answers(in message: ArraySlice<UInt8>) -> [TransferAnswer] {
        var answers: [TransferAnswer] = []
        var lines = message.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        while let first = lines.popFirst() {
            let end = lines.firstIndex { $0.isEmpty } ?? lines.endIndex
            answers.append(TransferAnswer(status: String(decoding: first, as: UTF8.self), lines[..<end]))
            lines = lines[end...].dropFirst()
        }
        return answers
    }
}

extension NeuroViews {
    /// Runs an upload as far as the answers go.
    fileprivate func carryOn(_ id: UUID, _ answers: GivenAnswers) async {
        guard let store = try? openedStore(), let user = core.account?.id else { return }
        let looks = Guarded<Int64>(0)
        let run = UploadRun(
            id,
            store,
            SessionCalls(session, as: user),
            answers,
            UploadMeter { _ in },
            pauses: UploadPauses(maxMs: 8000) { 1 },
            turnMs: 1,
            nowMs: { Self.laterMs(looks) },
            changed: { _, _ in }
        )
        _ = try? await run.run()
    }

    /// A clock of 100 s a look: no pause takes time. After 200 looks it ends the run, which may wait for a log in for ever.
    private static func laterMs(_ looks: Guarded<Int64>) -> Int64 {
        let count = looks.withLock { count in
            count += 1
            return count
        }
        if count > 200 { withUnsafeCurrentTask { $0?.cancel() } }
        return count * 100_000
    }
}

extension TransferAnswer {
    /// The lines with a colon and a space are fields, as far as the first other one.
    fileprivate init(status: String, _ lines: ArraySlice<ArraySlice<UInt8>>) {
        var fields: [TransferRequest.Field] = []
        var rest = lines
        while let line = rest.first, line.first != UInt8(ascii: "{"),
            case let parts = String(decoding: line, as: UTF8.self).split(separator: ": ", maxSplits: 1),
            parts.count == 2
        {
            fields.append((String(parts[0]), String(parts[1])))
            rest = rest.dropFirst()
        }
        self.init(status: Int(status) ?? 200, fields: fields, body: Array(rest.joined(separator: [UInt8(ascii: "\n")])))
    }
}

/// Gives one answer after the other, then cancels the asking task. Status 0 is a broken connection.
private final class GivenAnswers: NeuroViewsClient.Transport {
    private let rest: Guarded<ArraySlice<TransferAnswer>>
    /// True if a log in succeeds, whatever the answers are.
    private let knowsLogIn: Bool
    private static let logIn = #"""
        {"token":"a.b.c","signing_key":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",\#
        "user":{"id":"00000000-0000-4000-8000-000000000009","email":"a@example.org"}}
        """#

    init(_ answers: [TransferAnswer], knowsLogIn: Bool) {
        (rest, self.knowsLogIn) = (Guarded(answers[...]), knowsLogIn)
    }

    func send(_ request: TransferRequest, into _: DownloadFile?) async throws(TransportError) -> TransferAnswer {
        if knowsLogIn, request.url.hasSuffix("/auth/login") {
            return TransferAnswer(
                status: 200,
                fields: [("Content-Type", "application/json")],
                body: Array(Self.logIn.utf8)
            )
        }
        guard let next = rest.withLock({ $0.popFirst() }) else {
            withUnsafeCurrentTask { $0?.cancel() }
            throw .notConnected("no answer is left")
        }
        guard next.status > 0 else { throw .cut("the connection ended") }
        return next
    }
}
