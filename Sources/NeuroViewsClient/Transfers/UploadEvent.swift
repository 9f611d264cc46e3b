/// The events of an upload, of which `UploadPhase.after` makes the next state. They are the same for a run of the app and for the
/// system's session, which sends while the app sleeps.
package enum UploadEvent: Sendable, CaseIterable {
    /// The SHA-256 is known.
    case hashed
    /// Its turn has come.
    case begun
    /// The server has acknowledged a part, or more bytes than before, and lacks others.
    case partStored
    /// The server has every byte.
    case everythingSent
    /// The server lists the recording.
    case completed
    /// The recording is ready with the right SHA-256.
    case verified

    /// The network or the server is away, for a second or for days.
    case unreachable
    /// The only network is the mobile one, which the app or the user does not allow.
    case cellularForbidden
    /// Nobody knows whether the server did what was asked.
    case answerLost
    /// The URL for the bytes is good for nothing any more, also when it was asked for anew.
    case linkExpired
    /// The session of the device has ended.
    case sessionEnded
    /// The server has not read the file back yet.
    case notYet
    /// The pause is over.
    case pauseEnded

    /// The server lacks bytes that it was believed to have.
    case bytesMissing
    /// The server does not know the recording any more: it was restored from a backup.
    case forgotten

    /// The local file is another one than that whose SHA-256 was taken.
    case fileChanged
    /// The local file is gone, or can't be read.
    case fileGone
    /// The server does not take the recording, or has found another file.
    case refused
    /// The stored metadata can't be read any more.
    case metadataLost
    /// The stored seal of a sealed file can't be read any more.
    case sealLost

    /// The user stops it.
    case paused
    /// The user wants it to go on.
    case resumed
    /// The user wants it gone. It leaves the list when the server has deleted what it has; until then it is at rest.
    case cancelled

    /// The app was started again, after it was killed for example, and nothing of the upload is on its way.
    case restarted
    /// The app was started again, by its user or by the system, and the system still sends bytes of the upload.
    case relaunched
}

extension UploadEvent {
    /// True for a reason to pause before the next step.
    var isInterruption: Bool {
        switch self {
        case .unreachable, .cellularForbidden, .answerLost, .linkExpired, .sessionEnded, .notYet, .bytesMissing,
            .forgotten:
            true
        default: false
        }
    }

    /// The event of a step that ended by an error. Without one, a request brought nothing.
    init(_ error: ClientError?) {
        switch error {
        case .offline(.cellularForbidden): self = .cellularForbidden
        case .offline(.cut), .offline(.stalled), .unexpectedAnswer, .answerTooLarge, nil: self = .answerLost
        case .needsLogIn, .otherAccount, .confirmationRequired: self = .sessionEnded
        default: self = .unreachable
        }
    }

    /// The event of an end without success.
    init(_ failure: UploadFailure) {
        switch failure {
        case .fileChanged: self = .fileChanged
        case .fileUnreadable: self = .fileGone
        case .refused, .notVerified, .otherDigest: self = .refused
        case .unreadable: self = .metadataLost
        }
    }
}
