import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite(
    "The store on a disk that is full or read-only",
    .blocking,
    .timeLimit(.minutes(Patience.minutes(1))),
    .enabled(if: getuid() == 0, "root is needed to mount a small disk")
)
struct StoreDiskTests {
    private func mounted(_ size: String, _ body: (String) throws -> Void) throws {
        let folder = Sandbox.makeFolder()
        let mount = try Program.run(["mount", "-t", "tmpfs", "-o", "size=\(size),mode=0700", "tmpfs", folder])
        try #require(mount.status == 0, "\(mount.complaint)")
        defer { _ = try? Program.run(["umount", "-l", folder]) }
        try body(folder)
    }

    private func remount(_ folder: String, _ options: String) throws {
        let mount = try Program.run(["mount", "-o", "remount,\(options)", folder])
        try #require(mount.status == 0, "\(mount.complaint)")
    }

    @Test("On a full disk a step fails by name, what was stored stays, and room is enough to go on")
    func full() throws {
        try mounted("1m") { disk in
            let given = StoreGiven(above: disk)
            let store = try given.open()
            let text = #"{"name":"\#(String(repeating: "x", count: 5000))"}"#
            var stored: [String] = []
            let error = #expect(throws: ClientError.self) {
                while true {
                    let id = StoreGiven.number(stored.count)
                    try store.save(StoreGiven.item(id, copy: text, edit: text))
                    stored.append(id)
                }
            }
            #expect(error == .store(.full))
            #expect(stored.count > 10)
            #expect(try store.shownItems { $0.id } == stored)
            let documents = Dictionary(uniqueKeysWithValues: stored.map { ($0, text) })
            #expect(try store.account().hash == StoreGiven.hash(documents))
            try remount(disk, "size=8m")
            try store.save(StoreGiven.item(StoreGiven.id, copy: text))
            #expect(try given.open().shownItems { $0.id } == stored + [StoreGiven.id])
        }
    }

    @Test("A store can't be made on a full disk, and can be when there is room")
    func fullAtOnce() throws {
        try mounted("16k") { disk in
            let given = StoreGiven(above: disk)
            #expect(throws: ClientError.store(.full)) { try given.open() }
            try remount(disk, "size=8m")
            try given.open().save(StoreGiven.item(copy: "{}"))
            #expect(try given.open().item(StoreGiven.id) != nil)
        }
    }

    @Test("A read-only disk is named, and nothing is lost")
    func readOnly() throws {
        try mounted("8m") { disk in
            let given = StoreGiven(above: disk)
            try given.open().save(StoreGiven.item(copy: "{}"))
            try remount(disk, "ro")
            let error = #expect(throws: ClientError.self) { try given.open() }
            #expect(error == .store(.readOnly(given.folder + "/open.lock")))
            try remount(disk, "rw")
            #expect(try given.open().item(StoreGiven.id) != nil)
        }
    }
}
