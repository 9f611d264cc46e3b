import Foundation
import TestSupport
import Testing

@Suite("Devices", .blocking)
struct DeviceTests {
    private func put(_ device: Device, _ id: String, _ body: String = #"{"name":"Camera"}"#) throws -> HTTPAnswer {
        try device.send("PUT", "/v2/devices/\(id)", body: body)
    }

    private func ids(_ device: Device) throws -> [String] {
        try device.send("GET", "/v2/devices").members("id", of: "devices")
    }

    @Test("The list of devices has those that logged in, pulled or were put, and marks the caller's")
    func listed() throws {
        let client = try Shared.client()
        let phone = try Device.new(client)
        let tablet = try phone.other()
        #expect(try tablet.pull("device_id=watch").status == 200)
        let answer = try put(tablet, "camera", #"{"name":"Camera","model":"NV-1","app_version":"3.2.0"}"#)
        #expect(answer.status == 201)
        #expect(answer.string("name") == "Camera")
        let list = try tablet.send("GET", "/v2/devices")
        let devices = list.objects("devices")
        #expect(Set(devices.compactMap { $0["id"] as? String }) == ["phone", "tablet", "watch", "camera"])
        #expect(devices.filter { $0["current"] as? Bool == true }.map { $0["id"] as? String } == ["tablet"])
        let camera = try #require(devices.first { $0["id"] as? String == "camera" })
        #expect(camera["model"] as? String == "NV-1")
        #expect(camera["app_version"] as? String == "3.2.0")
        #expect((camera["first_seen_at"] as? String)?.hasSuffix("Z") == true)
        #expect(list.raw("devices")?.contains(answer.text) == true)
    }

    @Test("PUT of a device replaces all its members, and repeating it changes nothing")
    func replaced() throws {
        let device = try Shared.newDevice()
        #expect(try put(device, "camera", #"{"name":"A","model":"NV-1","app_version":"1"}"#).status == 201)
        let second = try put(device, "camera", #"{"name":"B","model":null}"#)
        #expect(second.status == 200)
        #expect(second.raw("model") == "null")
        #expect(second.raw("app_version") == "null")
        #expect(try put(device, "camera", #"{"name":"B","model":null}"#).body == second.body)
        #expect(try ids(device) == ["camera"])
    }

    private func patch(_ device: Device, _ id: String, _ body: String) throws -> HTTPAnswer {
        try device.send("PATCH", "/v2/devices/\(id)", [("Content-Type", "application/merge-patch+json")], body: body)
    }

    @Test("PATCH of a device changes the members that it names and keeps the others")
    func patched() throws {
        let device = try Shared.newDevice()
        let whole = try put(device, "camera", #"{"name":"A","model":"NV-1","app_version":"1"}"#)
        for (body, expected) in [
            ("{}", ["A", "NV-1", "1"]), (#"{"name":"B"}"#, ["B", "NV-1", "1"]),
            (#"{"app_version":"2","model":null}"#, ["B", nil, "2"]), (#"{"model":"NV-2"}"#, ["B", "NV-2", "2"]),
            (#"{"name":null}"#, [nil, "NV-2", "2"]), (whole.text, ["A", "NV-1", "1"]),
            (#"{"id":"x","current":true,"first_seen_at":"2020-01-01T00:00:00Z"}"#, ["A", "NV-1", "1"]),
        ] as [(String, [String?])] {
            for _ in 0..<2 {
                let answer = try patch(device, "camera", body)
                #expect(answer.status == 200, "\(body)")
                let found = ["name", "model", "app_version"].map { answer.json[$0] as? String }
                #expect(found == expected, "\(body)")
            }
        }
        #expect(try patch(device, "camera", "{}").text == whole.text)
        #expect(try ids(device) == ["camera"])
    }

    @Test("PATCH of an unknown device gets 404 and adds none, and a wrong member or no object gets 422")
    func badPatches() throws {
        let device = try Shared.newDevice()
        Problems.check(try patch(device, "camera", #"{"name":"B"}"#), "404 not-found")
        #expect(try ids(device) == [])
        #expect(try put(device, "camera").status == 201)
        for body in [#"{"name":""}"#, #"{"model":7}"#, #"{"app_version":[]}"#, "[]", "null", #""x""#] {
            Problems.check(try patch(device, "camera", body), "422 invalid-document")
        }
        let json = try device.send("PATCH", "/v2/devices/camera", body: #"{"name":"B"}"#)
        Problems.check(json, "415 unsupported-media-type")
        let other = try Shared.newDevice()
        Problems.check(try patch(other, "camera", #"{"name":"B"}"#), "404 not-found")
        #expect(try device.send("GET", "/v2/devices").text.contains(#""name":"Camera""#))
    }

    @Test("A device's name is in the history of its writes until the device is removed")
    func history() throws {
        let device = try Shared.newDevice()
        let preset = Preset()
        #expect(try device.post(preset.json).status == 201)
        #expect(try put(device, "phone", #"{"name":"Ada's phone"}"#).status == 201)
        let other = try Shared.session(of: device, on: "tablet")
        #expect(try other.versions(preset.id).text.contains(#""device":{"id":"phone","name":"Ada's phone"}"#))
        #expect(try other.send("DELETE", "/v2/devices/phone").status == 204)
        #expect(try other.versions(preset.id).text.contains(#""device":{"id":"phone","name":null}"#))
    }

    @Test("A device's id in a path is any text of 1 to 200 characters without control characters")
    func identifiers() throws {
        let device = try Shared.newDevice()
        let names = ["Ada's phone / 2", "📷", "..", "%", String(repeating: "é", count: 200)]
        for name in names {
            let encoded = name.utf8.map { "%" + String(Int($0) + 0x100, radix: 16).suffix(2) }.joined()
            #expect(try put(device, encoded).string("id") == name)
        }
        #expect(try Set(ids(device)) == Set(names))
        for id in [String(repeating: "x", count: 201), String(repeating: "%c3%a9", count: 201)] {
            Problems.check(try put(device, id), "400 invalid-parameter")
            Problems.check(try device.send("DELETE", "/v2/devices/\(id)"), "400 invalid-parameter")
        }
        Problems.check(try put(device, "%00"), "400 bad-request")
        Problems.check(try device.send("DELETE", "/v2/devices/unknown"), "404 not-found")
        Problems.check(try put(device, ""), "404 not-found")
    }

    @Test(
        "A device with an empty, too long or non-string member is refused",
        arguments: [
            "{}", #"{"name":null}"#, #"{"name":""}"#, #"{"name":7}"#, #"{"name":"x","model":""}"#,
            #"{"name":"x","app_version":[]}"#, #"{"name":"\#(String(repeating: "é", count: 201))"}"#,
            #"{"name":"x","app_version":"\#(String(repeating: "1", count: 101))"}"#,
        ]
    )
    func refused(body: String) throws {
        let device = try Shared.newDevice()
        Problems.check(try put(device, "camera", body), "422 invalid-document")
        #expect(try ids(device) == [])
    }

    @Test("Removing a lost device ends its sessions at once, and no others; removing it again is 404")
    func removed() throws {
        let tablet = try Shared.newDevice()
        let lost = try [Shared.session(of: tablet, on: "lost"), Shared.session(of: tablet, on: "lost")]
        let stranger = try Shared.session(of: Shared.newDevice(), on: "lost")
        #expect(try put(tablet, "lost").status == 201)
        for device in lost { #expect(try device.pull().status == 200) }
        #expect(try tablet.send("DELETE", "/v2/devices/lost").status == 204)
        for device in lost {
            #expect(try device.pull().verdict == "401 session-ended")
            #expect(try device.post(Preset().json).verdict == "401 session-ended")
            #expect(try device.send("POST", "/v2/auth/refresh").verdict == "401 session-ended")
        }
        #expect(try stranger.pull().status == 200)
        #expect(try tablet.pull().status == 200)
        #expect(try ids(tablet) == [])
        Problems.check(try tablet.send("DELETE", "/v2/devices/lost"), "404 not-found")
        // If the owner finds the device and logs in, the device is in the list again.
        #expect(try Shared.session(of: tablet, on: "lost").pull("device_id=lost").status == 200)
        #expect(try ids(tablet) == ["lost"])
    }

    @Test("A session that removes its own device has ended")
    func ownDevice() throws {
        let device = try Shared.newDevice()
        #expect(try put(device, "phone").status == 201)
        #expect(try device.send("DELETE", "/v2/devices/phone").status == 204)
        #expect(try device.send("GET", "/v2/devices").verdict == "401 session-ended")
    }

    @Test("An account has at most 100 devices, also with concurrent PUTs; a new device can still log in")
    func bounded() async throws {
        let device = try Shared.newDevice()
        try Shared.server.get().sql(
            "INSERT INTO devices (user_id, id) SELECT '\(device.userID)', 'old ' || n FROM generate_series(1, 95) n"
        )
        let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
            for number in 0..<12 { group.addTask { try put(device, "new\(number)") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.filter { $0.status == 201 }.count == 5)
        for answer in answers where answer.status != 201 {
            Problems.check(answer, "403 quota-exceeded")
            #expect(answer.string("quota") == "devices" && answer.int("limit") == 100 && answer.int("used") == 100)
        }
        #expect(try device.send("GET", "/v2/devices").objects("devices").count == 100)
        let quotas = try device.send("GET", "/v2/account/quota").objects("quotas")
        let ofDevices = try #require(quotas.first { $0["quota"] as? String == "devices" })
        #expect(ofDevices["used"] as? Int == 100 && ofDevices["limit"] as? Int == 100)
        let late = try device.other(name: "late")
        #expect(try late.pull().status == 200)
        #expect(try !ids(device).contains("late"))
        #expect(try put(device, "old%201").status == 200)
        #expect(try device.pull("device_id=another").status == 200)
        #expect(try device.send("DELETE", "/v2/devices/old%201").status == 204)
        #expect(try put(device, "another").status == 201)
    }

    @Test("A device is known to the limits of logins after a login, not because it was put or seen")
    func known() throws {
        let device = try Shared.newDevice()
        func known() throws -> [String] {
            try Shared.server.get().sql(
                "SELECT id FROM devices WHERE user_id = '\(device.userID)' AND logged_in_at IS NOT NULL ORDER BY id"
            )
        }
        #expect(try put(device, "put").status == 201)
        #expect(try device.pull("device_id=seen").status == 200)
        #expect(try known() == [])
        #expect(try device.other(name: "put").pull().status == 200)
        #expect(try put(device, "put").status == 200)
        #expect(try known() == ["put"])
        #expect(try device.send("DELETE", "/v2/devices/put").status == 204)
        #expect(try put(device, "put").status == 201)
        #expect(try known() == [])
    }
}
