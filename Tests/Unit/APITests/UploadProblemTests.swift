import CloudSync
import Problems
import Testing
import Uploads

@testable import API

@Suite("Problems of uploads")
struct UploadProblemTests {
    private static let refusals: [UploadRefusal] = [
        .methodNotAllowed, .missingField("A"), .unsupportedMediaType(accepted: "a/b"), .unsupportedTusVersion,
        .tooLarge(maxBytes: 1), .notActive(.cancelled), .notActive(.expired), .superseded,
    ]

    private static func text(_ problem: Problem) -> String {
        guard case .bytes(let body) = problem.response(base: "http://a/v2", instance: "1").content else { return "" }
        return String(decoding: body, as: UTF8.self)
    }

    @Test("Each code of this server's upload problems is documented with a title and a page", arguments: refusals)
    func own(refusal: UploadRefusal) throws {
        let type = try #require(ProblemType.all.first { $0 == refusal.problem })
        let text = Self.text(Problem(refusal, .notFound))
        #expect(text.contains(#""type":"http://a/v2/problems/\#(type.code)""#))
        #expect(text.contains(#""title":"\#(type.title)""#))
    }

    @Test("An upload problem of IANA's registry has its own URI and members")
    func registered() {
        let text = Self.text(Problem(UploadRefusal.offsetMismatch(expected: 5, provided: 3), .conflict))
        #expect(text.contains(#""type":"https://iana.org/assignments/http-problem-types#mismatching-upload-offset""#))
        #expect(text.contains(#""status":409"#))
        #expect(text.contains(#""expected-offset":5,"provided-offset":3"#))
    }

    @Test(
        "The refusal of an incomplete upload has the bytes that count, and names the request that works at its stage",
        arguments: [
            (3, .open, 3, "3 of 5 bytes were received."), (5, .open, 5, "Send an empty PATCH"),
            (5, .complete, 5, "Complete the recording"),
            (5, .failed, 0, "The upload is failed: none of its bytes count. Request a new upload URL"),
            (3, .expired, 0, "The upload is expired: none of its bytes count. Request a new upload URL"),
        ] as [(Int, UploadState.Phase, Int, String)]
    )
    func incomplete(offset: Int, phase: UploadState.Phase, counted: Int, advice: String) {
        let text = Self.text(Problem(CloudSyncError.uploadIncomplete(offset: offset, size: 5, phase)))
        #expect(text.contains(advice))
        #expect(text.contains(#""upload_offset":\#(counted),"file_size":5"#))
    }
}
