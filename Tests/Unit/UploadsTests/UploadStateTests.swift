import Testing
import Uploads

@Suite("The state of an upload")
struct UploadStateTests {
    private static let refused: [(UploadState, UploadRequest, UploadRefusal)] = [
        (.halfway, .append(6, at: 3), .offsetMismatch(expected: 4, provided: 3)),
        (.halfway, .append(0, at: 11, last: false, by: .tus), .offsetMismatch(expected: 4, provided: 11)),
        (.halfway, .append(7, at: 4, last: false), .inconsistentLength),
        (.halfway, .append(5, at: 4), .inconsistentLength),
        (.halfway, .append(nil, at: 4, of: 11), .inconsistentLength),
        (.halfway, .append(7, at: 4, last: false, by: .tus), .inconsistentLength),
        (.halfway, .create(9), .inconsistentLength), (.halfway, .create(11, by: .plain), .inconsistentLength),
        (.halfway, .create(0, of: 9, last: false, by: .tus), .inconsistentLength),
        (.unbounded, .append(97, at: 4, last: false), .tooLarge(maxBytes: 100)),
        (.unbounded, .append(nil, at: 4, of: 101), .tooLarge(maxBytes: 100)),
        (.unbounded, .append(nil, at: 4, of: 3, last: false), .inconsistentLength),
        (.unbounded, .create(101), .tooLarge(maxBytes: 100)),
        (.unbounded, .create(1, of: 101, last: false), .tooLarge(maxBytes: 100)),
        (.full, .append(1, at: 10), .inconsistentLength), (.completed, .append(1, at: 10), .completed),
        (.completed, .append(nil, at: 4), .completed), (.completed, .append(0, at: 4), .completed),
        (.completed, .append(6, at: 4, last: false, by: .tus), .offsetMismatch(expected: 10, provided: 4)),
        (.completed, .append(1, at: 10, last: false, by: .tus), .completed),
        (.completed, .create(9), .inconsistentLength),
        (.completed, .create(0, last: false), .completed),
        // Verdicts on parts would reveal the file.
        (.completed, .create(4, of: 10, last: false, by: .tus), .completed),
        (.completed, .ask(.cancel), .completed),
    ]

    @Test("A request that doesn't fit the state is refused and leaves it unchanged", arguments: refused)
    func refusals(before: UploadState, request: UploadRequest, refusal: UploadRefusal) {
        var state = before
        #expect(throws: refusal) { try state.admit(request, limits: .test, announces: true) }
        #expect(state == before)
    }

    @Test(
        "Every request to a cancelled, failed or expired upload is refused",
        arguments: [UploadState.Phase.cancelled, .failed, .expired]
    )
    func over(phase: UploadState.Phase) throws {
        var state = UploadState(length: 10, offset: 4, epoch: 7, phase: phase)
        for request: UploadRequest in [.create(10), .append(6, at: 4), .ask(.retrieveOffset), .ask(.cancel)] {
            #expect(throws: UploadRefusal.notActive(phase)) {
                try state.admit(request, limits: .test, announces: true)
            }
        }
        #expect(try state.admit(.ask(.describe), limits: .test, announces: true) == .describe)
    }

    private static let admitted: [(UploadState, UploadRequest, UploadAdmission, UploadState)] = [
        (.halfway, .ask(.retrieveOffset), .report, UploadState(length: 10, offset: 4, epoch: 8)),
        (.completed, .ask(.retrieveOffset), .report, .completed),
        (.halfway, .ask(.cancel), .cancelled, UploadState(length: 10, offset: 4, epoch: 8, phase: .cancelled)),
        (.halfway, .ask(.describe), .describe, .halfway),
        (.halfway, .create(10), .resume, .halfway),
        (.unbounded, .create(12, by: .interop3), .resume, UploadState(length: 12, offset: 4, epoch: 7)),
        (.completed, .create(10, by: .plain), .repetition, .completed),
        (.completed, .create(10, of: 10), .resume, .completed),
        (.completed, .create(nil, by: .interop3), .resume, .completed),
        (.completed, .create(10, by: .unversioned), .repetition, .completed),
        (.completed, .create(nil, by: .plain), .repetition, .completed),
        (.completed, .create(10, of: 10, last: false, by: .tus), .repetition, .completed),
        (.completed, .create(0, of: 10, last: false, by: .tus), .storedAnswer, .completed),
        (.completed, .append(0, at: 10), .storedAnswer, .completed),
        (.completed, .append(nil, at: 10), .storedAnswer, .completed),
        (.completed, .append(0, at: 10, last: false, by: .tus), .storedAnswer, .completed),
    ]

    @Test("An upload request without bytes gets its action and changes only the expected state", arguments: admitted)
    func admissions(before: UploadState, request: UploadRequest, admission: UploadAdmission, after: UploadState) throws
    {
        var state = before
        #expect(try state.admit(request, limits: .test, announces: true) == admission)
        #expect(state == after)
    }

    private static let restarts: [(UploadState, UploadRequest, Bool)] = [
        (.halfway, .create(10), false), (.halfway, .create(2, last: false), true),
        (.halfway, .create(10, by: .plain), true),
        (.halfway, .create(10, by: .unversioned), true),
        (.halfway, .create(0, of: 10, last: false, by: .tus), true),
        (UploadState(length: 10, epoch: 7), .create(10), true),
    ]

    @Test("A creation restarts at 0 if the client can't be sent to resume", arguments: restarts)
    func restarting(before: UploadState, request: UploadRequest, announces: Bool) throws {
        var state = before
        let transfer = try state.begin(request, announces: announces)
        #expect(transfer.start == 0 && transfer.isCreation && transfer.epoch == 8)
        #expect(state == UploadState(length: 10, offset: 0, epoch: 8))
    }

    @Test("A file that is sent again is compared if the client can't get a 104")
    func repetition() throws {
        var state = UploadState.completed
        #expect(try state.admit(.create(10), limits: .test, announces: false) == .repetition)
    }

    @Test("Expiry ends open and complete uploads, and refuses their transfers")
    func expiry() throws {
        var state = UploadState(length: 10)
        let transfer = try state.begin(.create(10))
        #expect(state.expire() && state.phase == .expired)
        #expect(throws: UploadRefusal.superseded) {
            try state.finish(transfer, offset: 10, .whole, limits: .test)
        }
        var complete = UploadState.completed
        #expect(complete.expire() && complete.phase == .expired)
        #expect(complete.expire() == false)
    }

    @Test(
        "All file bytes count after a stop, or those of the checkpoint, and lost bytes end the upload",
        arguments: [
            (8, true, UploadState(length: 10, offset: 8)), (12, true, UploadState(length: 10, offset: 10)),
            (8, false, UploadState(length: 10, offset: 4)),
            (3, true, UploadState(length: 10, offset: 4, phase: .failed)),
            (3, false, UploadState(length: 10, offset: 4, phase: .failed)),
        ]
    )
    func recovery(fileBytes: Int, allCount: Bool, after: UploadState) {
        var state = UploadState(length: 10, offset: 4)
        state.recover(fileBytes: fileBytes, allCount: allCount)
        #expect(state == after)
        var complete = UploadState.completed
        complete.recover(fileBytes: 3, allCount: allCount)
        #expect(complete == UploadState.completed)
    }
}
