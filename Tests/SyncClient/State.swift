import Foundation
import NeuroViewsJSON
import TestSupport

/// A document on disk: its canonical text, in which numbers keep all their digits.
struct Document: Codable, Equatable {
    var value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        value = try JSONParser.parse(Array(text.utf8), policy: .rfc8259)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    var text: String { String(decoding: value.canonical(), as: UTF8.self) }
}

/// The last state of an item from the server. Without a document the item is deleted.
struct Copy: Codable, Equatable {
    var tag: String
    var document: Document?
}

/// The user's change of the copy.
enum Edit: Codable, Equatable {
    /// The members that were edited, each with its time.
    case document(Document, members: [String: String])
    case deletion

    var document: Document? { if case .document(let document, _) = self { document } else { nil } }
}

struct Item: Codable {
    var copy: Copy?
    var edit: Edit?
    /// The server applied no part of the edit: the next step is a pull.
    var waits = false
    /// The reason of the server's refusal.
    var refusal: Refusal?
    /// The item was deleted elsewhere during an edit: the user decides.
    var isHeld = false
    /// A write of the item was abandoned; the server may have done it.
    var isUnsure = false

    /// True if there is an edit to push, now or after the next pull.
    var isUnsent: Bool { edit != nil && refusal?.isOver != false && !isHeld }

    /// True for a deletion without a document on the server, which needs no request.
    var isNeedless: Bool { edit == .deletion && copy?.document == nil }
}

struct Refusal: Codable {
    private static let hourS = 3600.0
    var type: String
    var at = Date().timeIntervalSince1970

    /// True if it is time to try again. A time in the future counts as past: the clock was wrong.
    var isOver: Bool { !(0..<Self.hourS).contains(Date().timeIntervalSince1970 - at) }
}

/// An item's part of a request.
struct Part: Codable {
    var id: String
    var copy: Copy?
    var edit: Edit
}

/// The one write that has no answer yet.
struct PendingRequest: Codable {
    var method: String
    var path: String
    var fields: [[String]]
    var body: String
    var parts: [Part]
    /// The number of tries with an unknown result.
    var failures = 0
    var isBatch: Bool { path.hasSuffix("/batch") }
}

/// A value, a document or a deletion that did not survive.
struct Loss: Codable {
    var id: String
    var why: String
    var pointer: String?
    var value: Document?
    var document: Document?
    var deletion: Bool?
}

/// The session of the device.
struct Login: Codable {
    /// The account's id; empty before the first login.
    var user = ""
    var email: String
    var token: String?
    var key = ""
    /// Names a refresh until its token is stored.
    var attempt: String?
}

/// Everything that a client stores of an account.
struct State: Codable {
    /// The device that uses the store.
    var deviceID: String?
    var items: [String: Item] = [:]
    var request: PendingRequest?
    var token: String?
    var seen: [String] = []
    var lost: [Loss] = []
    /// The number of atomic batches refused in a row.
    var refusals = 0
    /// The number of reports about a wrong state hash, and the time of the last one, in seconds since 1970.
    var reports = 0
    var wrongAt: Double?
    /// Messages to the user.
    var told: [String] = []
    /// True to stop syncing until the user has logged in.
    var isSignedOut = false
}

/// The file of a client. A step is stored when `commit` returns. A crash before leaves all of it or nothing.
final class Store {
    private struct Content: Codable {
        var login: Login
        var state: State
        var others: [String: State]
    }

    private let path: String
    var login = Login(email: "")
    /// The state of the account of `login`.
    var state = State()
    /// The states of the device's former accounts, by their ids.
    private var others: [String: State] = [:]
    /// The number of crash points (`place`) before the process exits; nil for no crash.
    var placesLeft: Int?

    init(folder: String) throws {
        path = folder + "/store.json"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if let data = FileManager.default.contents(atPath: path) {
            let content = try JSONDecoder().decode(Content.self, from: data)
            (login, state, others) = (content.login, content.state, content.others)
        }
    }

    /// Takes the state of another account. The first account gets the state from before its login.
    func enter(_ user: String) {
        if !login.user.isEmpty, login.user != user {
            others[login.user] = state
            state = others.removeValue(forKey: user) ?? State()
        }
        login.user = user
    }

    func commit() throws {
        place()
        let data = try JSONEncoder().encode(Content(login: login, state: state, others: others))
        let file = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let written = data.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard written == data.count, fsync(file) == 0, close(file) == 0, rename(path + ".new", path) == 0 else {
            throw SyncFailure.disk
        }
        place()
    }

    /// A crash point: the process may exit here.
    func place() {
        guard let left = placesLeft else { return }
        if left == 0 { _exit(9) }
        placesLeft = left - 1
    }
}

enum SyncFailure: Error {
    case disk
    /// The sync ends. The next one begins after `seconds`, or after a growing pause if nil.
    case pause(seconds: Double?)
    /// The user gets a message.
    case told(HTTPAnswer)
    /// The login was refused: the user must log in.
    case signedOut(HTTPAnswer)
    /// The login led to another account.
    case otherAccount(Login)

    /// True if the result of the request is unknown.
    var isUnknown: Bool {
        switch self {
        case .pause, .told: true
        case .disk, .signedOut, .otherAccount: false
        }
    }
}
