import Credentials
import Net
import TestSupport
import Testing

@testable import CloudSync

/// Tests with a manual clock and a simulated provider.
@Suite("Keys of one OpenID provider", .timeLimit(.minutes(Patience.minutes(2))))
struct ProviderKeysTests {
    private struct Down: Error {}

    /// The clock, and the provider's keys.
    private final class Provider: Sendable {
        struct State: Sendable {
            var nowMs: UInt64 = 1_000_000
            var kids: [String]? = ["k1"]
            var lifetimeSeconds: Int?
            var fetches = 0
            var gate: Gate?
        }
        let state = Locked(State())
        static let key = SigningKey.es256()

        func keys() -> ProviderKeys {
            ProviderKeys(nowMs: { [self] in state.withLock { $0.nowMs } }) { [self] in
                let now = state.withLock { state in
                    state.fetches += 1
                    return state
                }
                if let gate = now.gate { await gate.pass() }
                guard let kids = now.kids else { throw Down() }
                let texts = kids.map { Self.key.jwk(kid: $0) }.joined(separator: ",")
                return (try JSONWebKeySet(json: Array("{\"keys\":[\(texts)]}".utf8)), now.lifetimeSeconds)
            }
        }

        func pass(seconds: Int) { state.withLock { $0.nowMs += UInt64(seconds) * 1000 } }
        func set(_ kids: [String]?) { state.withLock { $0.kids = kids } }
        var fetches: Int { state.withLock { $0.fetches } }
    }

    /// A gate that blocks all tasks until it is opened.
    private final class Gate: Sendable {
        private let state = Locked<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

        func pass() async {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    /// Checks a token with this key. Returns `ok` or the error as a text.
    private func ask(_ keys: ProviderKeys, _ kid: String = "k1") async -> String {
        do {
            return try await keys.checking { set throws(TokenRefusal) in
                guard set.keys.contains(where: { $0.id == kid }) else { throw .unknownKey }
                return "ok"
            }
        } catch CloudSyncError.providerUnavailable { return "unavailable" } catch CloudSyncError.problem(.overloaded) {
            return "overloaded"
        } catch { return (error as? TokenRefusal).map { "\($0)" } ?? "\(error)" }
    }

    @Test("A provider's key set is cached as long as it allows, from 5 minutes to 24 hours")
    func lifetimes() async {
        for (said, kept) in [(nil, 300), (0, 300), (3600, 3600), (1_000_000, 86_400)] as [(Int?, Int)] {
            let provider = Provider()
            provider.state.withLock { $0.lifetimeSeconds = said }
            let keys = provider.keys()
            #expect(await ask(keys) == "ok")
            provider.pass(seconds: kept - 1)
            #expect(await ask(keys) == "ok" && provider.fetches == 1, "\(String(describing: said))")
            provider.pass(seconds: 1)
            #expect(await ask(keys) == "ok" && provider.fetches == 2, "\(String(describing: said))")
        }
    }

    @Test("One of 100 concurrent requests fetches the provider's keys, and all get them")
    func singleFlight() async throws {
        let provider = Provider()
        let gate = Gate()
        provider.state.withLock { $0.gate = gate }
        let keys = provider.keys()
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { await ask(keys) } }
            try await eventually { provider.fetches > 0 }
            gate.open()
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == ["ok": 100] && provider.fetches == 1)
    }

    @Test("Requests for a provider's keys over the limit of waiting ones are refused at once")
    func waiters() async throws {
        let provider = Provider()
        let gate = Gate()
        provider.state.withLock { $0.gate = gate }
        let keys = provider.keys()
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<300 { group.addTask { await ask(keys) } }
            var found: [String: Int] = [:]
            // Waiting tasks do not end before the gate is open, so the first 43 results are refusals.
            for _ in 0..<43 { found[try await group.next() ?? "", default: 0] += 1 }
            gate.open()
            return try await group.reduce(into: found) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == ["ok": 257, "overloaded": 43] && provider.fetches == 1)
    }

    @Test("Requests that wait for an unknown key do not block cached keys")
    func crowd() async throws {
        let provider = Provider()
        let keys = provider.keys()
        #expect(await ask(keys) == "ok")
        let gate = Gate()
        provider.state.withLock { $0.gate = gate }
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<300 { group.addTask { await ask(keys, "x") } }
            var found: [String: Int] = [:]
            for _ in 0..<43 { found[try await group.next() ?? "", default: 0] += 1 }
            provider.pass(seconds: 300)
            #expect(await ask(keys) == "ok")
            gate.open()
            return try await group.reduce(into: found) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == ["unknownKey": 257, "overloaded": 43])
    }

    @Test("An unknown provider key is looked up once a minute, and found when the provider has it")
    func unknownKeys() async {
        let provider = Provider()
        let keys = provider.keys()
        #expect(await ask(keys, "k2") == "unknownKey" && provider.fetches == 2)
        for _ in 0..<1000 { #expect(await ask(keys, "k3") == "unknownKey") }
        #expect(provider.fetches == 2)
        provider.set(["k2"])
        provider.pass(seconds: 59)
        #expect(await ask(keys, "k2") == "unknownKey" && provider.fetches == 2)
        provider.pass(seconds: 1)
        #expect(await ask(keys, "k2") == "ok" && provider.fetches == 3)
        #expect(await ask(keys, "k1") == "unknownKey", "it was taken back")
    }

    @Test("Cached keys are used for 24 hours while the provider is down, with one fetch a minute")
    func down() async {
        let provider = Provider()
        let keys = provider.keys()
        #expect(await ask(keys) == "ok")
        provider.set(nil)
        provider.pass(seconds: 300)
        for _ in 0..<100 { #expect(await ask(keys) == "ok") }
        #expect(provider.fetches == 2)
        #expect(await ask(keys, "k2") == "unavailable" && provider.fetches == 3, "it may be a new one")
        provider.pass(seconds: 86_400)
        #expect(await ask(keys) == "ok")
        provider.pass(seconds: 1)
        #expect(await ask(keys) == "unavailable")
        provider.set(["k1"])
        provider.pass(seconds: 60)
        #expect(await ask(keys) == "ok")
    }

    @Test("Logins without the provider's keys are refused, with one fetch a minute")
    func none() async {
        let provider = Provider()
        provider.set(nil)
        let keys = provider.keys()
        for _ in 0..<100 { #expect(await ask(keys) == "unavailable") }
        #expect(provider.fetches == 1)
        provider.set(["k1"])
        provider.pass(seconds: 60)
        #expect(await ask(keys) == "ok" && provider.fetches == 2)
    }
}
