/// A task that resumes at the first of two events.
///
/// `@unchecked Sendable`: used only on its loop's thread.
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
