import CloudSync
import Foundation
import TestSupport
import Testing

@testable import Operations

@Suite("The program that sends mails", .blocking)
struct SendmailTests {
    private static func message() throws -> MailMessage {
        let sender = try #require(MailAddress("cloud@example.org"))
        return MailMessage(
            .reset,
            to: try #require(MailAddress("ada@example.org")),
            token: (text: "T0K3N", expiresAt: "2026-03-01T12:00:00Z"),
            .init(sender: sender, accountURL: nil)
        )
    }

    /// A script in a folder of its own, and its folder.
    private static func program(_ script: String, limitSeconds: Double = 60) throws -> (Sendmail, folder: String) {
        let folder = Sandbox.makeFolder()
        let path = folder + "/sendmail"
        try Script.write("cd '\(folder)'\n" + script, to: path)
        let sender = try #require(MailAddress("cloud@example.org"))
        return (Sendmail(path, sender: sender, limitSeconds: limitSeconds), folder)
    }

    /// The description of the thrown error; nil if there is none.
    private static func failure(_ sendmail: Sendmail) throws -> String? {
        do {
            try sendmail.send(message())
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("The mail program gets the message on its standard input, and no recipient as an argument")
    func sends() throws {
        let (sendmail, folder) = try Self.program("echo \"$*\" >arguments; cat >message")
        let message = try Self.message()
        try sendmail.send(message)
        #expect(try String(contentsOfFile: folder + "/arguments", encoding: .utf8) == "-i -t -f cloud@example.org\n")
        #expect(try String(contentsOfFile: folder + "/message", encoding: .utf8) == message.text)
    }

    @Test("A failing mail program is reported with its first line, without address and token")
    func fails() throws {
        #expect(try Self.failure(Self.program("exit 0").0) == nil)
        let (sendmail, _) = try Self.program(
            "echo 'no relay for ADA@example.org (of <ada@example.org>): T0K3N' >&2; echo more >&2; exit 69"
        )
        let failure = try #require(try Self.failure(sendmail))
        #expect(failure.hasSuffix("/sendmail ended with status 69: no relay for … (of <…>): …"))
        let long = try Self.program("head -c 100000 /dev/zero | tr '\\0' x; exit 1").0
        #expect(try #require(try Self.failure(long)).utf8.count < 400)
        let missing = Sendmail("/nowhere/x", sender: try #require(MailAddress("a@b.org")))
        #expect(try Self.failure(missing) == "cannot run /nowhere/x: No such file or directory")
    }

    @Test("A mail program that does not end in time is killed with its children")
    func hangs() throws {
        let (sendmail, folder) = try Self.program("sleep 1000 & echo $! >child; wait", limitSeconds: 1)
        #expect(try #require(try Self.failure(sendmail)).hasSuffix("has not ended in time"))
        let child = try String(contentsOfFile: folder + "/child", encoding: .utf8).split(separator: "\n")[0]
        let number = try #require(Int32(child))
        try Deadline.wait("the end of the child", seconds: 10) { !ServerProcess.runs(number) }
    }
}
