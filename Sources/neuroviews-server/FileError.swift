import Glibc

/// A failed system call: "cannot open /x: Permission denied".
struct FileError: Error, Equatable, CustomStringConvertible {
    /// A verb that completes "cannot …".
    let operation: String
    let path: String
    /// The errno.
    let code: Int32
    /// The reason, if errno does not describe it.
    var reason: String?

    /// Uses the current errno.
    init(_ operation: String, _ path: String) {
        self.init(operation, path, code: errno)
    }

    init(_ operation: String, _ path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// For a reason that errno does not describe.
    init(_ operation: String, _ path: String, _ reason: String) {
        self.init(operation, path, code: EPERM)
        self.reason = reason
    }

    var description: String { "cannot \(operation) \(path): \(reason ?? String(cString: strerror(code)))" }
}
