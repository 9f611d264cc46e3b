/// The state of an upload, as the store has it. `UploadPhase+Table.swift` has the changes.
package enum UploadPhase: String, Sendable, CaseIterable {
    /// The file's SHA-256 is being taken, or waits for its turn.
    case hashing
    /// The SHA-256 is known, and nothing is sent.
    case queued
    /// The server is asked for a place, and gets the bytes.
    case sending
    /// A pause before the next attempt to send.
    case waiting
    /// The server has every byte, and gets the metadata.
    case completing
    /// The server reads the file back.
    case verifying
    /// The recording is ready with the SHA-256 that was taken here.
    case done
    /// The user has stopped it.
    case paused
    /// It can't go on by itself.
    case failed

    /// True if nothing happens without the user.
    package var isAtRest: Bool { [.done, .paused, .failed].contains(self) }

    /// True if it needs one of the places.
    package var needsPlace: Bool { !isAtRest && self != .verifying }
}

/// The events of an upload, of which `UploadPhase.after` makes the next state.
package enum UploadEvent: Sendable, CaseIterable {
    /// The SHA-256 is known.
    case hashed
    /// Its turn has come.
    case begun
    /// The network, the server or the session is away; also a receipt that is not there yet.
    case interrupted
    /// The pause is over.
    case pauseEnded
    /// The server has every byte.
    case everythingSent
    /// The server lacks bytes, or does not know the upload any more.
    case bytesMissing
    /// The server lists the recording.
    case completed
    /// The recording is ready with the right SHA-256.
    case verified
    /// The file has changed, or the server will not take it.
    case gaveUp
    /// The user stops it.
    case paused
    /// The user wants it to go on.
    case resumed
    /// The app was started again: what it was doing has ended.
    case restarted
}
