/// The result of processing a file. An unreadable file is no error, because files are untrusted.
package enum MediaOutcome<Value: Sendable>: Sendable {
    /// It worked.
    case made(Value)
    /// It failed, and a retry would fail too.
    case failed(MediaFailure)

    /// The result; nil after a failure.
    package var value: Value? {
        if case .made(let value) = self { value } else { nil }
    }

    /// The failure; nil after a success.
    package var failure: MediaFailure? {
        if case .failed(let failure) = self { failure } else { nil }
    }

    /// Applies a further step to a success.
    func flatMap<Other>(_ step: (Value) -> MediaOutcome<Other>) -> MediaOutcome<Other> {
        switch self {
        case .made(let value): step(value)
        case .failed(let failure): .failed(failure)
        }
    }
}

extension MediaOutcome: Equatable where Value: Equatable {}

/// The reason for a missing probe, thumbnail or preview.
package enum MediaFailure: Sendable, Equatable {
    /// Files of this type are not read.
    case typeNotRead
    /// The program is not installed.
    case missing(program: String)
    /// The program could not read the file. The text is the first line of its error output, at most 200 characters.
    case unreadable(String)
    /// The program exceeded its time.
    case timeLimit
    /// The kernel killed the program: it exceeded its processor time. Late in a run, memory may have run out instead.
    case killed
    /// The program exceeded its memory.
    case memoryLimit
    /// The program exceeded the size limit of a file or of its standard output.
    case sizeLimit
    /// The program crashed with this signal.
    case crashed(signal: Int32)
}

extension MediaFailure {
    /// True if the program ran to a limit of time or memory. Another program would run to its own on the same file.
    package var wasStopped: Bool { [.killed, .timeLimit, .memoryLimit].contains(self) }
}

extension MediaFailure: CustomStringConvertible {
    /// A text for the log.
    package var description: String {
        switch self {
        case .typeNotRead: "files of this type are not read"
        case .missing(let program): "\(program) is not installed"
        case .unreadable(let complaint): "not readable: \(complaint)"
        case .timeLimit: "the time limit was reached"
        case .killed: "killed: the limit of processor time was reached, or memory ran out"
        case .memoryLimit: "the memory limit was reached"
        case .sizeLimit: "the size limit was reached"
        case .crashed(let signal): "crashed with signal \(signal)"
        }
    }
}

/// The box could not be set up, the disk is full, or the kernel killed a program before it can have used up its
/// processor time. This machine is at fault, not the file; a retry can help.
package struct MediaBoxError: Error, Equatable, CustomStringConvertible {
    /// The program's error output.
    package let description: String
}

/// No isolation can be made around a program now, so it is not run. The text is the reason.
package struct MissingWalls: Error, Equatable, CustomStringConvertible {
    /// The reason.
    package let description: String
}
