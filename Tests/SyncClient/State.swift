import Foundation
import JSON
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

/// What the server said last about an item. No document: it is deleted.
struct Copy: Codable, Equatable {
    var tag: String
    var document: Document?
}

/// What the user did since.
enum Edit: Codable, Equatable {
    /// The members that were edited, each with its time.
    case document(Document, members: [String: String])
    case deletion

    var document: Document? { if case .document(let document, _) = self { document } else { nil } }
}

struct Item: Codable {
    var copy: Copy?
    var edit: Edit?
    /// Nothing of it was applied: first comes a pull.
    var waits = false
    /// Why the server will not take it.
    var refusal: Refusal?
    /// Deleted elsewhere while it was edited: the user is to say what becomes of it.
    var isHeld = false
    /// A write of it was given up, and may have been done.
    var isUnsure = false

    /// Whether there is something to push, now or after the next pull.
    var isUnsent: Bool { edit != nil && refusal?.isOver != false && !isHeld }

    /// Whether it is a deletion of what the server does not have, which needs no request.
    var isNeedless: Bool { edit == .deletion && copy?.document == nil }
}

struct Refusal: Codable {
    private static let hourS = 3600.0
    var type: String
    var at = Date().timeIntervalSince1970

    /// Whether its reason may be gone.
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
    /// How often nobody said what became of it.
    var failures = 0
    var isBatch: Bool { path.hasSuffix("/batch") }
}

/// What did not survive.
struct Loss: Codable {
    var id: String
    var why: String
    var pointer: String?
    var value: Document?
    var document: Document?
    var deletion: Bool?
}

/// All that a client keeps.
struct State: Codable {
    var items: [String: Item] = [:]
    var request: PendingRequest?
    var token: String?
    var seen: [String] = []
    var lost: [Loss] = []
    /// Atomic batches that were refused, one after the other.
    var refusals = 0
    /// How often the state hash was wrong twice, and since when it is, in seconds since 1970.
    var reports = 0
    var wrongAt: Double?
    /// What the user was told.
    var told: [String] = []
    /// No sync until the user has logged in.
    var isSignedOut = false
}

/// The file of a client. A step is over when `commit` returns: all of it is there, or nothing.
final class Store {
    private let path: String
    var state = State()
    /// How many more places the process goes on for.
    var placesLeft: Int?

    init(folder: String) throws {
        path = folder + "/store.json"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if let data = FileManager.default.contents(atPath: path) {
            state = try JSONDecoder().decode(State.self, from: data)
        }
    }

    func commit() throws {
        place()
        let data = try JSONEncoder().encode(state)
        let file = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let written = data.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard written == data.count, fsync(file) == 0, close(file) == 0, rename(path + ".new", path) == 0 else {
            throw SyncFailure.disk
        }
        place()
    }

    /// Where the process may end.
    func place() {
        guard let left = placesLeft else { return }
        if left == 0 { _exit(9) }
        placesLeft = left - 1
    }
}

enum SyncFailure: Error {
    case disk
    /// The sync ends; the next one begins after so many seconds, or after a pause that grows.
    case pause(seconds: Double?)
    /// The user is told.
    case told(HTTPAnswer)
    /// Only the user can help.
    case signedOut(HTTPAnswer)

    /// Whether nobody knows what became of the request.
    var isUnknown: Bool {
        switch self {
        case .pause, .told: true
        case .disk, .signedOut: false
        }
    }
}
