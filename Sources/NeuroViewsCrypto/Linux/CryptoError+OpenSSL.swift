import CNeuroViewsOpenSSL

extension CryptoError {
    /// Makes an error from the oldest entry of this thread's OpenSSL error queue, and empties the queue for the next
    /// call.
    static func fromOpenSSL(_ operation: String) -> CryptoError {
        let code = ERR_get_error()
        ERR_clear_error()
        let text = [CChar](unsafeUninitializedCapacity: 256) { buffer, count in
            ERR_error_string_n(code, buffer.baseAddress, buffer.count)
            count = buffer.firstIndex(of: 0) ?? 0
        }
        return .openSSL(
            operation: operation,
            detail: String(decoding: text.map(UInt8.init(bitPattern:)), as: UTF8.self)
        )
    }
}
