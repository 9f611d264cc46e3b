import Glibc

/// A failed system call: "cannot open /x: Permission denied".
package struct FileError: Error, Equatable, CustomStringConvertible {
    /// A verb that completes "cannot …".
    let operation: String
    let path: String
    /// The errno.
    package let code: Int32
    /// The reason, if errno does not describe it.
    var reason: String?

    /// Uses the current errno.
    package init(_ operation: String, _ path: String) {
        self.init(operation, path, code: errno)
    }

    package init(_ operation: String, _ path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// For a reason that errno does not describe.
    package init(_ operation: String, _ path: String, _ reason: String) {
        self.init(operation, path, code: EPERM)
        self.reason = reason
    }

    package var description: String { "cannot \(operation) \(path): \(reason ?? String(cString: strerror(code)))" }
}
