import TestSupport
import Testing

/// A backup is made, devices write on, and the backup is restored. The writes after the backup are lost.
@Suite("After a restore, who knows of lost writes begins anew, and nobody else", .serialized, .blocking)
struct LostHistoryTests {
    private static let shared = Result { try ServerProcess(["--registration", "open", "--signatures", "optional"]) }
    private let server: ServerProcess
    private let file: String

    init() throws {
        server = try Self.shared.get()
        file = Sandbox.makeFolder() + "/backup.tar"
    }

    private func backUp() throws { try Operator.succeed(["backup", file, "--data", server.data]) }

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

    @Test(
        "By sync_token: who saw or made lost writes gets reset, who saw none goes on, after two restores as after one"
    )
    func tokens() throws {
        var phone = try Device.new(server.client)
        var tablet = try phone.other()
        let kept = Preset("Kept")
        #expect(try phone.post(kept.json).status == 201)
        let old = try phone.pull().string("sync_token")
        try backUp()
        var lost: [String] = []
        for round in 1...2 {
            let head = try #require(try phone.post(Preset("Lost \(round)").json).field("sync-head"))
            let seen = try tablet.pull("sync_token=\(old)").string("sync_token")
            #expect(try isReset(phone, "sync_token=\(old)&seen=\(head)") == false)
            lost.append(head)

            let devices = try restore(phone, tablet)
            (phone, tablet) = (devices[0], devices[1])
            #expect(try isReset(tablet, "sync_token=\(seen)") == true, "it saw a lost write")
            let goesOn = try tablet.pull("sync_token=\(old)")
            #expect(goesOn.json["reset"] as? Bool == false && goesOn.versionNumbers == [:], "it saw none")
            // The phone has not pulled since its own write. Without `seen` it would keep an item that no other device
            // has.
            #expect(try isReset(phone, "sync_token=\(old)") == false)
            for head in lost {
                let own = try phone.pull("sync_token=\(old)&seen=\(head)")
                #expect(own.json["reset"] as? Bool == true && own.rawElements("configurations") == [kept.json])
            }
        }
        // A write of the current history at the same place in the sequence.
        let head = try #require(try phone.post(Preset("New").json).field("sync-head"))
        #expect(head.prefix { $0 != "." } == lost[0].prefix { $0 != "." })
        #expect(try isReset(phone, "sync_token=\(old)&seen=\(head)") == false)
        #expect(try isReset(phone, "sync_token=\(old)&seen=\(lost[0]),\(head)") == true)
        for token in lost { #expect(try isReset(tablet, "sync_token=\(token)") == true) }
    }

    @Test("By last_sync: one reset, then none, also when nobody writes")
    func times() throws {
        var phone = try Device.new(server.client)
        let kept = Preset("Kept")
        #expect(try phone.post(kept.json).status == 201)
        try backUp()
        #expect(try phone.post(Preset("Lost").json).status == 201)
        var time = try phone.pull().string("server_time")
        phone = try restore(phone)[0]
        var resets: [Bool?] = []
        for _ in 0..<3 {
            let answer = try phone.pull("last_sync=\(time)")
            #expect(answer.rawElements("configurations") == [kept.json], "the overlap repeats it")
            resets.append(answer.json["reset"] as? Bool)
            time = answer.string("server_time")
        }
        #expect(resets == [true, false, false])
        let next = try phone.post(Preset("Next").json).string("created_at")
        #expect(next >= time, "time goes on from there")
    }

    @Test("Equal numbers of two histories are two versions: a tag of the lost one names none")
    func tags() throws {
        var phone = try Device.new(server.client)
        let preset = Preset()
        let id = preset.id
        #expect(try phone.post(preset.json).status == 201)
        try backUp()
        let lost = try phone.put(id, preset.edited("Lost", minute: 5).json)
        phone = try restore(phone)[0]
        let current = preset.edited("Current", minute: 6)
        let written = try phone.put(id, current.json)
        #expect(written.version == lost.version && written.tag != lost.tag)

        let mine = preset.edited("Mine", minute: 7)
        let answers = [
            try phone.put(id, mine.json, lost.ifMatch),
            try phone.put(id, mine.json, lost.ifMatch + [("Prefer", "merge")]),
            try phone.patch(id, #"{"name":"Mine"}"#, lost.ifMatch), try phone.delete(id, lost.ifMatch),
        ]
        for answer in answers {
            Problems.check(answer, "412 version-mismatch")
            #expect(answer.raw("current") == current.json && answer.tag == written.tag)
        }
        Problems.check(try phone.restore(tag: lost.tag, of: id), "404 not-found")
        #expect(try phone.get(id, [("If-None-Match", "\"\(lost.tag)\"")]).text == current.json)
        #expect(try phone.put(id, mine.json, written.ifMatch).version == 3)
    }

    @Test("A write of a lost branch is repeated: it happens again, once")
    func repeated() throws {
        var phone = try Device.new(server.client)
        let (gone, edited) = (Preset("Gone"), Preset("Edited"))
        let bases = try [gone, edited].map { try phone.post($0.json).ifMatch }
        try backUp()
        let mine = edited.edited("Mine", minute: 5)
        let lost = [try phone.delete(gone.id, bases[0]), try phone.put(edited.id, mine.json, bases[1])]
        #expect(try phone.delete(gone.id).tag == lost[0].tag)
        phone = try restore(phone)[0]
        #expect(try phone.get(gone.id).text == gone.json, "it is back")
        for fields in [bases[0], bases[0], []] {
            let again = try phone.delete(gone.id, fields)
            #expect(again.version == 2 && again.tag != lost[0].tag)
        }
        for _ in 0..<2 { #expect(try phone.put(edited.id, mine.json, bases[1]).version == 2) }
        #expect(try phone.pull().versionNumbers == [gone.id: 2, edited.id: 2])
        #expect(try phone.pull().rawElements("deleted") == ["\"\(gone.id)\""])
    }
}
