import Foundation
import NeuroViewsCrypto
import NeuroViewsJSON
import NeuroViewsRules

@testable import NeuroViewsClient

/// The configurations of a server, as far as one account can tell, behind a network with faults. A repeated write gets its
/// first answer.
final class FakeConfigurations: Sendable {
    /// What happens to the next request of a kind.
    enum Fault: Sendable {
        /// The request does not arrive.
        case unreached
        /// The request arrives, and its answer is lost.
        case lost
        /// Somebody else answers, or the server, without doing anything.
        case given(TransferAnswer)
    }

    struct Change: Sendable {
        let id: String
        let tag: String
        /// Nil for a deletion.
        let document: Document?
    }

    struct State: Sendable {
        /// In their order; the newest one of an item counts.
        var changes: [Change] = []
        var done: [String: TransferAnswer] = [:]
        var faults: [(prefix: String, fault: Fault)] = []
        /// Makes the state hash wrong.
        var isWrong = false
    }

    static let time = "2026-03-01T12:00:00Z"
    private let state = Guarded(State())

    /// The documents by id.
    var documents: [String: Document] { state.withLock { $0.documents } }

    /// The next requests whose names begin so meet these faults, one after the other.
    func meet(_ prefix: String, _ faults: Fault...) {
        state.withLock { state in state.faults += faults.map { (prefix, $0) } }
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Another device stores a document, or deletes it.
    func put(_ id: UUID, _ name: String?) {
        let id = id.uuidString.lowercased()
        let text =
            #"{"id":"\#(id)","name":"\#(name ?? "")","modified_at":"\#(Self.time)","created_at":"\#(Self.time)"}"#
        state.withLock { state in _ = state.add(id, name == nil ? nil : Document(text: Array(text.utf8))) }
    }

    func answer(_ request: AnswerTable.Request) throws(TransportError) -> TransferAnswer {
        let (fault, answer) = state.withLock { state in
            let index = state.faults.firstIndex { request.name.hasPrefix($0.prefix) }
            let fault = index.map { state.faults.remove(at: $0).fault }
            switch fault {
            case .unreached, .given: return (fault, nil as TransferAnswer?)
            case .lost, nil: return (fault, state.answer(to: request))
            }
        }
        switch fault {
        case .unreached: throw .notConnected("nobody listens")
        case .lost: throw .cut("the connection ended")
        case .given(let answer): return answer
        case nil: return answer ?? AnswerTable.problem(500, "internal-error")
        }
    }
}

extension FakeConfigurations.State {
    var documents: [String: Document] {
        var documents: [String: Document] = [:]
        for change in changes { documents[change.id] = change.document }
        return documents
    }

    mutating func add(_ id: String, _ document: Document?) -> String {
        let tag = "\(changes.count + 1)-aaaaaaaaaaaa"
        changes.append(.init(id: id, tag: tag, document: document))
        return tag
    }

    mutating func answer(to request: AnswerTable.Request) -> TransferAnswer {
        if request.method == "GET" { return pull(request) }
        let key = [request.name, request.fields["if-match"] ?? "", request.body].joined(separator: "\n")
        if let answer = done[key] { return answer }
        let answer = request.path.hasSuffix("/batch") ? batch(request) : single(request)
        if answer.status < 400 { done[key] = answer }
        return answer
    }

    // MARK: Reading

    private func pull(_ request: AnswerTable.Request) -> TransferAnswer {
        let query = request.path.split(separator: "?").dropFirst().first.map { String($0) } ?? ""
        let tag = "\"\(changes.count)-\(query)\""
        if request.fields["if-none-match"] == tag {
            return TransferAnswer(status: 304, fields: [("ETag", tag)], body: [])
        }
        let values = query.split(separator: "&").map { $0.split(separator: "=") }.filter { $0.count == 2 }
        let named = Dictionary(values.map { (String($0[0]), String($0[1])) }) { $1 }
        let first = named["sync_token"].flatMap { Int($0.dropFirst()) } ?? 0
        let end = min(changes.count, first + (named["limit"].flatMap { Int($0) } ?? changes.count))
        return page(first..<max(first, end), isReset: named["sync_token"] == nil, tag)
    }

    private func page(_ range: Range<Int>, isReset: Bool, _ tag: String) -> TransferAnswer {
        let found = changes[range]
        let documents = found.compactMap { $0.document.map { String(decoding: $0.text, as: UTF8.self) } }
        let deleted = found.filter { $0.document == nil }.map { "\"\($0.id)\"" }
        let versions = Dictionary(found.map { ($0.id, $0.tag) }) { $1 }.map { "\"\($0)\":\"\($1)\"" }
        let text = """
            {"configurations":[\(documents.joined(separator: ","))],"deleted":[\(deleted.joined(separator: ","))],\
            "versions":{\(versions.joined(separator: ","))},"sync_token":"t\(range.upperBound)","reset":\(isReset),\
            "server_time":"\(FakeConfigurations.time)","has_more":\(range.upperBound < changes.count),"state_hash":"\(hash)"}
            """
        return AnswerTable.json(200, text, [("ETag", tag)])
    }

    private var hash: String {
        var hash = StateHash()
        for (id, document) in documents { hash.change(id, from: nil, to: document) { SHA256.hash($0) } }
        return isWrong ? String(repeating: "0", count: 64) : hash.text
    }

    // MARK: Writing

    private mutating func single(_ request: AnswerTable.Request) -> TransferAnswer {
        let sent = Document(request.json["configuration"])
        let id = sent?.object["id"]?.string ?? String(request.path.split(separator: "/").last ?? "")
        let condition = request.fields["if-match"].map { String($0.dropFirst().dropLast()) }
        guard let tag = written(id, sent, condition) else { return AnswerTable.problem(412, "version-mismatch") }
        let times = ["id", "created_at", "updated_at", "deleted_at"].map { "\"\($0)\":\"\(FakeConfigurations.time)\"" }
        return AnswerTable.json(200, "{\(times.joined(separator: ","))}", [("ETag", "\"\(tag)\""), head])
    }

    private mutating func batch(_ request: AnswerTable.Request) -> TransferAnswer {
        var results: [String] = []
        for operation in request.json["operations"]?.array ?? [] {
            let sent = Document(operation["configuration"])
            let id = sent?.object["id"]?.string ?? operation["id"]?.string ?? ""
            if let tag = written(id, sent, operation["if_match"]?.string) {
                results.append(
                    #"{"id":"\#(id)","status":200,"version":"\#(tag)","changed_at":"\#(FakeConfigurations.time)"}"#
                )
            } else {
                results.append(
                    #"{"id":"\#(id)","status":412,"problem":{"type":"https://x/problems/version-mismatch"}}"#
                )
            }
        }
        return AnswerTable.json(200, #"{"outcome":"applied","results":[\#(results.joined(separator: ","))]}"#, [head])
    }

    private var head: TransferRequest.Field { ("Sync-Head", "h\(changes.count)") }

    /// The tag of the new version; nil if the condition does not hold.
    private mutating func written(_ id: String, _ document: Document?, _ condition: String?) -> String? {
        let current = changes.last { $0.id == id }
        return current?.tag == condition ? add(id, document) : nil
    }
}
