import Foundation
import Testing

@testable import NeuroViewsClient

@Suite("The presence of other devices")
struct PresenceBookTests {
    private let id = UUID()
    private var book = PresenceBook()

    @Test("The newest status of a device counts, with its state and the commands that it accepts")
    mutating func newest() {
        _ = book.take(.status(device: "phone", ["state": "idle"]))
        _ = book.take(.status(device: "phone", ["state": "recording", "accepts": ["capture_photo"]]))
        let tellsOfDevice = book.take(.status(device: "mac", "here"))
        #expect(tellsOfDevice)
        let devices = book.presence.devices
        #expect(devices.map(\.id) == ["mac", "phone"])
        #expect(devices.map(\.state) == [nil, "recording"] && devices.map(\.accepts) == [nil, ["capture_photo"]])
    }

    @Test("A device that goes offline takes its streams along, and no other's")
    mutating func offline() {
        let other = UUID()
        for (device, stream) in [("phone", id), ("mac", other)] {
            _ = book.take(.status(device: device, [:]))
            _ = book.take(.streamMetrics(device: device, stream, ["fps": 30]))
        }
        _ = book.take(.status(device: "phone", ["state": "offline"]))
        #expect(book.presence.devices.map(\.id) == ["mac"] && book.presence.streams.map(\.id) == [other])
    }

    @Test("A stream has its newest destinations, figures and error until it stops")
    mutating func stream() {
        _ = book.take(.streamStarted(device: "phone", id, [["id": "a"]]))
        _ = book.take(.streamMetrics(device: "phone", id, ["fps": 30]))
        _ = book.take(.streamMetrics(device: "phone", id, ["fps": 25]))
        _ = book.take(.streamError(device: "phone", id, "slow"))
        let stream = book.presence.streams.first
        #expect(stream?.destinations == [["id": "a"]] && stream?.metrics == ["fps": 25] && stream?.error == "slow")
        _ = book.take(.streamStopped(device: "phone", id))
        #expect(book.presence.streams.isEmpty)
    }

    @Test("A device changes and stops no stream of another one")
    mutating func others() {
        _ = book.take(.streamStarted(device: "phone", id, []))
        _ = book.take(.streamError(device: "mac", id, "wrong"))
        _ = book.take(.streamStopped(device: "mac", id))
        #expect(book.presence.streams.map(\.device) == ["phone"] && book.presence.streams.first?.error == nil)
    }

    @Test("Notices, commands and refusals tell nothing of a device")
    mutating func nothing() {
        let tellsOfDevice = book.take(.heads(configurations: "c1", recordings: "r1"))
        #expect(!tellsOfDevice)
    }

    @Test("The server's answer is read without this device, and a wrong one is nothing")
    func answer() throws {
        let stream = #"{"device_id":"phone","session_id":"\#(id.uuidString)","destinations":[{"id":"a"}],"error":1}"#
        let text = """
            {"devices":[{"device_id":"phone","status":{"state":"idle"}},{"device_id":"own","status":1}],"streams":[\(stream)]}
            """
        let presence = try #require(Presence(Given.json(text), without: "own"))
        #expect(presence.devices.map(\.id) == ["phone"] && presence.streams.map(\.id) == [id])
        #expect(presence.streams[0].metrics == nil && presence.streams[0].error == 1)
        #expect(Presence(Given.json(#"{"devices":[{"device_id":"phone"}],"streams":[]}"#), without: nil) == nil)
        #expect(Presence(Given.json(#"{"devices":[],"streams":[{}]}"#), without: nil) == nil)
    }

    @Test("A slow listener gets the newest presence, and a late one what is known")
    func feed() async {
        let feed = PresenceFeed()
        var presences: [Presence] = []
        var book = book
        var early = feed.watch().makeAsyncIterator()
        for number: Int64 in 0..<3 {
            _ = book.take(.status(device: "phone", .number(.init(number))))
            presences.append(book.presence)
            feed.show(book.presence)
        }
        var late = feed.watch().makeAsyncIterator()
        #expect(await early.next() == presences[2])
        #expect(await late.next() == presences[2])
    }
}
