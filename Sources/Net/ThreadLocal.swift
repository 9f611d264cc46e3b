import Glibc

/// One pointer per thread.
///
/// `@unchecked Sendable`: the key is written once, and pthread keys may be used from every thread.
final class ThreadLocal: @unchecked Sendable {
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "no thread-local key left")
        self.key = key
    }

    var value: UnsafeMutableRawPointer? {
        get { pthread_getspecific(key) }
        set { pthread_setspecific(key, newValue) }
    }
}
