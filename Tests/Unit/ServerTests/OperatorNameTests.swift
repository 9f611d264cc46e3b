import TestSupport
import Testing

@testable import Machine

@Suite("Who runs a command", .blocking)
struct OperatorNameTests {
    @Test("Root is whoever called sudo; what others say of their caller is a claim")
    func names() {
        #expect(OperatorName.name("root", isRoot: true, caller: "alice") == "alice")
        #expect(OperatorName.name("root", isRoot: true, caller: "") == "root")
        #expect(OperatorName.name("neuroviews", isRoot: false, caller: "alice") == "neuroviews (SUDO_USER alice)")
        #expect(OperatorName.name("neuroviews", isRoot: false, caller: "") == "neuroviews")
        #expect(OperatorName.name("alice", isRoot: false, caller: "alice") == "alice")
    }
}
