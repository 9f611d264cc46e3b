import CNeuroViewsOpenSSL
import Glibc

/// Connects OpenSSL to a socket by a BIO that reads and writes through `Socket`. So `Socket` knows that a short read
/// emptied it, and writing to a closed connection raises no signal.
enum TLSTransport {
    /// `@unchecked Sendable`: it never changes after its creation.
    private struct Kind: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    private static let kind: Kind = {
        let kind = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket of an event loop")
        BIO_meth_set_read(kind, receive)
        BIO_meth_set_write(kind, send)
        BIO_meth_set_ctrl(kind, control)
        return Kind(pointer: kind)
    }()

    /// A BIO on the socket; nil if memory is exhausted. The socket must outlive it.
    static func make(_ socket: Socket) -> OpaquePointer? {
        guard let bio = BIO_new(kind.pointer) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(socket).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    fileprivate static func socket(_ bio: OpaquePointer?) -> Socket? {
        guard let pointer = BIO_get_data(bio) else { return nil }
        return Unmanaged<Socket>.fromOpaque(pointer).takeUnretainedValue()
    }
}

private func receive(_ bio: OpaquePointer?, _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int32) -> Int32 {
    nv_bio_clear_retry(bio)
    guard let bytes, let socket = TLSTransport.socket(bio) else { return -1 }
    let result = socket.receiveSealed(into: bytes, Int(count))
    if result < 0 && errno == EAGAIN { nv_bio_retry_read(bio) }
    return Int32(result)
}

private func send(_ bio: OpaquePointer?, _ bytes: UnsafePointer<CChar>?, _ count: Int32) -> Int32 {
    nv_bio_clear_retry(bio)
    guard let bytes, let socket = TLSTransport.socket(bio) else { return -1 }
    let result = socket.sendSealed(bytes, Int(count))
    if result < 0 && errno == EAGAIN { nv_bio_retry_write(bio) }
    return Int32(result)
}

/// Flushing succeeds at once, since nothing is buffered here. Other controls don't apply.
private func control(
    _ bio: OpaquePointer?,
    _ command: Int32,
    _ number: Int,
    _ pointer: UnsafeMutableRawPointer?
) -> Int {
    command == BIO_CTRL_FLUSH ? 1 : 0
}
