import CommandWords
import NeuroViewsClient

extension Failure {
    /// The library's error with the exit status that tells a script what to do next.
    init(_ error: ClientError) {
        switch error {
        case .cancelled, .offline(.cancelled): self = .stopped
        case .refused(let problem): self.init(problem)
        case .needsLogIn(let problem): self.init(error.sentence, .noPermission, code: problem?.code)
        case .tryLater(let problem, let seconds):
            self.init(error.sentence, .busy, code: problem?.code)
            retryAfterS = seconds
        case .secrets(let error): self.init(error)
        case .sealing(let reason): self.init(error.sentence, Self.status(of: reason))
        case .store(let error): self.init(error.description, Self.status(of: error))
        default: self.init(error.sentence, Self.status(of: error))
        }
    }

    /// A refusal by the server.
    init(_ problem: Problem) {
        let status: ExitStatus =
            switch problem.status {
            case 401: .noPermission
            case 404, 410: .noInput
            case 408, 429, 500...: .busy
            default: .data
            }
        self.init(problem.fullDescription, status, code: problem.code)
    }

    init(_ error: SecretError) {
        let status: ExitStatus =
            switch error {
            case .locked: .busy
            case .unreadable: .ioError
            case .unwritable: .cannotCreate
            case .notPrivate: .configuration
            }
        self.init(error.description, status)
    }

    private static func status(of error: ClientError) -> ExitStatus {
        switch error {
        case .offline(.file): .ioError
        case .offline, .untrusted: .unavailable
        case .otherAccount, .confirmationRequired: .noPermission
        case .nothingShown, .fileChanged: .noInput
        case .unsentEdits, .invalidArgument: .usage
        case .held, .invalid: .data
        case .unexpectedAnswer, .answerTooLarge: .protocolError
        default: .software
        }
    }

    private static func status(of error: SealingError) -> ExitStatus {
        switch error {
        case .noKey, .keyMissing: .noPermission
        default: .data
        }
    }

    private static func status(of error: StoreError) -> ExitStatus {
        switch error {
        case .newer, .notPrivate: .configuration
        case .busy, .replaced: .busy
        case .removed: .noPermission
        case .unstorable: .data
        case .readOnly: .cannotCreate
        case .full, .damaged, .unreadable, .other: .ioError
        }
    }
}

extension ClientError {
    /// The description, with the command's remedies instead of the library's.
    var sentence: String {
        switch self {
        case .needsLogIn(let problem):
            "Nobody is logged in: write neuroviews login." + (problem.map { " (\($0.title))" } ?? "")
        case .otherAccount: "Another account was logged in meanwhile: write the command again."
        case .held(let id):
            "Others have deleted \(id.text): neuroviews edit \(id.text) keeps it, neuroviews delete \(id.text) deletes it here, too."
        case .untrusted(.plainHTTP):
            "Requests by http are refused: use https, or write --allow-plain-http on, without pins."
        case .untrusted(.unknownAuthority):
            "No trusted authority signed the server's certificate: name yours with --authorities FILE."
        case .sealing(.noKey):
            "This profile has no key: neuroviews keys show makes one, neuroviews keys enter takes that of another device."
        case .sealing(.keyMissing(let id)):
            "The recording is sealed with the key \(id): neuroviews keys enter takes it; --raw gets the sealed bytes."
        default: description
        }
    }
}
