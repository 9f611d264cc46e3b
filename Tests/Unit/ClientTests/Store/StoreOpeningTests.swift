import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Opening the store", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct StoreOpeningTests {
    private let given = StoreGiven()

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    /// The files with content of the database, without the index of the log, which SQLite makes anew.
    private func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: given.folder + "/store") {
            files[name] = FileManager.default.contents(atPath: given.folder + "/store/" + name)
        }
        return files.filter { !$0.key.hasSuffix("-shm") && !$0.value.isEmpty }
    }

    @Test("A new store is empty, and found the next time")
    func created() throws {
        let store = try given.open()
        #expect(store.opening == .created)
        #expect(try store.account().token == nil)
        #expect(try store.shownItems { $0 }.isEmpty)
        #expect(try given.open().opening == .found)
    }

    @Test("Only the user can read the files")
    func modes() throws {
        let store = try given.open()
        try store.save(StoreGiven.item(copy: "{}"))
        for folder in [given.folder, given.folder + "/store"] { #expect(mode(folder) == 0o700) }
        for file in ["/open.lock", "/store/items.sqlite", "/store/items.sqlite-wal", "/store/items.sqlite-shm"] {
            #expect(mode(given.folder + file) == 0o600, "\(file)")
        }
        chmod(given.folder, 0o755)
        #expect(throws: ClientError.store(.notPrivate(given.folder))) { try given.open() }
    }

    @Test("Each commit is flushed to the disk")
    func flushed() throws {
        let store = try given.open()
        #expect(try store.row("PRAGMA synchronous") { $0.integer(0) } == 2)
        #expect(try store.row("PRAGMA journal_mode") { $0.text(0) } == "wal")
    }

    @Test("A store of a newer version is refused and not touched", arguments: [true, false])
    func newer(isInLog: Bool) throws {
        try given.open().save(StoreGiven.item(copy: "{}"))
        do {
            let raw = try given.raw()
            try raw.run("PRAGMA user_version = 2")
            raw.isInOrder = !isInLog
        }
        let before = try files()
        #expect(before.keys.contains("items.sqlite-wal") == isInLog)
        #expect(throws: ClientError.store(.newer(version: 2))) { try given.open() }
        #expect(try files() == before)
        try given.raw().run("PRAGMA user_version = 1")
        #expect(try given.open().item(StoreGiven.id) != nil)
    }

    /// A change needs a new version, its file, and code that brings a store of the former version to it.
    @Test("The tables of a released version of the store stay the same")
    func frozen() throws {
        let path = Repository.path + "/Tests/FrozenSchemas/Client/\(Schema.version).sql"
        let frozen = try String(contentsOfFile: path, encoding: .utf8)
        let own = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY rowid"
        let tables = try given.open().rows(own) { $0.text(0) }
        #expect(tables.map { $0 + ";\n" }.joined() == frozen)
    }

    @Test("A damaged store is set aside as it is, and a new one takes its place")
    func damaged() throws {
        try given.open().save(StoreGiven.item(copy: "{}"))
        let handle = try #require(FileHandle(forWritingAtPath: given.database))
        handle.write(Data(repeating: 0xAA, count: 100))
        try handle.close()
        let before = try files()
        let store = try given.open()
        #expect(store.opening == .replaced(given.folder + "/set-aside-1"))
        #expect(try store.shownItems { $0 }.isEmpty)
        let aside = FileManager.default.contents(atPath: given.folder + "/set-aside-1/items.sqlite")
        #expect(aside == before["items.sqlite"])
        try store.save(StoreGiven.item(copy: "{}"))
        #expect(try given.open().opening == .found)
    }

    @Test("Damage that is found later sets the store aside, and the next call succeeds")
    func damagedLater() throws {
        do {
            let store = try given.open()
            for number in 0..<300 {
                let text = #"{"name":"\#(String(repeating: "x", count: 500))"}"#
                try store.save(StoreGiven.item(StoreGiven.number(number), copy: text))
            }
        }
        let handle = try #require(FileHandle(forUpdatingAtPath: given.database))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: size / 2)
        handle.write(Data(repeating: 0xAA, count: Int(size / 4)))
        try handle.close()
        let store = try given.open()
        #expect(store.opening == .found)
        var replaced: [String] = []
        store.onReplaced = { replaced.append($0) }
        let error = #expect(throws: ClientError.self) { try store.shownItems { $0 } }
        guard case .store(.damaged) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(replaced == [given.folder])
        #expect(try store.shownItems { $0 }.isEmpty)
        try store.save(StoreGiven.item(copy: "{}"))
        #expect(try given.open().item(StoreGiven.id) != nil)
    }

    @Test("A store with another key is set aside, and eight of them are kept")
    func otherKey() throws {
        for number in 0..<10 {
            let store = try given.open(key: [UInt8](repeating: UInt8(number), count: 32))
            let expected =
                number == 0 ? .created : Store.Opening.replaced(given.folder + "/set-aside-\(min(number, 8))")
            #expect(store.opening == expected)
            try store.changeAccount { $0.token = "\(number)" }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: given.folder).filter { $0.hasPrefix("set") }
        #expect(names.count == 8)
        let oldest = try SQLite(given.folder + "/set-aside-1/items.sqlite")
        #expect(try oldest.rows("SELECT token FROM account") { $0.text(0) } == ["1"])
    }

    @Test("A store that another process sets aside is left for the new one")
    func setAside() throws {
        let store = try given.open()
        try store.save(StoreGiven.item(copy: "{}"))
        var replaced: [String] = []
        store.onReplaced = { replaced.append($0) }
        _ = try StoreFolder(path: given.folder).setAside()
        try store.save(StoreGiven.item(StoreGiven.otherID, copy: "{}"))
        #expect(replaced == [given.folder])
        #expect(try given.open().shownItems { $0.id } == [StoreGiven.otherID])
    }

    @Test("A removed store stays removed, whoever has it open")
    func removed() throws {
        let store = try given.open()
        try Store.remove(folder: given.folder)
        #expect(throws: ClientError.store(.removed)) { try store.save(StoreGiven.item(copy: "{}")) }
        #expect(!FileManager.default.fileExists(atPath: given.folder))
        #expect(throws: Never.self) { try Store.remove(folder: given.folder) }
    }

    @Test("On another system the request's members return, edits are unsure, and the token is forgotten")
    func otherSystem() throws {
        var items = try ["a", "b", "c"].enumerated().map { number, name in
            try StoreGiven.item(StoreGiven.number(number), copy: "{}", edit: #"{"name":"\#(name)"}"#)
        }
        items[2].edit = nil
        do {
            let store = try given.open(systemID: "one")
            #expect(store.opening == .created)
            for item in items { try store.save(item) }
            let push = PushState()
            let made = PendingRequest.make(of: [items[0]], .put, push, key: "k", at: StoreGiven.at(1))
            try store.begin(#require(made))
            try store.changeAccount { ($0.token, $0.etag, $0.push.seen) = ("t", "e", ["h"]) }
            #expect(try given.open(systemID: "one").opening == .found)
            #expect(try given.open(systemID: nil).opening == .found)
        }
        let store = try given.open(systemID: "two")
        #expect(store.opening == .otherSystem)
        #expect(try store.request() == nil)
        for place in 0..<2 {
            items[place].isUnsure = true
            #expect(try store.item(items[place].id) == items[place])
        }
        #expect(try store.item(items[2].id) == items[2])
        let account = try store.account()
        #expect(account.token == nil && account.etag == nil && account.push.seen.isEmpty)
        #expect(try given.open(systemID: "two").opening == .found)
    }

    @Test("The system's id is a digest of a whole machine-id, and of nothing else")
    func identity() throws {
        let path = Sandbox.makeFolder() + "/machine-id"
        func identity(_ text: String) throws -> String? {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return SystemIdentity.identity(ofFile: path)
        }
        let id = "0123456789abcdef0123456789abcdef"
        let digest = try #require(try identity(id + "\n"))
        #expect(digest.count == 64 && !digest.contains(id))
        #expect(try identity(id) == digest)
        #expect(try identity("1" + id.dropFirst()) != digest)
        for text in ["", "uninitialized\n", String(id.dropLast()), "g" + id.dropFirst()] {
            #expect(try identity(text) == nil, "\(text)")
        }
        #expect(SystemIdentity.identity(ofFile: path + "-none") == nil)
    }
}
