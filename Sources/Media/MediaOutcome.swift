/// What came of looking at a file. That a file can't be read is no error: strangers make files.
public enum MediaOutcome<Value: Sendable>: Sendable {
    /// It worked.
    case made(Value)
    /// It did not, and would not work a second time.
    case failed(MediaFailure)

    /// What was made.
    public var value: Value? {
        if case .made(let value) = self { value } else { nil }
    }

    /// Why nothing was made.
    public var failure: MediaFailure? {
        if case .failed(let failure) = self { failure } else { nil }
    }

    /// The outcome of a further step.
    func flatMap<Other>(_ step: (Value) -> MediaOutcome<Other>) -> MediaOutcome<Other> {
        switch self {
        case .made(let value): step(value)
        case .failed(let failure): .failed(failure)
        }
    }
}

extension MediaOutcome: Equatable where Value: Equatable {}

/// Why a file has no probe, thumbnail or preview.
public enum MediaFailure: Sendable, Equatable {
    /// Files of this type are not read.
    case typeNotRead
    /// The program is not installed.
    case missing(program: String)
    /// The program could not read it, with the first line of its complaint, of 200 characters at most.
    case unreadable(String)
    /// The program took more time than it may.
    case timeLimit
    /// The kernel killed the program: it used more processor time than it may, or the machine ran out of memory.
    case killed
    /// The program wanted more memory than it may have.
    case memoryLimit
    /// The program wrote a file, or to its standard output, more than it may.
    case sizeLimit
    /// The program crashed with this signal.
    case crashed(signal: Int32)
}

extension MediaFailure: CustomStringConvertible {
    /// A sentence for the log.
    public var description: String {
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

/// The box could not be set up, or the disk is full: a fault of this machine, not of the file. Worth another try.
public struct MediaBoxError: Error, Equatable, CustomStringConvertible {
    /// What the program complained about.
    public let description: String
}
