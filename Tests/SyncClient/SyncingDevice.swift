import Crypto
import Foundation
import JSON
import TestSupport

/// The client of docs/client.md in Swift: one of the two that all exams use.
final class SyncingDevice: @unchecked Sendable {
    private static let roundsMax = 10
    private let store: Store
    private let session: Session
    private let style: Style
    private let limit: Int
    /// Held while a step reads and writes what is stored, never while the network is waited for.
    private let lock = NSRecursiveLock()

    init(_ store: Store, _ session: Session, _ style: Style, limit: Int) {
        (self.store, self.session, self.style, self.limit) = (store, session, style, limit)
    }

    /// One step on what is stored; nobody else has one meanwhile.
    func step<T>(_ body: (inout State) throws -> T) throws -> T {
        lock.lock()
        defer { lock.unlock() }
        let result = try body(&store.state)
        try store.commit()
        return result
    }

    /// Only looks.
    func look<T>(_ body: (State) -> T) -> T {
        lock.lock()
        defer { lock.unlock() }
        return body(store.state)
    }

    func crash(after places: Int) { store.placesLeft = places }

    /// Returns how many seconds to wait before the next one, 0 when all is done.
    func sync() throws -> Double {
        let wait = look(\.notBefore) - Date().timeIntervalSince1970
        if wait > 0 { return wait }
        do {
            try resume()
            for _ in 0..<Self.roundsMax {
                try pull()
                if try !push() { break }
            }
            return 0
        } catch SyncFailure.noAnswer {
            return 1
        } catch SyncFailure.later(let seconds) {
            try step { $0.notBefore = Date().timeIntervalSince1970 + seconds }
            return max(seconds, 0.001)
        }
    }

    private func exchange(_ method: String, _ path: String, _ fields: APIClient.Fields = [], _ body: String = "") throws
        -> HTTPAnswer
    {
        store.place()
        let answer = try session.send(method, path, fields, body)
        store.place()
        return answer
    }

    /// Repeats the request without an answer, and handles its answer.
    private func resume() throws {
        guard let request = look(\.request) else { return }
        let answer = try exchange(request.method, request.path, request.fields.map { ($0[0], $0[1]) }, request.body)
        guard let json = Self.json(answer) else { throw SyncFailure.noAnswer }
        try step { $0.handle(answer, json) }
    }

    private static func json(_ answer: HTTPAnswer) -> JSONValue? {
        try? JSONParser.parse(answer.body, policy: .rfc8259)
    }

    /// Returns whether anything was pushed.
    private func push() throws -> Bool {
        var pushed = false
        while try step({ $0.makeRequest(style) }) {
            try resume()
            pushed = true
        }
        return pushed
    }

    private func pull() throws {
        if try apply(pages(look(\.token))) || look(\.isWrong) { return }
        if try !apply(pages(nil)) {
            try step { ($0.isWrong, $0.reports) = (true, $0.reports + 1) }
        }
    }

    /// All pages of a pull.
    private func pages(_ token: String?) throws -> Pull {
        var (pull, token) = (Pull(isFull: token == nil), token)
        while true {
            let seen = token == nil ? nil : look(\.seen).map { "seen=\($0)" }
            let query = [token.map { "sync_token=\($0)" }, seen, limit > 0 ? "limit=\(limit)" : nil].compactMap { $0 }
            let answer = try exchange(
                "GET",
                "/configurations" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
            )
            if answer.status == 400 || answer.status == 414, token != nil {
                (pull, token) = (Pull(isFull: true), nil)
                continue
            }
            guard answer.status == 200, let page = Self.json(answer) else { throw SyncFailure.later(seconds: 60) }
            pull.stage(page)
            token = pull.token
            if page["has_more"]?.bool != true { return pull }
        }
    }

    /// Stores a complete pull in one step. Returns whether the copies are what the server has.
    private func apply(_ pull: Pull) throws -> Bool {
        try step { state in
            for (id, copy) in pull.staged { state.arrive(id, copy, inFullSet: pull.isFull) }
            for id in state.items.keys where pull.isFull && pull.staged[id] == nil {
                state.arrive(id, nil, inFullSet: true)
            }
            (state.token, state.seen) = (pull.token, nil)
            let isRight = Self.hash(state) == pull.stateHash
            state.isWrong = state.isWrong && !isRight
            return isRight
        }
    }

    /// The state hash over the copies.
    private static func hash(_ state: State) -> String {
        var sum = [UInt8](repeating: 0, count: 32)
        for (id, item) in state.items {
            guard let document = item.copy?.document?.value,
                let spelled = Members.putting(.string(id), into: document, at: ["id"])
            else { continue }
            let part = SHA256.hash(Array(id.utf8) + SHA256.hash(spelled.canonical()))
            sum = zip(sum, part).map { $0 ^ $1 }
        }
        return sum.map { String(format: "%02x", $0) }.joined()
    }
}

/// The pages of a pull so far.
struct Pull {
    var staged: [String: Copy] = [:]
    var isFull: Bool
    var token: String?
    var stateHash: String?

    init(isFull: Bool) { self.isFull = isFull }

    mutating func stage(_ page: JSONValue) {
        if page["reset"]?.bool == true { (staged, isFull) = ([:], true) }
        for document in page["configurations"]?.array ?? [] {
            let id = document["id"]?.string ?? ""
            staged[id.lowercased()] = Copy(tag: page["versions"]?[id]?.string ?? "", document: Document(document))
        }
        for id in page["deleted"]?.array?.compactMap(\.string) ?? [] {
            staged[id.lowercased()] = Copy(tag: page["versions"]?[id]?.string ?? "")
        }
        (token, stateHash) = (page["sync_token"]?.string, page["state_hash"]?.string)
    }
}
