import Foundation
import NeuroViewsClient

/// A command from the test kit.
struct Command: Sendable {
    private let content: JSONValue
    private let user: ExamUser
    private let crash: CrashPoint
    private static let output = NSLock()

    init(_ content: JSONValue, _ user: ExamUser, _ crash: CrashPoint) {
        (self.content, self.user, self.crash) = (content, user, crash)
    }

    /// True for a command that waits for the server: others run beside it.
    var takesTime: Bool { ["sync", "restore"].contains(content["do"]?.string) }

    func run() async {
        do {
            say(try await answer())
        } catch {
            FileHandle.standardError.write(Data("\(content): \(error)\n".utf8))
            exit(70)
        }
    }

    private var id: UUID { content["id"]?.string.flatMap { UUID(uuidString: $0) } ?? UUID() }

    private func answer() async throws -> JSONValue.Object {
        let client = user.client
        switch content["do"]?.string {
        case "stop":
            say([:])
            exit(0)
        case "sync": return ["wait": .string(String(await user.sync()))]
        case "crash": crash.arm(after: content["after"]?.int64 ?? 0)
        case "state": return try await state()
        case "login": await user.wantsLogIn()
        case "edit": return try await edit(client)
        case "delete": return try await delete(client)
        case "take_back": return try await takeBack(client)
        default: return try await restore(client)
        }
        return [:]
    }

    /// Sets and removes members of what is shown, or of `new`.
    private func edit(_ client: isolated NeuroViews) throws -> JSONValue.Object {
        let shown = try client.configuration(id)
        guard
            var edited = try shown?.configuration
                ?? content["new"].map({ try CameraConfiguration(document: $0, id: id) })
        else { return Self.done(false, nil) }
        for (pointer, value) in content["set"]?.object?.members ?? [] { edited[pointer] = value }
        for pointer in content["remove"]?.array ?? [] { edited[pointer.string ?? ""] = nil }
        // The kit sets members below values that have none.
        guard edited.invalid == nil else { return Self.done(false, nil) }
        try client.save(edited)
        return Self.done(true, shown)
    }

    private func delete(_ client: isolated NeuroViews) throws -> JSONValue.Object {
        guard let shown = try client.configuration(id) else { return Self.done(false, nil) }
        try client.delete(id)
        return Self.done(true, shown)
    }

    private func restore(_ client: isolated NeuroViews) async throws -> JSONValue.Object {
        guard let tag = VersionTag(content["version"]?.string ?? ""),
            let wanted = try? await client.version(of: id, tag), let shown = try client.configuration(id)
        else { return Self.done(false, nil) }
        try client.save(CameraConfiguration(document: wanted.document, id: id))
        return Self.done(true, shown)
    }

    private func takeBack(_ client: isolated NeuroViews) throws -> JSONValue.Object {
        let entry = try client.lost()[Int(content["place"]?.int64 ?? 0)]
        guard let id = try? client.bringBack(entry.id) else { return ["done": false] }
        return ["done": true, "id": Self.text(id)]
    }

    private func state() async throws -> JSONValue.Object {
        let (told, reports) = (await user.told, await user.reports)
        var state = try await shown(user.client)
        state["told"] = .array(told.map { .string($0) })
        state["reports"] = .number(.init(Int64(reports)))
        state["shares_store"] = true
        return state
    }

    private func shown(_ client: isolated NeuroViews) throws -> JSONValue.Object {
        let edits = try client.editsOnTheirWay()
        var (items, refused) = (JSONValue.Object(), JSONValue.Object())
        for item in try client.configurations() { items[Self.text(item.id).string ?? ""] = item.configuration.document }
        for (id, problem) in edits.refused { refused[Self.text(id).string ?? ""] = .string(problem.code) }
        return [
            "items": .object(items),
            "unsent": .array(edits.unsent.map(Self.text)),
            "held": .array(edits.held.map(Self.text)),
            "refused": .object(refused),
            "lost": .array(try client.lost().map(Self.loss)),
        ]
    }

    private static func loss(_ lost: LostEdit) -> JSONValue {
        var entry: JSONValue.Object = ["id": text(lost.item), "why": .string("\(lost.reason)")]
        switch lost.kind {
        case .deletion: entry["deletion"] = true
        case .document: entry["document"] = lost.value
        case .member: (entry["pointer"], entry["value"]) = (.string(lost.pointer ?? ""), lost.value)
        }
        return .object(entry)
    }

    private static func done(_ isDone: Bool, _ before: StoredConfiguration?) -> JSONValue.Object {
        ["done": .bool(isDone), "before": before?.configuration.document ?? .null]
    }

    private static func text(_ id: UUID) -> JSONValue { .string(id.uuidString.lowercased()) }

    private func say(_ answer: JSONValue.Object) {
        var answer = answer
        answer["number"] = content["number"]
        let line = JSONValue.object(answer).text + "\n"
        Self.output.withLock { FileHandle.standardOutput.write(Data(line.utf8)) }
    }
}
