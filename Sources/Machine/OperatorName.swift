import FoundationEssentials
import Glibc

/// The operator's name for the trail: the account of the process; for root, the caller of sudo. Other accounts can set
/// `SUDO_USER` freely, so for them it is recorded beside the account as a claim.
package enum OperatorName {
    package static var current: String {
        let environment = ProcessInfo.processInfo.environment
        let account = SystemAccount(getuid())?.name ?? "uid \(getuid())"
        return name(account, isRoot: getuid() == 0, caller: environment["SUDO_USER"] ?? "")
    }

    static func name(_ account: String, isRoot: Bool, caller: String) -> String {
        if caller.isEmpty || caller == account { return account }
        return isRoot ? caller : "\(account) (SUDO_USER \(caller.prefix(64)))"
    }
}
