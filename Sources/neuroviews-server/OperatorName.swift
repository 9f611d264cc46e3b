import Foundation

/// Who runs this command, for the trail: whoever called sudo, else the account of the process.
enum OperatorName {
    static var current: String {
        let environment = ProcessInfo.processInfo.environment
        if getuid() == 0, let caller = environment["SUDO_USER"], !caller.isEmpty { return caller }
        return getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "uid \(getuid())"
    }
}
