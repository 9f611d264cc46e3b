import TestSupport
import Testing

@testable import Operations

@Suite("Mount points", .blocking)
struct MountPointTests {
    @Test("The kernel's list of mounts is read with escaped blanks and backslashes")
    func list() throws {
        let list = MountPoints(
            """
            22 1 0:21 / / rw,relatime shared:1 - overlay overlay rw
            23 22 0:5 / /proc rw - proc proc rw
            24 22 8:1 /a /srv/a\\040b\\134c rw,noatime - ext4 /dev/sda1 rw
            odd
            """
        )
        for path in ["/", "/proc", "/srv/a b\\c"] { #expect(list.contains(path), "\(path)") }
        for path in ["/srv", "/a", "", "/proc/"] { #expect(!list.contains(path), "\(path)") }
        #expect(try MountPoints.current().contains("/proc"))
    }
}
