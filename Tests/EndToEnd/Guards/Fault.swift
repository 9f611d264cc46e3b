import TestSupport
import Testing

/// One fault of a request, and the answer to it.
struct Fault: Sendable {
    let name: String
    let verdict: String
    /// Path parameters in place of the document's examples.
    var values: [String: String] = [:]
    /// True if the client ends its side of the connection after the request.
    var endsSending = false
    var spoil: @Sendable (inout RequestDraft) -> Void = { _ in }

    /// The request with this fault.
    func draft(_ operation: Operation, by account: FilledAccount) -> RequestDraft {
        var draft = RequestDraft(operation, by: account, values)
        spoil(&draft)
        return draft
    }

    /// Sends the operation's request with each fault, and expects the documented answer.
    static func check(
        _ faults: [Fault],
        _ operation: Operation,
        by account: FilledAccount,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        for fault in faults {
            let name = "\(operation.testDescription): \(fault.name.prefix(80))"
            #expect(
                operation.declares(fault.verdict),
                "\(name): the document does not have \(fault.verdict)",
                sourceLocation: location
            )
            try Problems.exchange(
                account.device.client,
                fault.draft(operation, by: account).bytes,
                endsSending: fault.endsSending,
                [fault.verdict],
                of: name,
                at: location
            )
        }
    }
}
