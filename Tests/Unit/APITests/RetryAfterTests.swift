import CloudSync
import HTTP
import Testing

@testable import API

@Suite("Retry-After")
struct RetryAfterTests {
    @Test(
        "A pause is up to a third longer, at least by a second and at most by a minute",
        arguments: [(0, 0), (1, 2), (2, 3), (3, 4), (5, 7), (30, 40), (180, 240), (720, 780), (86_400, 86_460)]
    )
    func bounds(seconds: Int, longest: Int) {
        #expect(RetryAfter.pauses(from: seconds) == seconds...longest)
    }

    @Test("Clients that are refused together get different pauses, from the problem's own on")
    func refusedTogether() {
        let problem = Problem(CloudSyncError.providerUnavailable(retrySeconds: 60))
        let pauses = (0..<100).compactMap { _ in
            problem.response(base: "http://a/v2", instance: "1").fields.value("Retry-After").flatMap { Int($0) }
        }
        #expect(pauses.count == 100 && Set(pauses).count > 1)
        #expect(pauses.allSatisfy { (60...80).contains($0) })
    }
}
