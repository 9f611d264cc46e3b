import Glibc
import TestSupport
import Testing

@testable import Machine

@Suite("Accounts of the system", .blocking)
struct SystemAccountTests {
    @Test("An account is found by its number and by its name, and an unknown one is not")
    func found() throws {
        let root = try #require(SystemAccount(0))
        #expect(root.name == "root" && root.user == 0 && root.group == 0)
        #expect(SystemAccount(named: "nobody")?.user == 65534)
        #expect(SystemAccount(4_000_000_000)?.name == nil && SystemAccount(named: "no such account")?.name == nil)
    }

    @Test("An entry with long texts gets the memory that it asks for, up to a limit")
    func memory() {
        let long = SystemAccount { entry, texts, bytes, found in
            bytes < 5000 ? ERANGE : getpwuid_r(0, entry, texts, bytes, found)
        }
        #expect(long?.name == "root")
        #expect(SystemAccount { _, _, _, _ in ERANGE }?.name == nil)
    }

    @Test("Threads that look up different accounts at the same time each get their own")
    func threads() async {
        let accounts: [(user: uid_t, name: String)] = [(0, "root"), (65534, "nobody")]
        let wrong = await withTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let account = accounts[number % 2]
                    return (0..<2000).count { _ in SystemAccount(account.user)?.name != account.name }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
