import Testing

@testable import HTTP

@Suite("Rules for the memory of bodies and answers")
struct BufferRoomTests {
    private static let room = BufferRoom(maxBytes: 100)

    @Test(
        "The last quarter of the memory is for holders with at most a quarter, and for the only request of a holder",
        arguments: [
            (10, BufferUse(all: 0, holder: 0, request: 0), true),
            (200, BufferUse(all: 0, holder: 0, request: 0), true),
            (50, BufferUse(all: 40, holder: 40, request: 40), true),
            (1, BufferUse(all: 99, holder: 0, request: 0), true),
            (1, BufferUse(all: 100, holder: 0, request: 0), false),
            (5, BufferUse(all: 70, holder: 30, request: 0), true),
            (6, BufferUse(all: 70, holder: 30, request: 0), false),
            (6, BufferUse(all: 70, holder: 19, request: 0), true),
            (6, BufferUse(all: 70, holder: 20, request: 10), false),
        ]
    )
    func room(bytes: Int, use: BufferUse, isThere: Bool) {
        #expect(Self.room.has(bytes, use) == isThere)
    }

    @Test("Requests of larger holders and silent ones end for a holder within its quarter")
    func ends() {
        let within = BufferUse(all: 100, holder: 10, request: 0)
        func ends(_ bytes: Int, isSilent: Bool = false, isOwn: Bool = false, _ use: BufferUse) -> Bool {
            Self.room.ends(bytes: bytes, isSilent: isSilent, isOwn: isOwn, for: 10, use)
        }
        #expect(ends(11, within) && !ends(10, within) && ends(5, isSilent: true, within))
        #expect(!ends(10, isOwn: true, within) && ends(10, isSilent: true, isOwn: true, within))
        let beyond = BufferUse(all: 100, holder: 20, request: 0)
        #expect(!ends(80, beyond) && !ends(80, isSilent: true, beyond))
        #expect(ends(20, isSilent: true, isOwn: true, beyond))
    }

    private static let rules: ConnectionRules = {
        var limits = ServerLimits()
        limits.buffersMaxBytes = 100
        return ConnectionRules(
            limits: limits,
            fixedFields: [],
            handler: RunningServer.answer,
            refusal: RunningServer.refuse,
            completion: { _, _ in }
        )
    }()

    @Test("Freed bytes pass to the asking request in one step, and only release the memory if they are too few")
    func passes() {
        func wish(_ bytes: Int) -> BufferWish {
            BufferWish(bytes: bytes, holder: Holder(of: Holder.Site()), reservedBytes: 0)
        }
        let (rules, large, asking) = (Self.rules, wish(150), wish(60))
        #expect(rules.reserve(large) && !rules.reserve(asking))
        // 150 - 40 bytes are no room for 60.
        #expect(!rules.pass(40, to: asking))
        #expect(asking.holder.byteCount == 0 && !rules.reserve(wish(1)))
        // 110 - 60 + 60 bytes fill the memory as before: nobody else got a part of it.
        #expect(rules.pass(60, to: asking))
        #expect(asking.holder.byteCount == 60 && !rules.reserve(wish(1)))
        rules.release(11)
        #expect(rules.reserve(wish(1)))
    }
}
