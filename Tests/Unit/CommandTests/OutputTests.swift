import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient
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
        (.answerTooLarge(maxBytes: 9), 76),
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

    @Test("Edits that the server refuses or others have deleted are troubles, and those still to be sent are not")
    func troubles() {
        let (refused, held, unsent) = (UUID(), UUID(), UUID())
        let problem = NeuroViewsClient.Problem(NeuroViewsRules.Problem(status: 422))
        var edits = EditsOnTheirWay()
        (edits.unsent, edits.held) = ([unsent, UUID()], [held, UUID()])
        edits.refused = [(id: refused, problem: problem), (id: UUID(), problem: problem)]
        let ids: Set = [refused, held, unsent, UUID()]
        let troubles = edits.troubles(of: ids)
        #expect(troubles.count == 2)
        #expect(troubles.first == "The server refuses \(refused.text): Refused with status 422.")
        #expect(troubles.last == ClientError.held(held).sentence)
        #expect(edits.rest(of: ids) == ["\(unsent.text) is kept on this device until the next sync."])
    }

    @Test("A text is written whole to a descriptor that does not wait for its reader")
    func nonBlocking() async throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let made = socketpair(AF_UNIX, kind, 0, &ends)
        try #require(made == 0)
        let (writer, reader) = (ends[0], FileHandle(fileDescriptor: ends[1], closeOnDealloc: true))
        try #require(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
        let text = String(repeating: "x", count: 4 << 20)
        async let isWritten = onThread {
            defer { close(writer) }
            return Streams.write(text, to: writer)
        }
        let read = try reader.readToEnd()
        let isWhole = try await isWritten
        #expect(isWhole)
        #expect(read?.count == text.utf8.count)
    }

    @Test("A cancelled call counts as stopped")
    func stopped() {
        #expect(Failure(.cancelled).isStopped)
    }
}
