import Foundation
import NeuroViewsCrypto
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("The proof of an upload", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct UploadProofTests {
    @Test("A receipt with another digest or size never makes an upload done")
    func otherDigest() async throws {
        let fixture = try UploadFixture { $0.receipt = SHA256.hash([1]) }
        let row = try await fixture.run()
        #expect(row.phase == .failed && row.failure == .otherDigest)
        #expect(Upload(row).mayDeleteFile == false)
    }

    @Test("A recording that is read and not ready yet is asked for again, with longer pauses each time")
    func notReady() async throws {
        let fixture = try UploadFixture { $0.status = "processing" }
        let row = try await fixture.run { _ in
            fixture.uploads.state.withLock { state in if state.polls == 5 { state.status = "ready" } }
        }
        #expect(row.phase == .done && Upload(row).mayDeleteFile)
        #expect(fixture.uploads.state.withLock { $0.polls } == 6)
        #expect(fixture.pauses.filter { $0 > 0 } == [1000, 2000, 4000, 8000, 8000, 8000])
    }

    @Test("A recording without a receipt is asked for again")
    func noReceipt() async throws {
        let fixture = try UploadFixture { $0.status = "pending" }
        let row = try await fixture.run { _ in
            fixture.uploads.state.withLock { state in if state.polls == 2 { state.status = "ready" } }
        }
        #expect(row.phase == .done)
        #expect(fixture.uploads.state.withLock { $0.polls } == 3)
    }

    @Test("A file that the server could not verify fails, and is sent again when the user wants it")
    func notVerified() async throws {
        let fixture = try UploadFixture { $0.status = "failed" }
        #expect(try await fixture.run().failure == .notVerified("wrong digest"))
        fixture.uploads.state.withLock { state in
            (state.status, state.stored, state.isEnded) = ("ready", [], false)
        }
        #expect(try fixture.take(.resumed))
        #expect(try await fixture.run().phase == .done)
    }

    @Test("A recording that somebody deletes while it is verified fails")
    func deleted() async throws {
        let fixture = try UploadFixture()
        let row = try await fixture.run { row in
            guard row.phase == .verifying else { return }
            fixture.uploads.state.withLock { state in
                state.isCompleted = false
                state.refusals = [("upload-url", .problem(409, "recording-deleted"))]
            }
        }
        guard case .refused(let problem) = row.failure else {
            Issue.record("\(row)")
            return
        }
        #expect(problem.code == "recording-deleted")
    }

    @Test("A server that was restored from a backup while it verified gets the file again")
    func restored() async throws {
        let fixture = try UploadFixture()
        var isRestored = false
        let row = try await fixture.run { row in
            guard row.phase == .verifying, !isRestored else { return }
            isRestored = true
            fixture.uploads.state.withLock { state in
                (state.isCompleted, state.isEnded, state.stored) = (false, false, [])
            }
        }
        #expect(row.phase == .done && fixture.uploads.requests("PATCH").count == 2)
        #expect(fixture.uploads.state.withLock { $0.stored } == fixture.content)
    }

    @Test("A file that changes is noticed before it is read, sent, and believed", arguments: ChangedFile.allCases)
    func changed(_ change: ChangedFile) async throws {
        let queued = try UploadFixture()
        let queuedPath = queued.file.path
        let row = try await queued.run { row in if row.phase == .queued { change.apply(queuedPath) } }
        #expect(row.failure == .fileChanged && queued.uploads.calls("upload-url") == 0)
        let early = try UploadFixture()
        change.apply(early.file.path)
        #expect(try await early.run().failure == .fileChanged)
        let late = try UploadFixture()
        let path = late.file.path
        late.uploads.state.withLock { state in state.beforeBody = { change.apply(path) } }
        #expect(try await late.run().failure == .fileChanged)
        #expect(late.uploads.calls("complete") == 0)
        let last = try UploadFixture()
        let end = try await last.run { row in if row.phase == .verifying { change.apply(last.file.path) } }
        #expect(end.failure == .fileChanged)
    }

    @Test("A file that is gone when the server has it does no harm")
    func removed() async throws {
        let fixture = try UploadFixture()
        let row = try await fixture.run { row in if row.phase == .verifying { unlink(fixture.file.path) } }
        #expect(row.phase == .done)
    }

    @Test("A folder in the place of a file is another file, and an error of the system is none")
    func other() throws {
        let file = try OpenFile([1])
        let identity = try LocalFile(file.path).identity()
        #expect(!LocalFile.isOther(file.path, than: identity))
        #expect(LocalFile.isOther(Sandbox.makeFolder(), than: identity))
        // ENOENT, ENOTDIR and ENAMETOOLONG.
        for path in [file.path + "-none", file.path + "/a", "/" + String(repeating: "a", count: 300)] {
            #expect(!LocalFile.isOther(path, than: identity))
        }
    }

    @Test("A file that is gone, a folder and a pipe fail by name")
    func unreadable() async throws {
        let fixture = try UploadFixture()
        unlink(fixture.file.path)
        #expect(try await fixture.run().failure == .fileUnreadable(code: ENOENT))
        let pipe = fixture.folder + "/pipe"
        mkfifo(pipe, 0o600)
        for path in [fixture.folder, pipe] {
            #expect(throws: LocalFileError.noFile) { _ = try LocalFile(path) }
        }
    }

    /// Ways to change a file.
    enum ChangedFile: CaseIterable {
        case longer, shorter, rewritten, replaced

        /// What a camera app that goes on recording, or an editor, does.
        func apply(_ path: String) {
            let content = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
            switch self {
            case .longer: Self.write(content + [1], path)
            case .shorter: Self.write(Array(content.dropLast()), path)
            case .rewritten: Self.write(Array(content.reversed()), path)
            case .replaced:
                var times = stat()
                stat(path, &times)
                Self.write(content, path + ".new")
                let stamps = [times.st_atim, times.st_mtim]
                utimensat(AT_FDCWD, path + ".new", stamps, 0)
                rename(path + ".new", path)
            }
        }

        private static func write(_ bytes: [UInt8], _ path: String) {
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            defer { close(file) }
            var bytes = bytes
            Glibc.write(file, &bytes, bytes.count)
        }
    }
}
