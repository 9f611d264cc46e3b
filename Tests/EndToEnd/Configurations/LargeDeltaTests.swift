import Foundation
import TestSupport
import Testing

@Suite("Deltas larger than the server's memory limit", .blocking, .serialized)
struct LargeDeltaTests {
    private static let small = Result { try LargeAccount() }
    private static let items = TestRun.isUsual ? 12_000 : 100_000
    private static let large = Result {
        let account = try LargeAccount()
        try account.fill(items: items, documentBytes: 1100)
        return account
    }

    @Test("A delta equals the tables' content byte for byte, streamed or not", arguments: [500, 501, 1001])
    func sameBytes(items: Int) throws {
        let account = try Self.small.get()
        try account.fill(items: items, documentBytes: 150)
        let answer = try account.device.pull()
        let expected = try account.expectedText()
        #expect(answer.text == expected)
        #expect((answer.field("transfer-encoding") == "chunked") == (items > 500))
        #expect(answer.field("content-type") == "application/json")
        let tag = try #require(answer.field("etag"))
        #expect(try account.device.pull("", [("If-None-Match", tag)]).status == 304)
        #expect(try account.device.send("HEAD", "/v2/configurations").field("etag") == tag)
        let old = try account.beginPull("1.0").readToEnd()
        #expect(old.hasSuffix("\r\n\r\n" + expected) && !old.contains("chunked"))
    }

    @Test("A page with large documents is streamed, and its token continues with the next page")
    func largeDocuments() throws {
        let account = try Self.small.get()
        try account.fill(items: 9, documentBytes: 100_000)
        let page = try account.device.pull("limit=4")
        #expect(page.field("transfer-encoding") == "chunked" && page.json["has_more"] as? Bool == true)
        let rest = try account.device.pull("limit=100&sync_token=\(page.string("sync_token"))")
        #expect(rest.json["has_more"] as? Bool == false)
        let all = try account.device.pull()
        #expect(all.text == (try account.expectedText()))
        for name in ["configurations", "versions"] {
            #expect(page.rawElements(name) + rest.rawElements(name) == all.rawElements(name))
        }
    }

    @Test("A delta of tens of megabytes grows the server's memory by less than 8 MiB", .inFull)
    func constantMemory() throws {
        let account = try Self.large.get()
        let figures = ProcessFigures(account.server.processID)
        _ = try account.device.pull("limit=10")
        let beforeKiB = figures.residentKiB
        figures.forgetPeak()
        let begin = ContinuousClock.now
        let pull = try account.beginPull()
        pull.read()
        #expect(pull.isWhole && pull.bytes > Self.items * 1000)
        let growthKiB = figures.peakResidentKiB - beforeKiB
        #expect(growthKiB < 8 << 10 || !ProcessFigures.tellMemory)
        print("deltas: \(pull.bytes >> 20) MiB in \(ContinuousClock.now - begin), peak +\(growthKiB) KiB")
    }

    @Test("Eight slow readers of a delta take 4 MiB each and no database connection; others are served", .inFull)
    func slowReaders() throws {
        let account = try Self.large.get()
        let figures = ProcessFigures(account.server.processID)
        _ = try account.device.pull("limit=10")
        let beforeKiB = figures.residentKiB
        figures.forgetPeak()
        let pulls = try (0..<8).map { _ in try account.beginPull() }
        for round in 1...40 {
            for pull in pulls { pull.read(to: round * 500_000) }
            if round % 10 == 0 { try Deadline.wait("no read under way", seconds: 10) { try account.busyReads == 0 } }
        }
        #expect(pulls.allSatisfy { $0.bytes >= 20_000_000 && !$0.hasEnded })
        #expect(try account.device.pull("limit=10").status == 200)
        #expect(figures.peakResidentKiB - beforeKiB < 8 * 4 << 10 || !ProcessFigures.tellMemory)
        print("deltas: 8 at once, peak +\(figures.peakResidentKiB - beforeKiB) KiB")
        // Half of the clients close the connection, the other half reset it.
        for (number, pull) in pulls.enumerated() { number % 2 == 0 ? pull.socket.close() : pull.socket.reset() }
        // The remaining connection is the one of this test's requests.
        try Deadline.wait("their connections gone", seconds: 10) { try account.openConnections <= 1 }
        try Deadline.wait("no read under way", seconds: 10) { try account.busyReads == 0 }
        // A client that disconnects is no failure.
        #expect(try account.metrics.value("neuroviews_http_answers_cut_off_total") == 0)
    }

    @Test(
        "The memory kept for slow readers is counted, for documents of any size",
        .inFull,
        arguments: [(2000, 15_000), (30, 2_000_000)]
    )
    func counted(items: Int, documentBytes: Int) throws {
        let account = try LargeAccount()
        try account.fill(items: items, documentBytes: documentBytes)
        let figures = ProcessFigures(account.server.processID)
        // Each database connection keeps memory for the largest row, on each loop. This memory is no part of the
        // answers.
        var beforeKiB = 0
        try Deadline.wait("the same memory after eight pulls as before", seconds: 60) {
            let lastKiB = beforeKiB
            for pull in try (0..<8).map({ _ in try account.beginPull() }) { pull.read() }
            beforeKiB = figures.residentKiB
            return beforeKiB < lastKiB + 512 || !ProcessFigures.tellMemory
        }
        let pulls = try (0..<16).map { _ in try account.beginPull() }
        for round in [1_000_000, 8_000_000] {
            for pull in pulls { pull.read(to: round) }
            try Deadline.wait("no read under way", seconds: 10) { try account.busyReads == 0 }
            let keptKiB = figures.residentKiB - beforeKiB
            let countedKiB = try account.reservedBytes / 1024
            print("deltas: of \(documentBytes) bytes each: \(keptKiB) KiB kept, \(countedKiB) KiB counted")
            // A loop may keep a document or two. The allocator keeps freed memory of small pieces, and more of it on a
            // busy machine.
            let freedKiB = documentBytes < 1_000_000 ? 12 << 10 : 4 << 10
            #expect(keptKiB <= countedKiB + freedKiB + 2 * documentBytes / 1024 || !ProcessFigures.tellMemory)
            // Buffers, pages, and the part of a document that exceeds a page.
            #expect(countedKiB < 16 * (1536 + documentBytes / 1024))
        }
        #expect(pulls.allSatisfy { !$0.hasEnded })
        for pull in pulls { pull.socket.close() }
        try Deadline.wait("nothing kept any more", seconds: 10) { try account.reservedBytes == 0 }
    }

    @Test("A delta is cut off, logged and counted when PostgreSQL is killed, and the next one is complete")
    func postgresKilled() throws {
        let account = try Self.large.get()
        let before = try account.metrics.value("neuroviews_http_answers_cut_off_total") ?? -1
        let pulls = try ["1.1", "1.1"].map { try account.beginPull($0) }
        for pull in pulls { pull.read(to: 1_000_000) }
        try account.server.killPostgres()
        for pull in pulls { pull.read() }
        #expect(pulls.allSatisfy { $0.hasEnded && !$0.isWhole })
        #expect(try account.metrics.value("neuroviews_http_answers_cut_off_total") == before + 2)
        let lines = account.server.log.split(separator: "\n").filter { $0.contains("problem=database-unavailable") }
        #expect(lines.count { $0.contains("status=200") } >= 2)
        try account.server.awaitReady()
        let again = try account.beginPull()
        again.read()
        #expect(again.isWhole)
    }
}

extension LargePull {
    /// The whole answer, as text.
    fileprivate func readToEnd() throws -> String { String(decoding: try socket.receiveAll(), as: UTF8.self) }
}
