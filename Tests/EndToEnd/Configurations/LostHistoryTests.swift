import TestSupport
import Testing

/// A backup is made, devices write on, and the backup is restored. The writes after the backup are lost.
@Suite("Clients that know of writes lost in a restore get a reset", .blocking)
struct LostHistoryTests {
    private let server: ServerProcess
    private let file: String

    init() throws {
        server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        file = Sandbox.makeFolder() + "/backup.tar"
    }

    /// Restores the backup and returns the devices as clients of the restarted server.
    private func restore(_ devices: Device...) throws -> [Device] {
        try server.stop()
        try Operator.succeed(["restore", file, "--unauthenticated", "--replace", "--data", server.data])
        try server.start()
        return devices.map { device in
            var device = device
            device.client = server.client
            return device
        }
    }

    private func isReset(_ device: Device, _ query: String) throws -> Bool? {
        try device.pull(query).json["reset"] as? Bool
    }

    @Test("A lost write resets each client once, by sync_token, by Sync-Head or by last_sync")
    func restored() throws {
        var phone = try Device.new(server.client)
        var tablet = try phone.other()
        let kept = Preset("Kept")
        #expect(try phone.post(kept.json).status == 201)
        let old = try phone.pull().string("sync_token")
        try Operator.succeed(["backup", file, "--data", server.data])
        let lost = try #require(try phone.post(Preset("Lost").json).field("sync-head"))
        let seen = try tablet.pull("sync_token=\(old)")
        #expect(try isReset(phone, "sync_token=\(old)&seen=\(lost)") == false)

        let devices = try restore(phone, tablet)
        (phone, tablet) = (devices[0], devices[1])
        #expect(try isReset(tablet, "sync_token=\(seen.string("sync_token"))") == true, "it saw a lost write")
        let goesOn = try tablet.pull("sync_token=\(old)")
        #expect(goesOn.json["reset"] as? Bool == false && goesOn.versionNumbers == [:], "it saw none")
        // The phone has not pulled since its own write. Without `seen` it would keep an item that no other device has.
        #expect(try isReset(phone, "sync_token=\(old)") == false)
        let own = try phone.pull("sync_token=\(old)&seen=\(lost)")
        #expect(own.json["reset"] as? Bool == true && own.rawElements("configurations") == [kept.json])

        var time = seen.string("server_time")
        var resets: [Bool?] = []
        for _ in 0..<3 {
            let answer = try tablet.pull("last_sync=\(time)")
            #expect(answer.rawElements("configurations") == [kept.json], "the overlap repeats it")
            resets.append(answer.json["reset"] as? Bool)
            time = answer.string("server_time")
        }
        #expect(resets == [true, false, false])

        // A write of the current history at the same place in the sequence.
        let next = try phone.post(Preset("New").json)
        let head = try #require(next.field("sync-head"))
        #expect(next.string("created_at") >= time, "time goes on from there")
        #expect(head.prefix { $0 != "." } == lost.prefix { $0 != "." })
        #expect(try isReset(phone, "sync_token=\(old)&seen=\(head)") == false)
        #expect(try isReset(phone, "sync_token=\(old)&seen=\(lost),\(head)") == true)
        #expect(try isReset(tablet, "sync_token=\(lost)") == true)
    }
}
