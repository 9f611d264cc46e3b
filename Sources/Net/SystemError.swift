import Glibc

/// A failed system call, with its errno.
public struct SystemError: Error, CustomStringConvertible, Equatable {
    /// The call's name.
    public let call: String
    /// errno(3).
    public let code: Int32

    /// Names a failed call.
    public init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// "bind: Address already in use".
    public var description: String { "\(call): \(String(cString: strerror(code)))" }

    /// Returns the result of a call; throws errno if the result is negative.
    static func check(_ result: Int32, _ call: String) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(call: call, code: errno) }
        return result
    }
}
