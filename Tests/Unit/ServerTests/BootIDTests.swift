import Foundation
import TestSupport
import Testing

@testable import Machine

@Suite("The id of a boot", .blocking)
struct BootIDTests {
    private static let id = "0f3b1c52-9d0a-4e6f-8a11-2b7c5d9e4f60"

    @Test("The kernel and systemd write the id of a boot in two ways, and it is one UUID", arguments: ["\n", ""])
    func forms(end: String) {
        let withoutDashes = Self.id.filter { $0 != "-" }
        for text in [Self.id, withoutDashes, Self.id.uppercased()] {
            #expect(BootID.uuid(text + end) == UUID(uuidString: Self.id), "\(text)")
        }
    }

    @Test("Other texts are no id of a boot")
    func others() {
        for text in ["", "%b", String(Self.id.dropLast()), String(repeating: "x", count: 32)] {
            #expect(BootID.uuid(text) == nil, "\(text)")
        }
    }

    @Test("A process that sees the kernel's id of the boot uses it")
    func kernel() throws {
        let kernels = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        #expect(BootID.current == kernels.trimmed)
    }
}
