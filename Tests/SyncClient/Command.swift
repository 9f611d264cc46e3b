import Foundation
import NeuroViewsJSON

/// A command from the test kit.
struct Command: Sendable {
    private let content: JSONValue
    private let client: SyncingDevice
    private static let output = NSLock()

    init(_ content: JSONValue, _ client: SyncingDevice) { (self.content, self.client) = (content, client) }

    private var id: String { content["id"]?.string?.lowercased() ?? "" }

    func run() throws {
        switch content["do"]?.string {
        case "stop":
            say([])
            exit(0)
        case "sync":
            Thread.detachNewThread {
                do {
                    say([("wait", .string(String(try client.sync())))])
                } catch {
                    FileHandle.standardError.write(Data("sync: \(error)\n".utf8))
                    exit(70)
                }
            }
        case "crash":
            client.crash(after: content["after"]?.number?.int64.map { Int($0) } ?? 0)
            say([])
        case "state": say(client.look(Self.shown))
        case "edit": sayDone(try client.step { Items.edit(id, members, new: content["new"], in: &$0) })
        case "login":
            _ = try client.step { $0.isSignedOut = false }
            say([])
        case "delete": sayDone(try client.step { Items.delete(id, in: &$0) }.map { .some($0) })
        default:
            sayDone(try client.restore(id, content["version"]?.string ?? "").map { .some($0) })
        }
    }

    private var members: [(String, JSONValue?)] {
        (content["set"]?.object?.members ?? []).map { ($0.name, $0.value) }
            + (content["remove"]?.array ?? []).compactMap(\.string).map { ($0, nil) }
    }

    private func sayDone(_ before: JSONValue??) {
        guard case .some(let shown) = before else { return say([("done", .bool(false)), ("before", .null)]) }
        say([("done", .bool(true)), ("before", shown ?? .null)])
    }

    private func say(_ members: [(String, JSONValue)]) {
        let all = [("number", content["number"] ?? .null)] + members
        let answer = JSONValue.object(JSONObject(all.map { JSONObject.Member(name: $0.0, value: $0.1) }))
        Self.output.withLock { FileHandle.standardOutput.write(Data(answer.serialized() + [10])) }
    }

    private static func shown(_ state: State) -> [(String, JSONValue)] {
        func object(_ pairs: [(String, JSONValue)]) -> JSONValue {
            .object(JSONObject(pairs.map { JSONObject.Member(name: $0.0, value: $0.1) }))
        }
        let unsent = state.unsent.isEmpty && state.request != nil ? ["request"] : state.unsent
        return [
            ("items", object(state.items.keys.sorted().compactMap { id in state.shown(id).map { (id, $0) } })),
            ("unsent", .array(unsent.map { .string($0) })),
            ("held", .array(state.items.filter(\.value.isHeld).keys.sorted().map { .string($0) })),
            ("refused", object(state.items.compactMap { id, item in item.refusal.map { (id, .string($0.type)) } })),
            ("lost", .array(state.lost.map(Self.loss))),
            ("reports", .number(JSONNumber(Int64(state.reports)))),
            ("told", .array(state.told.map { .string($0) })),
        ]
    }

    private static func loss(_ loss: Loss) -> JSONValue {
        var object = JSONObject()
        object.set("id", to: .string(loss.id))
        object.set("why", to: .string(loss.why))
        if let pointer = loss.pointer { object.set("pointer", to: .string(pointer)) }
        if let value = loss.value { object.set("value", to: value.value) }
        if let document = loss.document { object.set("document", to: document.value) }
        if loss.deletion == true { object.set("deletion", to: .bool(true)) }
        return .object(object)
    }
}
