import Foundation
import TestSupport
import Testing

/// Devices write, a backup is made, they write on, the backup comes back, they write on, and all have the same again.
@Suite(.blocking, .serialized)
struct RestoreConvergenceTests {
    static let seeds = ProcessInfo.processInfo.environment["NEUROVIEWS_TEST_FULL"] == "1" ? 1...25 : 1...2

    @Test(
        "Across backup, more changes and restore, every device ends with what a new one gets, and nothing sent is lost"
    )
    func converges() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        defer { _ = try? server.stop() }
        for seed in Self.seeds { try Self.run(seed, server) }
    }

    private static func run(_ seed: Int, _ server: ServerProcess) throws {
        var run = try RestoreRun(server, seed: seed)
        try run.writeAtRandom(steps: 40)
        try run.backUp()
        try run.join()
        try run.writeAtRandom(steps: 40)
        try run.restore()
        let after = try run.fresh()
        #expect(after == run.atBackup, "seed \(seed): the restored state is not the backup's")
        let waiting = run.dirtyIDs
        #expect(!waiting.isEmpty && run.isAhead, "seed \(seed): nothing was to be lost, so nothing is shown")
        try run.writeAtRandom(steps: 25)
        try run.settle()

        let end = try run.fresh()
        for (number, device) in run.devices.enumerated() {
            #expect(device.items == end, "seed \(seed): device \(number) has something else than a new one gets")
            #expect(device.resets <= 1, "seed \(seed): device \(number) was reset more than once")
        }
        #expect(run.devices.contains { $0.resets == 1 }, "seed \(seed): nobody was told of what was lost")
        let untouched = Set(after.keys).union(end.keys).subtracting(run.editedAfterRestore).subtracting(waiting)
        for id in untouched { #expect(end[id] == after[id], "seed \(seed): \(id) was brought back or lost") }
        #expect(try run.lost() == [], "seed \(seed): sent after the restore, and neither in the history nor a conflict")
    }
}

/// One account with several devices on a server that is brought back.
private struct RestoreRun {
    static let firstDevices = 3

    private let server: ServerProcess
    private var random: SeededRandom
    private(set) var devices: [SyncingDevice] = []
    private(set) var atBackup: [String: SyncingDevice.Item] = [:]
    private(set) var editedAfterRestore: Set<String> = []
    private var sentBeforeRestore: Set<String> = []
    private var isRestored = false
    /// The time of the next edit.
    private var minute = 0
    private let file: String

    init(_ server: ServerProcess, seed: Int) throws {
        self.server = server
        random = SeededRandom(seed: UInt64(seed))
        file = "\(server.folder)/backup-\(seed).tar"
        let first = try Device.new(server.client, name: "device 0")
        devices = [SyncingDevice(first)]
        for number in 1..<Self.firstDevices { devices.append(SyncingDevice(try first.other(name: "device \(number)"))) }
    }

    /// A device whose session the backup doesn't know.
    mutating func join() throws { devices.append(SyncingDevice(try devices[0].device.other(name: "late"))) }

    var dirtyIDs: Set<String> { Set(devices.flatMap { $0.items.filter(\.value.isDirty).keys }) }

    /// Whether a device has something that only it knows now, acknowledged and not dirty.
    var isAhead: Bool {
        devices.contains { $0.items.contains { id, item in !item.isDirty && atBackup[id] != item } }
    }

    /// What a device without anything gets.
    func fresh() throws -> [String: SyncingDevice.Item] {
        var device = SyncingDevice(devices[0].device)
        try device.pull()
        return device.items
    }

    mutating func writeAtRandom(steps: Int) throws {
        for _ in 0..<steps {
            let number = Int.random(in: devices.indices, using: &random)
            minute += 1
            let known = devices[number].items.filter { $0.value.preset != nil }.keys.sorted()
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1, 2: edit(number, Preset("\(number) made \(minute)", minute: minute))
            case 3 where !known.isEmpty, 4 where !known.isEmpty:
                let id = known[Int.random(in: known.indices, using: &random)]
                edit(number, Preset("\(number) changed \(minute)", id: id, minute: minute))
            case 5 where !known.isEmpty:
                let id = known[Int.random(in: known.indices, using: &random)]
                if isRestored { editedAfterRestore.insert(id) }
                devices[number].delete(id)
            default: try devices[number].sync(minute: minute)
            }
        }
    }

    private mutating func edit(_ number: Int, _ preset: Preset) {
        if isRestored { editedAfterRestore.insert(preset.id) }
        devices[number].edit(preset)
    }

    mutating func backUp() throws {
        try Operator.succeed(["backup", file, "--data", server.data])
        atBackup = try fresh()
    }

    /// The server answers again, and the late device has to log in again.
    mutating func restore() throws {
        try server.stop()
        try Operator.succeed(["restore", file, "--unauthenticated", "--replace", "--data", server.data])
        try server.start()
        isRestored = true
        sentBeforeRestore = devices.reduce(into: []) { $0.formUnion($1.sent) }
        for number in devices.indices { devices[number].device.client = server.client }
        guard let late = devices.last, try late.device.pull().verdict == "401 session-ended" else {
            throw Program.Failure("a session from after the backup is still good")
        }
        devices[devices.count - 1].device = try late.device.other(name: "late")
    }

    mutating func settle() throws {
        for _ in 0..<3 {
            minute += 1
            for number in devices.indices { try devices[number].sync(minute: minute) }
        }
    }

    /// Documents that the restored server answered, and has nowhere.
    func lost() throws -> Set<String> {
        let kept = try server.sql(
            "SELECT document FROM configuration_versions UNION ALL SELECT document FROM configuration_conflicts"
        )
        let sent: Set<String> = devices.reduce(into: []) { $0.formUnion($1.sent) }
        return sent.subtracting(sentBeforeRestore).subtracting(kept)
    }
}
