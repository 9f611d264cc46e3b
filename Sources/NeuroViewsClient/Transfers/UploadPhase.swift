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
