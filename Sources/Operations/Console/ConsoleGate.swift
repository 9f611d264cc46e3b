import Net
import NeuroViewsCrypto

/// The login to the operators' page. Whoever started the process has a code; it works once, and becomes a token. That
/// somebody reaches the loopback is no login: other accounts of this machine do, too.
package final class ConsoleGate: Sendable {
    static let codeLifetimeMs: UInt64 = 5 * 60 * 1000
    static let idleMaxMs: UInt64 = 30 * 60 * 1000
    /// So many wrong codes end the process.
    static let wrongMax = 5
    private static let secretBytes = 32

    private struct State {
        var token: String?
        var wrongCount = 0
        var usedAtMs: UInt64

        var isLocked: Bool { wrongCount >= ConsoleGate.wrongMax }
    }

    /// 256 bits in base64url.
    package let code: String
    private let begunAtMs: UInt64
    private let nowMs: @Sendable () -> UInt64
    private let state: Locked<State>

    /// Makes a code. `nowMs` is a clock that never jumps.
    package init(nowMs: @escaping @Sendable () -> UInt64 = { Monotonic.nowMs() }) throws {
        code = Base64.url.encode(try SecureRandom.bytes(Self.secretBytes))
        let begunAtMs = nowMs()
        (self.begunAtMs, self.nowMs) = (begunAtMs, nowMs)
        state = Locked(State(usedAtMs: begunAtMs))
    }

    /// Exchanges the code for a token; nil if it is wrong, used or old, and after too many wrong ones.
    func logIn(_ text: String) throws -> String? {
        let token = Base64.url.encode(try SecureRandom.bytes(Self.secretBytes))
        let now = nowMs()
        let isRight = constantTimeEquals(Array(text.utf8), Array(code.utf8))
        return state.withLock { state in
            // The process may take a second to end: until then, no further guess counts.
            guard isRight, state.token == nil, now < begunAtMs + Self.codeLifetimeMs, !state.isLocked else {
                state.wrongCount += 1
                return nil
            }
            state.token = token
            state.usedAtMs = now
            return token
        }
    }

    /// Returns true for the field Authorization with the token. The process lives on from this request.
    func accepts(_ authorization: String?) -> Bool {
        let now = nowMs()
        return state.withLock { state in
            guard let token = state.token, let authorization,
                constantTimeEquals(Array(authorization.utf8), Array("Bearer \(token)".utf8))
            else { return false }
            state.usedAtMs = now
            return true
        }
    }

    /// True after too many wrong codes, and after half an hour without a request.
    package var isOver: Bool {
        let now = nowMs()
        return state.withLock { $0.isLocked || now >= $0.usedAtMs + Self.idleMaxMs }
    }
}
