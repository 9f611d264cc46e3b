import CNeuroViewsOpenSSL

/// The OpenSSL error queue of this thread, after a failed call.
enum OpenSSLError {
    /// Returns the first reason, for example "ee key too small", and empties the queue.
    static func takeReason() -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        if let reason = ERR_reason_error_string(code) { return String(cString: reason) }
        return code == 0 ? "no reason given" : "error \(String(code, radix: 16))"
    }

    /// Empties the queue: an old error would be attributed to the next call.
    static func clear() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }
}
