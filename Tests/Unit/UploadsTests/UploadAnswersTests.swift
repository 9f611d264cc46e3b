import HTTP
import Testing
import Uploads

@Suite("Answers of an upload resource")
struct UploadAnswersTests {
    private static func answers(_ dialect: UploadDialect) -> UploadAnswers {
        UploadAnswers(dialect, location: "/u", limits: UploadLimits(maxBytes: 9, lifetimeSeconds: 60))
    }

    @Test(
        "Clients that named a draft version get a 104 of that version",
        arguments: [
            (.interop3, "104 | Upload-Draft-Interop-Version: 3 | Location: /u", nil),
            (
                .interop6,
                "104 | Upload-Draft-Interop-Version: 6 | Location: /u | Upload-Limit: max-size=9, expires=60",
                "104 | Upload-Draft-Interop-Version: 6 | Upload-Offset: 5"
            ),
            (
                .interop8,
                "104 | Upload-Draft-Interop-Version: 8 | Location: /u | Upload-Limit: max-size=9, max-age=60",
                "104 | Upload-Draft-Interop-Version: 8 | Upload-Offset: 5"
            ),
            (.unversioned, nil, nil), (.tus, nil, nil), (.plain, nil, nil),
        ] as [(UploadDialect, String?, String?)]
    )
    func interim(dialect: UploadDialect, announcement: String?, progress: String?) {
        #expect(Self.answers(dialect).announcement?.line == announcement)
        #expect(Self.answers(dialect).progress(5)?.line == progress)
    }

    @Test("OPTIONS lists limits and features of every dialect, also without limits")
    func options() {
        let unlimited = UploadAnswers(.plain, location: "/u", limits: UploadLimits()).capabilities
        #expect(unlimited.fields.value("Upload-Limit") == "min-size=0")
        #expect(unlimited.fields.value("Tus-Max-Size") == nil)
        for dialect in UploadDialect.allCases {
            let fields = Self.answers(dialect).capabilities.fields
            #expect(fields.value("Upload-Limit") == "max-size=9, \(dialect == .interop6 ? "expires" : "max-age")=60")
            #expect(fields.list.filter { $0.name == "Tus-Resumable" }.map(\.value) == ["1.0.0"])
        }
        let late = UploadAnswers(.interop8, location: "/u", limits: UploadLimits(lifetimeSeconds: -1)).announcement
        #expect(late?.fields.value("Upload-Limit") == "max-age=0")
    }

    private static let iana = "https://iana.org/assignments/http-problem-types#"
    private static let refusals: [(UploadRefusal, UploadDialect, String, String)] = [
        (.methodNotAllowed, .plain, "405 | Allow: DELETE, HEAD, OPTIONS, PATCH, POST, PUT", "method-not-allowed"),
        (.missingField("A"), .plain, "400", "invalid-header"),
        (.invalidField("A"), .tus, "400 | Tus-Resumable: 1.0.0", "invalid-header"),
        (.repeatedField("A"), .plain, "400", "invalid-header"),
        (.unexpectedField("A"), .interop3, "400 | Upload-Draft-Interop-Version: 3", "invalid-header"),
        (.unsupportedMediaType(accepted: "a/b"), .plain, "415 | Accept-Patch: a/b", "unsupported-media-type"),
        (.unsupportedTusVersion, .tus, "412 | Tus-Resumable: 1.0.0 | Tus-Version: 1.0.0", "tus-version-not-supported"),
        (.unsupportedChecksum, .tus, "400 | Tus-Resumable: 1.0.0", iana + "digest-unsupported-algorithms"),
        (.invalidDigest("A"), .plain, "400", iana + "digest-invalid-values"),
        (.unsupportedDigest, .unversioned, "400", iana + "digest-unsupported-algorithms"),
        (.otherDigest, .plain, "400", iana + "digest-mismatched-values"),
        (.inconsistentLength, .plain, "400", iana + "inconsistent-upload-length"),
        (.tooLarge(maxBytes: 9), .unversioned, "413 | Upload-Limit: max-size=9, max-age=60", "body-too-large"),
        (.tooLarge(maxBytes: 9), .tus, "413 | Tus-Resumable: 1.0.0", "body-too-large"),
        (
            .offsetMismatch(expected: 5, provided: 6), .unversioned, "409 | Upload-Offset: 5 | Upload-Complete: ?0",
            iana + "mismatching-upload-offset"
        ),
        (.completed, .plain, "400", iana + "completed-upload"),
        (.otherContent, .plain, "409", iana + "completed-upload"), (.notActive(.cancelled), .plain, "404", "not-found"),
        (.notActive(.expired), .plain, "410", "upload-not-active"),
        (.notActive(.failed), .tus, "410 | Tus-Resumable: 1.0.0", "upload-not-active"),
        (.notActive(.expired), .interop6, "404 | Upload-Draft-Interop-Version: 6", "upload-not-active"),
        (.superseded, .plain, "409", "upload-superseded"),
        (.contentMismatch, .plain, "400", iana + "digest-mismatched-values"),
        (.contentMismatch, .tus, "460 | Tus-Resumable: 1.0.0", iana + "digest-mismatched-values"),
        (.representationMismatch, .unversioned, "400 | Upload-Complete: ?1", iana + "digest-mismatched-values"),
    ]

    @Test("Every refusal of an upload has a status, fields and its problem type", arguments: refusals)
    func refusal(refusal: UploadRefusal, dialect: UploadDialect, line: String, problem: String) {
        #expect(Self.answers(dialect).refusal(refusal).line == line)
        let uri = problem.hasPrefix(Self.iana) ? problem : "/problems/\(problem)"
        #expect(refusal.problem.uri(under: "") == uri && !refusal.problem.title.isEmpty)
        #expect(refusal.detail.hasSuffix("."))
    }

    @Test("A wrong upload offset is answered with both offsets")
    func members() {
        let members = UploadRefusal.offsetMismatch(expected: 5, provided: 6).members
        #expect(members.map(\.name) == ["expected-offset", "provided-offset"])
        #expect(members.map(\.value) == [5, 6])
        #expect(UploadRefusal.completed.members.isEmpty)
    }
}
