import CNeuroViewsOpenSSL

/// The start of OpenSSL in this process.
///
/// OpenSSL lets `exit` run its cleanup, unless the first call forbids it. But `exit` ends no threads: one that still uses a
/// TLS connection would take locks that the cleanup has freed, and crash. Without the cleanup the kernel frees all memory.
package enum OpenSSLStart {
    private static let isDone = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    /// Starts OpenSSL without its cleanup at the exit.
    ///
    /// Call it before anything that starts OpenSSL by itself:
    /// - random bytes and ciphers,
    /// - libcurl, when its first handle is made,
    /// - libpq and TLS of the server, for which `main.swift` calls it.
    ///
    /// Digests and comparisons of bytes start nothing. Further calls have no effect. A failure is that of the next call.
    package static func begin() { _ = isDone }
}
