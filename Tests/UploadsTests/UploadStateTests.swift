import Testing
import Uploads

@Suite("The state of an upload")
struct UploadStateTests {
    private static let limits = UploadLimits(maxBytes: 100)

    private static func create(
        _ bytes: Int?,
        of length: Int? = nil,
        last: Bool = true,
        by dialect: UploadDialect = .interop8,
        digests: [UploadDigest] = []
    ) -> UploadRequest {
        let content = UploadContent(contentBytes: bytes, length: length, isLast: last, contentDigests: digests)
        return UploadRequest(dialect: dialect, action: .create(content))
    }

    private static func append(
        _ bytes: Int?,
        at offset: Int,
        of length: Int? = nil,
        last: Bool = true,
        by dialect: UploadDialect = .interop8
    ) -> UploadRequest {
        let content = UploadContent(contentBytes: bytes, length: length, isLast: last)
        return UploadRequest(dialect: dialect, action: .append(content, at: offset))
    }

    private static func ask(_ action: UploadRequest.Action) -> UploadRequest {
        UploadRequest(dialect: .interop8, action: action)
    }

    private static let open = UploadState(length: 10, offset: 4, epoch: 7)
    private static let unbounded = UploadState(offset: 4, epoch: 7)
    private static let complete = UploadState(length: 10, offset: 10, epoch: 7, phase: .complete)
    private static let full = UploadState(length: 10, offset: 10, epoch: 7)

    private static let refused: [(UploadState, UploadRequest, UploadRefusal)] = [
        (open, append(6, at: 3), .offsetMismatch(expected: 4, provided: 3)),
        (open, append(0, at: 11, last: false, by: .tus), .offsetMismatch(expected: 4, provided: 11)),
        (open, append(7, at: 4, last: false), .inconsistentLength), (open, append(5, at: 4), .inconsistentLength),
        (open, append(nil, at: 4, of: 11), .inconsistentLength),
        (open, append(7, at: 4, last: false, by: .tus), .inconsistentLength),
        (open, create(9), .inconsistentLength), (open, create(11, by: .plain), .inconsistentLength),
        (open, create(0, of: 9, last: false, by: .tus), .inconsistentLength),
        (unbounded, append(97, at: 4, last: false), .tooLarge(maxBytes: 100)),
        (unbounded, append(nil, at: 4, of: 101), .tooLarge(maxBytes: 100)),
        (unbounded, append(nil, at: 4, of: 3, last: false), .inconsistentLength),
        (unbounded, create(101), .tooLarge(maxBytes: 100)),
        (unbounded, create(1, of: 101, last: false), .tooLarge(maxBytes: 100)),
        (full, append(1, at: 10), .inconsistentLength), (complete, append(1, at: 10), .completed),
        (complete, append(nil, at: 10), .completed), (complete, append(0, at: 4), .completed),
        (complete, append(6, at: 4, last: false, by: .tus), .offsetMismatch(expected: 10, provided: 4)),
        (complete, append(1, at: 10, last: false, by: .tus), .completed), (complete, create(9), .inconsistentLength),
        (complete, create(nil), .completed), (complete, create(0, last: false), .completed),
        (complete, ask(.cancel), .completed),
    ]

    @Test("A request that doesn't fit is refused, and the state stays", arguments: refused)
    func refusals(before: UploadState, request: UploadRequest, refusal: UploadRefusal) {
        var state = before
        #expect(throws: refusal) { try state.admit(request, limits: Self.limits, announces: true) }
        #expect(state == before)
    }

    @Test(
        "Nothing can be done with an upload that is over",
        arguments: [UploadState.Phase.cancelled, .failed, .expired]
    )
    func over(phase: UploadState.Phase) throws {
        var state = UploadState(length: 10, offset: 4, epoch: 7, phase: phase)
        for request in [Self.create(10), Self.append(6, at: 4), Self.ask(.retrieveOffset), Self.ask(.cancel)] {
            #expect(throws: UploadRefusal.notActive(phase)) {
                try state.admit(request, limits: Self.limits, announces: true)
            }
        }
        #expect(try state.admit(Self.ask(.describe), limits: Self.limits, announces: true) == .describe)
    }

    private static let admitted: [(UploadState, UploadRequest, UploadAdmission, UploadState)] = [
        (open, ask(.retrieveOffset), .report, UploadState(length: 10, offset: 4, epoch: 8)),
        (complete, ask(.retrieveOffset), .report, complete),
        (open, ask(.cancel), .cancelled, UploadState(length: 10, offset: 4, epoch: 8, phase: .cancelled)),
        (open, ask(.describe), .describe, open),
        (open, create(10), .resume, open),
        (unbounded, create(12, by: .interop3), .resume, UploadState(length: 12, offset: 4, epoch: 7)),
        (complete, create(10, by: .plain), .storedAnswer, complete),
        (complete, create(10, of: 10), .storedAnswer, complete),
        (complete, append(0, at: 10), .storedAnswer, complete),
        (complete, append(0, at: 10, last: false, by: .tus), .storedAnswer, complete),
    ]

    @Test("A request that moves no bytes says what to do", arguments: admitted)
    func admissions(before: UploadState, request: UploadRequest, admission: UploadAdmission, after: UploadState) throws
    {
        var state = before
        #expect(try state.admit(request, limits: Self.limits, announces: true) == admission)
        #expect(state == after)
    }

    private static let restarts: [(UploadState, UploadRequest, Bool)] = [
        (open, create(10), false), (open, create(10, by: .plain), true), (open, create(10, by: .unversioned), true),
        (open, create(0, of: 10, last: false, by: .tus), true), (UploadState(length: 10, epoch: 7), create(10), true),
    ]

    @Test("A creation begins at 0 when the client can't be told to go on", arguments: restarts)
    func restarting(before: UploadState, request: UploadRequest, announces: Bool) throws {
        var state = before
        let transfer = try Self.transfer(&state, request, announces: announces)
        #expect(transfer.start == 0 && transfer.isCreation && transfer.epoch == 8)
        #expect(state == UploadState(length: 10, offset: 0, epoch: 8))
    }

    private static func transfer(
        _ state: inout UploadState,
        _ request: UploadRequest,
        announces: Bool = true
    ) throws -> UploadTransfer {
        let admission = try state.admit(request, limits: limits, announces: announces)
        guard case .transfer(let transfer) = admission else { throw UploadRefusal.completed }
        return transfer
    }

    private static let ends: [(UploadState, UploadRequest, Int, UploadTransfer.End, UploadState)] = [
        // Who says that it was all, is done; an offset that equals the length says nothing.
        (open, append(6, at: 4), 10, .whole, UploadState(length: 10, offset: 10, epoch: 9, phase: .complete)),
        (open, append(6, at: 4, last: false), 10, .whole, UploadState(length: 10, offset: 10, epoch: 9)),
        (open, append(6, at: 4), 10, .interrupted, UploadState(length: 10, offset: 10, epoch: 9)),
        (open, append(6, at: 4), 7, .interrupted, UploadState(length: 10, offset: 7, epoch: 9)),
        (full, append(0, at: 10), 10, .whole, UploadState(length: 10, offset: 10, epoch: 9, phase: .complete)),
        (unbounded, append(nil, at: 4), 7, .whole, UploadState(length: 7, offset: 7, epoch: 9, phase: .complete)),
        (unbounded, append(nil, at: 4), 7, .interrupted, UploadState(offset: 7, epoch: 9)),
        (unbounded, append(nil, at: 4, of: 7, last: false), 7, .whole, UploadState(length: 7, offset: 7, epoch: 9)),
        (unbounded, append(0, at: 4), 4, .whole, UploadState(length: 4, offset: 4, epoch: 9, phase: .complete)),
        // With tus the length is the end.
        (
            open, append(6, at: 4, last: false, by: .tus), 10, .whole,
            UploadState(length: 10, offset: 10, epoch: 9, phase: .complete)
        ),
        (
            open, append(6, at: 4, last: false, by: .tus), 10, .interrupted,
            UploadState(length: 10, offset: 10, epoch: 9, phase: .complete)
        ),
        (open, append(6, at: 4, last: false, by: .tus), 9, .interrupted, UploadState(length: 10, offset: 9, epoch: 9)),
        (open, append(2, at: 4, last: false, by: .tus), 6, .whole, UploadState(length: 10, offset: 6, epoch: 9)),
        (
            UploadState(epoch: 7), create(0, of: 0, last: false, by: .tus), 0, .whole,
            UploadState(length: 0, epoch: 9, phase: .complete)
        ),
        // A plain PUT is the whole file or nothing to go by.
        (open, create(10, by: .plain), 10, .whole, UploadState(length: 10, offset: 10, epoch: 9, phase: .complete)),
        (open, create(10, by: .plain), 10, .interrupted, UploadState(length: 10, offset: 10, epoch: 9)),
        (
            UploadState(epoch: 7), create(nil, by: .plain), 5, .whole,
            UploadState(length: 5, offset: 5, epoch: 9, phase: .complete)
        ),
    ]

    @Test("A transfer ends with its bytes kept, and complete by its dialect's rule", arguments: ends)
    func ending(
        before: UploadState,
        request: UploadRequest,
        offset: Int,
        end: UploadTransfer.End,
        after: UploadState
    ) throws {
        var state = before
        let transfer = try Self.transfer(&state, request)
        let isComplete = try state.finish(transfer, offset: offset, end, limits: Self.limits)
        #expect(state == after)
        #expect(isComplete == (after.phase == .complete))
    }

    @Test(
        "A last content that ends before the stated length completes nothing",
        arguments: [UploadDialect.interop8, .plain]
    )
    func truncated(dialect: UploadDialect) throws {
        var state = UploadState(length: 10)
        let transfer = try Self.transfer(&state, Self.create(nil, by: dialect))
        #expect(throws: UploadRefusal.inconsistentLength) {
            try state.finish(transfer, offset: 7, .whole, limits: Self.limits)
        }
        #expect(state == UploadState(length: 10, offset: 7, epoch: 2))
    }

    @Test(
        "Bytes past the end make the upload fail",
        arguments: [(10, 11, .inconsistentLength), (nil, 101, .tooLarge(maxBytes: 100))] as [(Int?, Int, UploadRefusal)]
    )
    func pastEnd(length: Int?, offset: Int, refusal: UploadRefusal) throws {
        for atEnd in [false, true] {
            var state = UploadState(length: length)
            let transfer = try Self.transfer(&state, Self.create(nil, last: false))
            #expect(throws: refusal) {
                if atEnd { _ = try state.finish(transfer, offset: offset, .whole, limits: Self.limits) }
                try state.checkpoint(transfer, offset: offset, limits: Self.limits)
            }
            #expect(state.phase == .failed && state.offset == 0)
            #expect(throws: UploadRefusal.superseded) {
                try state.checkpoint(transfer, offset: 1, limits: Self.limits)
            }
        }
    }

    @Test("A newer request shuts out the older one, and so does the end of a transfer")
    func epochs() throws {
        var state = UploadState(length: 10)
        let old = try Self.transfer(&state, Self.create(10))
        try state.checkpoint(old, offset: 4, limits: Self.limits)
        _ = try state.admit(Self.ask(.retrieveOffset), limits: Self.limits, announces: true)
        let new = try Self.transfer(&state, Self.append(6, at: 4))
        for late in [4, 5, 10] {
            #expect(throws: UploadRefusal.superseded) {
                try state.checkpoint(old, offset: late, limits: Self.limits)
            }
            #expect(throws: UploadRefusal.superseded) {
                try state.finish(old, offset: late, .whole, limits: Self.limits)
            }
        }
        #expect(try state.finish(new, offset: 6, .interrupted, limits: Self.limits) == false)
        #expect(throws: UploadRefusal.superseded) { try state.checkpoint(new, offset: 7, limits: Self.limits) }
        #expect(state.offset == 6)
    }

    @Test("Content with a digest shows no progress, and when it differs nothing was appended")
    func contentDigests() throws {
        let digest = try #require(UploadDigest(.sha256, Array(repeating: 0, count: 32)))
        var state = UploadState(length: 10)
        let transfer = try Self.transfer(&state, Self.create(10, digests: [digest]))
        try state.checkpoint(transfer, offset: 8, limits: Self.limits)
        #expect(!transfer.showsProgress && state.offset == 0)
        var whole = state
        #expect(throws: UploadRefusal.contentMismatch) {
            try whole.finish(transfer, offset: 10, .whole, content: .mismatch, limits: Self.limits)
        }
        #expect(whole == UploadState(length: 10, offset: 0, epoch: 2))
        // A part of the content says nothing about its digest.
        _ = try state.finish(transfer, offset: 8, .interrupted, content: .mismatch, limits: Self.limits)
        #expect(state == UploadState(length: 10, offset: 8, epoch: 2))
    }

    @Test("A file with another digest makes the upload fail, at its end or when it is read back")
    func representationDigests() throws {
        var state = UploadState(length: 10)
        let transfer = try Self.transfer(&state, Self.create(10))
        var good = state
        #expect(throws: UploadRefusal.representationMismatch) {
            try state.finish(transfer, offset: 10, .whole, representation: .mismatch, limits: Self.limits)
        }
        #expect(state.phase == .failed)
        #expect(try good.finish(transfer, offset: 10, .whole, representation: .match, limits: Self.limits))
        #expect(good.failVerification() && good.phase == .failed)
        #expect(!good.failVerification() && !good.expire())
    }

    @Test("Expiry ends open uploads only, and shuts out their transfers")
    func expiry() throws {
        var state = UploadState(length: 10)
        let transfer = try Self.transfer(&state, Self.create(10))
        #expect(state.expire() && state.phase == .expired)
        #expect(throws: UploadRefusal.superseded) {
            try state.finish(transfer, offset: 10, .whole, limits: Self.limits)
        }
        var complete = Self.complete
        #expect(!complete.expire() && complete == Self.complete)
    }

    @Test(
        "After a stop the file's bytes count when the page cache survived, else the checkpoint; lost bytes are the end",
        arguments: [
            (8, true, UploadState(length: 10, offset: 8)), (12, true, UploadState(length: 10, offset: 10)),
            (8, false, UploadState(length: 10, offset: 4)),
            (3, true, UploadState(length: 10, offset: 4, phase: .failed)),
            (3, false, UploadState(length: 10, offset: 4, phase: .failed)),
        ]
    )
    func recovery(fileBytes: Int, survived: Bool, after: UploadState) {
        var state = UploadState(length: 10, offset: 4)
        state.recover(fileBytes: fileBytes, pageCacheSurvived: survived)
        #expect(state == after)
        var complete = Self.complete
        complete.recover(fileBytes: 3, pageCacheSurvived: survived)
        #expect(complete == Self.complete)
    }
}
