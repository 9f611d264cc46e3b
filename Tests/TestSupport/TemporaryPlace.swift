import Foundation

/// Where the tests keep their files.
package enum TemporaryPlace {
    private static let freeMinBytes = 4 << 30

    /// Memory, where there is enough: a run makes and removes a hundred thousand files of PostgreSQL, which costs a disk's
    /// file system a fifth of the machine's time.
    package static let path: String = {
        let values = try? FileManager.default.attributesOfFileSystem(forPath: "/dev/shm")
        let free = (values?[.systemFreeSize] as? NSNumber)?.intValue ?? 0
        return free >= freeMinBytes ? "/dev/shm" : "/tmp"
    }()
}
