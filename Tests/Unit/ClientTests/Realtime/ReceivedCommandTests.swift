import Foundation
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Commands that a device gets", .timeLimit(.minutes(Patience.minutes(1))))
struct ReceivedCommandTests {
    private func command(
        timeoutMs: Int64 = 10_000,
        _ answer: @escaping @Sendable (CommandAnswer) async -> Void = { _ in }
    ) -> ReceivedCommand {
        let arrived = ArrivedCommand(
            id: UUID(),
            sender: "watch",
            command: "capture_photo",
            parameters: nil,
            timeoutMs: timeoutMs
        )
        return ReceivedCommand(arrived, at: .now, answer)
    }

    @Test("The last 64 commands are known, with their first answers, and no other one is answered")
    func memory() {
        var memory = CommandMemory()
        let ids = (0..<65).map { _ in UUID() }
        let arrivals = [memory.arrive(ids[0]), memory.arrive(ids[0])]
        #expect(arrivals == [.new, .underWay])
        let answers = [
            memory.answer(ids[0], .done(1)), memory.answer(ids[0], .failed(2)), memory.answer(UUID(), .done()),
        ]
        #expect(answers == [true, false, false])
        let others = ids[1..<64].map { memory.arrive($0) }
        #expect(others.allSatisfy { $0 == .new })
        let last = [memory.arrive(ids[0]), memory.arrive(ids[64]), memory.arrive(ids[0])]
        #expect(last == [.answered(.done(1)), .new, .new])
    }

    @Test("A command that is still carried out is known after 64 newer ones")
    func slow() {
        var memory = CommandMemory()
        let slow = UUID()
        _ = memory.arrive(slow)
        for id in (0..<64).map({ _ in UUID() }) {
            _ = memory.arrive(id)
            _ = memory.answer(id, .done())
        }
        let isFirst = memory.answer(slow, .done(1))
        #expect(isFirst)
    }

    @Test("A command that was done is known after many that nobody answered")
    func unanswered() {
        var (memory, done) = (CommandMemory(), UUID())
        for _ in 0..<63 { _ = memory.arrive(UUID()) }
        _ = memory.arrive(done)
        _ = memory.answer(done, .done())
        _ = memory.arrive(UUID())
        let again = memory.arrive(done)
        #expect(again == .answered(.done()))
    }

    @Test("Commands that wait in a stream are refused when it ends or is let go", arguments: [true, false])
    func ended(byNewer: Bool) async throws {
        let (feed, answers) = (CommandFeed(), Guarded<[CommandAnswer]>([]))
        let waits = command { answer in answers.withLock { $0.append(answer) } }
        var stream: AsyncStream<ReceivedCommand>? = feed.watch()
        #expect(feed.give(waits))
        let newer = byNewer ? feed.watch() : nil
        if !byNewer { stream = nil }
        try await eventually("the answer") { answers.withLock { $0 } == [.noListener] }
        withExtendedLifetime((stream, newer)) {}
    }

    @Test("Without a listener no command is taken, and of two listeners the newer one gets all")
    func listeners() async {
        let feed = CommandFeed()
        #expect(!feed.give(command()))
        let first = feed.watch()
        var second = feed.watch().makeAsyncIterator()
        for await _ in first { Issue.record("a command for the older listener") }
        let given = command()
        #expect(feed.give(given))
        #expect(await second.next()?.id == given.id)
    }

    @Test("A command that has waited past its deadline does not come")
    func late() async {
        let feed = CommandFeed()
        var listener = feed.watch().makeAsyncIterator()
        let last = command()
        #expect(feed.give(command(timeoutMs: 0)))
        #expect(feed.give(last))
        #expect(await listener.next()?.id == last.id)
    }

    @Test("At most 16 commands wait for a slow listener")
    func full() {
        let feed = CommandFeed()
        let listener = feed.watch()
        for _ in 0..<16 { #expect(feed.give(command())) }
        #expect(!feed.give(command()))
        withExtendedLifetime(listener) {}
    }
}
