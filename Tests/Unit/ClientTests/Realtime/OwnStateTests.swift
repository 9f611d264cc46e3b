import Foundation
import NeuroViewsJSON
import Testing

@testable import NeuroViewsClient

@Suite("Own status and streams")
struct OwnStateTests {
    private let ids = (0..<5).map { _ in UUID() }
    private var own = OwnStates()

    private func read(_ messages: [[UInt8]]) -> [JSON] {
        messages.map { Given.json(String(decoding: $0, as: UTF8.self)) }
    }

    private func types(_ messages: [[UInt8]]) -> [String?] { read(messages).map { $0["type"]?.string } }

    @Test("The newest of several statuses is sent, with the device and the commands that it accepts")
    mutating func status() {
        for state in ["idle", "recording"] {
            own.set(status: RealtimeText.status(["state": .string(state)], accepts: ["set_zoom"], of: "phone"))
        }
        let data = #"{"device_id":"phone","status":{"state":"recording","accepts":["set_zoom"]}}"#
        let (changed, then, all) = (own.takeChanged(), own.takeChanged(), own.takeAll())
        #expect(read(changed).map { $0["data"] } == [Given.json(data)])
        #expect(then.isEmpty && types(all) == ["device_status"])
    }

    @Test("A new socket gets the status and each stream's newest messages in their order")
    mutating func all() {
        own.set(status: RealtimeText.status([:], accepts: [], of: "phone"))
        _ = own.take(.started(ids[0], destinations: []))
        for rate: Int64 in 0..<3 { _ = own.take(.metrics(ids[0], ["fps": .number(.init(rate))])) }
        _ = own.take(.failed(ids[0], "slow"))
        let (all, changed) = (own.takeAll(), own.takeChanged())
        #expect(types(all) == ["device_status", "streaming_started", "streaming_metrics", "streaming_error"])
        #expect(read(all)[2]["data"]?["metrics"] == Given.json(#"{"fps":2}"#))
        #expect(changed.isEmpty)
    }

    @Test("After the stop of a stream nothing else of it is sent, and the stop over a new socket, too")
    mutating func stopped() {
        _ = own.take(.started(ids[0], destinations: []))
        _ = own.take(.metrics(ids[0], [:]))
        let isKnown = own.take(.stopped(ids[0]))
        let (changed, all) = (own.takeChanged(), own.takeAll())
        #expect(isKnown && types(changed) == ["streaming_stopped"] && types(all) == ["streaming_stopped"])
        let later = [own.take(.metrics(ids[0], [:])), own.take(.stopped(ids[0]))]
        #expect(later == [false, false])
    }

    @Test("The fifth stream takes the place of the first")
    mutating func fifth() {
        for id in ids { _ = own.take(.started(id, destinations: [])) }
        let areKnown = [own.take(.metrics(ids[0], [:])), own.take(.metrics(ids[4], [:]))]
        #expect(areKnown == [false, true])
    }

    @Test("Keys and tokens of destinations stay on the device")
    mutating func secrets() {
        let secrets: NeuroViewsClient.JSONValue.Object = [
            "id": "a", "stream_key": "s", "streamKey": "s", "auth_token": "s", "authToken": "s",
        ]
        _ = own.take(.started(ids[0], destinations: [secrets]))
        let all = own.takeAll()
        #expect(read(all).first?["data"]?["destinations"] == Given.json(#"[{"id":"a"}]"#))
    }

    @Test("The next socket gets the status and outcomes that wait, but none of another account")
    func otherAccount() {
        let accounts = [ids[0], ids[1]]
        let sent = accounts.map { account in
            let (realtime, channel) = (Realtime(), FakeChannel())
            realtime.enter(accounts[0])
            realtime.own.set(status: RealtimeText.status([:], accepts: [], of: "phone"))
            realtime.send(result: RealtimeText.result(.done(), to: ids[2]), of: ids[2], deadline: .now + .seconds(60))
            realtime.connect(channel, of: account)
            return channel.sent.map { $0["type"]?.string }
        }
        #expect(sent == [["device_status", "command_result"], []])
    }

    @Test("An outcome goes over each further socket until its deadline, and again when the server has not stored it")
    func outcome() {
        let (realtime, dead, channel) = (Realtime(), FakeChannel(), FakeChannel())
        realtime.enter(ids[0])
        realtime.connect(dead, of: ids[0])
        realtime.send(result: RealtimeText.result(.done(), to: ids[1]), of: ids[1], deadline: .now + .seconds(60))
        realtime.send(result: RealtimeText.result(.done(), to: ids[2]), of: ids[2], deadline: .now)
        realtime.connect(channel, of: ids[0])
        #expect(channel.sent.count == 1 && realtime.keepsResult(of: ids[1]) && !realtime.keepsResult(of: ids[2]))
        for id in ids { realtime.sendAgain(id) }
        #expect(channel.sent.count == 2)
    }
}
