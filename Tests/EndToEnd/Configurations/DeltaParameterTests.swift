import TestSupport
import Testing

@Suite("Query parameters of a pull", .blocking)
struct DeltaParameterTests {
    @Test(
        "last_sync accepts RFC 3339 times with any fraction, offset and case",
        arguments: [
            "2025-06-01T12:00:00Z", "2025-06-01t12:00:00z", "2025-06-01T12:00:00.5Z", "2025-06-01T12:00:00.123456789Z",
            "2025-06-01T12:00:00%2B02:00", "2025-06-01T12:00:00+02:00", "2025-06-01T12:00:00-23:59",
            "2024-02-29T23:59:60Z", "0001-01-01T00:00:00Z",
            "2025-06-01T12%3A00%3A00Z",
        ]
    )
    func accepted(time: String) throws {
        #expect(try Shared.device().pull("last_sync=\(time)").status == 200)
    }

    @Test(
        "A malformed or repeated parameter of a pull gets 400 with a detail",
        arguments: [
            "last_sync=", "last_sync", "last_sync=yesterday", "last_sync=2025-06-01", "last_sync=2025-02-29T00:00:00Z",
            "last_sync=2025-06-01T12:00:00", "last_sync=2025-06-01%2012:00:00Z", "last_sync=2025-06-01T24:00:00Z",
            "last_sync=2025-06-01T12:00:00.Z", "last_sync=1748779200", "sync_token=x&last_sync=yesterday",
            "last_sync=2025-06-01T12:00:00Z%20", "last_sync=2025-06-01T12:00:00Z&last_sync=2025-06-01T12:00:00Z",
            "sync_token=x&sync_token=x", "seen=x&seen=x", "seen=\(String(repeating: "x,", count: 32))x",
            "limit=", "limit=0", "limit=-1", "limit=1.0", "limit=ten", "limit=5&limit=5", "device_id=",
            "device_id=a%00b", "device_id=a&device_id=a", "device_id=%zz", "device_id=%", "device_id=%ff",
        ]
    )
    func refused(query: String) throws {
        let answer = try Shared.device().pull(query)
        #expect(answer.verdict == "400 invalid-parameter")
        #expect(!answer.string("detail").isEmpty)
    }

    @Test(
        "A sync_token or seen of an unknown form gets the full set with reset",
        arguments: [
            "sync_token=", "sync_token=x", "sync_token=1.2", "sync_token=00000000-0000-0000-0000-000000000000.1",
            "sync_token=HEAD.1", "sync_token=HEAD.g", "sync_token=-HEAD", "sync_token=%20HEAD", "seen=x",
            "seen=HEAD,x", "last_sync=2025-06-01T12:00:00Z&seen=x",
        ]
    )
    func unreadable(query: String) throws {
        let (device, preset) = (try Shared.newDevice(), Preset())
        #expect(try device.post(preset.json).status == 201)
        let head = try device.pull().string("sync_token")
        let answer = try device.pull(query.replacing("HEAD", with: head))
        #expect(answer.json["reset"] as? Bool == true)
        #expect(answer.rawElements("configurations") == [preset.json])
        #expect(answer.string("sync_token") == head)
    }

    @Test("A sync_token overrides last_sync, and is valid on every device of the account")
    func tokenWins() throws {
        let device = try Shared.newDevice()
        let first = Preset("First")
        #expect(try device.post(first.json).status == 201)
        let token = try device.pull("device_id=phone").string("sync_token")
        let second = Preset("Second")
        #expect(try device.post(second.json).status == 201)
        let tablet = try device.other()
        let query = "last_sync=2099-01-01T00:00:00Z&sync_token=\(token)&device_id=tablet"
        let answer = try tablet.pull(query)
        #expect(answer.rawElements("configurations") == [second.json])
        #expect(answer.json["reset"] as? Bool == false)
    }

    @Test("device_id does not filter a pull, and unknown parameters are ignored")
    func deviceIDs() throws {
        let device = try Shared.device()
        let all = try device.pull().rawElements("versions")
        for id in ["phone", "never-seen", "%F0%9F%93%B7", "a'%20OR%20'1'='1", String(repeating: "x", count: 200)] {
            #expect(try device.pull("device_id=\(id)").status == 200)
        }
        #expect(try device.pull("device_id=\(String(repeating: "x", count: 201))").status == 400)
        #expect(try device.pull("verbose=1&utm_source=a&utm_source=b").rawElements("versions").count >= all.count)
    }
}
