import Testing

@testable import API
@testable import CloudSync

@Suite("Text of the account's state")
struct StateTextTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("Devices are shown with the values of their last messages, byte for byte")
    func text() {
        var heads = RealtimeHeads()
        (heads.configurations, heads.recordings) = ("1.a", "2.b")
        var stream = RealtimeStream(sessionID: "s")
        stream.started = Self.bytes(#"{"session_id":"S","destinations":[ 1.0 ]}"#)
        stream.metrics = Self.bytes(#"{"metrics":{"a": 1},"session_id":"S"}"#)
        let devices = [
            RealtimeDevice(
                name: "camera",
                isConnected: true,
                serverID: "x",
                status: Self.bytes(#"{"device_id":"camera","status": {"state": "idle"}}"#),
                accepts: nil,
                streams: [stream]
            ),
            RealtimeDevice(name: "silent", isConnected: true, serverID: "x", status: nil, accepts: nil, streams: []),
        ]
        let text = StateText.json(RealtimeState(version: 1, heads: heads, devices: devices))
        #expect(
            String(decoding: text, as: UTF8.self)
                == #"{"heads":{"configurations":"1.a","recordings":"2.b"},"devices":[{"device_id":"camera","status":{"state": "idle"}}],"#
                + #""streams":[{"device_id":"camera","session_id":"s","destinations":[ 1.0 ],"metrics":{"a": 1}}]}"#
        )
    }
}
