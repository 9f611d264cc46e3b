import Net
import Testing

@testable import HTTP

@Suite("Holders of connections and memory")
struct HolderTests {
    private static func holder(_ connections: Int, of site: Holder.Site = Holder.Site()) -> Holder {
        let holder = Holder(of: site)
        for _ in 0..<connections { _ = holder.enter(max: .max) }
        return holder
    }

    /// The order of the idle connections of named holders, such as `a1` for the one of `a` that is idle since 1.
    private static func order(_ holders: [(name: String, holder: Holder, idleSinceMs: [UInt64])]) -> [String] {
        var names: [String] = []
        var entries: [IdleOrder.Entry] = []
        for (name, holder, times) in holders {
            for time in times {
                entries.append(IdleOrder.Entry(holder: holder, sinceMs: time, index: names.count))
                names.append("\(name)\(time)")
            }
        }
        return IdleOrder.first(100, of: entries).map { names[$0] }
    }

    @Test("The longest idle connection of the largest holder gives way first, and its holder counts one less")
    func order() {
        let (a, b, c) = (Self.holder(3), Self.holder(2), Self.holder(1))
        #expect(
            Self.order([("c", c, [0]), ("b", b, [5, 0]), ("a", a, [1, 2, 3])]) == ["a1", "b0", "a2", "c0", "a3", "b5"]
        )
    }

    @Test("Requests under way count for the size of their holder")
    func busy() {
        #expect(Self.order([("a", Self.holder(2), [0, 1]), ("b", Self.holder(5), [9])]) == ["b9", "a0", "a1"])
    }

    @Test("Holders of one /48 are compared with others together, and with each other within it")
    func sites() {
        let (site, other) = (Holder.Site(), Holder.Site())
        let (p, q, r) = (Self.holder(3, of: site), Self.holder(1, of: site), Self.holder(3, of: other))
        let order = Self.order([("p", p, [5, 6, 7]), ("q", q, [0]), ("r", r, [1, 2, 3])])
        #expect(order == ["p5", "r1", "p6", "r2", "q0", "r3", "p7"])
        #expect(IdlePlace(of: q, sinceMs: 9).givesWay(before: IdlePlace(of: r, sinceMs: 0)))
        #expect(IdlePlace(of: p, sinceMs: 9).givesWay(before: IdlePlace(of: q, sinceMs: 0)))
        #expect(IdlePlace(of: r, sinceMs: 0).givesWay(before: IdlePlace(of: r, sinceMs: 1)))
    }

    @Test("No holder gives way to a larger one; one of the same /48 is compared with its /64")
    func givesWay() {
        let site = Holder.Site()
        let (small, large, other) = (Self.holder(1, of: site), Self.holder(4, of: site), Self.holder(4))
        #expect(large.givesWay(to: small) && !small.givesWay(to: large) && large.givesWay(to: large))
        #expect(!other.givesWay(to: small) && small.givesWay(to: other))
        #expect(small.givesWay(to: nil))
    }

    @Test("An address has one holder, and the holders of a /48 have one site")
    func table() throws {
        func subscriber(_ text: String) throws -> IPAddress { try #require(IPAddress(text)?.subscriber) }
        var table = HolderTable()
        let first = table.holder(of: try subscriber("2001:db8:1:1::1"), nowMs: 0)
        #expect(first === table.holder(of: try subscriber("2001:db8:1:1::2"), nowMs: 0))
        let second = table.holder(of: try subscriber("2001:db8:1:2::1"), nowMs: 0)
        #expect(first !== second && first.site === second.site)
        #expect(first.site !== table.holder(of: try subscriber("2001:db8:2::1"), nowMs: 0).site)
        #expect(first.site !== table.holder(of: try subscriber("192.0.2.1"), nowMs: 0).site)
        #expect(table.holder(of: nil, nowMs: 0) === table.holder(of: nil, nowMs: 0))
    }

    @Test("Holders without connections, memory and a pause are forgotten; the others stay the same")
    func forgets() throws {
        var table = HolderTable()
        func holder(_ number: Int, nowMs: UInt64 = 0) -> Holder {
            table.holder(of: IPAddress("10.0.\(number / 256).\(number % 256)"), nowMs: nowMs)
        }
        let used = (0..<3).map { holder($0) }
        #expect(used[0].enter(max: 1) && !used[0].enter(max: 1))
        used[1].add(bytes: 1)
        used[2].cutOff(untilMs: 10)
        for number in 3..<1024 { _ = holder(number) }
        #expect(table.count == 1024)
        let last = holder(1023)
        _ = holder(1024, nowMs: 9)
        #expect(table.count == 4 && last.isForgotten)
        for (number, holder) in used.enumerated() {
            let found = table.holder(of: IPAddress("10.0.0.\(number)"), nowMs: 9)
            #expect(found === holder && !found.isForgotten)
        }
    }
}
