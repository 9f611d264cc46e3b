import Foundation

/// Two threads increment a counter without synchronization.
@main
enum Race {
    nonisolated(unsafe) private static var count = 0

    static func main() {
        let done = DispatchGroup()
        for _ in 0..<2 {
            done.enter()
            Thread.detachNewThread {
                for _ in 0..<1000 {
                    count += 1
                    usleep(10)
                }
                done.leave()
            }
        }
        done.wait()
        print(count)
    }
}
