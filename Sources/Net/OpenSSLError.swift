import COpenSSL

/// What OpenSSL's queue of this thread says about the call that failed just now.
enum OpenSSLError {
    /// The first reason, for example "ee key too small"; empties the queue.
    static func takeReason() -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        if let reason = ERR_reason_error_string(code) { return String(cString: reason) }
        return code == 0 ? "no reason given" : "error \(String(code, radix: 16))"
    }

    /// An error that somebody left behind would be taken for one of the next call.
    static func clear() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }
}
