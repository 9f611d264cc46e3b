import TestSupport
import Testing

@testable import CloudSync
@testable import Machine
@testable import neuroviews_server

@Suite("The sentence of a failed command", .blocking)
struct FailureSentenceTests {
    @Test(
        "A database that is away is named with its reason and what to check",
        arguments: ["no connection within 4 s", "terminating connection (SQLSTATE 57P01)"]
    )
    func away(reason: String) {
        let sentence = Invocation.sentence(of: CloudSyncError.databaseUnavailable(reason: reason))
        #expect(sentence.hasPrefix("PostgreSQL can't be reached (\(reason)): check "), "\(sentence)")
        #expect(sentence.hasSuffix("that PostgreSQL runs there."))
    }

    @Test("A reason that is a sentence stays as it is, and so does the sentence of a command")
    func sentences() {
        let reason = "A pooler is between this server and PostgreSQL: use its session mode."
        #expect(Invocation.sentence(of: CloudSyncError.databaseUnavailable(reason: reason)) == reason)
        #expect(Invocation.sentence(of: CommandFailure(reason)) == reason)
    }
}
