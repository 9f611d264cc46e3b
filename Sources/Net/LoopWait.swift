/// A task that goes on when the first of two things happens.
///
/// `@unchecked Sendable`: touched on its loop's thread only.
final class LoopWait: @unchecked Sendable {
    var timer: LoopTimer?
    private var continuation: UnsafeContinuation<Void, Never>?

    init(_ continuation: UnsafeContinuation<Void, Never>) { self.continuation = continuation }

    func end() {
        continuation?.resume()
        continuation = nil
        timer = nil
    }
}
