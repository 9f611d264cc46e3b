import Foundation
import NeuroViewsCrypto
import NeuroViewsJSON
import TestSupport

/// The client of docs/client.md in Swift: one of the two that all exams use.
final class SyncingDevice: @unchecked Sendable {
    private static let roundsMax = 5
    private static let failuresMax = 10
    private static let dayS = 86400.0
    private static let pauseMaxS = 300.0
    /// Devices that lost a server at the same time do not return at the same time.
    private static let pauseParts = 2.0 / 3...1
    private let store: Store
    private let session: Session
    private let style: Style
    private let limit: Int
    private let cursor: Cursor
    private let pauseMaxS: Double
    /// Held while a step reads and writes the store, never during an exchange with the server.
    private let lock = NSRecursiveLock()
    /// The next growing pause, and the earliest time of the next sync.
    private var pauseS = 1.0
    private var notBefore = ContinuousClock.now
    /// The pages of an unfinished pull; they outlive a pause.
    private var stage: Pull?

    init(_ store: Store, _ session: Session, _ style: Style, limit: Int, _ cursor: Cursor, pauseMaxS: Double?) throws {
        (self.store, self.session, self.style, self.limit, self.cursor) = (store, session, style, limit, cursor)
        self.pauseMaxS = pauseMaxS ?? Self.pauseMaxS
        session.store = { [unowned self] in try self.keep($0) }
        if try step({ $0.adopt(by: session.deviceID) }) { try session.forget() }
    }

    /// Stores the session, and takes the store of its account.
    private func keep(_ login: Login) throws {
        lock.lock()
        defer { lock.unlock() }
        store.enter(login.user)
        store.login = login
        _ = store.state.adopt(by: session.deviceID)
        try store.commit()
    }

    /// Runs one step on the state and stores it. Steps run one after the other.
    func step<T>(_ body: (inout State) throws -> T) throws -> T {
        lock.lock()
        defer { lock.unlock() }
        let result = try body(&store.state)
        try store.commit()
        return result
    }

    /// Reads the state.
    func look<T>(_ body: (State) -> T) -> T {
        lock.lock()
        defer { lock.unlock() }
        return body(store.state)
    }

    func crash(after places: Int) { store.placesLeft = places }

    /// Runs a sync. Returns the seconds to wait before the next one; 0 if everything is done.
    func sync() throws -> Double {
        let wait = (notBefore - .now) / .seconds(1)
        if wait > 0 || look(\.isSignedOut) { return max(wait, 1) }
        do {
            try resume()
            var refused = 0
            while refused < Self.roundsMax {
                try pull()
                let before = look(\.refused)
                if try !push() { return 0 }
                refused = look(\.refused).subtracting(before).isEmpty ? 0 : refused + 1
            }
            return pause(min(60, pauseMaxS))
        } catch SyncFailure.pause(let seconds) {
            return pause(seconds)
        } catch SyncFailure.told(let answer) {
            try tell(answer)
            return pause(nil)
        } catch SyncFailure.signedOut(let answer) {
            try tell(answer)
            try step { $0.isSignedOut = true }
            return pause(nil)
        } catch SyncFailure.otherAccount(let login) {
            // The next sync is the other account's: nothing of the former one's goes there.
            try session.enter(login)
            stage = nil
            return 0.001
        }
    }

    private func tell(_ answer: HTTPAnswer) throws {
        try step { $0.told.append("\(answer.status) \(answer.problem)") }
    }

    private func pause(_ seconds: Double?) -> Double {
        let length = seconds ?? min(pauseS * Double.random(in: Self.pauseParts), pauseMaxS)
        if seconds == nil { pauseS = min(pauseS * 2, Self.pauseMaxS) }
        notBefore = .now + .seconds(length)
        return max(length, 0.001)
    }

    /// Makes an older version the user's edit. Returns the document shown before; nil if the version can't be fetched.
    func restore(_ id: String, _ tag: String) throws -> JSONValue? {
        let number = tag.prefix { $0 != "-" }
        guard let answer = try? session.send("GET", "/configurations/\(id)/versions/\(number)", [], ""),
            answer.status == 200, answer.versionTag == tag, let document = Self.json(answer)
        else { return nil }
        return try step { state in
            guard let shown = state.shown(id) else { return nil }
            Items.replace(id, document, in: &state)
            return shown
        }
    }

    private func exchange(_ method: String, _ path: String, _ fields: APIClient.Fields = [], _ body: String = "") throws
        -> HTTPAnswer
    {
        store.place()
        let answer = try session.send(method, path, fields, body)
        store.place()
        pauseS = 1
        return answer
    }

    /// Repeats the request without an answer, and handles its answer.
    private func resume() throws {
        guard let request = look(\.request) else { return }
        let isLast = try request.failures >= Self.failuresMax - 1 && isServed()
        let answer: HTTPAnswer
        do {
            answer = try exchange(request.method, request.path, request.fields.map { ($0[0], $0[1]) }, request.body)
        } catch let failure as SyncFailure {
            try step { $0.request?.failures += 1 }
            guard isLast, failure.isUnknown else { throw failure }
            if case .told(let answer) = failure { try tell(answer) }
            // The result stays unknown: the client abandons the write.
            answer = HTTPAnswer(head: "HTTP/1.1 500")
        }
        try step { $0.handle(answer, Self.json(answer) ?? .null) }
    }

    /// True if the server answers another request.
    private func isServed() throws -> Bool {
        do {
            return try exchange("GET", "/configurations?limit=1").status == 200
        } catch let failure as SyncFailure where failure.isUnknown {
            return false
        }
    }

    private static func json(_ answer: HTTPAnswer) -> JSONValue? {
        try? JSONParser.parse(answer.body, policy: .rfc8259)
    }

    /// Returns true if anything was pushed.
    private func push() throws -> Bool {
        var pushed = false
        while try step({ $0.makeRequest(style) }) {
            try resume()
            pushed = true
        }
        return pushed
    }

    private func pull() throws {
        let now = Date().timeIntervalSince1970
        let wrongAt = look(\.wrongAt)
        if try apply(pages(look(\.token))) || (0..<Self.dayS).contains(now - (wrongAt ?? -.infinity)) { return }
        if try !apply(pages(nil)) { try step { ($0.wrongAt, $0.reports) = (now, $0.reports + 1) } }
    }

    /// All pages of a pull.
    private func pages(_ first: String?) throws -> Pull {
        var pull = stage ?? Pull(cursor, first, seen: first == nil ? [] : look(\.seen))
        while true {
            stage = pull
            let query = [
                pull.token.map { "\(pull.cursor)=\($0)" },
                pull.seen.isEmpty ? nil : "seen=\(pull.seen.joined(separator: ","))",
                limit > 0 ? "limit=\(limit)" : nil,
            ].compactMap { $0 }
            let answer = try exchange(
                "GET",
                "/configurations" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
            )
            guard answer.status == 200, let page = Self.json(answer) else {
                stage = nil
                if answer.status == 400 || answer.status == 414, !pull.isFull {
                    pull = Pull(cursor, nil, seen: [])
                    continue
                }
                try tell(answer)
                throw SyncFailure.pause(seconds: min(60, pauseMaxS))
            }
            pull.stage(page)
            if page["has_more"]?.bool != true {
                stage = nil
                return pull
            }
        }
    }

    /// Stores a complete pull in one step. Returns true if the copies match the server's state hash.
    private func apply(_ pull: Pull) throws -> Bool {
        try step { state in
            for (id, copy) in pull.staged {
                state.arrive(id, copy, inFullSet: pull.isFull, at: pull.times[id])
            }
            for id in state.items.keys where pull.isFull && pull.staged[id] == nil {
                state.arrive(id, nil, inFullSet: true)
            }
            (state.token, state.seen) = (cursor == .lastSync ? pull.serverTime : pull.token, [])
            let bringsDeletion = pull.staged.values.contains { $0.document == nil }
            for id in state.items.keys {
                state.items[id]?.waits = false
                if bringsDeletion { state.items[id]?.refusal = nil }
                if state.items[id]?.isNeedless == true { state.items[id] = nil }
            }
            let isRight = Self.hash(state) == pull.stateHash
            if isRight { state.wrongAt = nil }
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

/// The parameter that names the state of the last pull.
enum Cursor: String {
    case syncToken = "sync_token"
    case lastSync = "last_sync"
}

/// The pages of a pull so far.
struct Pull {
    var staged: [String: Copy] = [:]
    /// The server's times of the answers with the staged copies.
    var times: [String: String] = [:]
    var isFull: Bool
    /// The name of the token's parameter.
    var cursor: String
    var token: String?
    var seen: [String]
    var stateHash: String?
    var serverTime: String?

    init(_ cursor: Cursor, _ token: String?, seen: [String]) {
        (isFull, self.cursor, self.token, self.seen) = (token == nil, cursor.rawValue, token, seen)
    }

    mutating func stage(_ page: JSONValue) {
        if page["reset"]?.bool == true { (staged, isFull) = ([:], true) }
        serverTime = page["server_time"]?.string
        for document in page["configurations"]?.array ?? [] {
            let id = document["id"]?.string ?? ""
            staged[id.lowercased()] = Copy(tag: page["versions"]?[id]?.string ?? "", document: Document(document))
            times[id.lowercased()] = serverTime
        }
        for id in page["deleted"]?.array?.compactMap(\.string) ?? [] {
            staged[id.lowercased()] = Copy(tag: page["versions"]?[id]?.string ?? "")
        }
        (cursor, token) = (Cursor.syncToken.rawValue, page["sync_token"]?.string)
        stateHash = page["state_hash"]?.string
    }
}
