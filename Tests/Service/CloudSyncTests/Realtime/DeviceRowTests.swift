import Testing

@testable import CloudSync

/// The states of a device, and its row for other servers.
struct DeviceRowTests {
    @Test("A device's row is written at once, then once a second, and 300 rows at a time")
    func rows() throws {
        var rows = DeviceRows()
        let account = try #require(AccountID("5d2f6a2c-3b7e-4a6d-9c1b-0f3e8d7a6b5c"))
        let key = DeviceRows.Key(account: account, device: "camera")
        rows.note(key, writtenAtMs: 0, nowMs: 5000)
        rows.note(key, writtenAtMs: 0, nowMs: 5000)
        #expect(rows.take(nowMs: 5000) == [key])
        #expect(rows.isEmpty)
        rows.note(key, writtenAtMs: 5000, nowMs: 5400)
        #expect(rows.take(nowMs: 5999) == [])
        #expect(rows.take(nowMs: 6000) == [key])
        for number in 0..<301 {
            rows.note(.init(account: key.account, device: "\(number)"), writtenAtMs: 0, nowMs: 7000)
        }
        #expect(rows.take(nowMs: 7000).count == 300)
        #expect(rows.take(nowMs: 7000).count == 1)
    }

    @Test("A device's states survive their row byte for byte, with the commands that the status names")
    func states() {
        var states = DeviceStates()
        func take(_ kind: RealtimeEvent.Kind, _ data: String) {
            _ = states.take(RealtimeEvent(kind, data: Array(data.utf8)), of: "camera", nowMs: 1)
        }
        take(
            .deviceStatus(deviceID: "camera", accepts: ["capture_photo", "x"]),
            #"{ "device_id":"camera","status":{"accepts":["capture_photo","\u0078"], "n":1.50e+0}}"#
        )
        take(.streamingStarted(sessionID: "b"), #"{"session_id":"b","destinations":[ ]}"#)
        take(.streamingMetrics(sessionID: "a"), #"{"session_id":"a","metrics":{}}"#)
        take(.streamingError(sessionID: "a"), #"{"session_id":"a","error":"],}"}"#)
        let read = DeviceStates(rowText: states.rowText)
        #expect(read.status == states.status && read.accepts == ["capture_photo", "x"])
        #expect(DeviceStates.changes(from: states, to: read, of: "camera") == [])
        #expect(read.streams.map(\.sessionID) == ["a", "b"])
        #expect(DeviceStates().rowText == nil && DeviceStates(rowText: nil) == DeviceStates())
    }

    @Test("A fifth stream of a device ends the one that has been silent longest")
    func streams() {
        var states = DeviceStates()
        for (index, id) in ["d", "a", "c", "b"].enumerated() {
            let event = RealtimeEvent(.streamingStarted(sessionID: id), data: [])
            _ = states.take(event, of: "camera", nowMs: UInt64(index + 1))
        }
        let keys = states.take(RealtimeEvent(.streamingMetrics(sessionID: "e"), data: []), of: "camera", nowMs: 9)
        #expect(keys == [.stream("camera", "d"), .metrics("camera", "e")])
        #expect(states.streams.map(\.sessionID) == ["a", "b", "c", "e"])
    }
}
