import Foundation
import Net
import TestSupport
import Testing

@Suite("Listeners on an inherited socket", .timeLimit(.minutes(Patience.minutes(1))))
struct InheritedListenerTests {
    @Test("An inherited socket is used without blocking or inheritance, and its owner keeps it open")
    func used() throws {
        let keeper = try ListeningSocket()
        let passed = keeper.duplicate()
        do {
            let listener = try Listener(inherited: passed)
            #expect(listener.isShared)
            #expect(listener.address.description == "127.0.0.1:\(keeper.port)")
            #expect(fcntl(passed, F_GETFD) & FD_CLOEXEC != 0)
            #expect(fcntl(passed, F_GETFL) & O_NONBLOCK != 0)
            listener.stopInviting()
            listener.close()
        }
        _ = try RawSocket(port: keeper.port)
        #expect(keeper.takesConnection())
    }

    @Test("A descriptor that is no listening stream socket is refused")
    func refused() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let idle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let datagram = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        for (descriptor, code) in [(ends[0], ENOTSOCK), (idle, EINVAL), (datagram, EINVAL), (-1, EBADF)] {
            let error = #expect(throws: SystemError.self) { _ = try Listener(inherited: descriptor) }
            #expect(error?.code == code)
        }
        for descriptor in ends + [idle, datagram] { close(descriptor) }
    }
}
