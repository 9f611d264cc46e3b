import TestSupport
import Testing

@testable import Machine

@Suite("The name of the operator", .blocking)
struct OperatorNameTests {
    @Test("Root is named after sudo's caller, and another account's caller is only a claim")
    func names() {
        #expect(OperatorName.name("root", isRoot: true, caller: "alice") == "alice")
        #expect(OperatorName.name("root", isRoot: true, caller: "") == "root")
        #expect(OperatorName.name("neuroviews", isRoot: false, caller: "alice") == "neuroviews (SUDO_USER alice)")
        #expect(OperatorName.name("neuroviews", isRoot: false, caller: "") == "neuroviews")
        #expect(OperatorName.name("alice", isRoot: false, caller: "alice") == "alice")
    }
}
