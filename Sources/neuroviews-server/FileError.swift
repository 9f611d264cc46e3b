import Glibc

/// A refused system call: "cannot open /x: Permission denied".
struct FileError: Error, Equatable, CustomStringConvertible {
    /// A verb, as it completes "cannot …".
    let operation: String
    let path: String
    /// The errno.
    let code: Int32
    /// What is wrong, where no errno says it.
    var reason: String?

    /// Takes the errno that is set now.
    init(_ operation: String, _ path: String) {
        self.init(operation, path, code: errno)
    }

    init(_ operation: String, _ path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// For what no errno says.
    init(_ operation: String, _ path: String, _ reason: String) {
        self.init(operation, path, code: EPERM)
        self.reason = reason
    }

    var description: String { "cannot \(operation) \(path): \(reason ?? String(cString: strerror(code)))" }
}
