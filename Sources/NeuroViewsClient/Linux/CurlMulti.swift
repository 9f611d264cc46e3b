import CNeuroViewsCurl
import NeuroViewsCrypto

/// libcurl's transfers that run at the same time, with their connections.
///
/// `@unchecked Sendable`: any thread may call `wakeUp`; all else is called on one thread. The handle lives as long as any of
/// them has this object.
final class CurlMulti: @unchecked Sendable {
    private static let pollMaxMs: Int32 = 60_000
    private let handle: UnsafeMutableRawPointer

    /// Throws `.other` if memory is exhausted. It is the first use of libcurl, which starts OpenSSL.
    init(connectionsMax: Int) throws(TransportError) {
        OpenSSLStart.begin()
        guard let handle = curl_multi_init() else { throw .other("libcurl could not be initialised") }
        self.handle = handle
        nv_curl_set_connections_max(handle, connectionsMax)
    }

    deinit { curl_multi_cleanup(handle) }

    /// Ends the running or the next `poll`.
    func wakeUp() { curl_multi_wakeup(handle) }

    /// The transfer stays until `remove`.
    func add(_ transfer: CurlTransfer) { curl_multi_add_handle(handle, transfer.easy) }

    /// An unfinished transfer loses its connection.
    func remove(_ transfer: CurlTransfer) { curl_multi_remove_handle(handle, transfer.easy) }

    /// Sends and receives what is possible without waiting.
    func perform() {
        var running: Int32 = 0
        curl_multi_perform(handle, &running)
    }

    /// The next transfer that ended, by its `easy`, and its CURLcode.
    func nextFinished() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        var code: Int32 = 0
        guard let easy = nv_curl_next_finished(handle, &code) else { return nil }
        return (easy, CURLcode(rawValue: UInt32(code)))
    }

    /// Waits for a socket, for one of libcurl's own time limits, or for `wakeUp`.
    func poll() { curl_multi_poll(handle, nil, 0, Self.pollMaxMs, nil) }

    /// Waits for a socket that libcurl does not watch, for `wakeUp`, or so long.
    func poll(_ socket: curl_socket_t, reads: Bool, writes: Bool, ms: Int32) {
        let events = (reads ? CURL_WAIT_POLLIN : 0) | (writes ? CURL_WAIT_POLLOUT : 0)
        var waited = curl_waitfd(fd: socket, events: Int16(events), revents: 0)
        // A socket that is not to be used may be at its end, which would end each wait.
        curl_multi_poll(handle, &waited, events == 0 ? 0 : 1, ms, nil)
    }
}
