import CloudSync
import Testing

/// Retries of merges and patches after a lost answer, and after another device has undone them.
struct MergeRetryTests {
    /// Replaces the current document from another device.
    private static func undo(_ members: String, _ world: World, _ caller: Caller) async throws -> VersionTag {
        let document = try ConfigurationDocument.merging(members, second: 50)
        return try await world.servers[1].update(WriteRule.id, document, .init(ifMatch: .any), for: caller).get()
            .version
    }

    private static func current(_ world: World, _ caller: Caller) async throws -> VersionTag {
        try await world.servers[0].get(WriteRule.id, for: caller).version
    }

    @Test("A retried merge returns its first result and is not applied to later writes")
    func merge() async throws {
        try await World.with { world in
            let devices = try await world.mergeItem()
            let mine = try ConfigurationDocument.merging(#""a":1,"b":5"#, second: 5)
            let first = try #require(try await world.merge(mine, for: devices[1]))
            #expect(first.version.number == 3 && first.document.contains(#""a":2,"b":5"#))
            let undone = try await Self.undo(#""a":2,"b":1"#, world, devices[0])
            for server in world.servers {
                let again = try #require(try await world.merge(mine, for: devices[1], on: server))
                #expect(again.version == first.version && again.text == first.text)
            }
            #expect(try await Self.current(world, devices[0]) == undone)
        }
    }

    @Test("A retried merge returns its first answer for any winner, also after an undo and a deletion")
    func outcomes() async throws {
        // Second and members of mine. Their edit changes `y` in second 10.
        let merges = [
            (5, #""x":2,"y":1"#), (5, #""x":1,"y":3"#), (50, #""x":1,"y":3"#), (50, #""x":2,"y":3"#),
            (5, #""x":2,"y":3"#), (10, #""x":1,"y":2"#), (10, #""x":1,"y":3"#), (10, #""x":1"#),
        ]
        try await World.with { world in
            for (second, members) in merges {
                let devices = try await world.mergeItem(base: #""x":1,"y":1"#, theirs: #""x":1,"y":2"#)
                let mine = try ConfigurationDocument.merging(members, second: second)
                let first = try await world.merge(mine, for: devices[1])
                func expectSame() async throws {
                    for server in world.servers {
                        let again = try await world.merge(mine, for: devices[1], on: server)
                        #expect(again?.version == first?.version && again?.text == first?.text, "\(members)")
                        #expect(again?.conflicts == first?.conflicts, "\(members)")
                    }
                }
                try await expectSame()
                let undone = try await Self.undo(#""x":1,"y":1"#, world, devices[0])
                try await expectSame()
                #expect(try await Self.current(world, devices[0]) == undone)
                _ = try await world.servers[0].delete(WriteRule.id, for: devices[0]).get()
                try await expectSame()
            }
        }
    }

    @Test("A write of the merged document without the preference is no retry of the merge")
    func withoutPreference() async throws {
        try await World.with { world in
            let devices = try await world.mergeItem()
            let mine = try ConfigurationDocument.merging(#""a":1,"b":5"#, second: 5)
            _ = try await world.merge(mine, for: devices[1])
            _ = try await Self.undo(#""a":2,"b":1"#, world, devices[0])
            let named = try await world.ifMatch(1, devices[1])
            await #expect(throws: CloudSyncError.self) {
                try await world.servers[0].update(WriteRule.id, mine, named, for: devices[1]).get()
            }
        }
    }

    @Test("A retry of a merge that changed nothing returns the version it found, also after an undo")
    func mergeWithoutChange() async throws {
        try await World.with { world in
            let devices = try await world.mergeItem(theirs: #""a":2,"b":5"#)
            // Their document has all changes of mine, and another change.
            let mine = try ConfigurationDocument.merging(#""a":1,"b":5"#, second: 5)
            let first = try #require(try await world.merge(mine, for: devices[1]))
            #expect(first.version.number == 2)
            let undone = try await Self.undo(#""a":2,"b":1"#, world, devices[0])
            let again = try #require(try await world.merge(mine, for: devices[1], on: world.servers[1]))
            #expect(again.version == first.version && again.text == first.text)
            #expect(try await Self.current(world, devices[0]) == undone)
        }
    }

    @Test("A merge whose document replaces its base is answered as a plain write")
    func mergeOfNothing() async throws {
        try await World.with { world in
            let devices = try await world.newAccount(devices: 2)
            _ = try await world.servers[0].create(.merging(#""a":1"#, second: 0), for: devices[0]).get()
            let mine = try ConfigurationDocument.merging(#""a":2"#, second: 5)
            #expect(try await world.merge(mine, for: devices[1]) == nil)
            let undone = try await Self.undo(#""a":1"#, world, devices[0])
            #expect(try await world.merge(mine, for: devices[1]) == nil)
            #expect(try await Self.current(world, devices[0]) == undone)
            #expect(undone.number == 3)
        }
    }

    private static let patch = #"{"b":7,"modified_at":"2026-01-01T00:00:00Z"}"#

    @Test("A retried patch returns its first result, with If-Match and without", arguments: ["2", "*", ""])
    func patch(ifMatch: String) async throws {
        try await World.with { world in
            let devices = try await world.mergeItem()
            let named = try await world.ifMatch(2, devices[1])
            let conditions = ["2": named, "*": WriteConditions(ifMatch: .any)][ifMatch] ?? WriteConditions()
            let first = try await world.patch(Self.patch, conditions, for: devices[1])
            #expect(first.version.number == 3 && first.document.contains(#""b":7"#))
            let undone = try await Self.undo(#""a":2,"b":1"#, world, devices[0])
            for server in 0..<2 {
                let again = try await world.patch(Self.patch, conditions, for: devices[1], on: server)
                #expect(again.version == first.version && again.text == first.text)
            }
            #expect(try await Self.current(world, devices[0]) == undone)
        }
    }

    @Test("A patch that another device repeats for the same version is no retry")
    func patchOfAnotherDevice() async throws {
        try await World.with { world in
            let devices = try await world.mergeItem()
            let named = try await world.ifMatch(2, devices[1])
            _ = try await world.patch(Self.patch, named, for: devices[1])
            await #expect(throws: CloudSyncError.self) { try await world.patch(Self.patch, named, for: devices[0]) }
        }
    }

    @Test("A patch or restore of another history's version is refused, also with an equal one in this history")
    func foreignBase() async throws {
        try await World.with { world in
            let device = try await world.mergeItem()[1]
            let (first, named) = (try await world.tag(1, device), try await world.ifMatch(2, device))
            let foreign = WriteConditions(ifMatch: .versions([try .ofAnotherHistory(2)]))
            #expect(try await world.patch(Self.patch, named, for: device).version.number == 3)
            await #expect(throws: CloudSyncError.self) { try await world.patch(Self.patch, foreign, for: device) }
            let third = try await world.ifMatch(3, device)
            _ = try await world.servers[0].restoring.restore(first, of: WriteRule.id, third, for: device).get()
            _ = try await Self.undo(#""a":9,"b":1"#, world, device)
            await #expect(throws: CloudSyncError.self) {
                try await world.servers[0].restoring.restore(first, of: WriteRule.id, foreign, for: device).get()
            }
        }
    }

    @Test("A retry of a patch that changed nothing returns the version it named, also after a later write")
    func patchWithoutChange() async throws {
        try await World.with { world in
            let devices = try await world.mergeItem()
            let named = try await world.ifMatch(2, devices[1])
            let first = try await world.patch(#"{"a":2}"#, named, for: devices[1])
            #expect(first.version.number == 2)
            let undone = try await Self.undo(#""a":9,"b":1"#, world, devices[0])
            let again = try await world.patch(#"{"a":2}"#, named, for: devices[1], on: 1)
            #expect(again.version == first.version && again.text == first.text)
            #expect(try await Self.current(world, devices[0]) == undone)
            await #expect(throws: CloudSyncError.self) { try await world.patch(#"{"a":3}"#, named, for: devices[1]) }
        }
    }

    @Test("Patches of one device to off, on and off are three edits")
    func offOnOff() async throws {
        try await World.with { world in
            let device = try await world.mergeItem()[1]
            let patches = ["off", "on", "off", "off"].map { #"{"a":"\#($0)","modified_at":"2026-01-01T00:00:00Z"}"# }
            var versions: [Int] = []
            for patch in patches { versions.append(try await world.patch(patch, for: device).version.number) }
            #expect(versions == [3, 4, 5, 5])
        }
    }
}
