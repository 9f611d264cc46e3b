import CNeuroViewsOpenSSL

/// The encryption keys of session tickets (RFC 8446, 4.6.1): random, in memory only, replaced every hour. Tickets of
/// the previous key are still accepted. Each resumption gets a new ticket: a ticket used twice would show an observer
/// that both connections are from one client (C.4). All loops and certificates share the keys.
final class TLSTicketKeys: Sendable {
    static let rotationMs: UInt64 = 3_600_000
    /// No ticket is valid for longer than its key.
    static let lifetimeS = Int(2 * rotationMs / 1000)

    struct Key: Sendable {
        let name: [UInt8]
        let cipherKey: [UInt8]
        let macKey: [UInt8]
    }

    private struct State {
        var current: Key?
        var previous: Key?
        var madeMs: UInt64 = 0
    }

    private let state = Locked(State())
    private let nowMs: @Sendable () -> UInt64

    init(nowMs: @escaping @Sendable () -> UInt64) { self.nowMs = nowMs }

    /// The key for a new ticket; nil if the system has no randomness.
    func sealing() -> Key? {
        let now = nowMs()
        return state.withLock { state in
            Self.rotate(&state, now)
            return state.current
        }
    }

    /// The key of a ticket; nil if it is gone.
    func opening(_ name: UnsafeRawBufferPointer) -> Key? {
        let now = nowMs()
        return state.withLock { state in
            Self.rotate(&state, now)
            if let key = state.current, name.elementsEqual(key.name) { return key }
            if let key = state.previous, name.elementsEqual(key.name) { return key }
            return nil
        }
    }

    private static func rotate(_ state: inout State, _ nowMs: UInt64) {
        // Another loop may have read a later time first.
        let ageMs = nowMs - min(nowMs, state.madeMs)
        guard state.current == nil || ageMs >= rotationMs else { return }
        state.previous = ageMs < 2 * rotationMs ? state.current : nil
        state.current = makeKey()
        state.madeMs = nowMs
    }

    private static func makeKey() -> Key? {
        var bytes = [UInt8](repeating: 0, count: 80)
        guard RAND_bytes(&bytes, 80) == 1 else { return nil }
        return Key(name: Array(bytes[..<16]), cipherKey: Array(bytes[16..<48]), macKey: Array(bytes[48...]))
    }
}

extension TLSTicketKeys {
    /// Makes the context use these keys for its tickets. The caller keeps them alive while there are handshakes.
    func install(in context: OpaquePointer) {
        SSL_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(self).toOpaque())
        SSL_CTX_set_tlsext_ticket_key_evp_cb(context, prepareTicket)
        SSL_CTX_set_timeout(context, Self.lifetimeS)
    }

    fileprivate func seal(_ name: UnsafeMutableRawBufferPointer, _ iv: UnsafeMutablePointer<UInt8>, _ parts: Parts)
        -> Int32
    {
        guard let key = sealing(), RAND_bytes(iv, 16) == 1 else { return -1 }
        name.copyBytes(from: key.name)
        let isReady = EVP_EncryptInit_ex2(parts.cipher, EVP_aes_256_cbc(), key.cipherKey, iv, nil) == 1
        return isReady && parts.setMAC(key) ? 1 : -1
    }

    fileprivate func open(_ name: UnsafeRawBufferPointer, _ iv: UnsafePointer<UInt8>, _ parts: Parts) -> Int32 {
        guard let key = opening(name) else { return 0 }
        let isReady = EVP_DecryptInit_ex2(parts.cipher, EVP_aes_256_cbc(), key.cipherKey, iv, nil) == 1
        guard isReady && parts.setMAC(key) else { return -1 }
        return 2
    }
}

/// The contexts that OpenSSL wants prepared: it encrypts the ticket itself.
private struct Parts {
    let cipher: OpaquePointer?
    let mac: OpaquePointer?

    func setMAC(_ key: TLSTicketKeys.Key) -> Bool {
        var bytes = key.macKey
        return bytes.withUnsafeMutableBytes { nv_mac_set_sha256_key(mac, $0.baseAddress, $0.count) == 1 }
    }
}

/// OpenSSL's callback. 1: done. 2: done, and the client needs a new ticket. 0: unknown key. Negative: failure.
private func prepareTicket(
    _ ssl: OpaquePointer?,
    _ name: UnsafeMutablePointer<UInt8>?,
    _ iv: UnsafeMutablePointer<UInt8>?,
    _ cipher: OpaquePointer?,
    _ mac: OpaquePointer?,
    _ seals: Int32
) -> Int32 {
    guard let name, let iv, let pointer = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), 0) else { return -1 }
    let keys = Unmanaged<TLSTicketKeys>.fromOpaque(pointer).takeUnretainedValue()
    let parts = Parts(cipher: cipher, mac: mac)
    let nameBytes = UnsafeMutableRawBufferPointer(start: name, count: 16)
    return seals == 1 ? keys.seal(nameBytes, iv, parts) : keys.open(UnsafeRawBufferPointer(nameBytes), iv, parts)
}
