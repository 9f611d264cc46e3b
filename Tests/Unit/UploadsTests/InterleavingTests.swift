import Testing
import Uploads

@Suite("Random uploads")
struct InterleavingTests {
    @Test(
        "A file's bytes are at their offsets after random cuts, repetitions, damage and overtaking",
        arguments: UploadDialect.allCases.map { [$0] } + [UploadDialect.allCases, [.interop6, .interop8, .tus]]
    )
    func file(dialects: [UploadDialect]) throws {
        var completed = 0
        for seed in 0..<60 {
            var client = RandomClient(seed: UInt64(seed), dialects: dialects)
            for _ in 0..<40 {
                let before = client.server.state
                try client.step()
                let server = client.server
                guard server.file == Array(client.file.prefix(server.state.offset)) else {
                    Issue.record("other bytes, seed \(seed): \(client.log)")
                    return
                }
                let isWhole = server.state.offset == client.file.count
                #expect(server.state.phase != .complete || isWhole, "seed \(seed): \(client.log)")
                #expect(server.state.phase == .open || server.state.phase == .complete, "seed \(seed): \(client.log)")
                #expect(before.phase != .complete || server.state == before, "seed \(seed): \(client.log)")
                expectOvertaken(server)
            }
            completed += client.server.state.phase == .complete ? 1 : 0
        }
        // With fewer completed uploads, the clients failed and the test proved nothing.
        #expect(completed > 40)
    }

    private func expectOvertaken(_ server: MemoryServer) {
        var state = server.state
        for transfer in server.overtaken.suffix(2) {
            #expect(throws: UploadRefusal.superseded) {
                try state.checkpoint(transfer, offset: state.offset, limits: server.limits)
            }
            #expect(throws: UploadRefusal.superseded) {
                try state.finish(transfer, offset: state.offset, .whole, limits: server.limits)
            }
        }
        #expect(state == server.state)
    }
}
