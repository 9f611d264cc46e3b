import HTTP
import Net

/// The requests that write uploads in this process. An upload has one request at a time, and the newest one wins.
final class UploadDesk: Sendable {
    private let seats = Locked<[String: UploadSeat]>([:])

    /// Takes an upload for a request. Cuts the connection of a running transfer, and waits until its bytes
    /// are stored. The caller must `leave`.
    func take(_ objectKey: String) async -> UploadSeat {
        let seat = UploadSeat(objectKey)
        let before = seats.withLock { seats in
            let before = seats[objectKey]
            seats[objectKey] = seat
            return before
        }
        if let before {
            before.overtake()
            await before.end()
        }
        return seat
    }

    /// Frees the upload for the next request.
    func leave(_ seat: UploadSeat) {
        seats.withLock { seats in
            if seats[seat.objectKey] === seat { seats[seat.objectKey] = nil }
        }
        seat.leave()
    }

    /// Cuts the connection of a transfer to a recording that was deleted.
    func stop(_ recording: UploadSeat.Recording) { stop { $0 == recording } }

    /// Cuts the connections of all transfers of an account that was erased.
    func stop(ofUser userID: String) { stop { $0.userID == userID } }

    private func stop(_ isDeleted: (UploadSeat.Recording) -> Bool) {
        let running = seats.withLock { Array($0.values) }
        for seat in running where seat.recording.map(isDeleted) == true { seat.overtake() }
    }
}

/// A request's right to write an upload.
final class UploadSeat: Sendable {
    /// The recording of the upload.
    struct Recording: Sendable, Equatable {
        let userID: String
        /// In lower case.
        let id: String
    }

    private struct State {
        var isOvertaken = false
        var hasLeft = false
        var recording: Recording?
        var cut: RequestCut?
        var waiter: UnsafeContinuation<Void, Never>?
    }

    let objectKey: String
    private let state = Locked(State())

    init(_ objectKey: String) { self.objectKey = objectKey }

    /// Set when the upload was found.
    var recording: Recording? { state.withLock { $0.recording } }

    func found(_ recording: Recording) { state.withLock { $0.recording = recording } }

    /// Registers `cut`. It is called when a newer request arrives, or has arrived: bytes received by then still count.
    func begin(_ cut: RequestCut) {
        let isOvertaken = state.withLock { state in
            state.cut = cut
            return state.isOvertaken
        }
        if isOvertaken { cut() }
    }

    func overtake() {
        let cut = state.withLock { state in
            state.isOvertaken = true
            return state.cut
        }
        cut?()
    }

    /// Returns when the request has left. At most one newer request waits for it; a still newer one waits for that one.
    func end() async {
        await withUnsafeContinuation { continuation in
            let hasLeft = state.withLock { state in
                if !state.hasLeft { state.waiter = continuation }
                return state.hasLeft
            }
            if hasLeft { continuation.resume() }
        }
    }

    func leave() {
        let waiter = state.withLock { state in
            state.hasLeft = true
            state.cut = nil
            return state.waiter
        }
        waiter?.resume()
    }
}
