import CloudSync
import TestSupport
import Testing

/// Password guesses do not lock out the owner.
struct KnownPlaceTests {
    private static let owner = "ada@example.org"
    private static let home = "198.51.100.7"

    private static func withOwner(_ body: @Sendable (World, Guesser) async throws -> Void) async throws {
        try await World.with { world in
            try await world.newAccount(owner, devices: ["phone", "tablet"], addresses: [home, "2001:db8:7::"])
            try await body(world, Guesser(world))
        }
    }

    @Test("Strangers share 10 guesses, and each known device or address has 20")
    func apart() async throws {
        try await Self.withOwner { _, guesser in
            let passed = try await guesser.looked(15) { try await guesser.logIn(Self.owner, from: "10.0.0.\($0)") }
            #expect(passed == 10)
            for device in ["phone", "tablet"] {
                let passed = try await guesser.looked(22) { _ in try await guesser.logIn(Self.owner, device: device) }
                #expect(passed == 20, "\(device)")
            }
            for address in [Self.home, "2001:db8:7::99"] {
                let passed = try await guesser.looked(22) { _ in
                    try await guesser.logIn(Self.owner, device: "new", from: address)
                }
                #expect(passed == 20, "\(address)")
            }
        }
    }

    @Test("A known device or address is not limited by its full network address")
    func fullAddress() async throws {
        try await Self.withOwner { world, guesser in
            try await world.newAccount("bob@example.org", addresses: ["192.0.2.1"])
            _ = try await guesser.looked(100) { try await guesser.logIn("user\($0)@example.org") }
            #expect(try await guesser.logIn("eve@example.org")?.limit == 100)
            #expect(try await guesser.logIn(Self.owner, device: "phone") == nil)
            #expect(try await guesser.logIn("bob@example.org") == nil)
            #expect(try await guesser.logIn(Self.owner)?.limit == 100)
        }
    }

    @Test("A device without guesses uses those of its address, and then the strangers'")
    func onward() async throws {
        try await Self.withOwner { _, guesser in
            let passed = try await guesser.looked(60) { _ in
                try await guesser.logIn(Self.owner, device: "phone", from: Self.home)
            }
            #expect(passed == 20 + 20 + 10)
            #expect(try await guesser.logIn(Self.owner, device: "phone", from: Self.home)?.limit == 10)
            #expect(try await guesser.logIn(Self.owner, device: "tablet", from: "192.0.2.1") == nil)
        }
    }

    @Test("A device that never logged in counts as a stranger, and so does another account's")
    func notKnown() async throws {
        try await Self.withOwner { world, guesser in
            try await world.newAccount("bob@example.org", devices: ["bobs"], addresses: ["203.0.113.9"])
            try await world.sql("INSERT INTO devices (user_id, id) SELECT id, 'put' FROM users")
            _ = try await guesser.looked(10) { _ in try await guesser.logIn(Self.owner) }
            for (device, address) in [("put", "192.0.2.1"), ("bobs", "192.0.2.1"), (nil, "203.0.113.9")] {
                let reached = try await guesser.logIn(Self.owner, device: device, from: address)
                #expect(reached?.limit == 10, "\(device ?? address)")
            }
        }
    }

    @Test("Each guess for an unknown e-mail address is answered like one for a known address")
    func alike() async throws {
        try await Self.withOwner { world, guesser in
            func limits(_ email: String) async throws -> [Int?] {
                var limits: [Int?] = []
                for number in 0..<30 {
                    let device = number % 3 == 0 ? nil : "device-\(number % 3)"
                    let address = "10.9.\(email.utf8.count).\(number % 2)"
                    limits.append(try await guesser.logIn(email, device: device, from: address)?.limit)
                }
                return limits
            }
            let known = try await limits(Self.owner)
            #expect(try await limits("unknown@example.org") == known)
            #expect(known.count { $0 == nil } == 10)
        }
    }

    @Test("An account keeps its newest 20 known addresses, each with its last login's time")
    func addresses() async throws {
        try await Self.withOwner { world, _ in
            for number in 0..<25 {
                try await world.sql("SELECT note_address(id, '10.0.0.\(number)', 20) FROM users")
                if number == 10 { try await world.sql("SELECT note_address(id, '10.0.0.2', 20) FROM users") }
            }
            try await world.sql("SELECT note_address(id, NULL, 20) FROM users")
            let rows = try await world.sql("SELECT host(address) FROM known_addresses ORDER BY last_login_at")
            let kept = (0..<rows.count).map { rows[$0].text(0) ?? "" }
            #expect(kept.count == 20)
            #expect(kept.contains("10.0.0.2") && !kept.contains("10.0.0.3") && kept.last == "10.0.0.24")
        }
    }
}
