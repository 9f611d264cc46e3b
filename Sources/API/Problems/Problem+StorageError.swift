import HTTP
import Problems
import Storage

extension Problem {
    /// The response to a failure of the file storage.
    init(_ error: StorageError) {
        switch error {
        case .full: self.init(ProblemType.insufficientStorage)
        case .busy:
            self.init(ProblemType.overloaded)
            retrySeconds = 2
        case .missing: self.init(ProblemType.notFound)
        case .unavailable, .refused, .failed, .outOfRange, .wrongOffset:
            self.init(ProblemType.storageUnavailable)
            retrySeconds = 5
        }
    }
}
