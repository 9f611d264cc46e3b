import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Interrupted uploads", .blocking)
struct UploadInterruptionTests {
    private static let arguments = ["--registration", "open", "--signatures", "optional"]

    @Test("An upload cut at random points by either side goes on without a wrong byte", arguments: [1, 2])
    func cuts(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let file = try FileOnItsWay(Shared.newDevice(), FileOnItsWay.random(3_000_000))
        var offset = 0
        while offset < file.bytes.count {
            let count = Int.random(in: 0...min(400_000, file.bytes.count - offset), using: &random)
            // Small steps near the end would never reach it.
            if file.bytes.count - offset < 20_000 { break }
            let connection = try file.begin(from: offset, sending: count)
            if Bool.random(using: &random) { connection.socket.reset() } else { connection.socket.close() }
            // The bytes of an earlier connection may arrive later than this connection's bytes.
            let next = try file.offset()
            #expect(next >= offset)
            offset = next
        }
        #expect(try file.sendRest().status == 201)
        #expect(try file.isStored(Shared.server.get()))
    }

    @Test("A draft client that restarts is sent to query the offset, and a plain client starts over")
    func again() throws {
        let file = try FileOnItsWay(Shared.newDevice(), FileOnItsWay.random(300_000))
        #expect(try file.append(0..<100_000, isLast: false).status == 204)
        let connection = try file.begin(from: 0, sending: 50_000)
        let offer = try connection.readResponse()
        #expect(offer.status == 104)
        #expect(offer["Location"] == file.url)
        #expect(throws: (any Error).self) { try connection.readResponse() }
        #expect(try file.offset() == 100_000)
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        #expect(try file.isStored(Shared.server.get()))
    }

    @Test("The newer of two concurrent appends wins, and the older one's earlier bytes count")
    func newest() throws {
        let file = try FileOnItsWay(Shared.newDevice(), FileOnItsWay.random(300_000))
        let older = try file.begin(from: 0, sending: 100_000)
        #expect(try older.readResponse().status == 104)
        let offset = try file.offset()
        #expect((0...100_000).contains(offset))
        try? older.send(Array(repeating: 0, count: 100_000))
        #expect(throws: (any Error).self) { try older.readResponse() }
        #expect(try file.offset() == offset)
        #expect(try file.append(offset..<300_000, isLast: true).status == 201)
        #expect(try file.isStored(Shared.server.get()))
    }

    @Test("Six clients that append at once make no byte wrong")
    func rivals() async throws {
        let file = try FileOnItsWay(Shared.newDevice(), FileOnItsWay.random(2_000_000))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 0..<6 {
                group.addTask { try await onThread { try Self.fight(for: file, seed: UInt64(seed)) } }
            }
            try await group.waitForAll()
        }
        if try file.answer("HEAD")["Upload-Complete"] != "?1" { #expect(try file.sendRest().status == 201) }
        #expect(try file.isStored(Shared.server.get()))
    }

    private static func fight(for file: FileOnItsWay, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<10 {
            guard let offset = try? file.offset(), offset < file.bytes.count else { continue }
            let count = Int.random(in: 0...(file.bytes.count - offset), using: &random)
            // Other clients may cut this request off.
            guard let connection = try? file.begin(from: offset, sending: min(count, 300_000)) else { continue }
            connection.socket.close()
        }
    }

    @Test("All written bytes count after a server crash, and only flushed ones after a reboot")
    func crash() throws {
        let server = try ServerProcess(Self.arguments)
        var device = try Device.new(server.client)
        for isNewBoot in [false, true] {
            device.client = server.client
            var file = try FileOnItsWay(device, FileOnItsWay.random(4_000_000))
            #expect(try file.append(0..<1_000_000, isLast: false).status == 204)
            let connection = try file.begin(from: 1_000_000, sending: 1_500_000)
            try Deadline.wait("the bytes", seconds: 20) { file.uploadBytes(server) == 2_500_000 }
            try server.kill()
            connection.socket.close()
            try server.start()
            file = file.on(server)
            if isNewBoot {
                try server.sql("UPDATE recording_files SET boot_id = gen_random_uuid() WHERE id = '\(file.id)'")
            }
            #expect(try file.offset() == (isNewBoot ? 1_000_000 : 2_500_000))
            #expect(try file.sendRest().status == 201)
            #expect(try file.isStored(server))
        }
    }

    @Test("Bytes with an unverified digest do not count after a crash, and the upload goes on", .inFull)
    func crashBeforeTheDigest() throws {
        let server = try ServerProcess(Self.arguments)
        var file = try FileOnItsWay(Device.new(server.client), FileOnItsWay.random(3_000_000))
        #expect(try file.append(0..<1_000_000, isLast: false).status == 204)
        let digest = FileOnItsWay.digest("Content-Digest", Array(file.bytes[1_000_000...]))
        let connection = try file.begin(from: 1_000_000, sending: 500_000, [digest])
        try Deadline.wait("the bytes", seconds: 20) { file.uploadBytes(server) == 1_500_000 }
        try server.kill()
        connection.socket.close()
        try server.start()
        file = file.on(server)
        // The first HEAD must not make the unchecked bytes count for the second.
        #expect(try file.offset() == 1_000_000)
        #expect(try file.offset() == 1_000_000)
        let rest = try file.begin(from: 1_000_000, sending: 700_000)
        try Deadline.wait("the bytes", seconds: 20) { file.uploadBytes(server) == 1_700_000 }
        try server.kill()
        rest.socket.close()
        try server.start()
        file = file.on(server)
        #expect(try file.offset() == 1_700_000, "they have no digest")
        #expect(try file.sendRest().status == 201)
        #expect(try file.isStored(server))
    }

    @Test("Other bytes for a complete upload are refused only after their last byte", .inFull)
    func verdictAtTheEnd() throws {
        let server = try ServerProcess(Self.arguments)
        let file = try FileOnItsWay(Device.new(server.client), FileOnItsWay.random(8_000_000))
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        func read() throws -> Double {
            let metrics = try Exposition(server.adminClient.send("GET", "/metrics").text)
            return metrics.samples.filter { $0.name == "neuroviews_http_request_body_bytes_total" }.map(\.value).reduce(
                0,
                +
            )
        }
        try Deadline.wait("the first file", seconds: 10) { try read() >= 8_000_000 }
        let before = try read()
        #expect(try file.answer("PUT", [], [file.bytes[0] ^ 1] + file.bytes[1...]).verdict == "409 completed-upload")
        try Deadline.wait("the whole file", seconds: 10) { try read() - before >= 8_000_000 }
    }

    @Test("A stopping server cuts an upload at the drain's deadline, and the written bytes count")
    func stopped() throws {
        let server = try ServerProcess(Self.arguments + ["--drain-timeout-ms", "100"])
        let file = try FileOnItsWay(Device.new(server.client), FileOnItsWay.random(2_000_000))
        let connection = try file.begin(from: 0, sending: 1_000_000)
        try Deadline.wait("the bytes", seconds: 20) { file.uploadBytes(server) == 1_000_000 }
        #expect(try server.stop() == 0)
        #expect(try connection.readResponse().status == 104)
        #expect(throws: (any Error).self) { try connection.readResponse() }
        try server.start()
        let again = file.on(server)
        #expect(try again.offset() == 1_000_000)
        #expect(try again.sendRest().status == 201)
        #expect(try again.isStored(server))
    }

    @Test("An upload is complete after a crash between the file's rename and the database's commit")
    func lastMoment() throws {
        let server = try Shared.server.get()
        let file = try FileOnItsWay(Shared.newDevice(), FileOnItsWay.random(1000))
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        try server.sql(
            "UPDATE recording_files SET upload = 'open', upload_offset = 0 WHERE object_key = '\(file.objectKey)'"
        )
        let head = try file.answer("HEAD")
        #expect(head["Upload-Complete"] == "?1")
        #expect(head["Upload-Offset"] == "1000")
        #expect(try file.isStored(server))
    }

    @Test("An upload whose file is shorter than reported fails")
    func lost() throws {
        let server = try Shared.server.get()
        let file = try FileOnItsWay(Shared.newDevice(), FileOnItsWay.random(1000))
        #expect(try file.append(0..<600, isLast: false).status == 204)
        try Data(file.bytes[..<500]).write(to: URL(fileURLWithPath: file.uploadPath(server)))
        #expect(try file.answer("HEAD").status == 410)
    }

    @Test("An upload without the database is cut off without loss, and goes on afterwards")
    func databaseAway() throws {
        let server = try ServerProcess(Self.arguments)
        let file = try FileOnItsWay(Device.new(server.client), FileOnItsWay.random(2_000_000))
        let connection = try file.begin(from: 0, sending: 1_000_000)
        try Deadline.wait("the bytes", seconds: 20) { file.uploadBytes(server) == 1_000_000 }
        try server.killPostgres()
        try? connection.send(Array(file.bytes[1_000_000...]))
        // PostgreSQL may be back before the last byte.
        let answers = try? FileOnItsWay.answers(connection)
        #expect(answers == nil || answers?.last?.status == 201)
        try server.awaitReady()
        if answers == nil, try file.answer("HEAD")["Upload-Complete"] != "?1" {
            #expect(try file.offset() >= 1_000_000)
            #expect(try file.sendRest().status == 201)
        }
        #expect(try file.isStored(server))
    }

    @Test("A draft client's HEAD without the database is cut off, because a 503 would end its upload", .inFull)
    func databaseAwayFromQuestions() throws {
        let server = try ServerProcess(Self.arguments)
        let file = try FileOnItsWay(Device.new(server.client), FileOnItsWay.random(1000))
        #expect(try file.append(0..<500, isLast: false).status == 204)
        var met: Set<String> = []
        for round in 0..<30 where met.count < 3 {
            try Deadline.wait("the offset", seconds: 30) { (try? file.offset()) == 500 }
            // PostgreSQL is back soon, so each outage affects only one request.
            try server.killPostgres()
            switch round % 3 {
            case 0:
                let head = try? file.answer("HEAD")
                #expect(head == nil || head?.status == 204)
                if head == nil { met.insert("question") }
            case 1:
                let part = try? file.append(500..<500, isLast: false)
                #expect(part == nil || part?.status == 204)
                if part == nil { met.insert("part") }
            default:
                let other = try file.answer("HEAD", [("Tus-Resumable", "1.0.0")])
                #expect([200, 503].contains(other.status))
                if other.status == 503, other["Retry-After"] != nil { met.insert("another protocol") }
            }
        }
        #expect(met.count == 3, "\(met)")
        try server.awaitReady()
        #expect(try file.sendRest().status == 201)
        #expect(try file.isStored(server))
    }

    @Test(
        "An upload of a large file takes no memory",
        .inFull,
        .enabled(if: ProcessFigures.tellMemory, "the sanitizer keeps what was freed")
    )
    func memory() throws {
        let server = try ServerProcess(Self.arguments)
        let file = try FileOnItsWay(Device.new(server.client), FileOnItsWay.random(64 << 20))
        #expect(try file.offset() == 0)
        let figures = ProcessFigures(server.processID)
        figures.forgetPeak()
        let before = figures.residentKiB
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        #expect(figures.peakResidentKiB - before < 32 << 10)
        #expect(try file.isStored(server))
    }
}
