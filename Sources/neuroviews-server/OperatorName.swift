import FoundationEssentials
import Glibc

/// Who runs this command, for the trail: the account of the process, and for root whoever called sudo. Others can set `SUDO_USER` as they like, so
/// theirs is noted as a claim beside the account.
enum OperatorName {
    static var current: String {
        let environment = ProcessInfo.processInfo.environment
        let account = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "uid \(getuid())"
        return name(account, isRoot: getuid() == 0, caller: environment["SUDO_USER"] ?? "")
    }

    static func name(_ account: String, isRoot: Bool, caller: String) -> String {
        if caller.isEmpty || caller == account { return account }
        return isRoot ? caller : "\(account) (SUDO_USER \(caller.prefix(64)))"
    }
}
