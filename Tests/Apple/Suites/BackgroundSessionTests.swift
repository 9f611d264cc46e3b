#if canImport(Darwin)
    import Foundation
    import Testing

    @testable import NeuroViewsClient

    @Suite("The system's session for uploads", .timeLimit(.minutes(1)))
    struct BackgroundSessionTests {
        private let name = "neuroviews/test/\(UUID().uuidString)"

        /// An exception of the system's would end the tests. How the task ends is the system's affair: they run without an app.
        @Test("A session whose store was closed takes tasks of the next one")
        func again() async throws {
            let peer = try LocalPeer(answer: "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
            let file = try LocalTestFile(Array("abc".utf8))
            let trust = try Trust(server: peer.url, Options())
            let first = BackgroundURLSession.named(name, TaskEnds(), trust, allowsCellular: true)
            first.close()
            // The list comes after the one of the tasks to end.
            #expect(await first.labels().isEmpty)
            let ends = TaskEnds()
            let second = BackgroundURLSession.named(name, ends, trust, allowsCellular: true)
            #expect(first === second)
            second.begin(TransferRequest("PUT", peer.url + "/a"), file: file.path, label: "a")
            _ = await ends.end(of: "a") { _ in }
            second.close()
        }

        @Test("The end of a session by the system ends the waits for its tasks")
        func ended() async throws {
            let trust = try Trust(server: "http://127.0.0.1:1", Options())
            let ends = TaskEnds()
            let events = BackgroundEvents(ends, trust)
            async let end = ends.end(of: "a") { _ in }
            #expect(try await holds { !ends.awaited.isEmpty })
            events.urlSession(URLSession.shared, didBecomeInvalidWithError: nil)
            #expect(events.isInvalid)
            guard case .failure(.cut) = await end else {
                Issue.record("the wait has another end")
                return
            }
        }
    }
#endif
