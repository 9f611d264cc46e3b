import Foundation
import NeuroViewsClient
import TestSupport
import Testing

@testable import neuroviews

@Suite("Output and statuses", .blocking)
struct OutputTests {
    private static let table = Table(["ID", "NAME"], [["1", "Moss\tand\u{1B}[31m\nstone"], ["22", "é"]])

    @Test("Other programs get lines with tabs, and no control characters of names")
    func tabs() {
        #expect(Self.table.text(isForTerminal: false) == "1\tMoss\\u{9}and\\u{1b}[31m\\u{a}stone\n22\té\n")
    }

    @Test("A terminal gets columns with headings")
    func columns() {
        let lines = Self.table.text(isForTerminal: true).split(separator: "\n")
        #expect(lines.map { $0.prefix(4) } == ["ID  ", "1   ", "22  "])
        #expect(lines[2] == "22  é")
    }

    @Test("An empty table prints nothing")
    func empty() {
        #expect(Table(["ID"]).text(isForTerminal: true) == "")
    }

    @Test(
        "Bytes are shown with one digit after the point",
        arguments: [(999, "999 B"), (1000, "1.0 kB"), (12_345_678, "12.3 MB")]
    )
    func bytes(count: Int64, text: String) {
        #expect(Shown.bytes(count) == text)
    }

    static let statuses: [(error: ClientError, status: Int32)] = [
        (.offline(.notConnected("refused")), 69), (.offline(.file(code: 28)), 74), (.untrusted(.unknownAuthority), 69),
        (.tryLater(nil, seconds: 3), 75), (.needsLogIn(nil), 77), (.confirmationRequired, 77), (.otherAccount, 77),
        (.held(UUID()), 65), (.nothingShown(UUID()), 66), (.unsentEdits(2), 64), (.invalidArgument("x"), 64),
        (.store(.full), 74), (.store(.newer(version: 2)), 78), (.store(.busy), 75), (.store(.notPrivate("/x")), 78),
        (.secrets(.notPrivate("/x")), 78), (.secrets(.locked), 75), (.unexpectedAnswer("HTML"), 76),
        (.fileChanged(URL(filePath: "/x")), 66),
    ]

    @Test("Each error of the library has its status", arguments: statuses)
    func status(error: ClientError, status: Int32) {
        #expect(Failure(error).status.rawValue == status)
        #expect(!Failure(error).isStopped)
    }

    @Test("A log out names how many unsent and lost edits it would take along, and asks for nothing if there are none")
    func leftovers() {
        #expect(LogOutLeftovers(unsent: 0, lost: 0) == nil)
        let lost = LogOutLeftovers(unsent: 0, lost: 3)
        #expect(lost?.question == "Lost edits that can still be brought back: 3. They would be gone. Log out?")
        let both = LogOutLeftovers(unsent: 2, lost: 1)?.remedy ?? ""
        #expect(both.hasPrefix("Unsent edits and uploads: 2; lost edits that can still be brought back: 1. "))
        #expect(both.contains("--keep") && both.contains("--discard"))
    }

    @Test("A failure that is to be tried later has the server's time for it")
    func retryAfter() {
        #expect(Failure(.tryLater(nil, seconds: 3)).retryAfterS == 3)
    }

    @Test("A cancelled call counts as stopped")
    func stopped() {
        #expect(Failure(.cancelled).isStopped)
    }
}
