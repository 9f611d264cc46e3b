import Foundation
import NeuroViewsJSON
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("The link of a started client", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct RealtimeLinkTests {
    private let given = SyncGiven()
    private let channels = FakeChannels()

    /// A client that is logged in and polls once in an hour.
    private func client(_ change: (inout Options) -> Void = { _ in }) async throws -> NeuroViews {
        try await given.synced { setup, options in
            setup.channels = channels
            options.pollInterval = .seconds(3600)
            change(&options)
        }
    }

    /// The same, started, after its first sync.
    private func started() async throws -> (NeuroViews, FakeChannel) {
        let (client, pulls) = (try await client(), given.pulls)
        await client.start()
        let channel = try await channels.channel(0)
        try await eventually("the first sync") { given.pulls > pulls }
        try await settle(client)
        return (client, channel)
    }

    /// Waits until no sync runs or is due soon.
    private func settle(_ client: NeuroViews) async throws {
        try await eventually("the end of the sync") {
            await client.inside { client in
                client.running == nil && client.schedule.due.map { $0 > .now + .seconds(60) } == true
            }
        }
    }

    /// Waits until everything that a socket has said is handled.
    private func hear(_ channel: FakeChannel, _ client: NeuroViews) async throws {
        let device = UUID().uuidString
        channel.say(Said.status(device, "{}"))
        try await eventually("the last message") {
            await client.inside { client in client.realtime.book.presence.devices.contains { $0.id == device } }
        }
    }

    /// Waits until the app is shown these devices.
    private func shows(_ client: NeuroViews, _ devices: [String]) async throws {
        try await eventually("the presence of \(devices)") {
            var presences = client.presenceChanges().makeAsyncIterator()
            return await presences.next()?.devices.map(\.id) == devices
        }
    }

    @Test("A device that went while there was no socket is gone from the presence when the next one begins")
    func goneMeanwhile() async throws {
        let (client, channel) = try await started()
        channel.say(Said.status("phone", "{}"))
        try await shows(client, ["phone"])
        channel.end(1012, "1")
        try await channels.channel(1).say(Said.heads("t0"))
        try await shows(client, [])
        await client.stop()
    }

    @Test("A start while a stop waits for the link counts: its sync is not ended")
    func startDuringStop() async throws {
        let (client, opening, hasStopped) = (try await client(), Gate(), Guarded(false))
        channels.answer(.waits(opening))
        await client.start()
        try await eventually("the opening") { await opening.count == 1 }
        try await settle(client)
        let stop = Task {
            await client.stop()
            hasStopped.withLock { $0 = true }
        }
        try await eventually("the stop") { await client.inside { client in !client.core.isStarted } }
        let pull = given.gate.close()
        await client.start()
        try await eventually("the pull") { await pull.count == 1 }
        await opening.open()
        // A stop that goes on ends the sync here.
        _ = try await happens { hasStopped.withLock { $0 } }
        await pull.open()
        await stop.value
        try await settle(client)
        let failure = await client.inside { client in client.lastFailure }
        #expect(failure == nil)
        await client.stop()
    }

    @Test("A notice of a change that this device does not have starts a sync; the same notice again starts none")
    func notice() async throws {
        let (client, channel) = try await started()
        given.server.put(UUID(), "theirs")
        let pulls = given.pulls
        channel.say(Said.heads("t1"))
        try await eventually("the pull") { try await client.names == ["theirs"] }
        try await settle(client)
        channel.say(Said.heads("t1"))
        try await hear(channel, client)
        try await settle(client)
        #expect(given.pulls == pulls + 1)
        await client.stop()
    }

    @Test("A notice of the own write, which comes during its sync, starts no other sync")
    func ownWrite() async throws {
        let (client, channel) = try await started()
        _ = try await client.make("mine")
        let gate = given.gate.close()
        async let report = client.sync()
        try await eventually("the sync") { await gate.count == 1 }
        let pulls = given.pulls
        channel.say(Said.heads("t1"))
        try await hear(channel, client)
        await gate.open()
        #expect(try await report.sent == 1)
        try await settle(client)
        #expect(given.pulls == pulls + 1)
        await client.stop()
    }

    @Test("A notice during a sync, of a change that the sync does not bring, is followed by another sync")
    func meanwhile() async throws {
        let (client, channel) = try await started()
        let gate = given.gate.close()
        async let report = client.sync()
        try await eventually("the sync, whose answer is made") { await gate.count == 1 }
        given.server.put(UUID(), "theirs")
        channel.say(Said.heads("t1"))
        try await hear(channel, client)
        await gate.open()
        #expect(try await report.pulled == 0)
        try await eventually("the other sync") { try await client.names == ["theirs"] }
        await client.stop()
    }

    @Test("A notice within a pause of the server's starts no sync")
    func pause() async throws {
        let (client, channel) = try await started()
        let busy = AnswerTable.json(503, #"{"type":"https://x/problems/overloaded"}"#, [("Retry-After", "120")])
        given.server.meet("GET", .given(busy))
        #expect(await client.syncFailure() != nil)
        let before = given.table.requests.count
        channel.say(Said.heads("t9"))
        try await hear(channel, client)
        let isFar = await client.inside { client in client.schedule.due.map { $0 > .now + .seconds(60) } }
        #expect(isFar == true)
        #expect(given.table.requests.count == before)
        await client.stop()
    }

    @Test("Other heads of recordings are an event, the first ones are not")
    func recordings() async throws {
        let (client, channel) = try await started()
        var events = client.events().makeAsyncIterator()
        for head in ["r1", "r1", "r2"] { channel.say(Said.heads("t0", recordings: head)) }
        channel.say(#"{"type":"error","data":{"problem":{"type":"/problems/rate-limited","status":429}}}"#)
        guard case .recordingsChanged? = await events.next() else { throw Program.Failure("no event") }
        guard case .realtimeRefused(let problem)? = await events.next() else { throw Program.Failure("two events") }
        #expect(problem.code == "rate-limited")
        await client.stop()
    }

    @Test("A socket that ends is followed by another, which gets the present status")
    func reconnect() async throws {
        let (client, channel) = try await started()
        try await client.setStatus(["state": "recording"], accepts: ["set_zoom"])
        try await eventually("the status") { !channel.sent.isEmpty }
        channel.end(1012, "1")
        let next = try await channels.channel(1)
        try await eventually("the status on the next socket") { next.sent == channel.sent }
        #expect(next.sent.first?["data"]?["status"]?["accepts"] == Given.json(#"["set_zoom"]"#))
        let device = try await client.inside { try $0.session.deviceID }
        #expect(next.sent.first?["data"]?["device_id"]?.string == device)
        await client.stop()
        #expect(next.hasEnded)
    }

    @Test("States that change within 200 ms go together, each in its newest form")
    func pace() async throws {
        let (client, channel) = try await started()
        let stream = UUID()
        try await client.inside { client in
            for state in ["one", "two", "three"] { try client.setStatus(["state": .string(state)]) }
            try client.reportStream(.started(stream, destinations: []))
        }
        try await eventually("the stream") { channel.sent.last?["type"]?.string == "streaming_started" }
        #expect(channel.sent.map { $0["data"]?["status"]?["state"]?.string } == ["one", "three", nil])
        await #expect(throws: ClientError.self) { try await client.reportStream(.stopped(UUID())) }
        await #expect(throws: ClientError.self) {
            try await client.setStatus(["long": .string(String(repeating: "a", count: 16 << 10))])
        }
        await client.stop()
    }

    @Test("A client that broke the rules opens no other socket until the next start")
    func violation() async throws {
        let (client, channel) = try await started()
        channel.end(1008)
        try await eventually("the end of the link") { await client.link == nil }
        await client.inside { $0.networkIsBack() }
        #expect(await client.link == nil)
        #expect(channels.channels.count == 1)
        await client.stop()
        await client.start()
        _ = try await channels.channel(1)
        await client.stop()
    }

    @Test("A server without realtime is asked once, and syncs go on")
    func missing() async throws {
        channels.answer(.refuses(AnswerTable.problem(404, "not-found")))
        let client = try await client()
        await client.start()
        try await eventually("the end of the link") { await client.link == nil && !channels.requests.isEmpty }
        _ = try await client.make("mine")
        try await client.sync()
        #expect(given.names == ["mine"] && channels.requests.count == 1)
        await client.stop()
    }

    @Test("An app that wants no notices has no socket")
    func unwanted() async throws {
        let client = try await client { $0.followsNotices = false }
        await client.start()
        #expect(await client.link == nil && channels.requests.isEmpty)
        await client.stop()
    }

    @Test("A client whose sockets fail polls the state until that fails, and then pauses before the next socket")
    func longPoll() async throws {
        let (polls, failedAt) = (Guarded(0), Guarded<ContinuousClock.Instant?>(nil))
        let busy = AnswerTable.json(503, #"{"type":"https://x/problems/overloaded"}"#, [("Retry-After", "1")])
        given.table.answer { [server = given.server] request throws(TransportError) in
            guard request.path.hasPrefix("/realtime/state") else { return try server.answer(request) }
            let number = polls.withLock { polls in
                polls += 1
                return polls
            }
            let device = #"{"device_id":"phone","status":{"state":"idle"}}"#
            let text = """
                {"heads":{"configurations":"t\(number)","recordings":"r0"},"devices":[\(device)],"streams":[]}
                """
            if number < 3 { return AnswerTable.json(200, text, [("ETag", "\"\(number)\"")]) }
            failedAt.withLock { $0 = ContinuousClock.now }
            return busy
        }
        channels.answer(.fails(.cut("a proxy")), .refuses(AnswerTable.problem(426, "upgrade-required")))
        let client = try await client()
        var presences = client.presenceChanges().makeAsyncIterator()
        given.server.put(UUID(), "theirs")
        await client.start()
        #expect(await presences.next()?.devices.map(\.state) == ["idle"])
        _ = try await channels.channel(0)
        let failed = try #require(failedAt.withLock { $0 })
        #expect(ContinuousClock.now - failed >= .seconds(1))
        try await eventually("the pull") { try await client.names == ["theirs"] }
        let asked = given.table.requests.filter { $0.path.hasPrefix("/realtime/state") }
        #expect(asked.map(\.path) == ["/realtime/state"] + Array(repeating: "/realtime/state?wait_s=50", count: 2))
        #expect(asked.map { $0.fields["if-none-match"] } == [nil, "\"1\"", "\"2\""])
        #expect(channels.requests.count == 3)
        await client.stop()
    }

    @Test("Before a token expires another socket is opened, and the one before is closed when all of it is read")
    func renewal() async throws {
        let (client, _) = try await started()
        let first = FakeChannel()
        let end = Task { [client] in
            await RealtimeLink(client: { client }).follow(OpenedChannel(channel: first, renewAfter: .zero))
        }
        first.say(Said.status("phone", "{}"))
        let second = try await channels.channel(1)
        try await eventually("the close") { first.isClosed && first.hasEnded }
        second.say(Said.status("mac", "{}"))
        // A new socket begins with the present state: whatever the one before told is told again.
        try await shows(client, ["mac"])
        second.end(4001)
        let (reason, hasHeard) = await end.value
        #expect(reason == ChannelEnd(code: 4001) && hasHeard)
        await client.stop()
    }

    @Test("A status of this device, told by another socket of it, is not in its presence")
    func ownDevice() async throws {
        let (client, channel) = try await started()
        let own = try #require(try await client.inside { try $0.session.deviceID })
        channel.say(Said.status(own, "{}"))
        try await hear(channel, client)
        let devices = await client.inside { $0.realtime.book.presence.devices.map(\.id) }
        #expect(devices.count == 1 && !devices.contains(own))
        await client.stop()
    }

    @Test("A command that arrived, but was not read in time, does not come and has no answer")
    func lateCommand() async throws {
        let (client, channel) = try await started()
        var commands = client.commands().makeAsyncIterator()
        let (late, next) = (UUID(), UUID())
        channel.say(Said.command(late, timeoutMs: 10_000), at: .now - .seconds(11))
        channel.say(Said.command(next))
        let command = await commands.next()
        #expect(command?.id == next)
        await command?.finish(.done())
        try await eventually("the answer") { !channel.sent.isEmpty }
        #expect(channel.sent.map { $0["data"]?["reply_to"]?.string } == [next.uuidString.lowercased()])
        await client.stop()
    }

    @Test("A log out and a stop end the socket and what it told, and a log in opens another")
    func logOut() async throws {
        let (client, channel) = try await started()
        channel.say(Said.status("phone", "{}"))
        try await shows(client, ["phone"])
        given.server.meet("POST /auth/logout", .unreached)
        try await client.logOut()
        #expect(channel.hasEnded)
        #expect(await client.link == nil)
        var presences = client.presenceChanges().makeAsyncIterator()
        _ = try await client.logIn(with: .password(email: "a@example.org", password: "secret"))
        try await channels.channel(1).say(Said.status("mac", "{}"))
        #expect(await presences.next()?.devices.map(\.id) == ["mac"])
        await client.stop()
        #expect(await presences.next() == Presence())
    }

    @Test("An app that lets go of a started client ends its socket")
    func released() async throws {
        var client: NeuroViews? = try await started().0
        let observed = Weak(client)
        client = nil
        try await eventually("the end of the socket") { channels.channels[0].hasEnded }
        #expect(observed.client == nil)
    }
}

private struct Weak {
    weak var client: NeuroViews?
    init(_ client: NeuroViews?) { self.client = client }
}
