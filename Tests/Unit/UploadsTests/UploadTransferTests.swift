import Testing
import Uploads

@Suite("Transfers to an upload")
struct UploadTransferTests {
    private static let ends: [(UploadState, UploadRequest, Int, UploadTransfer.End, UploadState)] = [
        // The client marks the last content. An offset that equals the length completes nothing.
        (.halfway, .append(6, at: 4), 10, .whole, UploadState(length: 10, offset: 10, epoch: 9, phase: .complete)),
        (.halfway, .append(6, at: 4, last: false), 10, .whole, UploadState(length: 10, offset: 10, epoch: 9)),
        (.halfway, .append(6, at: 4), 10, .interrupted, UploadState(length: 10, offset: 10, epoch: 9)),
        (.halfway, .append(6, at: 4), 7, .interrupted, UploadState(length: 10, offset: 7, epoch: 9)),
        (.full, .append(0, at: 10), 10, .whole, UploadState(length: 10, offset: 10, epoch: 9, phase: .complete)),
        (.unbounded, .append(nil, at: 4), 7, .whole, UploadState(length: 7, offset: 7, epoch: 9, phase: .complete)),
        (.unbounded, .append(nil, at: 4), 7, .interrupted, UploadState(offset: 7, epoch: 9)),
        (.unbounded, .append(nil, at: 4, of: 7, last: false), 7, .whole, UploadState(length: 7, offset: 7, epoch: 9)),
        (.unbounded, .append(0, at: 4), 4, .whole, UploadState(length: 4, offset: 4, epoch: 9, phase: .complete)),
        // With tus, the length is the end.
        (
            .halfway, .append(6, at: 4, last: false, by: .tus), 10, .whole,
            UploadState(length: 10, offset: 10, epoch: 9, phase: .complete)
        ),
        (
            .halfway, .append(6, at: 4, last: false, by: .tus), 10, .interrupted,
            UploadState(length: 10, offset: 10, epoch: 9, phase: .complete)
        ),
        (
            .halfway, .append(6, at: 4, last: false, by: .tus), 9, .interrupted,
            UploadState(length: 10, offset: 9, epoch: 9)
        ),
        (.halfway, .append(2, at: 4, last: false, by: .tus), 6, .whole, UploadState(length: 10, offset: 6, epoch: 9)),
        (
            UploadState(epoch: 7), .create(0, of: 0, last: false, by: .tus), 0, .whole,
            UploadState(length: 0, epoch: 9, phase: .complete)
        ),
        // A plain PUT brings the whole file.
        (
            .halfway, .create(10, by: .plain), 10, .whole,
            UploadState(length: 10, offset: 10, epoch: 9, phase: .complete)
        ),
        (.halfway, .create(10, by: .plain), 10, .interrupted, UploadState(length: 10, offset: 10, epoch: 9)),
        (
            UploadState(epoch: 7), .create(nil, by: .plain), 5, .whole,
            UploadState(length: 5, offset: 5, epoch: 9, phase: .complete)
        ),
    ]

    @Test("A finished transfer keeps its bytes, and completes by its dialect's rule", arguments: ends)
    func ending(
        before: UploadState,
        request: UploadRequest,
        offset: Int,
        end: UploadTransfer.End,
        after: UploadState
    ) throws {
        var state = before
        let transfer = try state.begin(request)
        let isComplete = try state.finish(transfer, offset: offset, end, limits: .test)
        #expect(state == after)
        #expect(isComplete == (after.phase == .complete))
    }

    @Test(
        "A last content shorter than the declared length does not complete the upload",
        arguments: [UploadDialect.interop8, .plain]
    )
    func truncated(dialect: UploadDialect) throws {
        var state = UploadState(length: 10)
        let transfer = try state.begin(.create(nil, by: dialect))
        #expect(throws: UploadRefusal.inconsistentLength) {
            try state.finish(transfer, offset: 7, .whole, limits: .test)
        }
        #expect(state == UploadState(length: 10, offset: 7, epoch: 2))
    }

    @Test(
        "Bytes past the file's end make the upload fail",
        arguments: [(10, 11, .inconsistentLength), (nil, 101, .tooLarge(maxBytes: 100))] as [(Int?, Int, UploadRefusal)]
    )
    func pastEnd(length: Int?, offset: Int, refusal: UploadRefusal) throws {
        for atEnd in [false, true] {
            var state = UploadState(length: length)
            let transfer = try state.begin(.create(nil, last: false))
            #expect(throws: refusal) {
                if atEnd { _ = try state.finish(transfer, offset: offset, .whole, limits: .test) }
                try state.checkpoint(transfer, offset: offset, limits: .test)
            }
            #expect(state.phase == .failed && state.offset == 0)
            #expect(throws: UploadRefusal.superseded) {
                try state.checkpoint(transfer, offset: 1, limits: .test)
            }
        }
    }

    @Test("An older transfer is refused after a newer request or its end")
    func epochs() throws {
        var state = UploadState(length: 10)
        let old = try state.begin(.create(10))
        try state.checkpoint(old, offset: 4, limits: .test)
        _ = try state.admit(.ask(.retrieveOffset), limits: .test, announces: true)
        let new = try state.begin(.append(6, at: 4))
        for late in [4, 5, 10] {
            #expect(throws: UploadRefusal.superseded) {
                try state.checkpoint(old, offset: late, limits: .test)
            }
            #expect(throws: UploadRefusal.superseded) {
                try state.finish(old, offset: late, .whole, limits: .test)
            }
        }
        #expect(try state.finish(new, offset: 6, .interrupted, limits: .test) == false)
        #expect(throws: UploadRefusal.superseded) { try state.checkpoint(new, offset: 7, limits: .test) }
        #expect(state.offset == 6)
    }

    @Test("Content with a digest counts only when it is complete and matches")
    func contentDigests() throws {
        let digest = try #require(UploadDigest(.sha256, Array(repeating: 0, count: 32)))
        var state = UploadState(length: 10)
        let transfer = try state.begin(.create(10, digests: [digest]))
        try state.checkpoint(transfer, offset: 8, limits: .test)
        #expect(!transfer.showsProgress && state.offset == 0)
        var whole = state
        #expect(throws: UploadRefusal.contentMismatch) {
            try whole.finish(transfer, offset: 10, .whole, content: .mismatch, limits: .test)
        }
        #expect(whole == UploadState(length: 10, offset: 0, epoch: 2))
        for end in [8, 10] {
            var cut = state
            #expect(try cut.finish(transfer, offset: end, .interrupted, content: .mismatch, limits: .test) == false)
            #expect(cut == UploadState(length: 10, offset: 0, epoch: 2))
        }
        #expect(try state.finish(transfer, offset: 10, .whole, content: .match, limits: .test))
    }

    @Test("The last byte completes a tus upload, also if the connection is lost behind it")
    func contentDigestInTus() throws {
        let digest = try #require(UploadDigest(.sha1, Array(repeating: 0, count: 20)))
        var state = UploadState(length: 10)
        let transfer = try state.begin(.create(10, of: 10, last: false, by: .tus, digests: [digest]))
        var wrong = state
        #expect(throws: UploadRefusal.contentMismatch) {
            try wrong.finish(transfer, offset: 10, .interrupted, content: .mismatch, limits: .test)
        }
        #expect(try state.finish(transfer, offset: 10, .interrupted, content: .match, limits: .test))
    }

    @Test("A file with a wrong digest makes the upload fail at its end")
    func representationDigests() throws {
        var state = UploadState(length: 10)
        let transfer = try state.begin(.create(10))
        var good = state
        #expect(throws: UploadRefusal.representationMismatch) {
            try state.finish(transfer, offset: 10, .whole, representation: .mismatch, limits: .test)
        }
        #expect(state.phase == .failed)
        #expect(try good.finish(transfer, offset: 10, .whole, representation: .match, limits: .test))
        #expect(good.phase == .complete)
    }
}
